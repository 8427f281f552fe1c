import { afterAll } from 'vitest';
import { openNode } from './open-world.ts';
import { world } from './world.ts';

/** The password of every account of a test. */
export const rightPassword = 'correct-horse-battery';

/** Opens two nodes of one cell, with functions for tests of sign-in. */
export async function signInWorld() {
  const { service, database, caller } = await world();
  const otherNode = await openNode({ database });
  afterAll(() => otherNode.close());
  const { pool } = service.runtime;

  /** Creates an account with few rights, and returns its name. */
  const account = async (grants: Record<string, string[]> = { devices: ['view'] }) => {
    const client = await caller(grants);
    const { rows } = await pool.query<{ userID: string }>(
      'select user_id as "userID" from user_account where id = $1',
      [client.accountId],
    );
    return { client, accountId: client.accountId, userID: rows[0]!.userID };
  };

  const logIn = async (userID: string, password: string, address: string, node = service) => {
    const reply = await node.app.inject({
      method: 'POST',
      url: '/auth/login',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ userID, password }),
      remoteAddress: address,
    });
    return { code: reply.statusCode, session: reply.json().results?.[0]?.sessionKey as string | undefined };
  };

  const countOf = async (sql: string, values: unknown[]) =>
    (await pool.query<{ count: number }>(`select count(*)::integer as count ${sql}`, values)).rows[0]!.count;

  return { service, other: otherNode, pool, account, logIn, countOf };
}

/** Counts how often each status code occurs. */
export function tally(codes: readonly number[]): Record<number, number> {
  const counted: Record<number, number> = {};
  for (const code of codes) counted[code] = (counted[code] ?? 0) + 1;
  return counted;
}
