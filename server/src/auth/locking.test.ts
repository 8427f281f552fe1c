import { describe, expect, test, vi } from 'vitest';
import { rightPassword, signInWorld, tally } from '../../test/world/sign-in.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import { unlockAccount } from './login-attempts.ts';

/** Hashing a hundred passwords is slow on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

const { service, other: otherNode, pool, account, logIn, countOf } = await signInWorld();

const judged = (userID: string) => countOf('from login_failure where user_id = lower($1) and judged', [userID]);

describe('failed logins', () => {
  test('lock an account only for their own network', async () => {
    const { userID } = await account();
    for (let n = 0; n < 12; n++) await logIn(userID, 'wrong-password', `203.0.113.${n + 1}`);
    expect((await logIn(userID, rightPassword, '203.0.113.99')).code).toBe(401);
    expect((await logIn(userID, rightPassword, '198.51.100.40')).code).toBe(200);
    // IPv6 networks are counted as /56: another /64 of the same customer is the same network.
    for (let n = 0; n < 5; n++) await logIn(userID, 'wrong-password', `2001:db8:0:${n}::1`);
    expect((await logIn(userID, rightPassword, '2001:db8:0:77::1')).code).toBe(401);
    expect((await logIn(userID, rightPassword, '2001:db8:0:177::1')).code).toBe(200);
  });

  test('from everywhere lock an account, except for networks that it signed in from', async () => {
    const { userID } = await account();
    expect((await logIn(userID, rightPassword, '10.20.30.40')).code).toBe(200);
    await pool.query(
      `insert into login_failure (user_id, address) select $1, ('10.9.' || n || '.1')::inet from generate_series(1, 45) n`,
      [userID],
    );
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        logIn(userID, 'wrong-password', `10.9.${100 + n}.1`, n % 2 ? service : otherNode),
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

  test('are deleted by a successful login only for its own network', async () => {
    const { userID } = await account();
    for (let n = 0; n < 4; n++) await logIn(userID, 'wrong-password', '10.30.1.1');
    for (let n = 0; n < 4; n++) await logIn(userID, 'wrong-password', '10.30.2.1');
    expect((await logIn(userID, rightPassword, '10.30.1.1')).code).toBe(200);
    expect(await judged(userID)).toBe(4);
    await logIn(userID, 'wrong-password', '10.30.2.1');
    expect((await logIn(userID, rightPassword, '10.30.2.1')).code).toBe(401);
  });
});
