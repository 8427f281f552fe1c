import { describe, expect, test } from 'vitest';
import { Limiter } from '../../test/world/restricted-admins.ts';
import { world } from '../../test/world/world.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { unlockAccount } from './login-attempts.ts';
import {
  claimNetworkLogin,
  clearNetworkLogins,
  forgetNetworkFailures,
  reportFailedNetworkLogins,
  sweepNetworkLogins,
} from './network-logins.ts';
import { requireNetworkPassword } from './password.ts';

const ownMac = '00:1D:09:00:00:01';
const macOf = (n: number) =>
  `02:00:00:00:${[n >> 8, n & 255].map((byte) => byte.toString(16).padStart(2, '0')).join(':')}`.toUpperCase();

describe('passwords of network logins', async () => {
  const opened = await world();
  const limiter = new Limiter(opened);
  let accountCount = 0;

  const account = async () => {
    const userID = `network user ${++accountCount}`;
    const { id } = await limiter.transact(({ records }) =>
      records.create(userAccount, { userID, networkPassword: 'correct horse' }),
    );
    return { id, userID };
  };
  /** Claims a login; returns undefined if its password is checked. */
  const claim = (accountID: number, mac = ownMac) =>
    limiter.transact((tx) => claimNetworkLogin(tx, { accountID, mac }));
  const succeed = (accountID: number, mac = ownMac) =>
    limiter.transact((tx) => clearNetworkLogins(tx, [{ accountID, mac }]));
  const fail = (userName: string, mac = ownMac) =>
    limiter.transact((tx) => reportFailedNetworkLogins(tx, [{ userName, mac }]));
  /** Stores attempts that failed some seconds ago, each from another device. */
  const failed = (accountID: number, count: number, secondsAgo = 60) =>
    limiter.sql(
      `insert into network_login_attempt (account_id, mac, at)
       select $1, '0A:00:00:00:' || lpad(upper(to_hex(n / 256)), 2, '0') || ':' || lpad(upper(to_hex(n % 256)), 2, '0'),
         clock_timestamp() - make_interval(secs => $3) from generate_series(1, $2::integer) n`,
      [accountID, count, secondsAgo],
    );
  const events = async (userID: string) =>
    limiter.sql<{ text: string; mac: string | null }>(
      `select event_format_string as text, mac from event where name = 'NETWORK_LOGIN_LOCKED' and element_name = $1 order by id`,
      [userID],
    );
  const rowsOf = async (accountID: number) =>
    (await limiter.sql('select from network_login_attempt where account_id = $1', [accountID])).length;

  test('are checked ten times for an account and a device, also if 40 arrive at once', async () => {
    const { id } = await account();
    const answers = await Promise.all(Array.from({ length: 40 }, () => claim(id)));
    expect(answers.filter((seconds) => seconds === undefined)).toHaveLength(10);
    for (const seconds of answers.filter((seconds) => seconds !== undefined)) {
      expect(seconds).toBeGreaterThan(600);
      expect(seconds).toBeLessThanOrEqual(900);
    }
    // Refused attempts are not stored, so they neither prolong the lock nor fill the table.
    expect(await rowsOf(id)).toBe(10);
  });

  test('are checked on other devices and of other accounts while one pair is locked', async () => {
    const [attacked, neighbour] = [await account(), await account()];
    for (let n = 0; n < 10; n++) await claim(attacked.id);
    expect(await claim(attacked.id)).toBeGreaterThan(0);
    expect(await claim(attacked.id, macOf(1))).toBeUndefined();
    expect(await claim(neighbour.id)).toBeUndefined();
  });

  test('are checked again when fewer than ten failures in the last 15 minutes remain', async () => {
    const { id } = await account();
    for (let n = 0; n < 10; n++) await claim(id);
    await limiter.sql(`update network_login_attempt set at = at - interval '14 minutes' where account_id = $1`, [id]);
    expect(await claim(id)).toBeLessThanOrEqual(60);
    await limiter.sql(`update network_login_attempt set at = at - interval '61 seconds' where account_id = $1`, [id]);
    expect(await claim(id)).toBeUndefined();
  });

  test('of an account that failed on 50 devices within an hour are checked only on devices that it logged in from', async () => {
    const { id } = await account();
    await succeed(id);
    await failed(id, 50);
    expect(await claim(id, macOf(2))).toBeGreaterThan(3_000);
    expect(await claim(id)).toBeUndefined();
    expect(await claim(id, '')).toBeGreaterThan(3_000);
  });

  test('of an account that 200 devices share are checked when all of them log in at once', async () => {
    const { id } = await account();
    await failed(id, 200, 1);
    expect(await claim(id, macOf(3))).toBeUndefined();
    // The limit also applies to an attacker whose logins never end.
    await failed(id, 50, 1);
    expect(await claim(id, macOf(4))).toBeGreaterThan(0);
  });

  test('sent by one device for many accounts are checked only for accounts that logged in from it', async () => {
    const mac = macOf(5);
    const [owner, stranger] = [await account(), await account()];
    await succeed(owner.id, mac);
    await failed((await account()).id, 50);
    await limiter.sql('update network_login_attempt set mac = $1 where account_id <> $2 and account_id <> $3', [
      mac,
      owner.id,
      stranger.id,
    ]);
    expect(await claim(stranger.id, mac)).toBeGreaterThan(0);
    expect(await claim(owner.id, mac)).toBeUndefined();
    expect(await claim(stranger.id, macOf(6))).toBeUndefined();
  });

  test('have no stored failures after a login, for that account and device alone', async () => {
    const { id } = await account();
    for (let n = 0; n < 10; n++) await claim(id);
    await claim(id, macOf(7));
    await succeed(id);
    expect(await rowsOf(id)).toBe(1);
    expect(await claim(id)).toBeUndefined();
  });

  test('are reported as locked by one event, with the account and the device', async () => {
    const { id, userID } = await account();
    for (let n = 0; n < 9; n++) await claim(id);
    await fail(userID);
    expect(await events(userID)).toEqual([]);
    await claim(id);
    await Promise.all([fail(userID.toUpperCase()), fail(userID), claim(id), claim(id)]);
    expect(await events(userID)).toEqual([
      {
        mac: ownMac,
        text: expect.stringMatching(
          /^Network logins of .+ are locked from this device for \d+ s; the last came from 00:1D:09:00:00:01\.$/,
        ),
      },
    ]);
    // A lock after a successful login is a new lock, with its own event.
    await succeed(id);
    for (let n = 0; n < 10; n++) await claim(id);
    await fail(userID);
    expect(await events(userID)).toHaveLength(2);
  });

  test('are checked again after an administrator unlocks the account, and after its password was set', async () => {
    const { id, userID } = await account();
    for (let n = 0; n < 10; n++) await claim(id);
    await limiter.transact((tx) => unlockAccount(tx, userID));
    for (let n = 0; n < 10; n++) expect(await claim(id)).toBeUndefined();
    await limiter.transact((tx) => forgetNetworkFailures(tx, id));
    expect(await claim(id)).toBeUndefined();
  });

  test.each([
    ['', 'has fewer than 10 characters'],
    ['nine char', 'has fewer than 10 characters'],
    ['alice-alice', 'is the user name'],
    ['password123', 'is a common password'],
    ['a line\nbreak in it', 'has more than 128 bytes, or control characters'],
    ['üöäß'.repeat(17), 'has more than 128 bytes, or control characters'],
  ])('follow the rules of administrator passwords, and can be sent in a packet: %j %s', (password, fault) => {
    expect(() => requireNetworkPassword(password, 'alice')).toThrow(`networkPassword: ${fault}`);
  });

  test.each(['ten charac', 'üöäß'.repeat(16)])('accept the password %j', (password) => {
    expect(() => requireNetworkPassword(password, 'alice')).not.toThrow();
  });

  test('leave no expired rows', async () => {
    const { id } = await account();
    await failed(id, 20, 3_601);
    await failed(id, 3, 3_500);
    await succeed(id, macOf(8));
    await succeed(id, macOf(9));
    await limiter.sql(`update network_login_device set last_at = last_at - interval '31 days' where mac = $1`, [
      macOf(8),
    ]);
    await limiter.sql(`insert into network_login_lock (name, until) values ('pair 0 x', now() - interval '1 second')`);
    await sweepNetworkLogins(opened.service.runtime.pool);
    expect(await rowsOf(id)).toBe(3);
    expect(await limiter.sql('select mac from network_login_device where account_id = $1', [id])).toEqual([
      { mac: macOf(9) },
    ]);
    expect(await limiter.sql(`select from network_login_lock where name = 'pair 0 x'`)).toEqual([]);
  });
});
