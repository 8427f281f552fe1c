import { type AfterRemoval, asService, type Context, everyRow, type RecordValue } from '../../context.ts';
import { refreshConnectionStates } from '../../device/port/port.service.ts';
import { invalid, rejected } from '../../kernel/failure.ts';
import { excludesSql, isGroupOrNullMac } from '../../network/mac-exclusion/mac-exclusion.service.ts';
import { host, hostTypes } from '../host/host.ts';
import { adapterDisabled, adapterEnabled } from './adapter.events.ts';
import { adapter } from './adapter.ts';
import { emitAddresses, followConnections } from './follow-connections.ts';
import type { LearnedAddress } from './make-rogues.ts';

const everyAdapter = everyRow(
  adapter,
  'a rogue is deleted with its last adapter, and a connected address becomes a rogue, also if they are hidden from the caller',
);
const everyHost = everyRow(
  host,
  'a rogue is deleted with its last adapter, and a connected address becomes a rogue, also if they are hidden from the caller',
);

/** Throws for group, null and excluded MAC addresses, which cannot be adapters. */
export async function refuseExcluded({ tx }: Context, mac: string): Promise<void> {
  const pointer = '/physicalAddress';
  if (mac === '' || isGroupOrNullMac(mac))
    throw invalid([
      {
        pointer,
        message: `physicalAddress: ${mac || '(empty)'} is not a valid adapter address; multicast and null addresses are not allowed.`,
      },
    ]);
  const { rows } = await tx.client.query<{ name: string }>(
    `select e.name from mac_exclusion e where e.enabled and ${excludesSql('$1::text')} order by e.id limit 1`,
    [mac],
  );
  const [exclusion] = rows;
  if (exclusion) throw rejected(`physicalAddress: ${mac} is excluded by the MAC exclusion ${exclusion.name}.`, pointer);
}

/** Returns the vendor of a MAC address, by the longest matching prefix. */
export async function vendorOf(
  { tx }: Context,
  mac: string,
): Promise<{ vendorName: string | null; vendorOUI: string | null }> {
  const { rows } = await tx.client.query<{ vendorName: string; vendorOUI: string }>(
    'select v.name as "vendorName", v.code as "vendorOUI" from mac_vendor($1) v',
    [mac],
  );
  return rows[0] ?? { vendorName: null, vendorOUI: null };
}

/** Creates a rogue host for a new adapter, and returns its id. */
export async function newRogue({ tx }: Context, physicalAddress: string): Promise<number> {
  return (await tx.records.create(host, { type: hostTypes.rogue, adapterObjects: [{ physicalAddress }] })).id;
}

/** Stores an IP address that a caller set, in addition to those learned from routers. Null removes all of them. */
export async function setAddress(
  { tx }: Context,
  mac: string,
  previousIp: string | null,
  ip: string | null,
): Promise<void> {
  if (ip === null) {
    await tx.client.query('delete from ip_mac where mac = $1', [mac]);
    return;
  }
  if (previousIp !== null) await emitAddresses(tx, [{ mac, from: previousIp, now: ip }]);
  await tx.client.query(
    `insert into ip_mac (ip, mac, device_id) values ($1, $2, 0)
     on conflict (ip, mac) do update set last_seen = now(), device_id = 0`,
    [ip, mac],
  );
}

/** Raises the version of a host that got or lost an adapter, so that a caller with an older list of adapters receives 409. */
export async function recordAdapterChange(
  { tx }: Context,
  hostID: number,
  change: { before: string | null; after: string | null },
): Promise<void> {
  const { rowCount } = await tx.client.query(`select from ${everyHost} h where h.id = $1`, [hostID]);
  if (rowCount === 1) await asService(tx).records.touch(host, hostID, [{ field: 'adapters', ...change }]);
}

/** Deletes a rogue host whose last adapter moved to another host. */
export async function removeEmptyRogue({ tx }: Context, hostID: number): Promise<void> {
  const { rows } = await tx.client.query<{ id: number }>(
    `select h.id from ${everyHost} h where h.id = $1 and h.type = ${hostTypes.rogue} and not exists (select from ${everyAdapter} a where a.host_id = h.id)`,
    [hostID],
  );
  if (rows.length > 0) await asService(tx).records.remove(host, [hostID]);
}

export async function emitSwitched({ tx }: Context, id: number, after: RecordValue): Promise<void> {
  const name = String(after.physicalAddress);
  await tx.emit({ type: after.enabled ? adapterEnabled : adapterDisabled, element: { id, name }, mac: name });
}

/** Returns the step that runs after adapters are deleted: it deletes hosts without adapters, and creates a rogue for each address that is still connected. */
export async function leaveRogues(
  { tx }: Context,
  ids: readonly number[],
  isDependent: boolean,
): Promise<AfterRemoval> {
  const { rows: connectedAddresses } = await tx.client.query<LearnedAddress>(
    `select a.physical_address as mac, c.port_id as "portID" from ${everyAdapter} a join connection_active c on c.mac = a.physical_address
     where a.id = any($1::bigint[])`,
    [ids],
  );
  const { rows: remainingHosts } = await tx.client.query<{ hostID: number; macs: string }>(
    `select a.host_id as "hostID", string_agg(a.physical_address, ', ' order by a.id) as macs from ${everyAdapter} a
     where a.id = any($1::bigint[]) and exists (select from ${everyAdapter} b where b.host_id = a.host_id and b.id <> all($1::bigint[]))
     group by a.host_id order by a.host_id`,
    [ids],
  );
  const { rows: emptiedHosts } = await tx.client.query<{ id: number }>(
    `select distinct a.host_id as id from ${everyAdapter} a
     where a.id = any($1::bigint[]) and not exists (select from ${everyAdapter} b where b.host_id = a.host_id and b.id <> all($1::bigint[]))`,
    [ids],
  );
  return async () => {
    if (!isDependent && emptiedHosts.length > 0)
      await asService(tx).records.remove(
        host,
        emptiedHosts.map(({ id }) => id),
      );
    for (const { hostID, macs } of remainingHosts)
      await asService(tx).records.touch(host, hostID, [{ field: 'adapters', before: macs, after: null }]);
    await followConnections(tx, {
      learned: connectedAddresses,
      added: connectedAddresses.map(({ mac }) => mac),
      moved: [],
      gone: [],
    });
    await refreshConnectionStates(
      tx.client,
      connectedAddresses.map(({ portID }) => portID),
    );
  };
}
