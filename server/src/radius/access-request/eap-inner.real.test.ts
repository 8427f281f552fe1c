import { logIn, supplicantText } from '@portreeve/testbed/eapol-test.ts';
import { type Layer, logInThroughTunnels, type Pair } from '@portreeve/testbed/tunnel-supplicant.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../test/world/patience.ts';
import { nasAddress, nasSecret, type RadiusWorld, radiusWorld } from '../../../test/world/radius-world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { userAccount } from '../../user/user-account/user-account.ts';

const details = '/radius/radius-health-details';
const password = 'violet-harbour-41';
const otherPassword = 'amber-lantern-92';

describe('a login inside one tunnel', () => {
  let world: RadiusWorld;
  let count = 0;
  /** Returns a new MAC address for each attempt, which identifies its row. */
  const newMac = () => `02:00:00:00:07:${(++count).toString(16).padStart(2, '0').toUpperCase()}`;
  const rowOf = async (mac: string) => {
    const rows = async () =>
      (
        await world.admin.get<{ username: string; reply: string; eapType: string; outerEapType: string }>(
          `${details}?filter=callingStationId==${mac}`,
        )
      ).body.results!;
    await until(`the row of ${mac}`, async () => (await rows()).length === 1);
    return (await rows())[0]!;
  };

  beforeAll(async () => {
    world = await radiusWorld();
    const enabledEapTypes = ['TTLS', 'PEAP', 'MSCHAPV2', 'MD5', 'GTC'];
    const changed = await world.admin.post('/radius/radius-server-config/1', { enabledEapTypes });
    expect(changed.code, changed.text).toBe(200);
    for (const [userID, networkPassword] of [
      ['alice', password],
      ['bob', otherPassword],
    ] as const)
      await world.service.runtime.transact(systemOrigin('test'), ({ records }) =>
        records.create(userAccount, { userID, networkPassword }),
      );
    await world.runs();
  });
  afterAll(() => world.close());

  const methods: [outerEapType: 'PEAP' | 'TTLS', phase2: string, eapType: string][] = [
    ['PEAP', 'auth=MSCHAPV2', 'MSCHAPv2'],
    ['PEAP', 'auth=GTC', 'GTC'],
    ['PEAP', 'auth=MD5', 'MD5'],
    ['TTLS', 'auth=PAP', 'PAP'],
    ['TTLS', 'auth=CHAP', 'CHAP'],
    ['TTLS', 'auth=MSCHAP', 'MS-CHAP'],
    ['TTLS', 'auth=MSCHAPV2', 'MS-CHAP'],
    ['TTLS', 'autheap=MSCHAPV2', 'MSCHAPv2'],
    ['TTLS', 'autheap=GTC', 'GTC'],
    ['TTLS', 'autheap=MD5', 'MD5'],
  ];
  test.each(methods)('by %s with %s is accepted only with the right password', async (eap, phase2, eapType) => {
    const attempt = async (word: string) => {
      const mac = newMac();
      const network = {
        eap,
        identity: '"alice"',
        anonymous_identity: '"anonymous"',
        password: supplicantText(word),
        phase2: `"${phase2}"`,
      };
      const login = await logIn({ source: nasAddress, port: world.authPort, secret: nasSecret, mac, network });
      return { ...login, mac };
    };
    const right = await attempt(password);
    expect(right.isAccepted, right.output.slice(-3_000)).toBe(true);
    const names = { username: 'alice', outerEapType: eap, eapType };
    expect(await rowOf(right.mac)).toMatchObject({ ...names, reply: 'ACCEPT' });
    const wrong = await attempt(otherPassword);
    expect(wrong.isAccepted).toBe(false);
    expect(await rowOf(wrong.mac)).toMatchObject({ username: 'alice', reply: 'REJECT', cause: 'BAD_PASSWORD' });
  });

  const userName = 1;
  const [strippedUserName, innerMethod, passwordOwner] = [1043, 3002, 3003];
  const pap = (...pairs: Pair[]): Layer => ({
    type: 'TTLS',
    identity: 'anonymous',
    inside: { type: 'PAP', userName: 'bob', password: otherPassword, pairs },
  });
  const gtc = (pairs: (round: number) => readonly Pair[], type: 'TTLS' | 'PEAP' = 'TTLS'): Layer => ({
    type,
    identity: 'alice',
    inside: { type: 'GTC', userName: 'bob', password: otherPassword },
    pairs,
  });
  const forged: [string, Layer][] = [
    ['an outer identity of another user, TTLS', gtc(() => [])],
    ['an outer identity of another user, PEAP', gtc(() => [], 'PEAP')],
    ['a second User-Name next to the password', pap([userName, 'alice'])],
    ['attributes of the server next to the password', pap([strippedUserName, 'alice'], [passwordOwner, 'alice'])],
    ['a User-Name in each round of EAP', gtc(() => [[userName, 'alice']])],
    ['a User-Name in the first round of EAP', gtc((round) => (round === 0 ? [[userName, 'alice']] : []))],
    ['a User-Name after the first round of EAP', gtc((round) => (round > 0 ? [[userName, 'alice']] : []))],
    ['a User-Name in the last round of EAP', gtc((round) => [[userName, round < 2 ? 'bob' : 'alice']])],
    [
      'attributes of the server in each round of EAP',
      gtc(() => [
        [strippedUserName, 'alice'],
        [innerMethod, 'PAP'],
        [passwordOwner, 'alice'],
      ]),
    ],
  ];
  test.each(forged)('is never accepted as another user with %s', async (_, layers) => {
    const mac = newMac();
    const outcome = await logInThroughTunnels({
      source: nasAddress,
      port: world.authPort,
      secret: nasSecret,
      mac,
      layers,
    });
    const row = await rowOf(mac);
    if (outcome === 'accepted') expect(row).toMatchObject({ username: 'bob', reply: 'ACCEPT' });
    else expect(row.reply).toBe('REJECT');
  });
});
