import type pg from 'pg';
import { networkDevice } from '../../../src/device/network-device/network-device.ts';
import type { WriteTx } from '../../../src/kernel/write/runtime.ts';
import { defaultRole } from '../../../src/policy/role/role.ts';

/** Front ports of a switch, and how many of them have a host at first. */
export const portsEach = 48;
const hostsEach = 40;
/** One host of this many is a rogue. */
const rogueEvery = 5;
const nowhere = -1;

const switchName = (index: number): string => `edge-${String(index).padStart(5, '0')}`;

export const switchAddress = (index: number): string => `127.50.${Math.floor(index / 250) + 1}.${(index % 250) + 1}`;

export const macOf = (adapter: number): string => {
  const [high, middle, low] = adapter.toString(16).toUpperCase().padStart(6, '0').match(/../g)!;
  return `02:50:00:${high}:${middle}:${low}`;
};

const macSql = (number: string): string =>
  `'02:50:00:' || array_to_string(regexp_matches(lpad(upper(to_hex(${number})), 6, '0'), '(..)(..)(..)'), ':')`;

export const firstAddress = (adapter: number): string => `10.${adapter >> 16}.${(adapter >> 8) & 255}.${adapter & 255}`;

/**
 * Fills a campus as polls would have left it ten minutes ago: switches are created one by one because their communities
 * are sealed, everything else in bulk. The nodes do not poll these switches, which send informs.
 */
export async function fillCampus({ client, records }: WriteTx, adapters: number): Promise<void> {
  await client.query('set local statement_timeout = 0');
  for (let index = 0; index < Math.ceil(adapters / hostsEach); index++)
    await records.create(networkDevice, {
      name: switchName(index),
      ipAddress: switchAddress(index),
      containerID: 1,
      protocol: 'SNMP_V2C',
      snmpSecurityStrings: JSON.stringify(['public']),
      contactPollingEnabled: false,
      l2PollingEnabled: false,
    });
  for (const text of fillSql) await client.query(text.replaceAll('$adapters', String(adapters)));
}

/** Creates a host with an adapter for each row of a table. */
const hostsSql = (table: string): string[] => [
  `insert into host (id, host_name, type, enabled, authenticated, role_id, role_source, device_type, creation_time, agent_update_attempts,
     managed_by_mdm, scan_required, re_validation, re_validation_interval, attributes)
   select f.host_id, 'host-' || f.n, case when f.n % ${rogueEvery} = 0 then 1 else 2 end, true, false, r.id, 'DEFAULT', t.id, now(), 0,
     false, false, false, 0, '[]'
   from ${table} f, role r, device_type t where r.name = '${defaultRole}' and t.tag = 'unknown' order by f.n`,
  `insert into adapter (physical_address, host_id, media_type, enabled, creation_time, auth_type, attributes)
   select f.mac, f.host_id, 'WIRED', true, now(), 'NONE', '[]' from ${table} f order by f.n`,
];

const fillSql = [
  `update network_device set driver = 'cisco-ios', status = 1`,
  `update device_poll set contact_due = 'infinity', resync_due = 'infinity', l2_due = 'infinity', l3_due = 'infinity'`,
  `insert into port (device_id, port_type, name, port_id, status, ip, phys_addr, label, connection_state, default_vlan, current_vlan, current_cli,
     notes, last_change_summary, ifname, ifindex, ifspeed, ifdescr, ifadmin_status, ifoper_status, uplink_disabled,
     yams_event_tag)
   select d.id, 0, 'Gi1/0/' || n, n, 1, '', '', '', case when n > ${hostsEach} then 0 else 1 end, '1', '1', '', '', '',
     'Gi1/0/' || n, n, '1000000000', 'GigabitEthernet1/0/' || n, 1, 1, false, ''
   from network_device d, generate_series(1, ${portsEach}) n order by d.id, n`,
  `insert into port_bridge (port_id, device_id, bridge_port) select p.id, p.device_id, p.ifindex::integer from port p`,
  `create temporary table filled on commit drop as
   select n, ${macSql('n')} as mac, nextval(pg_get_serial_sequence('host', 'id')) as host_id, d.id as device_id
   from generate_series(0, $adapters - 1) n join network_device d on d.name = 'edge-' || lpad((n / ${hostsEach})::text, 5, '0')`,
  'analyze filled',
  ...hostsSql('filled'),
  `insert into connection_active (mac, device_id, port_id, vlan, since, last_seen)
   select f.mac, f.device_id, b.port_id, '1', now() - interval '1 day', now() - interval '10 minutes'
   from filled f join port_bridge b on b.device_id = f.device_id and b.bridge_port = 1 + f.n % ${hostsEach} order by f.n`,
  `insert into ip_mac (ip, mac, device_id, first_seen, last_seen)
   select '10.0.0.0'::inet + f.n, f.mac, f.device_id, now() - interval '1 day', now() - interval '10 minutes' from filled f order by f.n`,
  `update port p set connection_state = 2 from connection_active c join adapter a on a.physical_address = c.mac
   join host h on h.id = a.host_id and h.type = 1 where p.id = c.port_id`,
];

/** Creates hosts that were connected once and are not now, in addition to those of the campus. */
export async function fillAbsent({ client }: WriteTx, first: number, last: number): Promise<void> {
  await client.query('set local statement_timeout = 0');
  for (const text of absentSql)
    await client.query(text.replaceAll('$from', String(first)).replaceAll('$to', String(last)));
}

const absentSql = [
  `create temporary table absent on commit drop as
   select n, ${macSql('n')} as mac, nextval(pg_get_serial_sequence('host', 'id')) as host_id
   from generate_series($from, $to - 1) n`,
  'analyze absent',
  ...hostsSql('absent'),
];

