import { expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { observePorts } from '../port/observe-ports.ts';
import { storeTraps } from './store-traps.ts';

test('counts one hit for a MAC address in a trap that an exclusion matches', async () => {
  const { runtime } = (await world()).service;
  const [vrrp, laptop] = ['00:00:5E:00:01:0A', '02:00:00:00:00:07'];
  const id = await runtime.transact(systemOrigin('test'), async ({ client, records }) => {
    const device = await records.create(networkDevice, { name: 'sw-1', containerID: 1 });
    await observePorts(client, [{ deviceID: device.id, name: 'Gi0/1', ifindex: '1' }]);
    await client.query(
      'insert into port_bridge (port_id, device_id, bridge_port) select p.id, p.device_id, 1 from port p',
    );
    return device.id;
  });
  const tell = (ticks: number, isLearned: boolean) =>
    runtime.transact(systemOrigin('test'), (tx) => {
      const changes = [vrrp, laptop].map((mac) => ({ isLearned, mac, vlan: 1, bridgePort: 1 }));
      const reported = [{ deviceID: id, ticks, event: { kind: 'macChanges' as const, changes } }];
      return storeTraps(tx, new Map([[id, { name: 'sw-1' }]]), reported);
    });
  const sql = async (text: string) => (await runtime.pool.query(text)).rows;
  const hits = () => sql(`select e.hits, e.last_hit is not null as reported from mac_exclusion e where e.hits > 0`);
  expect(await hits()).toEqual([]);
  await tell(100, true);
  // Another node receives the same trap.
  await tell(100, true);
  expect(await sql('select mac from connection_active')).toEqual([{ mac: laptop }]);
  await tell(200, false);
  expect(await sql('select mac from connection_active')).toEqual([]);
  expect(await hits()).toEqual([{ hits: 1, reported: true }]);
});
