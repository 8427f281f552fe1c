import { logIn, supplicantText } from '@portreeve/testbed/eapol-test.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../test/world/patience.ts';
import { nasAddress, nasSecret, type RadiusWorld, radiusWorld } from '../../../test/world/radius-world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { userAccount } from '../../user/user-account/user-account.ts';

const details = '/radius/radius-health-details';
const right = 'correct horse';
const macOf = (n: number) => `02:00:00:00:02:${n.toString(16).padStart(2, '0').toUpperCase()}`;
const attackerMac = macOf(250);

describe('a network password', () => {
  let world: RadiusWorld;

  const account = async (userID: string) => {
    await world.service.runtime.transact(systemOrigin('test'), ({ records }) =>
      records.create(userAccount, { userID, networkPassword: right }),
    );
    return userID;
  };
  const pap = async (userID: string, password: string, mac: string) =>
    (
      await world.send({
        attributes: { 'User-Name': userID, 'User-Password': password, 'Calling-Station-Id': mac },
      })
    ).code;
  const tunnel = async (eap: 'PEAP' | 'TTLS', userID: string, password: string, mac: string) => {
    const network = {
      eap,
      identity: supplicantText(userID),
      anonymous_identity: '"anonymous"',
      password: supplicantText(password),
      phase2: eap === 'PEAP' ? '"auth=MSCHAPV2"' : '"auth=PAP"',
    };
    const { isAccepted } = await logIn({ source: nasAddress, port: world.authPort, secret: nasSecret, mac, network });
    return isAccepted ? 'Access-Accept' : 'Access-Reject';
  };
  /** Stores attempts with wrong passwords. */
  const failed = (userID: string, mac: string, count: number) =>
    world.service.runtime.pool.query(
      `insert into network_login_attempt (account_id, mac) select u.id, $2 from user_account u, generate_series(1, $3::integer)
       where u.user_id = $1`,
      [userID, mac, count],
    );
  const answersOf = async (mac: string) =>
    (await world.admin.get<{ cause: string; message: string }>(`${details}?filter=callingStationId==${mac}&sortKey=id`))
      .body.results!;
  const untilAnswers = async (mac: string, count: number) => {
    await until(`${count} answers for ${mac}`, async () => (await answersOf(mac)).length >= count);
    return answersOf(mac);
  };
  /** Waits until the attempts are deleted, which happens after the accept was sent. */
  const untilNoAttempt = (userID: string, mac: string) =>
    until(`the count of ${userID} to end`, async () => {
      const { rows } = await world.service.runtime.pool.query(
        `select from network_login_attempt a join user_account u on u.id = a.account_id where u.user_id = $1 and a.mac = $2`,
        [userID, mac],
      );
      return rows.length === 0;
    });

  beforeAll(async () => {
    world = await radiusWorld({ rejectDelaySeconds: 1 });
    expect((await world.admin.post('/radius/radius-server-config/1', { papEnabled: true })).code).toBe(200);
    await world.runs();
  });
  afterAll(() => world.close());

  test('is checked ten times from one device, and then even the right one is rejected there', async () => {
    const userID = await account('victim');
    const ownMac = macOf(1);
    expect(await pap(userID, right, ownMac)).toBe('Access-Accept');
    await untilNoAttempt(userID, ownMac);
    await failed(userID, attackerMac, 7);
    for (let n = 0; n < 5; n++) expect(await pap(userID, `guess number ${n}`, attackerMac)).toBe('Access-Reject');
    expect(await pap(userID, right, attackerMac)).toBe('Access-Reject');
    const answers = await untilAnswers(attackerMac, 6);
    expect(answers.map(({ cause }) => cause)).toEqual([
      ...Array.from({ length: 3 }, () => 'BAD_PASSWORD'),
      ...Array.from({ length: 3 }, () => 'LOGIN_LOCKED'),
    ]);
    expect(answers.at(-1)).toMatchObject({
      cause: 'LOGIN_LOCKED',
      message: expect.stringMatching(
        /^Too many wrong passwords: passwords of this account are not checked from this device for 1[45] min\.$/,
      ),
    });
    const events = await world.admin.get('/logging/event?filter=name==NETWORK_LOGIN_LOCKED;elementName==victim');
    expect(events.body).toMatchObject({ filtered: 1, results: [{ mac: attackerMac, userName: 'victim' }] });
    // The owner of the account is not affected.
    expect(await pap(userID, right, ownMac)).toBe('Access-Accept');
    expect(await tunnel('TTLS', userID, right, ownMac)).toBe('Access-Accept');
  });

  test.each(['PEAP', 'TTLS'] as const)('is limited in the same way inside %s', async (eap) => {
    const userID = await account(`guest-${eap.toLowerCase()}`);
    const mac = macOf(eap === 'PEAP' ? 2 : 3);
    await failed(userID, mac, 8);
    expect(await tunnel(eap, userID, 'a guess', mac)).toBe('Access-Reject');
    // The tenth password that is checked is the right one; in PEAP the engine requests it twice.
    expect(await tunnel(eap, userID, right, mac)).toBe('Access-Accept');
    await untilNoAttempt(userID, mac);
    await failed(userID, mac, 9);
    expect(await tunnel(eap, userID, 'a guess', mac)).toBe('Access-Reject');
    expect(await tunnel(eap, userID, right, mac)).toBe('Access-Reject');
    const answers = await untilAnswers(mac, 4);
    expect(answers.map(({ cause }) => cause)).toEqual(['BAD_PASSWORD', 'NONE', 'BAD_PASSWORD', 'LOGIN_LOCKED']);
  });

  test('that is wrong is rejected after a second, as is a locked login', async () => {
    const userID = await account('slow');
    const mac = macOf(4);
    const secondsOf = async (password: string) => {
      const begunMs = performance.now();
      expect(await pap(userID, password, mac)).toBe('Access-Reject');
      return (performance.now() - begunMs) / 1_000;
    };
    expect(await secondsOf('guess')).toBeGreaterThan(0.9);
    await failed(userID, mac, 9);
    expect(await secondsOf(right)).toBeGreaterThan(0.9);
    expect((await untilAnswers(mac, 2)).at(-1)).toMatchObject({ cause: 'LOGIN_LOCKED' });
  });
});
