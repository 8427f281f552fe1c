import type { EventEntry } from '../../kernel/event-type.ts';
import type { WriteTx } from '../../kernel/runtime.ts';
import {
  adapterIpChanged,
  adapterMoved,
  disabledHostConnected,
  hostConnected,
  hostDisconnected,
  macSpoofSuspected,
  rogueConnected,
} from '../host-event-types.ts';
import { type HeardAddress, makeRogues } from './make-rogues.ts';

/** An address that was on another port before. */
export interface MovedAddress {
  mac: string;
  /** The port it was on. */
  from: number;
  /** Seconds since it was heard there, where both ports are sockets that are up: one address in two places. */
  suspiciousSeconds: number | null;
}

/** What a reading of a forwarding table changed. */
export interface ConnectionsRead {
  heard: readonly HeardAddress[];
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

/** Hosts are where their adapters are heard: makes rogues of those that nobody knows, and tells who came, moved and left. */
export async function followConnections(tx: WriteTx, read: ConnectionsRead): Promise<void> {
  await makeRogues(tx.client, read.heard);
  const { added, moved, gone } = read;
  const known = await hostsOf(tx, [...added, ...moved.map(({ mac }) => mac), ...gone]);
  const places = await placesOf(
    tx,
    moved.map(({ from }) => from),
  );
  const events = [
    ...added.flatMap((mac) => arrivalOf(known.get(mac))),
    ...moved.flatMap((move) => moveOf(known.get(move.mac), move, places.get(move.from) ?? 'a port that is gone')),
    ...gone.flatMap((mac) => departureOf(known.get(mac))),
  ];
  if (events.length > 0) await tx.engine.sinks.events(tx.client, tx.origin, events);
}

async function hostsOf({ client }: WriteTx, macs: readonly string[]): Promise<Map<string, Known>> {
  if (macs.length === 0) return new Map();
  const { rows } = await client.query<Known>(
    `select a.physical_address as mac, a.id as "adapterID", h.id as "hostID", coalesce(nullif(h.host_name, ''), a.physical_address) as name,
       h.type = 1 as "isRogue", h.enabled and a.enabled as enabled, coalesce(d.name || ':' || p.name, l.location, '') as place
     from adapter a
     join host h on h.id = a.host_id
     left join connection_active c on c.mac = a.physical_address
     left join port p on p.id = c.port_id
     left join network_device d on d.id = c.device_id
     left join connection_last l on l.mac = a.physical_address
     where a.physical_address = any($1::text[])`,
    [macs],
  );
  return new Map(rows.map((row) => [row.mac, row]));
}

async function placesOf({ client }: WriteTx, ports: readonly number[]): Promise<Map<number, string>> {
  if (ports.length === 0) return new Map();
  const { rows } = await client.query<{ id: number; place: string }>(
    `select p.id, d.name || ':' || p.name as place from port p join network_device d on d.id = p.device_id where p.id = any($1::bigint[])`,
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

/** Tells which adapters have another address. */
export async function tellAddresses(tx: WriteTx, changes: readonly AddressChange[]): Promise<void> {
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
