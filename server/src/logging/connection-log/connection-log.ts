import { log } from '../../kernel/declare/declaration.ts';
import { choice, computed, field, identity, integer, landscape, text, time } from '../../kernel/declare/field.ts';
import { integerMax } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { accessStates, connectionTypes } from '../../policy/decide/decide.service.ts';

/** How a connection ended. */
export const disconnectReasons = [
  'USER',
  'LINK_DOWN',
  'AGED_OUT',
  'MOVED',
  'NAS_REBOOT',
  'SESSION_TIMEOUT',
  'ADMIN',
  'POLICY',
  'LOST',
] as const;
export type DisconnectReason = (typeof disconnectReasons)[number];

/** What observed a connection. */
export const connectionSources = ['RADIUS', 'SNMP', 'BOTH', 'VPN'] as const;

const id = shapes.count;
const idAtEnd = (doc: string) => field<number | null>({ ...id, nullable: true }, { doc });
const optionalText = (max: number, doc: string) => text({ max, nullable: true, search: true, doc });
const octets = (doc: string) => integer({ min: 0, max: integerMax, doc });

/**
 * Connections: which adapter was where, from when to when, with which user and access. Names are those at the end, or of now while a
 * connection is open.
 */
export const connectionLog = log({
  name: 'connection-log',
  title: 'Connection',
  path: '/logging/connection',
  permission: 'connection-log',
  doc: 'Connections of adapters at ports and SSIDs, with user, access, session and octets.',
  columns: [
    'startTime',
    'endTime',
    'mac',
    'hostName',
    'userName',
    'location',
    'ip',
    'vlan',
    'accessState',
    'policyName',
  ],
  patterns: ['list', 'fetch', 'count', 'countAll', 'archive'],
  slice: 'week',
  age: { setting: 'connectionDays', days: 180 },
  identity: 'id',
  label: 'mac',
  timeField: 'startTime',
  closedBy: 'endTime',
  openRows: 'connection_open',
  concerns: { group: 'port', by: 'portID' },
  visibleWith: [
    { group: 'host', id: 'r.host_id' },
    { group: 'port', id: 'r.port_id' },
  ],
  indexes: [['mac'], ['portID'], ['userName'], ['sessionID'], ['multiSessionID']],
  sections: {
    Time: ['startTime', 'endTime', 'durationSeconds', 'active', 'disconnectReason'],
    Host: ['mac', 'ip', 'hostID', 'hostName', 'adapterID', 'userID', 'userName'],
    Place: ['location', 'deviceID', 'deviceName', 'portID', 'portName', 'ssid', 'connectionType', 'source'],
    Access: [
      'accessState',
      'logicalNetwork',
      'policyID',
      'policyName',
      'decisionReason',
      'generation',
      'vlanAtStart',
      'vlan',
      'vlanChanges',
    ],
    Session: ['sessionID', 'multiSessionID', 'eapType', 'inputOctets', 'outputOctets'],
  },
  units: { durationSeconds: 's', inputOctets: 'B', outputOctets: 'B' },
  fields: {
    id: identity('Identity of the connection; it contains the start time.'),
    landscape,
    active: computed<boolean>({ kind: 'flag' }, '(r.end_time is null)', { doc: 'The connection is open.' }),
    startTime: computed<string>({ kind: 'time' }, 'r.at', { doc: 'When it was opened.' }),
    endTime: time({ nullable: true, doc: 'When it ended; null: it is open.' }),
    durationSeconds: computed<number>(
      { kind: 'integer', min: 0, max: integerMax },
      'floor(extract(epoch from coalesce(r.end_time, now()) - r.at))::bigint',
      { doc: 'From the start to the end, or to now.' },
    ),
    hostID: idAtEnd('The host of the adapter; null: it had none.'),
    hostName: optionalText(255, 'Its name.'),
    adapterID: idAtEnd('The adapter; null: there was no record of it.'),
    mac: field<string>({ kind: 'mac' }, { doc: 'Its MAC address.' }),
    ip: field<string | null>({ kind: 'address', nullable: true }, { doc: 'Its last IP address.' }),
    userID: idAtEnd('Account of the logged-on user.'),
    userName: optionalText(253, 'Name of the logged-on user.'),
    deviceID: field<number>(id, { doc: 'The network device.' }),
    deviceName: text({ max: 128, search: true, doc: 'Its name.' }),
    portID: field<number>(id, { doc: 'dbid of the port.' }),
    portName: text({ max: 255, search: true, doc: 'Its name.' }),
    ssid: optionalText(32, 'Name of the wireless network; null: wired.'),
    location: text({ max: 512, doc: 'Container, device, and port or SSID.' }),
    connectionType: choice(connectionTypes, { doc: 'Medium, and how the adapter was authenticated.' }),
    eapType: optionalText(40, 'EAP method of the login.'),
    sessionID: optionalText(253, 'Acct-Session-Id.'),
    multiSessionID: optionalText(253, 'Acct-Multi-Session-Id.'),
    accessState: choice(accessStates, { nullable: true, doc: 'Access state that was decided; null: no decision.' }),
    logicalNetwork: optionalText(120, 'Logical network that was decided.'),
    policyID: idAtEnd('The access policy that decided.'),
    policyName: optionalText(120, 'Its name.'),
    decisionReason: optionalText(2_000, 'The decision in a sentence.'),
    generation: field<number | null>(
      { ...id, nullable: true },
      { doc: 'Generation of the policies that decided; null: no decision.' },
    ),
    vlanAtStart: optionalText(64, 'First VLAN that was observed.'),
    vlan: optionalText(64, 'Last VLAN.'),
    vlanChanges: integer({ min: 0, max: integerMax, doc: 'How many times it changed.' }),
    inputOctets: octets('Octets that the adapter sent, as the access device counted them.'),
    outputOctets: octets('Octets that were sent to the adapter.'),
    disconnectReason: choice(disconnectReasons, { nullable: true, doc: 'Why it ended; null: it is open.' }),
    source: choice(connectionSources, { doc: 'What observed it.' }),
  },
});
