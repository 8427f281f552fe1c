import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyDatabase, type TestDatabase } from '../../../test/world/databases.ts';
import { connect, preparedBytes } from './connect.ts';
import { readBytes } from './row-bytes.ts';

describe('a read of bytes', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let client: pg.PoolClient;

  beforeAll(async () => {
    database = await emptyDatabase();
    pool = connect({ url: database.serviceUrl, connectionsMax: 1 });
    client = await pool.connect();
  });
  afterAll(async () => {
    client.release();
    await pool.end();
    await database.drop();
  });

  const series = `select n, repeat('ä', n % 300) as text, null as nothing from generate_series(1, $1::integer) n order by n`;

  test('gives every cell of every row, also when a message comes in pieces', async () => {
    const rows = await preparedBytes(client, 'series', series, [5_000]);
    expect(rows.length).toBe(5_000);
    for (const n of [1, 299, 300, 4_999, 5_000]) {
      expect(rows.number(n - 1, 0)).toBe(n);
      expect(rows.text(n - 1, 1)).toBe('ä'.repeat(n % 300));
      expect(rows.text(n - 1, 2)).toBeNull();
    }
  });

  test('leaves the session to ordinary queries, before and after', async () => {
    for (let round = 0; round < 3; round++) {
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
      expect((await preparedBytes(client, 'series', series, [2])).length).toBe(2);
      expect((await readBytes(client, '', 'select $1::text, $2::bigint[]::text', [null, [1, 2]])).text(0, 1)).toBe(
        '{1,2}',
      );
    }
  });

  test('fails with the error of the database, and the next one succeeds', async () => {
    const divide = 'select 1 / $1::integer';
    await expect(preparedBytes(client, 'divide', divide, [0])).rejects.toMatchObject({ code: '22012' });
    expect((await preparedBytes(client, 'divide', divide, [1])).number(0, 0)).toBe(1);
    await expect(preparedBytes(client, 'wrong', 'select nonsense', [])).rejects.toMatchObject({ code: '42703' });
    expect((await preparedBytes(client, 'wrong', 'select 2', [])).number(0, 0)).toBe(2);
  });

  test('fails when its session is ended under it', async () => {
    const otherPool = connect({ url: database.ownerUrl, connectionsMax: 1 });
    const victims = connect({ url: database.serviceUrl, connectionsMax: 1 });
    const victim = await victims.connect();
    const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid');
    const reading = readBytes(victim, '', 'select pg_sleep($1)', [30]);
    const failed = expect(reading).rejects.toThrow();
    await otherPool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
    await failed;
    victim.release(true);
    await victims.end();
    await otherPool.end();
  });
});
