import { aloneSql } from '../../kernel/beside.ts';
import { collection, deletes } from '../../kernel/declare.ts';
import {
  computed,
  derived,
  type Field,
  flag,
  identity,
  integer,
  landscape,
  list,
  observed,
  reference,
  text,
  time,
  version,
} from '../../kernel/field.ts';
import type { Shape } from '../../kernel/shape.ts';
import { adapterObjects, ownAttribute } from './adapter-objects.ts';
import { hostDeviceType } from './host-device-type.ts';

/** The code of hosts among elements of the topology. */
export const hostElementType = 4;

/** What a host is to the service, by its code. */
export const hostTypes = { rogue: 1, host: 2, device: 3, phone: 4, topology: 5 } as const;

export const hostTypeLabels = [
  'Rogue',
  'Registered Host',
  'Registered Device',
  'IP Phone',
  'Device in Topology',
] as const;

/** Where a date of expiry comes from, strongest first. */
export const expirationSources = ['MANUAL', 'GUEST', 'DIRECTORY', 'GROUP', 'GLOBAL'] as const;

export const healths = ['SAFE', 'AT_RISK', 'PENDING'] as const;
export type Health = (typeof healths)[number];

const roleSources = ['ADMIN', 'PROFILING_RULE', 'DIRECTORY', 'GROUP', 'VENDOR_OUI', 'PORTAL', 'DEFAULT'] as const;

const words = (max: number): Shape => ({ kind: 'text', max, nullable: true });
const nullableTime: Shape = { kind: 'time', nullable: true };
const nullableFlag: Shape = { kind: 'flag', nullable: true };
const seen = <T>(shape: Shape, initial: T, doc: string) => observed<T>(shape, initial, doc);

/** What its adapters say together, and what is wrong with it. */
const beside = {
  net: `select (array_agg(a.physical_address order by c.mac is null, a.id))[1] as primary_mac, jsonb_agg(a.physical_address order by a.id) as macs,
      count(c.mac) > 0 as connected, max(coalesce(c.since, l.since)) as came, max(l.ended) as gone
    from adapter a left join connection_active c on c.mac = a.physical_address left join connection_last l on l.mac = a.physical_address
    where a.host_id = r.id`,
  risk: `select min(k.level) as level, case when bool_and(k.level = 'PENDING') then min(k.deadline) end as until
    from host_risk k where k.host_id = r.id`,
};
const net = { from: ['net'] };
const risk = { from: ['risk'] };

const role: Field<number | null> = {
  ...reference('role', 'restrict', {
    by: 'name',
    counted: true,
    doc: 'What policies match on. Sent: it stays until it is sent empty, whatever else would give one.',
  }),
  default: 'NAC-Default' as never,
};

/** A user that the service alone names. */
const seenUser = (doc: string): Field<number | null> => ({
  ...reference('user-account', 'set null', { nullable: true, doc }),
  access: 'computed',
  observed: true,
});

