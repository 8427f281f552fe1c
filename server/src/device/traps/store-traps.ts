import type pg from 'pg';
import { everyRow, type WriteTx } from '../../context.ts';
import { type ConnectionsRead, followConnections } from '../../host/adapter/adapter.service.ts';
import { anyEvent, type EventEntry } from '../../kernel/declare/event-type.ts';
import { excludes, isGroupOrNullMac } from '../../network/mac-exclusion/mac-exclusion.service.ts';
import { deviceColdStart, deviceWarmStart } from '../network-device/network-device.events.ts';
import { networkDevice } from '../network-device/network-device.ts';
import {
  countHits,
  holdAddressesSql,
  learnedChangesSql,
  portStatus,
  readSurroundings,
  storeLearnedSql,
  uplink,
} from '../polling/polling.service.ts';
import { portLinkDown, portLinkUp, portUplinkChanged } from '../port/port.events.ts';
import { emitOfPorts, refreshConnectionStates } from '../port/port.service.ts';
import { port } from '../port/port.ts';
import {
  changesOf,
  type DeviceTrap,
  dropStale,
  type FoldedMacs,
  lateTicks,
  type ReducedLinks,
  reduceLinks,
  reduceMacs,
  type StoredPort,
  type TrapChange,
} from './reduce-traps.ts';

const everyDevice = everyRow(networkDevice, 'traps are stored by the service');
const everyPort = everyRow(port, 'traps are stored by the service');

/** Traps not yet received by this or another node. All nodes write them in the same order, which prevents deadlocks. */
const freshSql = `with told as (
  select t.* from jsonb_to_recordset($1::jsonb) t(place integer, "deviceID" bigint, subject text, ticks bigint, what text)
), fresh as (
  insert into trap_seen (device_id, subject, ticks, what)
  select t."deviceID", t.subject, t.ticks, t.what from told t order by 1, 2, 3, 4
  on conflict do nothing
  returning device_id, subject, ticks, what
)
select t.place
from told t
join fresh f on f.device_id = t."deviceID" and f.subject = t.subject and f.ticks = t.ticks and f.what = t.what
where not exists (
  select from trap_seen s
  where s.device_id = t."deviceID" and s.subject = t.subject and s.ticks > t.ticks and s.ticks <= t.ticks + ${lateTicks})
order by t.place`;

const portsSql = `select p.id, p.device_id as "deviceID", p.name, d.name as "deviceName", p.ifindex::integer as "ifIndex",
  p.ifadmin_status as "ifadminStatus", p.ifoper_status as "ifoperStatus"
from jsonb_to_recordset($1::jsonb) t("deviceID" bigint, "ifIndex" text)
join ${everyPort} p on p.device_id = t."deviceID" and p.ifindex = t."ifIndex" and p.status <> 4
join ${everyDevice} d on d.id = p.device_id
order by p.id
for no key update of p`;

const linksSql = `update ${everyPort} p set ifadmin_status = s.admin, ifoper_status = s.oper, status = s.status
from jsonb_to_recordset($1::jsonb) s(id bigint, admin integer, oper integer, status integer)
where p.id = s.id and (p.ifadmin_status, p.ifoper_status, p.status) is distinct from (s.admin, s.oper, s.status)`;

/**
 * Closes the connections of ports whose link went down, and resets their learned uplinks. An uplink set by an
 * administrator stays.
 */
const downSql = `with closed as (
  delete from connection_active a using closing_because('LINK_DOWN') where a.port_id = any($1::bigint[]) returning a.mac, a.port_id
), dropped as (
  delete from port_uplink u where u.port_id = any($1::bigint[]) and u.kind <> ${uplink.byHand} returning u.port_id
)
select array(select distinct c.port_id from closed c) as closed, array(select c.mac from closed c) as gone, array(select d.port_id from dropped d) as dropped`;

/**
 * The forwarding table is read when no further link has come up for a while, at the latest after several such periods.
 */
const cameUpSql = `update device_poll p set l2_due = now() + make_interval(secs => q.min_trap_period), l2_pushes = p.l2_pushes + 1
from device_properties q
where p.device_id = any($1::bigint[]) and p.l2_pushes < q.max_trap_periods`;

/** The device itself reported its restart, so the next contact poll need not detect it. */
const restartedSql = `update device_poll p
set resync_due = least(p.resync_due, now() + make_interval(secs => q.cold_warm_trap_delay)), uptime_ticks = null
from device_properties q
where p.device_id = any($1::bigint[])`;

