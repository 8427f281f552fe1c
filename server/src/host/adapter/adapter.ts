import { collection, deletes } from '../../kernel/declare.ts';
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
} from '../../kernel/field.ts';
import { integerMax, type Shape } from '../../kernel/shape.ts';
import { atHand, fresh, isConnected, newestAddress, whereabouts } from './where.ts';

/** The code of adapters among elements of the topology. */
export const adapterElementType = 5;

export const mediaTypes = ['WIRED', 'WIRELESS', 'VPN', 'UNKNOWN'] as const;

/** What a connection is let to do. */
export const accessStates = [
  'DEAD_END',
  'QUARANTINE',
  'REGISTRATION',
  'AUTHENTICATION',
  'GUEST',
  'PRODUCTION',
] as const;

const id: Shape = { kind: 'integer', min: 0, max: integerMax };
const nullableId: Shape = { ...id, nullable: true };
const words = (max: number): Shape => ({ kind: 'text', max, nullable: true });
const nullableTime: Shape = { kind: 'time', nullable: true };

/** A name and a value of the administrator's own. */
export const attribute: Shape = {
  kind: 'object',
  name: 'OwnAttribute',
  required: ['name', 'value'],
  properties: { name: { kind: 'text', min: 1, max: 80 }, value: { kind: 'text', max: 2_000 } },
};

/** What a field is read from. */
const live = { from: ['live'] };
const liveOrPast = { from: ['live', 'past'] };

const isLive = 'live.mac is not null';
const statusSql = (connected: string): string =>
  `case when not r.enabled then 'DISABLED' when ${connected} then 'ONLINE' else 'OFFLINE' end`;

/** The rule is set by profiling alone. */
const dpcRuleID: Field<number | null> = {
  ...reference('device-profiling-rule', 'set null', { nullable: true, doc: 'Profiling rule that recognised it.' }),
  access: 'computed',
};