/** An endpoint: known only by its address until somebody vouches for it. */
export const host = collection({
  name: 'host',
  title: 'Host',
  path: '/host',
  permission: 'hosts',
  doc: 'Endpoints with their adapters: rogues, and those that somebody vouched for.',
  columns: [
    'id',
    'hostName',
    'typeLabel',
    'primaryMac',
    'ip',
    'connected',
    'health',
    'role',
    'owner',
    'operatingSystem',
  ],
  patterns: ['list', 'fetch', 'count', 'countAll', 'create', 'update', ...deletes, 'enable', 'disable'],
  label: 'hostName',
  otherLabel: 'primaryMac',
  wholeLists: 'withAdapters',
  events: { noun: 'HOST', destroyed: 'DESTROYED', elementType: hostElementType },
  memberOf: ['HOST'],
  memberAs: {
    name: `coalesce(nullif(r.host_name, ''), ${aloneSql('net.primary_mac', beside, net.from)}, 'host ' || r.id)`,
  },
  beside,
  scopedBy: { elementType: hostElementType },
  example: { hostName: 'ward-3-tablet', deviceType: { tag: 'tablet' }, notes: 'Lent to the night shift' },
  fields: {
    id: identity(),
    landscape,
    version,
    hostName: text({
      max: 255,
      nullable: true,
      search: 'indexed',
      index: true,
      doc: 'Name, as the host or a person tells it.',
    }),
    type: {
      ...integer({
        min: 1,
        max: 5,
        default: hostTypes.host,
        doc: '1 rogue, 2 registered host, 3 registered device, 4 IP phone, 5 device in the topology. From 1 to 2 or 3 registers it, back to 1 takes that back.',
      }),
      index: true,
    },
    typeLabel: computed<string>(
      { kind: 'choice', values: hostTypeLabels },
      `(array['${hostTypeLabels.join("', '")}'])[r.type]`,
      { doc: 'The type in words.' },
    ),
    primaryMac: computed<string | null>({ kind: 'mac', nullable: true }, 'net.primary_mac', {
      ...net,
      doc: 'Of its adapters the first that is connected, else the oldest.',
      among: { rows: 'select a.host_id as id, a.physical_address as value from adapter a' },
    }),
    adapters: computed<string[]>(
      { kind: 'list', item: { kind: 'mac' }, max: 1_000 },
      `coalesce(net.macs, '[]'::jsonb)`,
      {
        ...net,
        doc: 'MAC addresses of its adapters.',
        among: { rows: 'select a.host_id as id, a.physical_address as value from adapter a', exact: true },
      },
    ),
    ip: computed<string | null>(
      { kind: 'address', nullable: true },
      `(select m.ip from adapter a join ip_mac m on m.mac = a.physical_address left join connection_active c on c.mac = a.physical_address
        where a.host_id = r.id order by c.mac is null, m.last_seen desc, m.ip limit 1)`,
      {
        doc: 'Address of a connected adapter, else the last that was known of any.',
        among: {
          rows: 'select a.host_id as id, m.ip as value from ip_mac m join adapter a on a.physical_address = m.mac',
        },
      },
    ),
    connected: computed<boolean>({ kind: 'flag' }, 'net.connected', {
      ...net,
      // For many rows at once, which one reading of all connections answers.
      asked: `exists (select from adapter a join connection_active c on c.mac = a.physical_address where a.host_id = r.id)`,
      doc: 'Whether one of its adapters is on the network now.',
      among: {
        rows: 'select a.host_id as id, true as value from connection_active c join adapter a on a.physical_address = c.mac',
        otherwise: 'false',
        exact: true,
      },
    }),
    registered: computed<boolean>({ kind: 'flag' }, `(r.type <> ${hostTypes.rogue})`, {
      doc: 'Whether somebody vouched for it.',
    }),
    registeredAt: derived<string | null>(nullableTime, null, 'When; null: it is a rogue.'),
    registeredBy: derived<string | null>(words(120), null, 'Who; null: it is a rogue.'),
    enabled: flag({ default: true, doc: 'False: none of its adapters gets access.' }),
    authenticated: seen({ kind: 'flag' }, false, 'Whether somebody proved on it who they are.'),
    authenticatedUserID: seenUser('Who that was.'),
    authenticationExpires: seen<string | null>(nullableTime, null, 'Until when that holds; null: for good.'),
    health: computed<Health>({ kind: 'choice', values: healths }, `coalesce(risk.level, 'SAFE')`, {
      ...risk,
      doc: 'AT_RISK: something is wrong with it; PENDING: and it has time to mend that.',
      among: { rows: 'select k.host_id as id, k.level as value from host_risk k', otherwise: 'SAFE' },
    }),
    healthUntil: computed<string | null>(nullableTime, 'risk.until', { ...risk, doc: 'End of that time.' }),
    role,
    roleSource: derived<string>({ kind: 'choice', values: roleSources }, 'DEFAULT', 'What gave the role.'),
    owner: {
      ...computed<string | null>(words(120), '(select u.user_id from user_account u where u.id = r.owner_id)', {
        doc: 'Whose host it is.',
      }),
      through: 'ownerID.userID',
    },
    ownerID: reference('user-account', 'set null', { nullable: true, doc: 'The account of the owner.' }),
    loggedOnUserID: { ...seen<string | null>(words(120), null, 'Who is logged on.'), index: true },
    deviceType: hostDeviceType,
    operatingSystem: text({ max: 255, nullable: true, search: 'indexed' }),
    hardwareType: text({ max: 255, nullable: true, doc: 'Maker and model.' }),
    serialNumber: text({ max: 120, nullable: true, index: true }),
    creationTime: {
      ...derived<string>({ kind: 'time' }, '1970-01-01T00:00:00.000Z', 'When it was made.'),
      index: true,
    },
    lastConnected: computed<string | null>(nullableTime, 'net.came', {
      ...net,
      doc: 'When it came to the network last; null: never.',
    }),
    lastDisconnected: computed<string | null>(nullableTime, 'net.gone', {
      ...net,
      doc: 'When one of its adapters left the network last; null: never.',
    }),
    expirationDate: {
      ...time({ nullable: true, doc: 'When it leaves the database by itself; null: never.' }),
      index: true,
    },
    expirationSource: derived<string | null>(
      { kind: 'choice', values: expirationSources, nullable: true },
      null,
      'Who set that date; a stronger source is not overruled.',
    ),
    inactivityDate: computed<string | null>(
      nullableTime,
      `case when not net.connected then coalesce(net.gone, r.creation_time) + make_interval(days => r.inactive_days) end`,
      { ...net, doc: 'When it leaves if it does not come back; null: it is connected, or need not come back.' },
    ),
    inactiveDays: integer({ min: 1, max: 36_500, nullable: true, doc: 'Days that it may be away; null: for ever.' }),
    agentID: derived<string | null>(words(80), null, 'Identity of the agent on it.'),
    agentVersion: seen<string | null>(words(40), null, 'Version of that agent.'),
    agentPlatform: seen<string | null>(words(40), null, 'What the agent runs on.'),
    lastAgentContact: seen<string | null>(nullableTime, null, 'When the agent spoke last.'),
    agentUpdateAttempts: seen<number>(
      { kind: 'integer', min: 0, max: 1_000_000 },
      0,
      'How often it was told to update.',
    ),
    managedByMDM: seen<boolean>({ kind: 'flag' }, false, 'Whether an MDM server knows it.'),
    mdmServerID: {
      ...reference('mdm-server', 'set null', { nullable: true, doc: 'That server.' }),
      access: 'computed',
      observed: true,
    } satisfies Field<number | null>,
    mdmCompliant: seen<boolean | null>(nullableFlag, null, 'Whether the server calls it compliant.'),
    mdmCompromised: seen<boolean | null>(nullableFlag, null, 'Whether the server calls it compromised.'),
    mdmRisk: seen<string | null>(words(80), null, 'Risk as the server puts it.'),
    scanRequired: seen<boolean>({ kind: 'flag' }, false, 'It is scanned when it is there again.'),
    lastScan: seen<string | null>(nullableTime, null, 'When it was scanned last.'),
    lastScanResult: seen<string | null>(
      { kind: 'choice', values: ['PASSED', 'WARNING', 'FAILED', 'ERROR'], nullable: true },
      null,
      'What came of that.',
    ),
    containerID: reference('container', 'restrict', { nullable: true, doc: 'Container of a device in the topology.' }),
    reValidation: flag({ default: false, doc: 'Profiling confirms it each time it connects.' }),
    reValidationInterval: integer({
      min: 0,
      max: 525_600,
      default: 0,
      doc: 'Minutes between confirmations; 0: only when it connects.',
    }),
    lastReValidation: seen<string | null>(nullableTime, null, 'When it was confirmed last.'),
    groups: computed<string[]>(
      { kind: 'list', item: { kind: 'text', max: 120 }, max: 5_000 },
      `(select coalesce(jsonb_agg(g.name order by g.name), '[]'::jsonb) from group_member m join "group" g on g.id = m.group_id
        where m.element_type = ${hostElementType} and m.member_id = r.id)`,
      {
        doc: 'Groups that it is a direct member of.',
        among: {
          rows: `select m.member_id as id, g.name as value from "group" g join group_member m on m.group_id = g.id and m.element_type = ${hostElementType}`,
          exact: true,
        },
      },
    ),
    notes: text({ max: 4_000, nullable: true, search: 'indexed' }),
    attributes: list<{ name: string; value: string }>(
      { item: ownAttribute, max: 50 },
      { default: [], doc: 'Names and values of the administrators.' },
    ),
    adapterObjects,
  },
});
