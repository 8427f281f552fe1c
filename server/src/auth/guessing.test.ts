import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { Client } from '../../test/world/client.ts';
import { openNode } from '../../test/world/open-world.ts';
import { world } from '../../test/world/world.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import type { Service } from '../node/start-service.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { setPassword } from './account.ts';
import { unlockAccount } from './login-attempts.ts';

/** A hundred passwords take their time on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

const right = 'correct-horse-battery';

const { service, database, caller } = await world();
const other = await openNode({ database });
const { pool } = service.runtime;

/** An account with the rights of a stranger, and its name. */
const account = async (grants: Record<string, string[]> = { devices: ['view'] }) => {
  const client = await caller(grants);
  const { rows } = await pool.query<{ userID: string }>('select user_id as "userID" from user_account where id = $1', [
    client.accountId,
  ]);
  return { client, accountId: client.accountId, userID: rows[0]!.userID };
};

const logIn = async (userID: string, password: string, from: string, node: Service = service) => {
  const reply = await node.app.inject({
    method: 'POST',
    url: '/auth/login',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ userID, password }),
    remoteAddress: from,
  });
  return { code: reply.statusCode, session: reply.json().results?.[0]?.sessionKey as string | undefined };
};

let networks = 0;
/** Each from a network of its own, unless one is named. */
const changePassword = async (
  bearer: string,
  currentPassword: string,
  newPassword: string,
  query = '',
  from = `10.70.${++networks}.1`,
) => {
  const reply = await service.app.inject({
    method: 'POST',
    url: `/auth/password${query}`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
    payload: JSON.stringify({ currentPassword, newPassword }),
    remoteAddress: from,
  });
  return { code: reply.statusCode, text: reply.body };
};

const tally = (codes: readonly number[]) => {
  const counted: Record<number, number> = {};
  for (const code of codes) counted[code] = (counted[code] ?? 0) + 1;
  return counted;
};

const sum = async (sql: string, values: unknown[]) =>
  (await pool.query<{ count: number }>(`select count(*)::integer as count ${sql}`, values)).rows[0]!.count;

const judged = (userID: string) => sum('from login_failure where user_id = lower($1) and judged', [userID]);

describe('guessing passwords at once', () => {
  test('judges at most the threshold of the profile of 100 guesses over two nodes, wherever the right one is', async () => {
    const { userID } = await account();
    // Ten addresses of one network, so that the limit of an address does not stop them first.
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        logIn(userID, n === 99 ? right : `guess number ${n}`, `192.0.2.${1 + (n % 20)}`, n % 2 ? service : other),
      ),
    );
    expect(tally(replies.map(({ code }) => code))).toEqual({ 401: 100 });
    expect(await judged(userID)).toBe(5);
    expect(await sum(`from event where name = 'ADMIN_LOCKED' and element_name = $1`, [userID])).toBe(1);
  });

  test('stops an address after ten, though all came at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        logIn(`nobody ${n}`, 'wrong-password', '198.51.100.7', n % 2 ? service : other),
      ),
    );
    expect(tally(replies.map(({ code }) => code))).toEqual({ 401: 10, 429: 50 });
  });
});

