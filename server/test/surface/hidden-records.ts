import { deviceProfilingRule } from '../../src/host/device-profiling-rule/device-profiling-rule.ts';
import { isCollection } from '../../src/kernel/declare/declaration.ts';
import { quoted } from '../../src/kernel/declare/names.ts';
import { userAccount } from '../../src/user/user-account/user-account.ts';
import { asOwner } from '../trials/slices.ts';
import { Limiter, selecting } from '../world/restricted-admins.ts';
import type { World } from '../world/world.ts';

/** Hidden records have ids from here on, this word in their names and addresses with this beginning: any text shows whether it has one. */
export const hiddenFrom = 770_000_000;
export const hiddenWord = 'zqx';
export const hiddenMac = 'DE:AD:BE:EF:00:01';

/** Fills a world with hidden records, related to visible ones in every way, and creates a caller with these verbs who sees only the latter. */
export async function plantHiddenRecords(shared: World, verbs: object) {
  const { admin, service } = shared;
  const { model } = service.runtime.engine;
  const limiter = new Limiter(shared);
  const scoped = model.tables.filter(({ declaration }) => isCollection(declaration) && declaration.scopedBy);
  const ruleLike = (name: string) => ({ ...(deviceProfilingRule.example as object), name });
  const account = (userID: string) =>
    limiter.transact(async ({ records }) => (await records.create(userAccount, { userID })).id);

  const place = await limiter.container();
  const visible: Record<string, number> = { container: place.id };
  visible['network-device'] = await limiter.device(place.name);
  visible.port = await limiter.port(visible['network-device']);
  visible.ssid = await limiter.ssid(visible['network-device']);
  visible.adapter = await limiter.adapter();
  const before = await limiter.adapter();
  const [{ host_id: hostID } = { host_id: 0 }] = await limiter.sql<{ host_id: number }>(
    'select host_id from adapter where id = $1',
    [visible.adapter],
  );
  visible.host = hostID;
  visible['user-account'] = await account('visible person');
  visible['device-profiling-rule'] = await admin.create(deviceProfilingRule, ruleLike('visible rule'));
  const managed = {
    PORT: await limiter.group('PORT'),
    HOST: await limiter.group('HOST'),
    ADAPTER: await limiter.group('ADAPTER'),
    USER: await limiter.group('USER'),
  };
  visible.group = managed.HOST;
  const mixed = await limiter.group('HOST');
  await limiter.join(managed.PORT, 3, visible.port);
  await limiter.join(managed.HOST, 4, visible.host);
  await limiter.join(managed.ADAPTER, 5, visible.adapter, before);
  await limiter.join(managed.USER, 6, visible['user-account']);
  const permissions = Object.fromEntries(
    model.tables.map(({ declaration }) => [declaration.permission, verbs as object]),
  );
  const administrators = await limiter.group('ADMINISTRATOR');
  const caller = await limiter.caller({
    manageByGroups: true,
    permissions: {
      ...permissions,
      devices: selecting(place.id),
      groups: selecting(...Object.values(managed), mixed, administrators),
      [deviceProfilingRule.permission]: selecting(visible['device-profiling-rule']),
    },
  });
  await limiter.manage(caller.accountId, ...Object.values(managed));

  await asOwner(shared.database, async (owner) => {
    for (const { name } of scoped)
      await owner.query(`select setval(pg_get_serial_sequence($1, 'id'), $2)`, [quoted(name), hiddenFrom]);
  });
  const container = await limiter.container();
  const device = await limiter.device(container.name);
  const port = await limiter.port(device);
  await limiter.ssid(device);
  const adapter = await limiter.adapter();
  const person = await account(`${hiddenWord} person`);
  const rule = await admin.create(deviceProfilingRule, ruleLike(`${hiddenWord} rule`));
  const group = await limiter.group('HOST');
  const hiddenHost = (
    await limiter.sql<{ id: number }>('select host_id as id from adapter where id = $1', [adapter])
  )[0]!.id;
  await limiter.join(group, 4, visible.host, hiddenHost);
  await limiter.join(mixed, 4, hiddenHost);
  await limiter.nest([group, managed.HOST], [mixed, group]);
  await limiter.sql('insert into group_manages (group_id, managed_id) values ($1, $2)', [administrators, group]);
  for (const name of ['container', 'network_device', 'port', 'ssid', 'group'])
    await limiter.sql(`update ${quoted(name)} set name = '${hiddenWord} ${name} ' || id where id > $1`, [hiddenFrom]);
  await limiter.sql(`update host set host_name = '${hiddenWord} host' where id > $1`, [hiddenFrom]);
  // The visible host has a hidden adapter too, a hidden owner, and a hidden account that authenticated on it.
  await limiter.sql('update adapter set physical_address = $2, host_id = $3 where id = $1', [
    adapter,
    hiddenMac,
    hostID,
  ]);
  await limiter.sql('update host set owner_id = $2, authenticated_user_id = $2 where id = $1', [hostID, person]);
  await limiter.sql('update adapter set dpc_rule_id = $2 where id = any($1)', [[visible.adapter, before], rule]);
  await limiter.sql(
    'insert into connection_active (mac, device_id, port_id) select a.physical_address, $2, $3 from adapter a where a.id = $1',
    [visible.adapter, device, port],
  );
  await limiter.sql(
    `insert into connection_last (mac, device_id, port_id, location, since, ended, last_seen)
     select a.physical_address, $2, $3, '${hiddenWord} place', now(), now(), now() from adapter a where a.id = $1`,
    [before, device, port],
  );
  await asOwner(shared.database, (owner) =>
    owner.query(
      `insert into port_change (port_id, port_name, device_id, device_name, container_id, mac, host_id, host_name, user_name, reason, method,
         trigger, triggered_by, success, duration_ms, generation)
       values ($1, 'Gi0/1', $2, 'device', 1, $3, $4, '${hiddenWord} host', '${hiddenWord} person', 'ROLE', 'SNMP', 'POLL', 'system', true, 1, 1)`,
      [visible.port, visible['network-device'], hiddenMac, hiddenHost],
    ),
  );
  return { limiter, scoped, visible, hostID, caller };
}

