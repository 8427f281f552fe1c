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

/** A MAC address that moved from another port. */
export interface MovedAddress {
  mac: string;
  /** The previous port. */
  from: number;
  /** Seconds since it was learned on the previous port if both ports are physical and up, which suggests a spoofed address; otherwise null. */
  suspiciousSeconds: number | null;
}

/** The changes that one L2 poll found. */
export interface ConnectionsRead {
  learned: readonly LearnedAddress[];
  added: readonly string[];
  moved: readonly MovedAddress[];
  gone: readonly string[];
}

interface AdapterOnNetwork {
  mac: string;
  adapterID: number;
  hostID: number;
  name: string;
  isRogue: boolean;
  enabled: boolean;
  place: string;
}

/** Creates rogues for unknown MAC addresses, and emits events for hosts that connected, moved or disconnected. */
export async function followConnections(tx: WriteTx, changes: ConnectionsRead): Promise<void> {
  const rogues = await makeRogues(tx.client, changes.learned);
  const { added, moved, gone: removed } = changes;
  const adapters = await loadAdapters(tx, [...added, ...moved.map(({ mac }) => mac), ...removed]);
  const places = await loadPortPlaces(
    tx,
    moved.map(({ from: portID }) => portID),
  );
  const events = [
    ...rogues.map((rogue) => hostCreatedEvent(tx, rogue)),
    ...added.flatMap((mac) => connectEvents(adapters.get(mac))),
    ...moved.flatMap((move) => moveEvents(adapters.get(move.mac), move, places.get(move.from) ?? 'a deleted port')),
    ...removed.flatMap((mac) => disconnectEvents(adapters.get(mac))),
  ];
  if (events.length > 0) await tx.engine.sinks.events(tx.client, tx.origin, events);
}

async function loadAdapters({ client }: WriteTx, macs: readonly string[]): Promise<Map<string, AdapterOnNetwork>> {
  if (macs.length === 0) return new Map();
  const { rows } = await client.query<AdapterOnNetwork>(
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

async function loadPortPlaces({ client }: WriteTx, ports: readonly number[]): Promise<Map<number, string>> {
  if (ports.length === 0) return new Map();
  const { rows } = await client.query<{ id: number; place: string }>(
    `select p.id, d.name || ':' || p.name as place from ${everyPort} p join ${everyDevice} d on d.id = p.device_id where p.id = any($1::bigint[])`,
    [ports],
  );
  return new Map(rows.map(({ id, place }) => [id, place]));
}

const hostEntry = ({ hostID, name, mac, place }: AdapterOnNetwork) => ({
  element: { id: hostID, name },
  mac,
  location: place,
  attributes: { place },
});

const adapterEntry = ({ adapterID, hostID, mac, place }: AdapterOnNetwork) => ({
  element: { id: adapterID, name: mac },
  hostID,
  mac,
  location: place,
});

const hostCreatedEvent = ({ engine }: WriteTx, { hostID, mac }: NewRogue): EventEntry => ({
  type: engine.model.byName(host.name).changes!.created!,
  element: { id: hostID, name: mac },
  mac,
});

function connectEvents(adapter: AdapterOnNetwork | undefined): EventEntry[] {
  if (!adapter) return [];
  return [
    { type: hostConnected, ...hostEntry(adapter) },
    ...(adapter.isRogue ? [{ type: rogueConnected, ...hostEntry(adapter) }] : []),
    ...(adapter.enabled ? [] : [{ type: disabledHostConnected, ...hostEntry(adapter) }]),
  ];
}

function moveEvents(
  adapter: AdapterOnNetwork | undefined,
  { suspiciousSeconds }: MovedAddress,
  previousPlace: string,
): EventEntry[] {
  if (!adapter) return [];
  const { place } = adapter;
  const moved = { type: adapterMoved, ...adapterEntry(adapter), attributes: { from: previousPlace, place } };
  if (suspiciousSeconds === null) return [moved];
  const attributes = { from: previousPlace, place, seconds: suspiciousSeconds };
  return [moved, { type: macSpoofSuspected, ...adapterEntry(adapter), attributes }];
}

const disconnectEvents = (adapter: AdapterOnNetwork | undefined): EventEntry[] =>
  adapter ? [{ type: hostDisconnected, ...hostEntry(adapter) }] : [];

/** A MAC address whose IP address changed. */
export interface AddressChange {
  mac: string;
  from: string;
  now: string;
}

/** Emits events for adapters whose IP address changed. */
export async function emitAddresses(tx: WriteTx, changes: readonly AddressChange[]): Promise<void> {
  const adapters = await loadAdapters(
    tx,
    changes.map(({ mac }) => mac),
  );
  const events = changes.flatMap(({ mac, from: previousIp, now }): EventEntry[] => {
    const adapter = adapters.get(mac);
    return adapter
      ? [{ type: adapterIpChanged, ...adapterEntry(adapter), ip: now, attributes: { from: previousIp, now } }]
      : [];
  });
  if (events.length > 0) await tx.engine.sinks.events(tx.client, tx.origin, events);
}
