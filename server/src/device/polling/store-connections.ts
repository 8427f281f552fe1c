import { isIP } from 'node:net';
import type pg from 'pg';
import { everyRow, type WriteTx } from '../../context.ts';
import type { ArpEntry, Neighbour } from '../../drivers/driver.ts';
import {
  type AddressChange,
  type ConnectionsRead,
  emitAddresses,
  followConnections,
} from '../../host/adapter/adapter.service.ts';
import { anyEvent } from '../../kernel/declare/event-type.ts';
import { isGroupOrNullMac } from '../../network/mac-exclusion/mac-exclusion.service.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { portUplinkChanged } from '../port/port.events.ts';
import { emitOfPorts, portsInWrongState, refreshConnectionStates } from '../port/port.service.ts';
import { port } from '../port/port.ts';
import type { PolledDevice } from './device-access.ts';
import type { KnownPort, Reading, Surroundings } from './locate-macs.ts';
import { holdReadingSql, isAccountedSql, learnedChangesSql, storeLearnedSql } from './store-learned-macs.ts';

const everyDevice = everyRow(networkDevice, 'a poll is work of the service');
const everyPort = everyRow(port, 'a poll is work of the service');

/** Changes that a stored forwarding table has made. */
export interface ConnectionChanges {
  added: number;
  moved: number;
  gone: number;
}

const isAccessPoint = `d.device_type in ('access-point', 'wireless-controller') as "isAccessPoint"`;

/**
 * Loads the stored ports and devices that match the learned addresses and neighbours, instead of all of a hundred
 * thousand ports.
 */
export async function readSurroundings(
  client: pg.PoolClient,
  entries: readonly { mac: string }[],
  neighbours: readonly Neighbour[],
): Promise<Omit<Surroundings, 'uplinkCount'>> {
  const macs = new Set([
    ...entries.map(({ mac }) => mac),
    ...neighbours.map(({ chassisId }) => chassisId.toUpperCase()),
  ]);
  const { rows: exclusions } = await client.query<Surroundings['exclusions'][number]>({
    name: 'device-poll.exclusions',
    text: 'select e.id, e.start, e."end", e.mask from mac_exclusion e where e.enabled order by e.id',
  });
  return {
    deviceMacs: await devicesBy(client, 'device-poll.macs', macsSql, [[...macs]]),
    deviceNames: await devicesNamed(client, neighbours),
    exclusions,
  };
}

const macsSql = `select p.phys_addr as key, ${isAccessPoint}
  from ${everyPort} p join ${everyDevice} d on d.id = p.device_id where p.phys_addr = any($1::text[]) and p.phys_addr <> ''
  union select d.physical_address, ${isAccessPoint} from ${everyDevice} d where d.physical_address = any($1::text[])`;

const namesSql = `select k.key, ${isAccessPoint}
  from ${everyDevice} d
  cross join lateral unnest(array[lower(d.name), lower(d.system_name), host(d.ip_address)]) k(key)
  where d.landscape = cell_landscape() and k.key = any($1::text[])
    and (lower(d.name) = any($1) or lower(d.system_name) = any($1) or d.ip_address = any($2::inet[]))`;

async function devicesBy(
  client: pg.PoolClient,
  name: string,
  text: string,
  values: unknown[],
): Promise<Map<string, boolean>> {
  const { rows } = await client.query<{ key: string; isAccessPoint: boolean }>({ name, text, values });
  return new Map(rows.map((row) => [row.key, row.isAccessPoint]));
}

async function devicesNamed(client: pg.PoolClient, neighbours: readonly Neighbour[]): Promise<Map<string, boolean>> {
  if (neighbours.length === 0) return new Map();
  const names = neighbours.map(({ systemName }) => systemName.toLowerCase()).filter(Boolean);
  const addresses = neighbours
    .flatMap(({ managementAddresses }) => managementAddresses)
    .filter((address) => isIP(address) > 0);
  return devicesBy(client, 'device-poll.names', namesSql, [[...names, ...addresses], addresses]);
}

