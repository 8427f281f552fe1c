import { describe, expect, test, vi } from 'vitest';

import { rightPassword, signInWorld, tally } from '../../test/world/sign-in.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { unlockAccount } from './login-attempts.ts';

/** A hundred passwords take their time on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

const { service, other, pool, account, logIn, countOf } = await signInWorld();

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

const judged = (userID: string) => countOf('from login_failure where user_id = lower($1) and judged', [userID]);

describe('guessing passwords at once', () => {
  test('judges at most the threshold of the profile of 50 guesses over two nodes, wherever the right one is', async () => {
    const { userID } = await account();
    // Ten addresses of one network, so that the limit of an address does not stop them first.
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        logIn(
          userID,
          n === 49 ? rightPassword : `guess number ${n}`,
          `192.0.2.${1 + (n % 20)}`,
          n % 2 ? service : other,
        ),
      ),
    );
    expect(tally(replies.map(({ code }) => code))).toEqual({ 401: 50 });
    expect(await judged(userID)).toBe(5);
    expect(await countOf(`from event where name = 'ADMIN_LOCKED' and element_name = $1`, [userID])).toBe(1);
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
    expect((await logIn(userID, rightPassword, '203.0.113.99')).code).toBe(401);
    expect((await logIn(userID, rightPassword, '198.51.100.40')).code).toBe(200);
    // IPv6 networks are counted as /56: another /64 of the same customer is the same network.
    for (let n = 0; n < 5; n++) await logIn(userID, 'wrong-password', `2001:db8:0:${n}::1`);
    expect((await logIn(userID, rightPassword, '2001:db8:0:77::1')).code).toBe(401);
    expect((await logIn(userID, rightPassword, '2001:db8:0:177::1')).code).toBe(200);
  });

  test('who fails from everywhere leaves in those networks that the account signed in from, and no others', async () => {
    const { userID } = await account();
    expect((await logIn(userID, rightPassword, '10.20.30.40')).code).toBe(200);
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
    expect((await logIn(userID, rightPassword, '10.8.1.1')).code).toBe(401);
    expect((await logIn(userID, rightPassword, '10.20.30.77')).code).toBe(200);
    await pool.query(
      `update login_network set last_at = now() - interval '31 days' where network = '10.20.30.0/24' and account_id = (select id from user_account where user_id = $1)`,
      [userID],
    );
    expect((await logIn(userID, rightPassword, '10.20.30.77')).code).toBe(401);
    const unlocked = await service.runtime.transact(systemOrigin('test'), (tx) =>
      unlockAccount(tx, userID.toUpperCase()),
    );
    expect(unlocked).toBe(50);
    expect((await logIn(userID, rightPassword, '10.8.1.1')).code).toBe(200);
    expect(
      await countOf(`from audit_record where audit_object_name = $1 and yams_event_tag = 'ADMIN_UNLOCKED'`, [userID]),
    ).toBe(1);
  });

  test('a success forgets the failures of its own network alone', async () => {
    const { userID } = await account();
    for (let n = 0; n < 4; n++) await logIn(userID, 'wrong-password', '10.30.1.1');
    for (let n = 0; n < 4; n++) await logIn(userID, 'wrong-password', '10.30.2.1');
    expect((await logIn(userID, rightPassword, '10.30.1.1')).code).toBe(200);
    expect(await judged(userID)).toBe(4);
    await logIn(userID, 'wrong-password', '10.30.2.1');
    expect((await logIn(userID, rightPassword, '10.30.2.1')).code).toBe(401);
  });
});

describe('changing the password', () => {
  const sessionOf = async (userID: string) => (await logIn(userID, rightPassword, '10.40.1.1')).session!;

  test('is no way to guess it: five are judged, also of dry runs, then all are refused and each is audited', async () => {
    const { userID } = await account();
    const session = await sessionOf(userID);
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        changePassword(
          session,
          n === 29 ? rightPassword : `guess number ${n}`,
          'another-long-password',
          n % 2 ? '?dryRun=true' : '',
          `10.71.1.${n}`,
        ),
      ),
    );
    expect(tally(replies.map(({ code }) => code))).toEqual({ 422: 5, 429: 25 });
    expect(await countOf(`from audit_record where "user" = $1 and action = 'LOGIN_FAILED'`, [userID])).toBe(5);
    // The session goes on, and so does a sign-in from elsewhere.
    expect((await logIn(userID, rightPassword, '10.40.1.1')).code).toBe(200);
  });

  test('needs a session or a token without scopes', async () => {
    const { client, userID } = await account();
    const issued = await client.post('/auth/tokens', { name: 'narrow', scopes: { devices: ['view'] } });
    const narrow = (issued.body.results![0] as { token: string }).token;
    for (const query of ['', '?dryRun=true'])
      expect((await changePassword(narrow, rightPassword, 'another-long-password', query)).code).toBe(403);
    expect(await judged(userID)).toBe(0);
    const whole = await client.post('/auth/tokens', { name: 'whole' });
    const token = (whole.body.results![0] as { token: string }).token;
    expect((await changePassword(token, rightPassword, 'another-long-password')).code).toBe(200);
  });

  test('refuses the same password, so that who must change it does', async () => {
    const { userID, accountId } = await account();
    await service.runtime.transact(systemOrigin('test'), ({ records }) =>
      records.update(userAccount, accountId, { mustChangePassword: true }),
    );
    const session = await sessionOf(userID);
    const same = await changePassword(session, rightPassword, rightPassword);
    expect(same).toMatchObject({ code: 422, text: expect.stringContaining('newPassword') });
    expect((await changePassword(session, rightPassword, 'another-long-password')).code).toBe(200);
  });

  test('of two at once only one counts the old password as right', async () => {
    const { userID } = await account();
    const session = await sessionOf(userID);
    const replies = await Promise.all(
      [1, 2].map((n) => changePassword(session, rightPassword, `another-long-password-${n}`)),
    );
    expect(tally(replies.map(({ code }) => code))).toEqual({ 200: 1, 422: 1 });
  });
});
