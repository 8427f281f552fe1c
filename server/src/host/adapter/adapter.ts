import { collection, deletes } from '../../kernel/declare/declaration.ts';
import {
  alternative,
  choice,
  computed,
  derived,
  type Field,
  field,
  flag,
  identity,
  landscape,
  list,
  observed,
  reference,
  text,
  version,
  withoutEffect,
} from '../../kernel/declare/field.ts';
import type { Shape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { accessStates, authTypes } from '../../policy/decide/decide.service.ts';
import {
  adapterLocation,
  fromConnections,
  isConnected,
  isRecentSql,
  newestAddress,
  readingIntervals,
  visibleAdapterLocation,
} from './location-sql.ts';

export { adapterLocation, isRecentSql, newestAddress } from './location-sql.ts';

/** The element type of adapters in the contract. */
export const adapterElementType = 5;

export const mediaTypes = ['WIRED', 'WIRELESS', 'VPN', 'UNKNOWN'] as const;

const id = shapes.count;
const nullableId = { ...id, nullable: true } as const satisfies Shape;
const words = (max: number) => ({ kind: 'text', max, nullable: true }) as const satisfies Shape;
const nullableTime = { kind: 'time', nullable: true } as const satisfies Shape;

/** A custom name and value, set by an administrator. */
export const attribute = {
  kind: 'object',
  name: 'OwnAttribute',
  required: ['name', 'value'],
  properties: { name: { kind: 'text', min: 1, max: 80 }, value: { kind: 'text', max: 2_000 } },
} as const satisfies Shape;

/** The joins that a field needs: the open connection, or also the last one. */
const live = { joins: ['live'] };
const liveOrPast = { joins: ['live', 'past'] };

const isLive = 'live.mac is not null';
const statusSql = (connected: string): string =>
  `case when not r.enabled then 'DISABLED' when ${connected} then 'ONLINE' else 'OFFLINE' end`;

/** Only profiling sets the rule. */
const dpcRuleID: Field<number | null> = {
  ...reference('device-profiling-rule', 'set null', { nullable: true, doc: 'Profiling rule that matched it.' }),
  access: 'computed',
};

/** One network interface of a host, identified by its MAC address, with its current or last location. */
export const adapter = collection({
  name: 'adapter',
  title: 'Adapter',
  path: '/adapter',
  permission: 'hosts',
  doc: 'Network interfaces of hosts, identified by MAC address, and where they are connected.',
  columns: [
    'id',
    'physicalAddress',
    'hostID',
    'ipaddress',
    'status',
    'location',
    'vendorName',
    'mediaType',
    'lastSeen',
  ],
  patterns: ['list', 'fetch', 'count', 'countAll', 'create', 'update', ...deletes, 'enable', 'disable'],
  label: 'physicalAddress',
  events: { noun: 'ADAPTER', destroyed: 'DESTROYED', elementType: adapterElementType },
  memberOf: ['ADAPTER'],
  scopedBy: { elementType: adapterElementType },
  uniqueTogether: [['physicalAddress', 'landscape']],
  joins: adapterLocation,
  restrictedSql: visibleAdapterLocation,
  everyRow: [{ sql: readingIntervals, reason: 'when an address counts as current does not depend on the viewer' }],
  example: { physicalAddress: '00:1D:09:3C:4D:5E', mediaType: 'WIRED', description: 'Docking station of ward 3' },
  labels: { physicalAddress: 'MAC address' },
  sections: {
    Adapter: [
      'physicalAddress',
      'hostID',
      'mediaType',
      'vendorName',
      'vendorOUI',
      'randomized',
      'enabled',
      'description',
      'attributes',
    ],
    Where: [
      'connected',
      'connectedSince',
      'lastSeen',
      'ipaddress',
      'ips',
      'location',
      'deviceID',
      'portID',
      'ssid',
      'container',
    ],
    Access: ['accessState', 'accessValue', 'authType', 'outerEapType', 'innerEapType'],
  },
  fields: {
    id: identity(),
    landscape,
    version,
    physicalAddress: field<string>(
      { kind: 'mac' },
      {
        immutable: true,
        suffixIndex: true,
        doc: 'MAC address, in any notation; unique in the cell, and cannot be changed.',
        help: 'MAC address in any notation. It cannot be changed later.',
      },
    ),
    hostID: reference('host', 'cascade', {
      empty: true,
      doc: 'Host it belongs to; absent on create, or 0: a rogue host is created for it.',
      help: 'Host of the adapter. Empty: a new rogue host is created.',
    }),
    ipaddress: {
      ...alternative<string | null>(
        { kind: 'address', nullable: true },
        newestAddress('r.physical_address'),
        'Current or last known IP address. A value sent here counts as seen now; null removes all addresses of the adapter.',
      ),
      lookup: { rows: 'select a.id, m.ip as value from ip_mac m join adapter a on a.physical_address = m.mac' },
    },
    ips: computed<string[]>(
      { kind: 'list', item: { kind: 'address' }, max: 1_000 },
      `(select coalesce(jsonb_agg(m.ip order by m.ip), '[]'::jsonb) from ip_mac m where m.mac = r.physical_address and ${isRecentSql('m')})`,
      { doc: 'All current IPv4 and IPv6 addresses.' },
    ),
    mediaType: choice(mediaTypes, { default: 'UNKNOWN', doc: 'How it is connected.', help: 'Wired or wireless.' }),
    vendorName: {
      ...derived<string | null>(words(200), null, 'Vendor, by the longest matching IEEE prefix.'),
      index: true,
    },
    vendorOUI: derived<string | null>(words(17), null, 'That prefix.'),
    randomized: computed<boolean>(
      { kind: 'flag' },
      `(substr(r.physical_address, 2, 1) in ('2', '3', '6', '7', 'A', 'B', 'E', 'F'))`,
      { doc: 'The MAC address is locally administered: it has no vendor and may change.' },
    ),
    enabled: flag({
      default: true,
      doc: 'False: this adapter gets no access.',
      help: 'Off: this adapter gets no access.',
    }),
    connected: computed<boolean>({ kind: 'flag' }, isLive, {
      ...live,
      filterSql: isConnected,
      doc: 'Whether it is connected now.',
      lookup: { rows: fromConnections('true'), defaultValue: 'false', exact: true },
    }),
    connectedSince: computed<string | null>(nullableTime, 'live.since', {
      ...live,
      doc: 'Connected since; null: not connected.',
    }),
    lastSeen: computed<string | null>(nullableTime, 'coalesce(live.last_seen, past.last_seen)', {
      ...liveOrPast,
      doc: 'Last seen; null: never.',
    }),
    creationTime: {
      ...derived<string>({ kind: 'time' }, '1970-01-01T00:00:00.000Z', 'When it was created.'),
      index: true,
    },
    deviceID: computed<number | null>(nullableId, 'coalesce(live.device_id, past.device_id)', {
      ...liveOrPast,
      doc: 'Device it is connected to, or was last connected to.',
      lookup: {
        rows: `${fromConnections('c.device_id')} union all select a.id, l.device_id from connection_last l join adapter a on a.physical_address = l.mac`,
      },
    }),
    portID: computed<number | null>(nullableId, 'coalesce(live.port_id, past.port_id)', {
      ...liveOrPast,
      doc: 'Port it is connected to, or was last connected to.',
      lookup: {
        rows: `${fromConnections('c.port_id')} union all select a.id, l.port_id from connection_last l join adapter a on a.physical_address = l.mac`,
      },
    }),
    ssid: computed<string | null>(words(255), 'live.ssid', { ...live, doc: 'Wireless network it is connected to.' }),
    location: computed<string>({ kind: 'text', max: 400 }, `coalesce(live.location, past.location, '')`, {
      ...liveOrPast,
      doc: 'Device and port it is connected to, or was last connected to, such as `switch-3:Gi1/0/7`; empty: never seen.',
    }),
    container: computed<string | null>(
      words(128),
      'case when live.mac is null then past.container else (select k.name from container k where k.id = live.container_id) end',
      { ...liveOrPast, doc: 'Container of the device it is connected to, or was last connected to.' },
    ),
    accessState: observed<string | null>(
      { kind: 'choice', values: accessStates, nullable: true },
      null,
      'Access state that RADIUS gave its open connection; null: not connected, or not by RADIUS.',
    ),
    accessValue: computed<string | null>(words(64), 'live.vlan', {
      ...live,
      doc: 'VLAN of its open connection; null: not connected, or not known.',
    }),
    authType: observed<string>({ kind: 'choice', values: authTypes }, 'NONE', 'Authentication method.'),
    outerEapType: observed<string | null>(words(40), null, 'Outer EAP method.'),
    innerEapType: observed<string | null>(words(40), null, 'Inner EAP method.'),
    dpcRuleID,
    dpcRuleName: {
      ...computed<string | null>(
        words(120),
        '(select x.name from device_profiling_rule x where x.id = r.dpc_rule_id)',
        {
          doc: 'Name of that rule.',
        },
      ),
      via: 'dpcRuleID.name',
    },
    openPorts: observed<string | null>(words(20_000), null, 'Open ports found by the last network scan.'),
    description: text({ max: 2_000, nullable: true }),
    attributes: withoutEffect(
      list<{ name: string; value: string }>(
        { item: attribute, max: 50 },
        {
          default: [],
          doc: 'Custom attributes set by administrators.',
          help: 'Your own attributes, as pairs of name and value.',
        },
      ),
      'policies have conditions on attributes of adapters',
    ),
    status: computed<string>({ kind: 'choice', values: ['ONLINE', 'OFFLINE', 'DISABLED'] }, statusSql(isLive), {
      ...live,
      filterSql: statusSql(isConnected),
      doc: 'DISABLED, ONLINE or OFFLINE.',
    }),
  },
});