export async function readPorts(client: pg.PoolClient, deviceID: number): Promise<KnownPort[]> {
  const { rows } = await client.query<KnownPort>({
    name: 'device-poll.ports',
    text: `select p.id, p.port_id as "portID", u.kind as uplink, p.uplink_disabled as "uplinkDisabled", p.ifoper_status = 1 as "isUp"
     from ${everyPort} p left join port_uplink u on u.port_id = p.id
     where p.device_id = $1 and p.status <> 4 and p.port_type <> 4`,
    values: [deviceID],
  });
  return rows;
}

const connectionsSql = `${storeLearnedSql('$2', 'SNMP')}, missed as (
  update connection_active a set misses = a.misses + 1
  where a.device_id = $1 and a.misses = 0 and not exists (select from heard h where h.mac = a.mac) and not ${isAccountedSql}
), gone as (
  delete from connection_active a using closing_because('AGED_OUT')
  where a.device_id = $1 and a.misses > 0 and not exists (select from heard h where h.mac = a.mac) and not ${isAccountedSql}
  returning a.mac, a.port_id
) ${learnedChangesSql}`;

/** Stores the locations of hosts on a device. An address is gone after two polls without it. */
export async function storeReading(tx: WriteTx, device: PolledDevice, reading: Reading): Promise<ConnectionChanges> {
  const { client } = tx;
  const values = [device.id, JSON.stringify(reading.learned)];
  await client.query(holdReadingSql, values);
  const { rows } = await client.query<Omit<ConnectionsRead, 'learned'> & { ports: number[] }>(connectionsSql, values);
  const { ports, added, moved, gone: goneMacs } = rows[0]!;
  await followConnections(tx, { learned: reading.learned, added, moved, gone: goneMacs });
  const turned = await storeUplinks(tx, device, reading);
  const wrong = await portsInWrongState(client, device.id);
  await refreshConnectionStates(client, [...new Set([...ports, ...turned, ...wrong])]);
  await countHits(client, reading.hits);
  return { added: added.length, moved: moved.length, gone: goneMacs.length };
}

/** Counts matches of exclusions; as the last statement, because many transactions wait for the same few rows. */
export async function countHits(client: pg.PoolClient, hits: ReadonlyMap<number, number>): Promise<void> {
  if (hits.size === 0) return;
  await client.query(
    `with hit as (
       select e.id, h.hits from jsonb_to_recordset($1::jsonb) h(id bigint, hits integer)
       join mac_exclusion e on e.id = h.id
       order by e.id
       for no key update of e
     )
     update mac_exclusion e set hits = e.hits + h.hits, last_hit = now() from hit h where e.id = h.id`,
    [JSON.stringify([...hits].map(([id, count]) => ({ id, hits: count })))],
  );
}

const uplinksSql = `with wanted as (select w.id, w.kind from jsonb_to_recordset($2::jsonb) w(id bigint, kind smallint)),
was as (select u.port_id as id, u.kind from port_uplink u join ${everyPort} p on p.id = u.port_id where p.device_id = $1),
put as (insert into port_uplink (port_id, kind) select w.id, w.kind from wanted w
  on conflict (port_id) do update set kind = excluded.kind, since = now() where port_uplink.kind <> excluded.kind),
dropped as (delete from port_uplink u using was b where u.port_id = b.id and not exists (select from wanted w where w.id = b.id)),
closed as (delete from connection_active a using closing_because('MOVED'), wanted w where a.port_id = w.id returning a.mac)
select array(select c.mac from closed c) as gone, (
  select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'after', w.kind) order by p.id), '[]'::jsonb)
  from wanted w full join was b on b.id = w.id join ${everyPort} p on p.id = coalesce(w.id, b.id)
  where w.kind is distinct from b.kind) as turned`;

interface UplinkChange {
  id: number;
  name: string;
  after: number | null;
}

