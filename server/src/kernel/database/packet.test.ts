import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runScript } from '../../../test/surface/schema-drift.ts';
import { emptyDatabase, type TestDatabase } from '../../../test/world/databases.ts';
import { connect } from './connect.ts';
import { runPacket } from './packet.ts';

describe('statements in one packet', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let client: pg.PoolClient;

  beforeAll(async () => {
    database = await emptyDatabase();
    await runScript(database, 'create table note (n integer primary key); grant all on note to portreeve_service');
    pool = connect({ url: database.serviceUrl, connectionsMax: 1 });
    client = await pool.connect();
  });
  afterAll(async () => {
    client.release();
    await pool.end();
    await database.drop();
  });

  const notes = async () => (await client.query<{ n: number }>('select n from note order by n')).rows.map(({ n }) => n);

  test('begin, work and commit, as often as one likes', async () => {
    for (const n of [1, 2, 3]) {
      await runPacket(client, ['begin', 'set local statement_timeout = 1234']);
      expect((await client.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '1234ms' }]);
      await client.query('insert into note values ($1)', [n]);
      await runPacket(client, [`insert into note values (${n * 10})`, 'commit']);
    }
    expect(await notes()).toEqual([1, 2, 3, 10, 20, 30]);
    expect((await client.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '5s' }]);
  });

  test('end with the first that fails, and the session is well afterwards', async () => {
    await runPacket(client, ['begin']);
    const failed = runPacket(client, ['insert into note values (1)', 'commit']);
    await expect(failed).rejects.toMatchObject({ code: '23505' });
    await client.query('rollback');
    await runPacket(client, ['begin']);
    await runPacket(client, ['insert into note values (4)', 'commit']);
    expect(await notes()).toEqual([1, 2, 3, 4, 10, 20, 30]);
  });
});