describe('a stranger', () => {
  test('locks an account for the own network only', async () => {
    const { userID } = await account();
    for (let n = 0; n < 12; n++) await logIn(userID, 'wrong-password', `203.0.113.${n + 1}`);
    expect((await logIn(userID, right, '203.0.113.99')).code).toBe(401);
    expect((await logIn(userID, right, '198.51.100.40')).code).toBe(200);
    // IPv6 networks are counted as /56: another /64 of the same customer is the same network.
    for (let n = 0; n < 5; n++) await logIn(userID, 'wrong-password', `2001:db8:0:${n}::1`);
    expect((await logIn(userID, right, '2001:db8:0:77::1')).code).toBe(401);
    expect((await logIn(userID, right, '2001:db8:0:177::1')).code).toBe(200);
  });

  test('who fails from everywhere leaves in those networks that the account signed in from, and no others', async () => {
    const { userID } = await account();
    expect((await logIn(userID, right, '10.20.30.40')).code).toBe(200);
    await pool.query(
      `insert into login_failure (user_id, address) select $1, ('10.9.' || n || '.1')::inet from generate_series(1, 45) n`,
      [userID],
    );
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        logIn(userID, 'wrong-password', `10.9.${100 + n}.1`, n % 2 ? service : other),
      ),
    );
    expect(tally(replies.map(({ code }) => code))).toEqual({ 401: 12 });
    expect(await judged(userID)).toBe(50);
    expect((await logIn(userID, right, '10.8.1.1')).code).toBe(401);
    expect((await logIn(userID, right, '10.20.30.77')).code).toBe(200);
    await pool.query(
      `update login_network set last_at = now() - interval '31 days' where network = '10.20.30.0/24' and account_id = (select id from user_account where user_id = $1)`,
      [userID],
    );
    expect((await logIn(userID, right, '10.20.30.77')).code).toBe(401);
    const unlocked = await service.runtime.transact(systemOrigin('test'), (tx) =>
      unlockAccount(tx, userID.toUpperCase()),
    );
    expect(unlocked).toBe(50);
    expect((await logIn(userID, right, '10.8.1.1')).code).toBe(200);
    expect(
      await sum(`from audit_record where audit_object_name = $1 and yams_event_tag = 'ADMIN_UNLOCKED'`, [userID]),
    ).toBe(1);
  });

  test('a success forgets the failures of its own network alone', async () => {
    const { userID } = await account();
    for (let n = 0; n < 4; n++) await logIn(userID, 'wrong-password', '10.30.1.1');
    for (let n = 0; n < 4; n++) await logIn(userID, 'wrong-password', '10.30.2.1');
    expect((await logIn(userID, right, '10.30.1.1')).code).toBe(200);
    expect(await judged(userID)).toBe(4);
    await logIn(userID, 'wrong-password', '10.30.2.1');
    expect((await logIn(userID, right, '10.30.2.1')).code).toBe(401);
  });
});

describe('changing the password', () => {
  const sessionOf = async (userID: string) => (await logIn(userID, right, '10.40.1.1')).session!;

  test('is no way to guess it: five are judged, also of dry runs, then all are refused and each is audited', async () => {
    const { userID } = await account();
    const session = await sessionOf(userID);
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        changePassword(
          session,
          n === 29 ? right : `guess number ${n}`,
          'another-long-password',
          n % 2 ? '?dryRun=true' : '',
          `10.71.1.${n}`,
        ),
      ),
    );
    expect(tally(replies.map(({ code }) => code))).toEqual({ 422: 5, 429: 25 });
    expect(await sum(`from audit_record where "user" = $1 and action = 'LOGIN_FAILED'`, [userID])).toBe(5);
    // The session goes on, and so does a sign-in from elsewhere.
    expect((await logIn(userID, right, '10.40.1.1')).code).toBe(200);
  });

  test('needs a session or a token without scopes', async () => {
    const { client, userID } = await account();
    const issued = await client.post('/auth/tokens', { name: 'narrow', scopes: { devices: ['view'] } });
    const narrow = (issued.body.results![0] as { token: string }).token;
    for (const query of ['', '?dryRun=true'])
      expect((await changePassword(narrow, right, 'another-long-password', query)).code).toBe(403);
    expect(await judged(userID)).toBe(0);
    const whole = await client.post('/auth/tokens', { name: 'whole' });
    const token = (whole.body.results![0] as { token: string }).token;
    expect((await changePassword(token, right, 'another-long-password')).code).toBe(200);
  });

  test('refuses the same password, so that who must change it does', async () => {
    const { userID, accountId } = await account();
    await service.runtime.transact(systemOrigin('test'), ({ records }) =>
      records.update(userAccount, accountId, { mustChangePassword: true }),
    );
    const session = await sessionOf(userID);
    const same = await changePassword(session, right, right);
    expect(same).toMatchObject({ code: 422, text: expect.stringContaining('newPassword') });
    expect((await changePassword(session, right, 'another-long-password')).code).toBe(200);
  });

  test('of two at once only one counts the old password as right', async () => {
    const { userID } = await account();
    const session = await sessionOf(userID);
    const replies = await Promise.all([1, 2].map((n) => changePassword(session, right, `another-long-password-${n}`)));
    expect(tally(replies.map(({ code }) => code))).toEqual({ 200: 1, 422: 1 });
  });
});

