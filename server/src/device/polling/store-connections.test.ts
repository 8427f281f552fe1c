import { beforeAll, describe, expect, test, vi } from 'vitest';
import { logEvents } from '../../../test/world/logged-events.ts';
import { macOf } from '../../../test/world/restricted-admins.ts';
import { world } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { refreshConnectionStates } from '../port/connection-states.ts';
import { observePorts } from '../port/observe-ports.ts';
import { storeArp, storeReading } from './store-connections.ts';
import { uplink } from './uplinks.ts';

const portsEach = 20;
/** Enough for two transactions to overlap. */
const hostsEach = 600;

describe('readings of forwarding tables', async () => {
  const { admin, service } = await world();
  const { runtime } = service;
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);
  const sql = async <R extends object>(text: string, values: unknown[] = []) =>
    (await runtime.pool.query<R>(text, values)).rows;
  type Device = Parameters<typeof storeReading>[1] & { ports: number[] };
  const devices: Device[] = [];

  beforeAll(async () => {
    await logEvents({ admin, service }, 'HOST_DISCONNECTED');
    for (const name of ['sw-1', 'sw-2']) {
      const { id } = await transact(({ records }) => records.create(networkDevice, { name, containerID: 1 }));
      const observedPorts = Array.from({ length: portsEach }, (_, n) => ({
        deviceID: id,
        name: `Gi0/${n}`,
        ifindex: String(n),
      }));
      await observePorts(runtime.pool, observedPorts);
      const ports = await sql<{ id: number }>('select id from port where device_id = $1 order by id', [id]);
      devices.push({ id, name, ports: ports.map((row) => row.id) } as Device);
    }
  });

  const macs = (firstNumber: number): string[] => Array.from({ length: hostsEach }, (_, n) => macOf(firstNumber + n));
  /** Stores a forwarding table; returns the number of attempts of the transaction. */
  const storeTable = async (device: Device, there: readonly string[]): Promise<number> => {
    let attempts = 0;
    const learnedMacs = there.map((mac, n) => ({ mac, portID: device.ports[n % portsEach]!, vlan: '' }));
    await transact((tx) => {
      attempts++;
      return storeReading(tx, device, { learned: learnedMacs, uplinks: new Map(), hits: new Map() });
    });
    return attempts;
  };

  test('two switches that exchange all their hosts are read without a deadlock', async () => {
    const [firstDevice, secondDevice] = devices as [Device, Device];
    const [firstMacs, secondMacs] = [macs(0x20_00_00), macs(0x21_00_00)];
    await storeTable(firstDevice, firstMacs);
    await storeTable(secondDevice, secondMacs);
    for (let round = 0; round < 4; round++) {
      const [here, there] = round % 2 === 0 ? [secondMacs, firstMacs] : [firstMacs, secondMacs];
      expect(await Promise.all([storeTable(firstDevice, here), storeTable(secondDevice, there)])).toEqual([1, 1]);
    }
  });

  test('reports the new host when one replaces another on a port', async () => {
    const [{ id, ports }] = devices as [Device];
    const port = ports[0]!;
    const [leaves, comes] = [macOf(0x22_00_00), macOf(0x22_00_01)];
    const insert = 'insert into connection_active (mac, device_id, port_id) values ($1, $2, $3)';
    await sql('delete from connection_active');
    await sql(insert, [leaves, id, port]);
    let refreshed: Promise<void> | undefined;
    await transact(async ({ client }) => {
      await client.query('delete from connection_active where mac = $1', [leaves]);
      await refreshConnectionStates(client, [port]);
      refreshed = transact(async (tx) => {
        await tx.client.query(insert, [comes, id, port]);
        await refreshConnectionStates(tx.client, [port]);
      });
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await vi.waitFor(async () => expect(await sql(waiting)).toHaveLength(1), { timeout: 60_000, interval: 10 });
    });
    await refreshed;
    expect(await sql('select connection_state from port where id = $1', [port])).toEqual([{ connection_state: 2 }]);
  });

  test('ends and reports the connections of a port that becomes an uplink', async () => {
    const [device] = devices as [Device];
    const [port, mac] = [device.ports[1]!, macOf(0x23_00_00)];
    const reading = { learned: [], uplinks: new Map([[port, uplink.learned]]), hits: new Map() };
    await storeTable(device, [macOf(0x23_00_01), mac]);
    await transact((tx) => storeReading(tx, device, reading));
    const reported = () => sql(`select location from event where name = 'HOST_DISCONNECTED' and mac = $1`, [mac]);
    expect(await reported()).toEqual([{ location: 'sw-1:Gi0/1' }]);
    expect(await sql('select from connection_active where mac = $1', [mac])).toEqual([]);
    await transact((tx) => storeReading(tx, device, reading));
    expect(await reported()).toHaveLength(1);
  });

  test('two routers that know the same address do not write it by turns', async () => {
    const arp = { ip: '192.0.2.7', mac: macOf(0x24_00_00), ifIndex: 1 };
    const rowVersions = () => sql('select xmin::text as written, device_id from ip_mac where mac = $1', [arp.mac]);
    const [firstDevice, secondDevice] = devices as [Device, Device];
    expect(await transact((tx) => storeArp(tx, firstDevice, [arp]))).toEqual({ added: 1 });
    const before = await rowVersions();
    expect(await transact((tx) => storeArp(tx, secondDevice, [arp]))).toEqual({ added: 0 });
    expect(await rowVersions()).toEqual(before);
    await sql(`update ip_mac set last_seen = now() - interval '6 minutes' where mac = $1`, [arp.mac]);
    await transact((tx) => storeArp(tx, secondDevice, [arp]));
    expect(await rowVersions()).toMatchObject([{ device_id: secondDevice.id }]);
  });
});
