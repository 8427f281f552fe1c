import { type Switches, type SwitchSpec, startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { realParts } from '../../testing/open-world.ts';
import { world } from '../../testing/world.ts';
import { container } from '../container/container.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { DevicePoller } from './poller.ts';

const access = '127.0.31.1';
const core = '127.0.31.2';
const specs: SwitchSpec[] = [
  {
    address: access,
    sysName: 'sw-access',
    ports: 24,
    hostOnEachPort: true,
    neighbours: [
      { port: 24, sysName: 'sw-core', chassis: '02:00:00:00:31:02', portId: 'Gi1/0/1', managementAddress: core },
    ],
  },
  { address: core, sysName: 'sw-core', kind: 'cisco', ports: 24, hostOnEachPort: true },
];

describe('polling', async () => {
  const parts = realParts();
  const shared = await world({ parts });
  const { admin, service } = shared;
  const poller = new DevicePoller(
    { runtime: service.runtime, drivers: parts.drivers, clock: Date.now },
    {
      onError: (error) => {
        throw error;
      },
    },
  );
  let switches: Switches;
  const ids = new Map<string, number>();
  let room: number;

  beforeAll(async () => {
    switches = await startSwitches(specs);
    room = await admin.create(container, { name: 'Polled' });
    for (const { address, sysName } of specs) {
      const reply = await admin.post('/device/snmp', {
        name: sysName,
        ipAddress: address,
        containerID: room,
        snmpProtocol: 'V2C',
        snmpPort: switches.port,
        snmpSecurityStrings: ['public'],
      });
      expect(reply, reply.text).toMatchObject({ code: 201 });
      ids.set(sysName!, Number(String(reply.headers.location).split('/').at(-1)));
    }
  });
  afterAll(() => switches.stop());

  const device = (name: string) => admin.fetch(networkDevice, ids.get(name)!);
  const sql = async <T extends object>(text: string, values: unknown[] = []) =>
    (await service.runtime.pool.query<T>(text, values)).rows;
  const due = (name: string, ...kinds: string[]) =>
    sql(`update device_poll set ${kinds.map((kind) => `${kind}_due = now()`).join(', ')} where device_id = $1`, [
      ids.get(name),
    ]);

  test('a new device is asked who it is, and its ports and hosts are where they are', async () => {
    expect(await poller.pollDue()).toBe(2);
    expect(await device('sw-access')).toMatchObject({ status: 1, driver: 'qbridge', systemName: 'sw-access' });
    expect(await device('sw-core')).toMatchObject({ status: 1, driver: 'cisco-ios' });
    await due('sw-access', 'l2');
    await due('sw-core', 'l2');
    await poller.pollDue();
    for (const number of [1, 7, 20]) {
      const mac = (await switches.hostMac(access, number)).toUpperCase();
      const { name } = await switches.portOf(access, number);
      expect(
        await sql('select p.name from connection_active a join port p on p.id = a.port_id where a.mac = $1', [mac]),
      ).toEqual([{ name }]);
    }
    expect(await admin.fetch(container, room)).toMatchObject({ status: 1 });
  });

  test('a reading that a trap asks for while the table is read is not forgotten', async () => {
    const dueIn = async () =>
      (
        await sql<{ seconds: number }>(
          'select extract(epoch from l2_due - now())::float as seconds from device_poll where device_id = $1',
          [ids.get('sw-access')],
        )
      )[0]!.seconds;
    await due('sw-access', 'l2');
    await switches.disturb(access, { delayMs: 100 });
    const polling = poller.pollDue();
    await vi.waitFor(async () =>
      expect(await sql('select from device_poll where lease_until > now()')).toHaveLength(1),
    );
    await sql(`update device_poll set l2_due = now() + interval '60 seconds', l2_pushes = 1 where device_id = $1`, [
      ids.get('sw-access'),
    ]);
    await polling;
    await switches.disturb(access, {});
    expect(await dueIn()).toBeLessThanOrEqual(60);
    await due('sw-access', 'l2');
    await poller.pollDue();
    expect(await dueIn()).toBeGreaterThan(400);
  });
});
