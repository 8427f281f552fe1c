import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { migratedDatabase } from '../../../test/world/databases.ts';
import { connection, databaseFailure, withConnection } from './transaction.ts';

const errorOf = (code: string) => Object.assign(new Error(`SQLSTATE ${code}`), { code });

/** A pool of one session that records how the session was released. */
function poolThat(query: (text: string) => Promise<unknown>) {
  const released: unknown[] = [];
  const client = { query, release: (error?: Error) => released.push(error) };
  return { pool: { connect: async () => client } as unknown as pg.Pool, released };
}

describe('what the database cannot do', () => {
  test.each(['25006', '53100', '53300', '57P01', '57P03', '08006'])('%s is 503 and not our fault', (code) => {
    expect(databaseFailure(errorOf(code), false)).toMatchObject({ word: 'unavailable' });
  });

  test('of a standby is reported as read-only', () => {
    expect(databaseFailure(errorOf('25006'), false)?.message).toContain('read-only');
  });

  test('of a pool whose sessions are all in use is not reported as unreachable', async () => {
    const { serviceUrl: url } = await migratedDatabase();
    const full = new pg.Pool({ connectionString: url, max: 1 });
    const onlySession = await full.connect();
    // Set only now: opening the session may take longer.
    full.options.connectionTimeoutMillis = 50;
    await expect(connection(full)).rejects.toThrow('All database sessions of this node are in use');
    onlySession.release();
    await full.end();
  });

  test('a violated constraint is no trouble of the database', () => {
    expect(databaseFailure(errorOf('23505'), false)).toBeUndefined();
  });
});

describe('a session', () => {
  test.each(['25006', '57P01', 'ECONNRESET'])('that failed with %s does not go back to the pool', async (code) => {
    const { pool, released } = poolThat(async () => undefined);
    const error = errorOf(code);
    await expect(withConnection(pool, () => Promise.reject(error))).rejects.toBe(error);
    expect(released).toEqual([error]);
  });

  test('of a read that was refused goes back', async () => {
    const { pool, released } = poolThat(async () => undefined);
    await expect(withConnection(pool, () => Promise.reject(errorOf('22P02')))).rejects.toThrow();
    expect(released).toEqual([undefined]);
  });
});