/** Rounded to seconds: a device that sends a hundred traps a second does not cause a hundred updates. */
const lastTrapSql = `with told as (
  select d.id from ${everyDevice} d
  where d.id = any($1::bigint[]) and (d.last_trap is null or d.last_trap < now() - interval '1 second')
  order by d.id
  for no key update
)
update ${everyDevice} d set last_trap = now() from told t where d.id = t.id`;

/** Stores a batch of traps in one transaction with a few statements. */
export async function storeTraps(
  tx: WriteTx,
  senders: ReadonlyMap<number, { name: string }>,
  reported: readonly DeviceTrap[],
): Promise<void> {
  const { client } = tx;
  if (senders.size > 0) await client.query({ name: 'trap.last', text: lastTrapSql, values: [[...senders.keys()]] });
  const trapChanges = await fresh(client, dropStale(changesOf(reported)));
  if (trapChanges.length === 0) return;
  const ports = await portsOf(client, trapChanges);
  const links = reduceLinks(trapChanges, ports);
  const events = [...linkEvents(links), ...(await storeLinks(tx, links, ports))];
  await storeMacs(tx, trapChanges, ports);
  if (links.cameUp.size > 0) await client.query({ name: 'trap.up', text: cameUpSql, values: [[...links.cameUp]] });
  await tx.engine.sinks.events(client, tx.origin, restartEvents(trapChanges, senders));
  await emitOfPorts(tx, events);
  const restarted = trapChanges.filter(({ subject }) => subject === 'start').map(({ deviceID }) => deviceID);
  if (restarted.length > 0) await client.query(restartedSql, [restarted]);
}

async function fresh(client: pg.PoolClient, trapChanges: readonly TrapChange[]): Promise<TrapChange[]> {
  if (trapChanges.length === 0) return [];
  const rows = trapChanges.map(({ fact: _, ...key }, place) => ({ place, ...key }));
  const { rows: freshRows } = await client.query<{ place: number }>({
    name: 'trap.fresh',
    text: freshSql,
    values: [JSON.stringify(rows)],
  });
  return freshRows.map(({ place }) => trapChanges[place]!);
}

async function portsOf(client: pg.PoolClient, trapChanges: readonly TrapChange[]): Promise<StoredPort[]> {
  const portKeys = new Map(
    trapChanges.flatMap(({ deviceID, subject, fact }) =>
      fact.kind === 'linkUp' || fact.kind === 'linkDown'
        ? [[`${deviceID} ${subject}`, { deviceID, ifIndex: String(fact.ifIndex) }]]
        : [],
    ),
  );
  if (portKeys.size === 0) return [];
  const { rows } = await client.query<StoredPort>({
    name: 'trap.ports',
    text: portsSql,
    values: [JSON.stringify([...portKeys.values()])],
  });
  return rows;
}

async function storeLinks(
  tx: WriteTx,
  { after, wentDown }: ReducedLinks,
  ports: readonly StoredPort[],
): Promise<EventEntry[]> {
  const { client } = tx;
  if (after.size > 0) {
    const rows = [...after].map(([id, { ifadminStatus: admin, ifoperStatus: oper }]) => ({
      id,
      admin,
      oper,
      status: portStatus(admin, oper),
    }));
    await client.query({ name: 'trap.links', text: linksSql, values: [JSON.stringify(rows)] });
  }
  if (wentDown.size === 0) return [];
  const { rows } = await client.query<{ closed: number[]; gone: string[]; dropped: number[] }>({
    name: 'trap.down',
    text: downSql,
    values: [[...wentDown]],
  });
  const { closed, gone: goneMacs, dropped } = rows[0]!;
  await followConnections(tx, { learned: [], added: [], moved: [], gone: goneMacs });
  await refreshConnectionStates(client, [...new Set([...closed, ...dropped])]);
  return ports
    .filter(({ id }) => dropped.includes(id))
    .map((port) =>
      anyEvent({
        type: portUplinkChanged,
        element: elementOf(port),
        attributes: { what: 'is no longer an uplink', why: 'its link is down' },
      }),
    );
}

const elementOf = ({ id, name, deviceName }: StoredPort) => ({ id, name: `${deviceName} ${name}` });

const linkEvents = ({ changes }: ReducedLinks): EventEntry[] =>
  changes.map(({ port, isUp }) => anyEvent({ type: isUp ? portLinkUp : portLinkDown, element: elementOf(port) }));