/**
 * What a switch reports about an address. An address that was seen again at its port is no change, but is stored if the
 * last observation is long ago.
 */
export type Kind = 'moved' | 'left' | 'came' | 'seen';

export interface Change {
  kind: Kind;
  adapter: number;
  mac: string;
  /** The index of the switch that reports, and the number of its port. */
  switchAt: number;
  portNumber: number;
}

export interface Happened {
  change: Change;
  done(): void;
}

const dice: readonly [kind: Kind, upTo: number][] = [
  ['moved', 0.6],
  ['left', 0.8],
  ['came', 1],
];

/** Where each adapter is according to the switches, and the events that the nodes have to store. */
export class Campus {
  readonly adapters: number;
  readonly hostIds: readonly number[];
  readonly adapterIds: readonly number[];
  readonly counts: Record<Kind, number> = { moved: 0, left: 0, came: 0, seen: 0 };
  /** How often each event must be stored for each address, by event and address. */
  readonly expected = new Map<string, number>();
  readonly #random: () => number;
  readonly #portIds: readonly number[];
  /** By adapter: the index of its port among all ports. */
  readonly #places: Int32Array;
  /** Adapters that the nodes were informed about since the start. */
  readonly #learnedOf = new Set<number>();
  readonly #busy = new Set<number>();
  readonly #gone: number[] = [];

  private constructor(
    rows: readonly { id: number; hostId: number }[],
    portIds: readonly number[],
    random: () => number,
  ) {
    this.adapters = rows.length;
    this.adapterIds = rows.map(({ id }) => id);
    this.hostIds = rows.map(({ hostId }) => hostId);
    this.#portIds = portIds;
    this.#places = Int32Array.from(rows, (_, n) => Math.floor(n / hostsEach) * portsEach + (n % hostsEach));
    this.#random = random;
  }

  static async open(sql: pg.Pool, random: () => number): Promise<Campus> {
    const { rows } = await sql.query<{ id: number; hostId: number }>(
      `select a.id::integer as id, a.host_id::integer as "hostId" from adapter a order by a.physical_address`,
    );
    const { rows: ports } = await sql.query<{ id: number }>(
      `select b.port_id::integer as id from port_bridge b join network_device d on d.id = b.device_id order by d.name, b.bridge_port`,
    );
    return new Campus(
      rows,
      ports.map(({ id }) => id),
      random,
    );
  }

  /** Changes an adapter that has no other change in progress; the caller calls `done` when the nodes have stored it. */
  change(requestedAdapter?: number): Happened | undefined {
    const roll = this.#random();
    let kind = dice.find(([, upTo]) => roll < upTo)![0];
    if (kind === 'came' && this.#gone.length === 0) kind = 'left';
    const adapter = requestedAdapter ?? this.#some(kind);
    if (this.#busy.has(adapter)) return undefined;
    const isGone = this.#places[adapter] === nowhere;
    if (isGone) kind = 'came';
    else if (kind === 'came') kind = 'moved';
    return this.#occupied(kind, adapter);
  }

  /** Picks an adapter that is seen again at its port. */
  observe(): Happened | undefined {
    const adapter = this.#some('seen');
    return this.#busy.has(adapter) || this.#places[adapter] === nowhere ? undefined : this.#occupied('seen', adapter);
  }

  #occupied(kind: Kind, adapter: number): Happened {
    this.#busy.add(adapter);
    return { change: this.#happen(kind, adapter), done: () => void this.#busy.delete(adapter) };
  }

  #some(kind: Kind): number {
    if (kind === 'came') return this.#gone[Math.floor(this.#random() * this.#gone.length)]!;
    return Math.floor(this.#random() * this.adapters);
  }

  #happen(kind: Kind, adapter: number): Change {
    const before = this.#places[adapter]!;
    const place = kind === 'moved' || kind === 'came' ? this.#otherPlace(before) : before;
    const mac = macOf(adapter);
    this.counts[kind]++;
    if (kind === 'came') this.#gone.splice(this.#gone.indexOf(adapter), 1);
    if (kind === 'left') this.#gone.push(adapter);
    this.#places[adapter] = kind === 'left' ? nowhere : place;
    this.#expect(kind, adapter, mac);
    this.#learnedOf.add(adapter);
    return { kind, adapter, mac, switchAt: Math.floor(place / portsEach), portNumber: 1 + (place % portsEach) };
  }

  #otherPlace(before: number): number {
    const place = Math.floor(this.#random() * this.#portIds.length);
    return place === before ? (place + 1) % this.#portIds.length : place;
  }

  #expect(kind: Kind, adapter: number, mac: string): void {
    if (kind === 'left') this.expect('HOST_DISCONNECTED', mac);
    if (kind === 'moved') {
      this.expect('ADAPTER_MOVED', mac);
      // All ports are up, so an address that was seen at another port lately is in two places.
      if (this.#learnedOf.has(adapter)) this.expect('MAC_SPOOF_SUSPECTED', mac);
    }
    if (kind === 'came') {
      this.expect('HOST_CONNECTED', mac);
      if (adapter % rogueEvery === 0) this.expect('ROGUE_CONNECTED', mac);
    }
  }

  expect(event: string, mac: string): void {
    const key = `${event} ${mac}`;
    this.expected.set(key, (this.expected.get(key) ?? 0) + 1);
  }

  /** The port of every connected address. */
  *connections(): Generator<[mac: string, portId: number]> {
    for (const [adapter, place] of this.#places.entries())
      if (place !== nowhere) yield [macOf(adapter), this.#portIds[place]!];
  }
}
