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

  const attempt = async (layers: Layer) => {
    const mac = newMac();
    const login = { source: nasAddress, port: world.authPort, secret: nasSecret, mac, layers };
    return { outcome: await logInThroughTunnels(login), mac };
  };
  const tunnels = ['TTLS', 'PEAP'] as const;
  const through = (type: 'TTLS' | 'PEAP', identity: string, inside: Layer): Layer => ({ type, identity, inside });
  /** The password methods that a tunnel of this type carries, by the user who has the password. */
  const passwordLayers = (tunnel: 'TTLS' | 'PEAP'): Layer[] => [
    ...(tunnel === 'TTLS' ? [{ type: 'PAP', userName: 'bob', password: otherPassword } as const] : []),
    { type: 'GTC', userName: 'bob', password: otherPassword },
    { type: 'MSCHAPV2', userName: 'bob', password: otherPassword },
  ];

  const honest = tunnels.flatMap((outer) =>
    passwordLayers(outer).map((inside) => [outer, inside.type, inside] as const),
  );
  test.each(honest)('of %s is accepted with %s by the supplicant that also nests tunnels', async (outer, _, inside) => {
    const { outcome, mac } = await attempt(through(outer, 'anonymous', inside));
    expect(outcome).toBe('accepted');
    expect(await rowOf(mac)).toMatchObject({ username: 'bob', reply: 'ACCEPT', outerEapType: outer });
  });

  /** Every order of two and of three tunnels around every password method. */
  const nested = tunnels.flatMap((outer) =>
    tunnels.flatMap((second) => [
      ...passwordLayers(second).map((last) => [outer, [second, last.type].join(' { '), second, last] as const),
      ...tunnels.flatMap((third) =>
        passwordLayers(third).map(
          (last) => [outer, [second, third, last.type].join(' { '), second, through(third, 'alice', last)] as const,
        ),
      ),
    ]),
  );
  test.each(nested)('of %s is not offered a second tunnel: { %s', async (outer, _, second, inside) => {
    const { outcome, mac } = await attempt(through(outer, 'anonymous', through(second, 'alice', inside)));
    expect(outcome).toBe(`${second} not offered`);
    expect(await rowOf(mac)).toMatchObject({ reply: 'REJECT' });
  });

  const userName = 1;
  const [userPassword, chapPassword, msChapChallenge, strippedUserName] = [2, 3, 11, 1043];
  const [eapTypeAttribute, innerMethod, passwordOwner] = [1018, 3002, 3003];
  const pap = (...pairs: Pair[]): Layer => ({
    type: 'TTLS',
    identity: 'anonymous',
    inside: { type: 'PAP', userName: 'bob', password: otherPassword, pairs },
  });
  const rounds = [0, 1, 2, 3];
  /** Attributes of another user in each choice of rounds of each EAP method. */
  const inRounds = (['GTC', 'MSCHAPV2'] as const).flatMap((type) =>
    Array.from({ length: 2 ** rounds.length }, (_, choice): [string, Layer] => {
      const chosen = rounds.filter((round) => choice & (1 << round));
      const pairs = (round: number): Pair[] => (chosen.includes(round) ? [[userName, 'alice']] : []);
      const inside: Layer = { type, userName: 'bob', password: otherPassword };
      return [
        `a User-Name in the rounds ${chosen.join(' ')} of ${type}`,
        { type: 'TTLS', identity: 'anonymous', inside, pairs },
      ];
    }),
  );
  const extras: [string, Pair[]][] = [
    ['a password', [[userPassword, otherPassword]]],
    [
      'a password and a name',
      [
        [userName, 'bob'],
        [userPassword, otherPassword],
      ],
    ],
    ['a CHAP password', [[chapPassword, 'x'.repeat(17)]]],
    ['a challenge of MS-CHAP', [[msChapChallenge, 'x'.repeat(16)]]],
    [
      'attributes of the server',
      [
        [strippedUserName, 'alice'],
        [innerMethod, 'PAP'],
        [passwordOwner, 'alice'],
        [eapTypeAttribute, 'GTC'],
      ],
    ],
  ];
  const withExtras = (['GTC', 'MSCHAPV2'] as const).flatMap((type) =>
    extras.map(([name, pairs]): [string, Layer] => [
      `${name} in each round of ${type}`,
      {
        type: 'TTLS',
        identity: 'alice',
        inside: { type, userName: 'bob', password: otherPassword },
        pairs: () => pairs,
      },
    ]),
  );
  const forged: [string, Layer][] = [
    ...tunnels.flatMap((outer) =>
      passwordLayers(outer).map((inside): [string, Layer] => [
        `an outer identity of another user, ${outer} { ${inside.type}`,
        through(outer, 'alice', inside),
      ]),
    ),
    ['a second User-Name next to the password', pap([userName, 'alice'])],
    ['attributes of the server next to the password', pap([strippedUserName, 'alice'], [passwordOwner, 'alice'])],
    ...inRounds,
    ...withExtras,
  ];
  test.each(forged)('is never accepted as another user with %s', async (_, layers) => {
    const { outcome, mac } = await attempt(layers);
    const row = await rowOf(mac);
    if (outcome === 'accepted') expect(row).toMatchObject({ username: 'bob', reply: 'ACCEPT' });
    else expect(row.reply).toBe('REJECT');
  });
});
