import { beforeAll, describe, expect, test } from 'vitest';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';

interface LogRow {
  id: number;
  at: string;
  end_time: string;
  mac: string;
  host_name: string | null;
  device_name: string;
  port_name: string;
  location: string;
  connection_type: string;
  vlan_at_start: string | null;
  vlan: string | null;
  vlan_changes: number;
  disconnect_reason: string;
  source: string;
}

describe('closed connections', async () => {
  const world = await startWorld();
  const limiter = new Limiter(world);
  const sql = <R extends object>(text: string, values: unknown[] = []) => limiter.sql<R>(text, values);
  const mac = '00:1D:09:00:73:01';
  let deviceID: number;
  let ports: number[];
  const logged = () => sql<LogRow>('select * from connection_log order by end_time, id');
  const open = (portID: number, since = 'now()') =>
    sql(
      `insert into connection_active (mac, device_id, port_id, vlan, since, last_seen) values ($1, $2, $3, '10', ${since}, ${since})`,
      [mac, deviceID, portID],
    );

  beforeAll(async () => {
    deviceID = await limiter.device('Network');
    ports = [await limiter.port(deviceID), await limiter.port(deviceID)];
    const hostID = await world.admin.create(host, { hostName: 'laptop' });
    await world.admin.create(adapter, { physicalAddress: mac, hostID });
  });

  test('are in the log with start, end, names and reason', async () => {
    await open(ports[0]!, `now() - interval '1 hour'`);
    await sql(`delete from connection_active a using closing_because('LINK_DOWN') where a.mac = $1`, [mac]);
    const [row, ...otherRows] = await logged();
    expect(otherRows).toEqual([]);
    expect(row).toMatchObject({
      mac,
      host_name: 'laptop',
      connection_type: 'WIRED_SNMP',
      vlan_at_start: '10',
      vlan: '10',
      vlan_changes: 0,
      disconnect_reason: 'LINK_DOWN',
      source: 'SNMP',
    });
    expect(row!.location).toBe(`Network / ${row!.device_name} / ${row!.port_name}`);
    expect(Date.parse(row!.end_time) - Date.parse(row!.at)).toBeGreaterThanOrEqual(3_600_000);
    expect(await sql('select from connection_active')).toEqual([]);
  });

  test('are deleted rows, also without a reason, which is then an administrator', async () => {
    await open(ports[0]!);
    await sql(`update connection_active set vlan = '20' where mac = $1`, [mac]);
    await sql(`update connection_active set last_seen = now() where mac = $1`, [mac]);
    await sql('delete from connection_active where mac = $1', [mac]);
    expect((await logged()).at(-1)).toMatchObject({
      disconnect_reason: 'ADMIN',
      vlan_at_start: '10',
      vlan: '20',
      vlan_changes: 1,
    });
  });

  test('end with MOVED at another port, where the next connection begins', async () => {
    await open(ports[0]!);
    const before = await logged();
    const [{ id }] = (await sql<{ id: number }>('select id from connection_active')) as [{ id: number }];
    await sql(`update connection_active set session_id = 's1', input_octets = 5 where mac = $1`, [mac]);
    await sql('update connection_active set port_id = $2, since = now() where mac = $1', [mac, ports[1]]);
    const after = await logged();
    expect(after.slice(before.length)).toMatchObject([
      { id, port_id: ports[0], session_id: 's1', input_octets: 5, disconnect_reason: 'MOVED' },
    ]);
    const [open2] = await sql<{ id: number }>('select * from connection_active');
    expect(open2).toMatchObject({ port_id: ports[1], session_id: null, input_octets: 0 });
    expect(open2!.id).not.toBe(id);
  });

  test('are closed with the port or device that is deleted', async () => {
    const before = await logged();
    await sql('delete from port where id = $1', [ports[1]]);
    expect((await logged()).slice(before.length)).toMatchObject([{ port_id: ports[1], disconnect_reason: 'ADMIN' }]);
    await open(ports[0]!);
    await world.service.runtime.transact(systemOrigin('test'), (tx) => tx.records.remove(networkDevice, [deviceID]));
    expect((await logged()).at(-1)).toMatchObject({ port_id: ports[0], disconnect_reason: 'ADMIN' });
    expect((await logged()).at(-1)!.device_name).not.toBe('');
  });

  test('that ended before the oldest slice of the log are stored in it', async () => {
    const deviceAgain = await limiter.device('Network');
    const portAgain = await limiter.port(deviceAgain);
    await sql(
      `insert into connection_active (mac, device_id, port_id, since) values ($1, $2, $3, now() - interval '3 years')`,
      [mac, deviceAgain, portAgain],
    );
    await world.service.runtime.transact(systemOrigin('test'), async (tx) => {
      await tx.client.query(
        `update connection_active set ended = now() - interval '2 years', disconnect_reason = 'LOST'`,
      );
      await tx.client.query('delete from connection_active');
    });
    const [oldest] = await logged();
    expect(oldest).toMatchObject({ disconnect_reason: 'LOST' });
    expect(Date.now() - Date.parse(oldest!.end_time)).toBeLessThan(180 * 86_400_000);
  });
});
