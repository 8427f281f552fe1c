import { everyRow, type WriteTx } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { port } from '../../device/port/port.ts';
import type { EventEntry } from '../../kernel/declare/event-type.ts';
import { disabledHostConnected, hostConnected, hostDisconnected, rogueConnected } from '../host/host.events.ts';
import { host } from '../host/host.ts';
import { adapterIpChanged, adapterMoved, macSpoofSuspected } from './adapter.events.ts';
import { adapter } from './adapter.ts';
import { type LearnedAddress, makeRogues, type NewRogue } from './make-rogues.ts';

const everyAdapter = everyRow(adapter, 'connections are followed by the service');
const everyDevice = everyRow(networkDevice, 'connections are followed by the service');
const everyHost = everyRow(host, 'connections are followed by the service');
const everyPort = everyRow(port, 'connections are followed by the service');

/** An address that was on another port before. */
export interface MovedAddress {
  mac: string;
  /** The port it was on. */
  from: number;
  /** Seconds since it was learned there, if both ports are physical and up: the same address in two places. */
  suspiciousSeconds: number | null;
}

/** What a reading of a forwarding table changed. */
export interface ConnectionsRead {
  learned: readonly LearnedAddress[];
  added: readonly string[];
  moved: readonly MovedAddress[];
  gone: readonly string[];
}

interface Known {
  mac: string;
  adapterID: number;
  hostID: number;
  name: string;
  isRogue: boolean;
  enabled: boolean;
  place: string;
}

/** Follows learned MAC addresses: creates rogues for unknown ones, and emits events for hosts that connected, moved and disconnected. */
export async function followConnections(tx: WriteTx, read: ConnectionsRead): Promise<void> {
  const rogues = await makeRogues(tx.client, read.learned);
  const { added, moved, gone } = read;
  const known = await hostsOf(tx, [...added, ...moved.map(({ mac }) => mac), ...gone]);
  const places = await placesOf(
    tx,
    moved.map(({ from }) => from),
  );
  const events = [
    ...rogues.map((rogue) => creationOf(tx, rogue)),
    ...added.flatMap((mac) => arrivalOf(known.get(mac))),
    ...moved.flatMap((move) => moveOf(known.get(move.mac), move, places.get(move.from) ?? 'a deleted port')),
    ...gone.flatMap((mac) => departureOf(known.get(mac))),
  ];
  if (events.length > 0) await tx.engine.sinks.events(tx.client, tx.origin, events);
}

async function hostsOf({ client }: WriteTx, macs: readonly string[]): Promise<Map<string, Known>> {
  if (macs.length === 0) return new Map();
  const { rows } = await client.query<Known>(
    `select a.physical_address as mac, a.id as "adapterID", h.id as "hostID", coalesce(nullif(h.host_name, ''), a.physical_address) as name,
       h.type = 1 as "isRogue", h.enabled and a.enabled as enabled, coalesce(d.name || ':' || p.name, l.location, '') as place
     from ${everyAdapter} a
     join ${everyHost} h on h.id = a.host_id
     left join connection_active c on c.mac = a.physical_address
     left join ${everyPort} p on p.id = c.port_id
     left join ${everyDevice} d on d.id = c.device_id
     left join connection_last l on l.mac = a.physical_address
     where a.physical_address = any($1::text[])`,
    [macs],
  );
  return new Map(rows.map((row) => [row.mac, row]));
}

async function placesOf({ client }: WriteTx, ports: readonly number[]): Promise<Map<number, string>> {
  if (ports.length === 0) return new Map();
  const { rows } = await client.query<{ id: number; place: string }>(
    `select p.id, d.name || ':' || p.name as place from ${everyPort} p join ${everyDevice} d on d.id = p.device_id where p.id = any($1::bigint[])`,
    [ports],
  );
  return new Map(rows.map(({ id, place }) => [id, place]));
}

const ofHost = ({ hostID, name, mac, place }: Known) => ({
  element: { id: hostID, name },
  mac,
  location: place,
  attributes: { place },
});

const ofAdapter = ({ adapterID, hostID, mac, place }: Known) => ({
  element: { id: adapterID, name: mac },
  hostID,
  mac,
  location: place,
});

const creationOf = ({ engine }: WriteTx, { hostID, mac }: NewRogue): EventEntry => ({
  type: engine.model.byName(host.name).changes!.created!,
  element: { id: hostID, name: mac },
  mac,
});

function arrivalOf(known: Known | undefined): EventEntry[] {
  if (!known) return [];
  return [
    { type: hostConnected, ...ofHost(known) },
    ...(known.isRogue ? [{ type: rogueConnected, ...ofHost(known) }] : []),
    ...(known.enabled ? [] : [{ type: disabledHostConnected, ...ofHost(known) }]),
  ];
}

function moveOf(known: Known | undefined, { suspiciousSeconds }: MovedAddress, from: string): EventEntry[] {
  if (!known) return [];
  const { place } = known;
  const moved = { type: adapterMoved, ...ofAdapter(known), attributes: { from, place } };
  if (suspiciousSeconds === null) return [moved];
  const attributes = { from, place, seconds: suspiciousSeconds };
  return [moved, { type: macSpoofSuspected, ...ofAdapter(known), attributes }];
}

const departureOf = (known: Known | undefined): EventEntry[] =>
  known ? [{ type: hostDisconnected, ...ofHost(known) }] : [];

/** An address that has another IP address than before. */
export interface AddressChange {
  mac: string;
  from: string;
  now: string;
}

/** Emits events for adapters whose IP address changed. */
export async function emitAddresses(tx: WriteTx, changes: readonly AddressChange[]): Promise<void> {
  const known = await hostsOf(
    tx,
    changes.map(({ mac }) => mac),
  );
  const events = changes.flatMap(({ mac, from, now }): EventEntry[] => {
    const adapter = known.get(mac);
    return adapter ? [{ type: adapterIpChanged, ...ofAdapter(adapter), ip: now, attributes: { from, now } }] : [];
  });
  if (events.length > 0) await tx.engine.sinks.events(tx.client, tx.origin, events);
}
