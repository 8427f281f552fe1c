import { collection, deletes, type RowOf } from '../../kernel/declare/declaration.ts';
import {
  alternative,
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
  withoutEffect,
} from '../../kernel/declare/field.ts';
import { asSubquery } from '../../kernel/declare/lateral-joins.ts';
import type { Shape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { adapterObjects, ownAttribute, visibleCells } from './adapter-objects.ts';
import { hostDeviceType } from './host-device-type.ts';

/** The element type of hosts in the contract. */
export const hostElementType = 4;

/** The codes of the host types. */
export const hostTypes = { rogue: 1, host: 2, device: 3, phone: 4, topology: 5 } as const;

export const hostTypeLabels = [
  'Rogue',
  'Registered Host',
  'Registered Device',
  'IP Phone',
  'Device in Topology',
] as const;

/** The sources of an expiration date, in descending precedence. */
export const expirationSources = ['MANUAL', 'GUEST', 'DIRECTORY', 'GROUP', 'GLOBAL'] as const;

export const healths = ['SAFE', 'AT_RISK', 'PENDING'] as const;
export type Health = (typeof healths)[number];

const roleSources = ['ADMIN', 'PROFILING_RULE', 'DIRECTORY', 'GROUP', 'VENDOR_OUI', 'PORTAL', 'DEFAULT'] as const;

const words = (max: number) => ({ kind: 'text', max, nullable: true }) as const satisfies Shape;
const nullableTime = { kind: 'time', nullable: true } as const satisfies Shape;
const nullableFlag = { kind: 'flag', nullable: true } as const satisfies Shape;
const observedField = <T>(shape: Shape, initial: T, doc: string) => observed<T>(shape, initial, doc);

/** The joins for the combined state of its adapters (`net`) and for its causes of risk (`risk`). */
const joins = {
  net: `select (array_agg(a.physical_address order by c.mac is null, a.id))[1] as primary_mac, jsonb_agg(a.physical_address order by a.id) as macs,
      count(c.mac) > 0 as connected, max(coalesce(c.since, l.since)) as came, max(l.ended) as gone
    from adapter a left join connection_active c on c.mac = a.physical_address left join connection_last l on l.mac = a.physical_address
    where a.host_id = r.id`,
  risk: `select min(k.level) as level, case when bool_and(k.level = 'PENDING') then min(k.deadline) end as until
    from host_risk k where k.host_id = r.id`,
};
const net = { joins: ['net'] };
const risk = { joins: ['risk'] };

const role = {
  ...reference('role', 'restrict', {
    by: 'name',
    counted: true,
    doc: 'Role that policies match on. A value sent here is fixed until it is sent empty.',
    help: 'Role for policies. A selected role stays until you clear the field; then the role comes from groups and other sources again.',
  }),
  default: 'NAC-Default' as never,
};

/** A reference to a user that only the service sets. */
const observedUser = (doc: string): Field<number | null> => ({
  ...reference('user-account', 'set null', { nullable: true, doc }),
  access: 'computed',
  observed: true,
});

/** A computer, phone, printer or other thing that connects. It is a rogue, known only by its address, until it is registered. */
export const host = collection({
  name: 'host',
  title: 'Host',
  path: '/host',
  permission: 'hosts',
  doc: 'Endpoints and their adapters, both rogue and registered.',
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
  fallbackLabel: 'primaryMac',
  detailParameter: 'withAdapters',
  events: { noun: 'HOST', destroyed: 'DESTROYED', elementType: hostElementType, mac: 'primaryMac' },
  memberOf: ['HOST'],
  memberAs: {
    name: `coalesce(nullif(r.host_name, ''), ${asSubquery('net.primary_mac', joins, net.joins)}, 'host ' || r.id)`,
  },
  joins,
  restrictedSql: visibleCells,
  scopedBy: { elementType: hostElementType },
  example: { hostName: 'ward-3-tablet', deviceType: { tag: 'tablet' }, notes: 'Lent to the night shift' },
  sections: {
    Host: ['hostName', 'type', 'enabled', 'role', 'roleSource', 'containerID', 'notes', 'attributes', 'groups'],
    Owner: ['owner', 'ownerID', 'loggedOnUserID', 'registered', 'registeredAt', 'registeredBy'],
    Where: ['connected', 'primaryMac', 'ip', 'lastConnected', 'lastDisconnected'],
    Access: ['authenticated', 'authenticatedUserID', 'authenticationExpires', 'health', 'healthUntil'],
    Machine: ['deviceType', 'operatingSystem', 'hardwareType', 'serialNumber'],
    Lifetime: [
      'creationTime',
      'expirationDate',
      'expirationSource',
      'inactivityDate',
      'inactiveDays',
      'reValidation',
      'reValidationInterval',
      'lastReValidation',
    ],
    'Agent and MDM': [
      'agentID',
      'agentVersion',
      'agentPlatform',
      'lastAgentContact',
      'agentUpdateAttempts',
      'managedByMDM',
      'mdmServerID',
      'mdmCompliant',
      'mdmCompromised',
      'mdmRisk',
    ],
    Scan: ['scanRequired', 'lastScan', 'lastScanResult'],
  },
  labels: { reValidation: 'Revalidation', reValidationInterval: 'Revalidation interval' },
  units: { inactiveDays: 'd', reValidationInterval: 'min' },
  fields: {
    id: identity(),
    landscape,
    version,
    hostName: text({
      max: 255,
      nullable: true,
      search: 'indexed',
      index: true,
      doc: 'Name reported by the host or set by a user.',
      help: 'Name of the host.',
    }),
    type: {
      ...integer({
        ...shapes.code(['rogue', 'registered host', 'registered device', 'IP phone', 'device in the topology'], 1),
        default: hostTypes.host,
        doc: 'Changing 1 to 2 or 3 registers the host, back to 1 removes the registration.',
        help: 'Registered host or registered device: the host is registered. Rogue: the registration is removed.',
      }),
      index: true,
    },
    typeLabel: computed<string>(
      { kind: 'choice', values: hostTypeLabels },
      `(array['${hostTypeLabels.join("', '")}'])[r.type]`,
      { doc: 'Name of the type.' },
    ),
    primaryMac: computed<string | null>({ kind: 'mac', nullable: true }, 'net.primary_mac', {
      ...net,
      doc: 'MAC address of the first connected adapter, else of the oldest.',
      lookup: { rows: 'select a.host_id as id, a.physical_address as value from adapter a' },
    }),
    adapters: computed<string[]>(
      { kind: 'list', item: { kind: 'mac' }, max: 1_000 },
      `coalesce(net.macs, '[]'::jsonb)`,
      {
        ...net,
        doc: 'MAC addresses of its adapters.',
        lookup: { rows: 'select a.host_id as id, a.physical_address as value from adapter a', exact: true },
      },
    ),
    ip: computed<string | null>(
      { kind: 'address', nullable: true },
      `(select m.ip from adapter a join ip_mac m on m.mac = a.physical_address left join connection_active c on c.mac = a.physical_address
        where a.host_id = r.id order by c.mac is null, m.last_seen desc, m.ip limit 1)`,
      {
        doc: 'IP address of a connected adapter, else the last known one of any adapter.',
        lookup: {
          rows: 'select a.host_id as id, m.ip as value from ip_mac m join adapter a on a.physical_address = m.mac',
        },
      },
    ),
    connected: computed<boolean>({ kind: 'flag' }, 'net.connected', {
      ...net,
      // For filters over many rows: PostgreSQL reads all connections once.
      filterSql: `exists (select from adapter a join connection_active c on c.mac = a.physical_address where a.host_id = r.id)`,
      doc: 'Whether one of its adapters is connected now.',
      lookup: {
        rows: 'select a.host_id as id, true as value from connection_active c join adapter a on a.physical_address = c.mac',
        defaultValue: 'false',
        exact: true,
      },
    }),
    registered: computed<boolean>({ kind: 'flag' }, `(r.type <> ${hostTypes.rogue})`, {
      doc: 'Whether it is registered.',
    }),
    registeredAt: derived<string | null>(nullableTime, null, 'When it was registered; null: it is a rogue.'),
    registeredBy: derived<string | null>(
      words(120),
      null,
      'Name of the account or service that registered it; null: it is a rogue.',
    ),
    enabled: flag({
      default: true,
      doc: 'False: its adapters get no access.',
      help: 'Off: the host gets no access on any adapter.',
    }),
    authenticated: observedField({ kind: 'flag' }, false, 'Whether a user is authenticated on it.'),
    authenticatedUserID: observedUser('The authenticated user.'),
    authenticationExpires: observedField<string | null>(
      nullableTime,
      null,
      'When the authentication expires; null: never.',
    ),
    health: computed<Health>({ kind: 'choice', values: healths }, `coalesce(risk.level, 'SAFE')`, {
      ...risk,
      doc: 'AT_RISK: it has a health problem; PENDING: it has a problem and a grace period to fix it.',
      lookup: { rows: 'select k.host_id as id, k.level as value from host_risk k', defaultValue: 'SAFE' },
    }),
    healthUntil: computed<string | null>(nullableTime, 'risk.until', { ...risk, doc: 'End of the grace period.' }),
    role,
    roleSource: {
      ...derived<string>({ kind: 'choice', values: roleSources }, 'DEFAULT', 'Source of the role.'),
      audited: true,
    },
    owner: {
      ...alternative<string | null>(
        words(120),
        '(select u.user_id from user_account u where u.id = r.owner_id)',
        'Name of the account that owns the host; null: none.',
      ),
      via: 'ownerID.userID',
    },
    ownerID: reference('user-account', 'set null', {
      nullable: true,
      doc: 'The account of the owner.',
      help: 'User who owns the host.',
    }),
    loggedOnUserID: { ...observedField<string | null>(words(120), null, 'The logged-on user.'), index: true },
    deviceType: hostDeviceType,
    operatingSystem: text({ max: 255, nullable: true, search: 'indexed' }),
    hardwareType: text({ max: 255, nullable: true, doc: 'Manufacturer and model.', help: 'Manufacturer and model.' }),
    serialNumber: text({ max: 120, nullable: true, index: true }),
    creationTime: {
      ...derived<string>({ kind: 'time' }, '1970-01-01T00:00:00.000Z', 'When it was created.'),
      index: true,
    },
    lastConnected: computed<string | null>(nullableTime, 'net.came', {
      ...net,
      doc: 'Last connect; null: never.',
    }),
    lastDisconnected: computed<string | null>(nullableTime, 'net.gone', {
      ...net,
      doc: 'Last disconnect of one of its adapters; null: never.',
    }),
    expirationDate: {
      ...time({
        nullable: true,
        doc: 'When it expires and is deleted; null: never.',
        help: 'The host is deleted at this time. Empty: never.',
      }),
      index: true,
    },
    expirationSource: derived<string | null>(
      { kind: 'choice', values: expirationSources, nullable: true },
      null,
      'Source of that date; a stronger source is not overwritten.',
    ),
    inactivityDate: computed<string | null>(
      nullableTime,
      `case when not net.connected then coalesce(net.gone, r.creation_time) + make_interval(days => r.inactive_days) end`,
      { ...net, doc: 'When it expires unless it connects again; null: connected, or no limit.' },
    ),
    inactiveDays: integer({
      min: 1,
      max: 36_500,
      nullable: true,
      doc: 'Allowed days of absence; null: unlimited.',
      help: 'The host is deleted if it is not connected for this time. Empty: no limit.',
    }),
    agentID: derived<string | null>(words(80), null, 'Identity of its agent.'),
    agentVersion: observedField<string | null>(words(40), null, 'Version of that agent.'),
    agentPlatform: observedField<string | null>(words(40), null, 'Platform of the agent.'),
    lastAgentContact: observedField<string | null>(nullableTime, null, 'Last contact of the agent.'),
    agentUpdateAttempts: observedField<number>(
      { kind: 'integer', min: 0, max: 1_000_000 },
      0,
      'Number of update requests sent to the agent.',
    ),
    managedByMDM: observedField<boolean>({ kind: 'flag' }, false, 'Whether an MDM server manages it.'),
    mdmServerID: {
      ...reference('mdm-server', 'set null', { nullable: true, doc: 'That server.' }),
      access: 'computed',
      observed: true,
    } satisfies Field<number | null>,
    mdmCompliant: observedField<boolean | null>(nullableFlag, null, 'Whether the MDM server reports it as compliant.'),
    mdmCompromised: observedField<boolean | null>(
      nullableFlag,
      null,
      'Whether the MDM server reports it as compromised.',
    ),
    mdmRisk: observedField<string | null>(words(80), null, 'Risk level reported by the MDM server.'),
    scanRequired: observedField<boolean>({ kind: 'flag' }, false, 'Scan it when it connects again.'),
    lastScan: observedField<string | null>(nullableTime, null, 'Last scan.'),
    lastScanResult: observedField<string | null>(
      { kind: 'choice', values: ['PASSED', 'WARNING', 'FAILED', 'ERROR'], nullable: true },
      null,
      'Result of the last scan.',
    ),
    containerID: reference('container', 'restrict', {
      nullable: true,
      doc: 'Container of a device in the topology.',
      help: 'Container, only for the type device in the topology.',
    }),
    reValidation: withoutEffect(
      flag({
        default: false,
        doc: 'Profiling revalidates it each time it connects.',
        help: 'On: device profiling checks the host each time it connects.',
      }),
      'profiling rules are run',
    ),
    reValidationInterval: withoutEffect(
      integer({
        min: 0,
        max: 525_600,
        default: 0,
        doc: 'Minutes between revalidations; 0: only when it connects.',
        help: 'Time between two checks. 0: only when the host connects.',
      }),
      'profiling rules are run',
    ),
    lastReValidation: observedField<string | null>(nullableTime, null, 'Last revalidation.'),
    groups: computed<string[]>(
      { kind: 'list', item: { kind: 'text', max: 120 }, max: 5_000 },
      `(select coalesce(jsonb_agg(g.name order by g.name), '[]'::jsonb) from group_member m join "group" g on g.id = m.group_id
        where m.element_type = ${hostElementType} and m.member_id = r.id)`,
      {
        doc: 'Groups of which it is a direct member.',
        lookup: {
          rows: `select m.member_id as id, g.name as value from "group" g join group_member m on m.group_id = g.id and m.element_type = ${hostElementType}`,
          exact: true,
        },
      },
    ),
    notes: text({ max: 4_000, nullable: true, search: 'indexed' }),
    attributes: list<{ name: string; value: string }>(
      { item: ownAttribute, max: 50 },
      {
        default: [],
        doc: 'Custom attributes set by administrators.',
        help: 'Your own attributes, as pairs of name and value.',
      },
    ),
    adapterObjects,
  },
});

declare module '../../database.ts' {
  interface Database {
    host: RowOf<typeof host>;
  }
}