/** One network interface of a host, known by its MAC address, and where it is connected now or was last. */
export const adapter = collection({
  name: 'adapter',
  title: 'Adapter',
  path: '/adapter',
  permission: 'hosts',
  doc: 'Network interfaces of hosts, each known by its MAC address, and where they are connected.',
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
  beside: whereabouts,
  example: { physicalAddress: '00:1D:09:3C:4D:5E', mediaType: 'WIRED', description: 'Docking station of ward 3' },
  fields: {
    id: identity(),
    landscape,
    version,
    physicalAddress: field<string>(
      { kind: 'mac' },
      { fixed: true, doc: 'MAC address, in any notation; unique in the cell, and never changed.' },
    ),
    hostID: reference('host', 'cascade', {
      empty: true,
      doc: 'The host it belongs to; absent on create, or 0: a rogue host is made around it.',
    }),
    ipaddress: {
      ...alternative<string | null>(
        { kind: 'address', nullable: true },
        newestAddress('r.physical_address'),
        'Its IP address: the current one, or the last that was known. One that is sent counts as seen now; null: what is known stays.',
      ),
      among: { rows: 'select a.id, m.ip as value from ip_mac m join adapter a on a.physical_address = m.mac' },
    },
    ips: computed<string[]>(
      { kind: 'list', item: { kind: 'address' }, max: 1_000 },
      `(select coalesce(jsonb_agg(m.ip order by m.ip), '[]'::jsonb) from ip_mac m where m.mac = r.physical_address and ${fresh('m')})`,
      { doc: 'All current addresses, of both families.' },
    ),
    mediaType: choice(mediaTypes, { default: 'UNKNOWN', doc: 'How it is connected.' }),
    vendorName: {
      ...derived<string | null>(words(200), null, 'Who made it, by the longest prefix that the IEEE gave.'),
      index: true,
    },
    vendorOUI: derived<string | null>(words(17), null, 'That prefix.'),
    randomized: computed<boolean>(
      { kind: 'flag' },
      `(substr(r.physical_address, 2, 1) in ('2', '3', '6', '7', 'A', 'B', 'E', 'F'))`,
      { doc: 'The address is locally administered: nobody can tell who made it, and it may change.' },
    ),
    enabled: flag({ default: true, doc: 'False: this address alone gets no access.' }),
    connected: computed<boolean>({ kind: 'flag' }, isLive, {
      ...live,
      asked: isConnected,
      doc: 'Whether it is on the network now.',
      among: { rows: atHand('true'), otherwise: 'false', exact: true },
    }),
    connectedSince: computed<string | null>(nullableTime, 'live.since', {
      ...live,
      doc: 'Since when; null: it is not.',
    }),
    lastSeen: computed<string | null>(nullableTime, 'coalesce(live.last_seen, past.last_seen)', {
      ...liveOrPast,
      doc: 'When it was seen last; null: never.',
    }),
    creationTime: {
      ...derived<string>({ kind: 'time' }, '1970-01-01T00:00:00.000Z', 'When it was made.'),
      index: true,
    },
    deviceID: computed<number | null>(nullableId, 'coalesce(live.device_id, past.device_id)', {
      ...liveOrPast,
      doc: 'Device it is on, or was on last.',
      among: {
        rows: `${atHand('c.device_id')} union all select a.id, l.device_id from connection_last l join adapter a on a.physical_address = l.mac`,
      },
    }),
    portID: computed<number | null>(nullableId, 'coalesce(live.port_id, past.port_id)', {
      ...liveOrPast,
      doc: 'Port it is on, or was on last.',
      among: {
        rows: `${atHand('c.port_id')} union all select a.id, l.port_id from connection_last l join adapter a on a.physical_address = l.mac`,
      },
    }),
    ssid: computed<string | null>(words(255), 'live.ssid', { ...live, doc: 'Wireless network it is on.' }),
    location: computed<string>({ kind: 'text', max: 400 }, `coalesce(live.location, past.location, '')`, {
      ...liveOrPast,
      doc: 'Device and port it is on, or was on last, such as `switch-3:Gi1/0/7`; empty: never seen.',
    }),
    container: computed<string | null>(words(128), '(select k.name from container k where k.id = live.container_id)', {
      ...live,
      doc: 'Container of the device it is on.',
    }),
    accessState: observed<string | null>(
      { kind: 'choice', values: accessStates, nullable: true },
      null,
      'What its connection is let to do; null: nothing was decided.',
    ),
    accessValue: computed<string | null>(words(64), 'live.vlan', { ...live, doc: 'VLAN in force.' }),
    authType: observed<string>(
      { kind: 'choice', values: ['NONE', 'MAB', 'DOT1X', 'PORTAL', 'VPN'] },
      'NONE',
      'How it proved who it is.',
    ),
    outerEapType: observed<string | null>(words(40), null, 'Method of EAP outside of the tunnel.'),
    innerEapType: observed<string | null>(words(40), null, 'Method of EAP inside of the tunnel.'),
    dpcRuleID,
    dpcRuleName: {
      ...computed<string | null>(
        words(120),
        '(select x.name from device_profiling_rule x where x.id = r.dpc_rule_id)',
        {
          doc: 'Name of that rule.',
        },
      ),
      through: 'dpcRuleID.name',
    },
    openPorts: observed<string | null>(words(20_000), null, 'Ports that the last network scan found open.'),
    description: text({ max: 2_000, nullable: true }),
    attributes: list<{ name: string; value: string }>(
      { item: attribute, max: 50 },
      { default: [], doc: 'Names and values of the administrators.' },
    ),
    status: computed<string>({ kind: 'choice', values: ['ONLINE', 'OFFLINE', 'DISABLED'] }, statusSql(isLive), {
      ...live,
      asked: statusSql(isConnected),
      doc: 'DISABLED, or whether it is connected.',
    }),
  },
});