describe('a narrow token', () => {
  const tokenOf = async (client: Client, desired: object) => {
    const reply = await client.post('/auth/tokens', { name: randomUUID(), ...desired });
    const { id, token } = reply.body.results![0] as { id: number; token: string };
    return { id, token, client: new Client(service.app, token) };
  };

  test('rotates and revokes itself, and no other token of its owner', async () => {
    const { client } = await account();
    const [narrow, whole] = [await tokenOf(client, { scopes: { devices: ['view'] } }), await tokenOf(client, {})];
    expect((await narrow.client.delete(`/auth/tokens/${whole.id}`)).code).toBe(403);
    expect((await narrow.client.post(`/auth/tokens/${whole.id}/rotate`)).code).toBe(403);
    expect((await whole.client.get('/auth/tokens')).code).toBe(200);
    const rotated = await narrow.client.post(`/auth/tokens/${narrow.id}/rotate`, { graceMinutes: 5 });
    expect(rotated).toMatchObject({ code: 201, body: { results: [{ scopes: { devices: ['view'] } }] } });
    expect((await narrow.client.delete(`/auth/tokens/${narrow.id}`)).code).toBe(200);
  });

  test('ends no session of its owner', async () => {
    const { client, userID } = await account();
    const { session } = await logIn(userID, right, '10.50.1.1');
    const narrow = await tokenOf(client, { scopes: { devices: ['view'] } });
    const { id } = (await client.get('/auth/sessions')).body.results![0] as { id: number };
    expect((await narrow.client.delete(`/auth/sessions/${id}`)).code).toBe(403);
    expect((await new Client(service.app, session!).get('/auth/sessions')).code).toBe(200);
    expect((await client.delete(`/auth/sessions/${id}`)).code).toBe(200);
  });

  test('outlives itself by no token that it issues', async () => {
    const { client } = await account();
    const narrow = await tokenOf(client, { scopes: { devices: ['view'] }, expiresInDays: 2 });
    const issued = await narrow.client.post('/auth/tokens', { name: 'longer', expiresInDays: 365 });
    const { expiresAt } = issued.body.results![0] as { expiresAt: string };
    expect(Date.parse(expiresAt)).toBeLessThan(Date.now() + 3 * 86_400_000);
  });
});

describe('limits under races', () => {
  test('an account holds 50 tokens, though 90 are asked for at once on two nodes', async () => {
    const { client, accountId } = await account();
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::integer as count from api_token where account_id = $1',
      [accountId],
    );
    expect(rows[0]!.count).toBe(1);
    const { token } = (await client.post('/auth/tokens', { name: 'first' })).body.results![0] as { token: string };
    const clients = [new Client(service.app, token), new Client(other.app, token)];
    // All wait for one lock, and on a busy machine some for longer than they may: a client tries such a request again.
    const create = async (n: number, triesLeft = 10): ReturnType<Client['post']> => {
      const reply = await clients[n % 2]!.post('/auth/tokens', { name: `token ${n}` });
      return reply.code === 503 && triesLeft > 1 ? create(n, triesLeft - 1) : reply;
    };
    const replies = await Promise.all(Array.from({ length: 90 }, (_, n) => create(n)));
    expect(tally(replies.map(({ code }) => code))).toEqual({ 201: 48, 422: 42 });
    expect(await sum('from api_token where account_id = $1', [accountId])).toBe(50);
  });

  test('an account has 20 sessions, though 40 begin at once', async () => {
    const { userID, accountId } = await account();
    await service.runtime.transact(systemOrigin('test'), (tx) => setPassword(tx, accountId, right));
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) => logIn(userID, right, `10.60.${n}.1`, n % 2 ? service : other)),
    );
    expect(tally(replies.map(({ code }) => code))).toEqual({ 200: 40 });
    expect(await sum('from login_session where account_id = $1', [accountId])).toBe(20);
  });
});