/**
 * Stores which ports are uplinks; a new uplink's connections are closed, because its hosts are connected to the devices
 * behind it.
 */
async function storeUplinks(tx: WriteTx, device: PolledDevice, { uplinks }: Reading): Promise<number[]> {
  const kinds = [...uplinks].map(([id, kind]) => ({ id, kind }));
  const { rows } = await tx.client.query<{ gone: string[]; turned: UplinkChange[] }>(uplinksSql, [
    device.id,
    JSON.stringify(kinds),
  ]);
  const { gone: goneMacs, turned: turnedPorts } = rows[0]!;
  await followConnections(tx, { learned: [], added: [], moved: [], gone: goneMacs });
  await emitOfPorts(
    tx,
    turnedPorts.map((turnedPort) => uplinkEvent(device, turnedPort)),
  );
  return turnedPorts.map(({ id }) => id);
}

const uplinkWords: Readonly<Record<number, string>> = {
  8: 'a network device is connected to it',
  9: 'more MAC addresses than the uplink threshold',
  10: 'set by an administrator',
  11: 'an access point is connected to it',
};

const uplinkEvent = (device: PolledDevice, port: UplinkChange) =>
  anyEvent({
    type: portUplinkChanged,
    element: { id: port.id, name: `${device.name} ${port.name}` },
    attributes: port.after
      ? { what: 'is an uplink', why: uplinkWords[port.after]! }
      : { what: 'is no longer an uplink', why: 'no device is connected to it' },
  });

/** Stores IP addresses of MAC addresses. If two routers report the same pair, it is written once. */
export async function storeArp(
  tx: WriteTx,
  device: PolledDevice,
  entries: readonly ArpEntry[],
): Promise<{ added: number }> {
  return storeAddresses(
    tx,
    entries.filter(({ mac }) => !isGroupOrNullMac(mac)).map(({ ip, mac }) => ({ ip, mac, deviceID: device.id })),
  );
}

/** Stores IP addresses of MAC addresses, each with the device that reported it. */
export async function storeAddresses(
  tx: WriteTx,
  entries: readonly { ip: string; mac: string; deviceID: number }[],
): Promise<{ added: number }> {
  if (entries.length === 0) return { added: 0 };
  const { rows } = await tx.client.query<{ added: number; changes: AddressChange[] }>(
    `with heard as (select distinct on (h.ip, h.mac) h.ip, h.mac, h."deviceID" as device_id
       from jsonb_to_recordset($1::jsonb) h(ip inet, mac text, "deviceID" bigint) order by h.ip, h.mac),
     before as (select m.ip, m.mac from ip_mac m join heard h on h.ip = m.ip and h.mac = m.mac),
     written as (insert into ip_mac as m (ip, mac, device_id) select h.ip, h.mac, h.device_id from heard h order by h.ip, h.mac
       on conflict (ip, mac) do update set last_seen = now(), device_id = excluded.device_id
       where m.last_seen < now() - interval '5 minutes'),
     fresh as (select h.ip, h.mac from heard h where not exists (select from before b where b.ip = h.ip and b.mac = h.mac))
     select (select count(*) from fresh)::integer as added,
       (select coalesce(jsonb_agg(jsonb_build_object('mac', f.mac, 'from', o.ip, 'now', f.ip)), '[]'::jsonb) from fresh f
        cross join lateral (select m.ip from ip_mac m where m.mac = f.mac and family(m.ip) = family(f.ip) order by m.last_seen desc limit 1) o) as changes`,
    [JSON.stringify(entries)],
  );
  const { added, changes } = rows[0]!;
  await emitAddresses(tx, changes);
  return { added };
}

/** Stores the time of the last L2 or L3 poll. */
export const observeReading = (tx: WriteTx, device: PolledDevice, field: 'lastL2Poll' | 'lastL3Poll', nowMs: number) =>
  tx.records.observe(networkDevice, device.id, { [field]: new Date(nowMs).toISOString() });