/**
 * Changes every column of every hidden record that may have another value, and adds further hidden records.
 * Returns the number of columns that changed.
 */
export async function changeHiddenRecords(shared: World): Promise<number> {
  const limiter = new Limiter(shared, 5_000);
  const tables = shared.service.runtime.engine.model.tables.filter(
    ({ declaration }) => isCollection(declaration) && declaration.scopedBy,
  );
  const place = await limiter.container();
  const device = await limiter.device(place.name);
  const port = await limiter.port(device);
  await limiter.ssid(device);
  const adapter = await limiter.adapter();
  await limiter.sql(
    'insert into connection_active (mac, device_id, port_id) select a.physical_address, $2, $3 from adapter a where a.id = $1',
    [adapter, device, port],
  );
  await limiter.join(await limiter.group('HOST'), 4, adapter);
  let changed = 0;
  await asOwner(shared.database, async (owner) => {
    for (const { name } of tables) {
      const { rows } = await owner.query<{ column: string; type: string }>(
        `select column_name as "column", data_type as type from information_schema.columns
         where table_name = $1 and column_name not in ('id', 'version', 'audit_id', 'audit_action', 'audit_tag') and is_generated = 'NEVER'`,
        [name],
      );
      for (const { column, type } of rows) {
        const newValue = otherValue(quoted(column), type);
        if (!newValue) continue;
        // A check may allow no other value in this column.
        await owner
          .query(`update ${quoted(name)} set ${quoted(column)} = ${newValue} where id > $1`, [hiddenFrom])
          .then(({ rowCount }) => {
            if (rowCount) changed++;
          })
          .catch(() => undefined);
      }
    }
  });
  return changed;
}

/** An SQL expression for another value of a column. */
function otherValue(column: string, type: string): string | undefined {
  if (type === 'text') return `'${hiddenWord} other ' || id`;
  if (type === 'boolean') return `not ${column}`;
  if (/^(integer|bigint|smallint|double precision)$/.test(type)) return `coalesce(${column}, 0) + 1`;
  if (type.startsWith('timestamp')) return `coalesce(${column}, now()) - interval '3 days'`;
  return undefined;
}
