import { freeUdpPorts } from '@portreeve/testbed/free-ports.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../test/world/patience.ts';
import { nasAddress, nasSecret, type RadiusWorld, radiusWorld } from '../../../test/world/radius-world.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { sendAccountingRequest } from '../../protocols/radius-engine/radclient.ts';

describe('the accounting listener of a node', () => {
  let world: RadiusWorld;
  let limiter: Limiter;
  let port: number;
  const mac = '00:1D:09:00:60:01';
  const session = { 'Acct-Session-Id': 'AB12', 'Calling-Station-Id': '00-1D-09-00-60-01', 'NAS-Port-Id': 'Gi1/0/1' };
  const account = (attributes: Record<string, string | number>, more = {}) =>
    sendAccountingRequest({
      source: nasAddress,
      port,
      secret: nasSecret,
      attributes: { ...session, ...attributes },
      ...more,
    });
  const active = () => limiter.sql<{ id: number }>('select * from connection_active where mac = $1', [mac]);

  beforeAll(async () => {
    world = await radiusWorld();
    limiter = new Limiter(world);
    port = world.acctPort;
  });
  afterAll(() => world.close());

  test('attaches the session to the connection of the accept, and Stop writes it to the log with its decision', async () => {
    expect((await world.mab(mac)).code).toBe('Access-Accept');
    await until('the connection', async () => (await active()).length === 1);
    const [{ id }] = (await active()) as [{ id: number }];
    expect(await account({ 'Acct-Status-Type': 'Start' })).toBe(true);
    expect(await active()).toMatchObject([{ id, session_id: 'AB12', source: 'RADIUS' }]);
    const counters = { 'Acct-Input-Octets': 70, 'Acct-Output-Octets': 80, 'Acct-Input-Gigawords': 1 };
    const stop = { 'Acct-Status-Type': 'Stop', 'Acct-Session-Time': 5, 'Acct-Terminate-Cause': 'Lost-Carrier' };
    expect(await account({ ...stop, ...counters })).toBe(true);
    expect(await active()).toEqual([]);
    expect(await limiter.sql('select * from connection_log')).toMatchObject([
      {
        id,
        mac,
        session_id: 'AB12',
        input_octets: 2 ** 32 + 70,
        output_octets: 80,
        disconnect_reason: 'LINK_DOWN',
        connection_type: 'WIRED_MAB',
        decision_reason: 'Nothing is enforced: the port is in no enforcement group.',
      },
    ]);
  });

  test('answers without a Message-Authenticator, and not with another secret', async () => {
    const once = { tries: 1, waitSeconds: 0.5 };
    expect(await account({ 'Acct-Status-Type': 'Interim-Update' }, { signs: false })).toBe(true);
    expect(await account({ 'Acct-Status-Type': 'Start' }, { ...once, secret: 'another secret' })).toBe(false);
    const page = await world.node().metrics.page();
    expect(page).toContain('portreeve_accounting_packets_total{outcome="bad-authenticator"} 1\n');
  });

  test('follows the port of the settings', async () => {
    const [next] = (await freeUdpPorts('127.0.0.1', 1)) as [number];
    await world.admin.post('/radius/radius-server-config/global', { acctPort: next });
    port = next;
    await until('a response at the other port', () =>
      account({ 'Acct-Status-Type': 'Accounting-On' }, { tries: 1, waitSeconds: 0.5 }),
    );
  });
});
