import { describe, expect, test, vi } from 'vitest';
import { rightPassword, signInWorld, tally } from '../../test/world/sign-in.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import { userAccount } from '../user/user-account/user-account.ts';

/** Hashing a hundred passwords is slow on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

const { service, account, logIn, countOf } = await signInWorld();

let networks = 0;
/** Sends each request from another network by default. */
const changePassword = async (
  bearer: string,
  currentPassword: string,
  newPassword: string,
  query = '',
  address = `10.70.${++networks}.1`,
) => {
  const reply = await service.app.inject({
    method: 'POST',
    url: `/auth/password${query}`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
    payload: JSON.stringify({ currentPassword, newPassword }),
    remoteAddress: address,
  });
  return { code: reply.statusCode, text: reply.body };
};

const judged = (userID: string) => countOf('from login_failure where user_id = lower($1) and judged', [userID]);

describe('changing the password', () => {
  const sessionOf = async (userID: string) => (await logIn(userID, rightPassword, '10.40.1.1')).session!;

  test('checks five wrong passwords, also in dry runs, then refuses all and writes each to the audit log', async () => {
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
    // The session stays valid, and sign-ins from other networks still work.
    expect((await logIn(userID, rightPassword, '10.40.1.1')).code).toBe(200);
  });

  test('requires a session or a token without scopes', async () => {
    const { client, userID } = await account();
    const issued = await client.post('/auth/tokens', { name: 'narrow', scopes: { devices: ['view'] } });
    const narrow = (issued.body.results![0] as { token: string }).token;
    for (const query of ['', '?dryRun=true'])
      expect((await changePassword(narrow, rightPassword, 'another-long-password', query)).code).toBe(403);
    expect(await judged(userID)).toBe(0);
    const unlimitedToken = await client.post('/auth/tokens', { name: 'whole' });
    const token = (unlimitedToken.body.results![0] as { token: string }).token;
    expect((await changePassword(token, rightPassword, 'another-long-password')).code).toBe(200);
  });

  test('refuses the current password as the new one', async () => {
    const { userID, accountId } = await account();
    await service.runtime.transact(systemOrigin('test'), ({ records }) =>
      records.update(userAccount, accountId, { mustChangePassword: true }),
    );
    const session = await sessionOf(userID);
    const same = await changePassword(session, rightPassword, rightPassword);
    expect(same).toMatchObject({ code: 422, text: expect.stringContaining('newPassword') });
    expect((await changePassword(session, rightPassword, 'another-long-password')).code).toBe(200);
  });

  test('accepts the old password for only one of two concurrent changes', async () => {
    const { userID } = await account();
    const session = await sessionOf(userID);
    const replies = await Promise.all(
      [1, 2].map((n) => changePassword(session, rightPassword, `another-long-password-${n}`)),
    );
    expect(tally(replies.map(({ code }) => code))).toEqual({ 200: 1, 422: 1 });
  });
});
