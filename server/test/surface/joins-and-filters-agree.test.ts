import { beforeAll, describe, expect, test } from 'vitest';
import { networkDevice } from '../../src/device/network-device/network-device.ts';
import { observePorts } from '../../src/device/port/observe-ports.ts';
import { adapter } from '../../src/host/adapter/adapter.ts';
import { host } from '../../src/host/host/host.ts';
import { systemOrigin } from '../../src/kernel/declare/caller.ts';
import { joinSql } from '../../src/kernel/declare/lateral-joins.ts';
import { macOf } from '../world/restricted-admins.ts';
import { world } from '../world/world.ts';

/*
 * A list reads the columns of lookup tables by a join, a filter or a sort by a subquery for each row: both must give
 * the same values.
 */

describe('the columns of lookup tables of hosts and adapters', async () => {
  const { admin, service } = await world();
  const { runtime } = service;

  /** Creates hosts with no, one and two adapters: never observed, connected, disconnected, and reconnected. */
  beforeAll(async () => {
    await runtime.transact(systemOrigin('test'), async ({ client, records }) => {
      const { id: deviceID } = await records.create(networkDevice, { name: 'sw-1', containerID: 1 });
      await observePorts(client, [
        { deviceID, name: 'Gi0/1', ifindex: '1', portType: 0 },
        { deviceID, name: 'Staff', ifindex: '2', portType: 1 },
      ]);
    });
    for (let n = 0; n < 12; n++) {
      const hostID = await admin.create(host, { hostName: `host-${n}`, inactiveDays: n + 1 });
      for (let adapterIndex = 0; adapterIndex < n % 3; adapterIndex++)
        await admin.create(adapter, { physicalAddress: macOf(n * 10 + adapterIndex), hostID, enabled: n % 5 > 0 });
    }
    const { pool } = runtime;
    const connect = (which: string) =>
      pool.query(
        `insert into connection_active (mac, device_id, port_id, vlan, since, last_seen)
         select a.physical_address, p.device_id, p.id, (a.id % 4 * 10)::text, now() - a.id * interval '1 day', now() - a.id * interval '1 hour'
         from adapter a join (select p.*, row_number() over () as n from port p) p on p.n = 1 + a.id / 2 % 2 where ${which}`,
      );
    await connect('a.id % 3 > 0');
    await pool.query('delete from connection_active');
    await connect('a.id % 2 = 0');
    await pool.query(
      `insert into host_risk (host_id, source, level, deadline)
       select h.id, s.source, s.level, case s.level when 'PENDING' then now() end
       from host h join (values (0, 'ADMIN', 'AT_RISK'), (0, 'SCAN', 'PENDING'), (1, 'SCAN', 'PENDING')) s (n, source, level) on s.n = h.id % 3`,
    );
  });

  const cases = [host, adapter].flatMap(({ name }) => {
    const table = runtime.engine.model.byName(name);
    return [...table.selectables.values()]
      .filter(({ shown }) => shown)
      .map(({ path, sql, shown }) => ({ name, path, sql, shown, table }));
  });

  test.each(cases)('have the same value in filters as in records: $path of $name', async ({ sql, shown, table }) => {
    const { rows } = await runtime.pool.query<{ shown: unknown; asked: unknown }>(
      `select to_jsonb(${shown}) as shown, to_jsonb(${sql}) as asked from ${table.name} r${joinSql(table.joins)} order by r.id`,
    );
    expect(rows.map(({ asked }) => asked)).toEqual(rows.map((row) => row.shown));
    expect(new Set(rows.map((row) => JSON.stringify(row.shown))).size, 'different values').toBeGreaterThan(1);
  });
});