const restartEvents = (
  trapChanges: readonly TrapChange[],
  senders: ReadonlyMap<number, { name: string }>,
): EventEntry[] =>
  trapChanges
    .filter(({ subject }) => subject === 'start')
    .map(({ deviceID, fact }) =>
      anyEvent({
        type: fact.kind === 'coldStart' ? deviceColdStart : deviceWarmStart,
        element: { id: deviceID, name: senders.get(deviceID)!.name },
      }),
    );

const bridgePortsSql = `select b.device_id as "deviceID", b.bridge_port as "bridgePort", b.port_id as "portID"
from jsonb_to_recordset($1::jsonb) t("deviceID" bigint, "bridgePort" integer)
join port_bridge b on b.device_id = t."deviceID" and b.bridge_port = t."bridgePort"
where not exists (select from port_uplink u where u.port_id = b.port_id)`;

const macsSql = `${storeLearnedSql('$1', 'SNMP')}, left_ports as (
  select g.mac, g."portID" as port_id from jsonb_to_recordset($2::jsonb) g(mac text, "portID" bigint)
), gone as (
  delete from connection_active a using closing_because('AGED_OUT'), left_ports l
  where a.mac = l.mac and a.port_id = l.port_id and not exists (select from heard h where h.mac = a.mac)
  returning a.mac, a.port_id
) ${learnedChangesSql}`;

/** A MAC notification locates the address without reading the forwarding table. */
async function storeMacs(tx: WriteTx, trapChanges: readonly TrapChange[], ports: readonly StoredPort[]): Promise<void> {
  const { client } = tx;
  const macChanges = trapChanges.flatMap(({ deviceID, fact }) => ('bridgePort' in fact ? [{ deviceID, ...fact }] : []));
  if (macChanges.length === 0) return;
  const { rows } = await client.query<{ deviceID: number; bridgePort: number; portID: number }>(bridgePortsSql, [
    JSON.stringify(distinctBy(macChanges, ({ deviceID, bridgePort }) => `${deviceID} ${bridgePort}`)),
  ]);
  const bridged = new Map(rows.map(({ deviceID, bridgePort, portID }) => [`${deviceID} ${bridgePort}`, portID]));
  const byIndex = new Map(ports.map(({ deviceID, ifIndex, id }) => [`${deviceID} ${ifIndex}`, id]));
  const { nobodys, hits } = await macsOfNobody(client, macChanges);
  const folded = reduceMacs(
    trapChanges.filter(({ fact }) => !('mac' in fact && nobodys.has(fact.mac))),
    (deviceID, bridgePort) => bridged.get(`${deviceID} ${bridgePort}`) ?? null,
    (deviceID, ifIndex) => byIndex.get(`${deviceID} ${ifIndex}`) ?? null,
  );
  await writeMacs(tx, folded);
  await countHits(client, hits);
}

async function writeMacs(tx: WriteTx, { learned: learnedMacs, left: leftMacs }: FoldedMacs): Promise<void> {
  const { client } = tx;
  if (learnedMacs.length === 0 && leftMacs.length === 0) return;
  await client.query(holdAddressesSql, [[...learnedMacs, ...leftMacs].map(({ mac }) => mac)]);
  const { rows: changed } = await client.query<Omit<ConnectionsRead, 'learned'> & { ports: number[] }>(macsSql, [
    JSON.stringify(learnedMacs),
    JSON.stringify(leftMacs),
  ]);
  const { ports: touchedPorts, ...connections } = changed[0]!;
  await followConnections(tx, { learned: learnedMacs, ...connections });
  await refreshConnectionStates(client, touchedPorts);
}

const distinctBy = <T>(items: readonly T[], keyOf: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
];

/** Addresses of devices are not hosts: whether their ports are uplinks is decided when the full table is read. */
async function macsOfNobody(
  client: pg.PoolClient,
  reported: readonly { mac: string; kind: 'learned' | 'removed' }[],
): Promise<{ nobodys: ReadonlySet<string>; hits: ReadonlyMap<number, number> }> {
  const { deviceMacs, exclusions } = await readSurroundings(client, reported, []);
  const nobodys = new Set<string>();
  const hits = new Map<number, number>();
  for (const { mac, kind } of reported) {
    const isNobody = isGroupOrNullMac(mac) || deviceMacs.has(mac);
    const exclusion = isNobody ? undefined : exclusions.find((candidate) => excludes(candidate, mac));
    if (isNobody || exclusion) nobodys.add(mac);
    if (exclusion && kind === 'learned') hits.set(exclusion.id, (hits.get(exclusion.id) ?? 0) + 1);
  }
  return { nobodys, hits };
}
