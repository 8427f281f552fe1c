import { type DriverName, driverNames } from '../../drivers/names.ts';
import { collection, deletes, type RowOf } from '../../kernel/declare/declaration.ts';
import { eventSlot } from '../../kernel/declare/embedded-event.ts';
import {
  choice,
  computed,
  derived,
  field,
  flag,
  identity,
  integer,
  isSet,
  landscape,
  list,
  modified,
  notYet,
  observed,
  port,
  reference,
  secret,
  text,
  version,
  withoutEffect,
} from '../../kernel/declare/field.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import type { AnswerOf } from '../../kernel/declare/value-of.ts';

/** Element type of devices. */
export const deviceElementType = 2;

/** The protocol between service and device. */
export const protocols = ['SNMP_V1', 'SNMP_V2C', 'SNMP_V3', 'PING', 'RADIUS'] as const;
export type Protocol = (typeof protocols)[number];

export const enforcementMethods = ['COA', 'DISCONNECT', 'SNMP', 'CLI', 'BOUNCE'] as const;

export const l3Priorities = ['HIGH', 'MEDIUM', 'LOW'] as const;

const words = (max: number) => ({ kind: 'text', max, nullable: true }) as const;
const reportedText = (max: number, doc: string) => observed<string | null>(words(max), null, doc);
const seenAt = (doc: string) => observed<string | null>({ kind: 'time', nullable: true }, null, doc);
const seconds = (standard: number, doc: string, help: string) =>
  integer({ min: 30, max: 86_400, default: standard, doc, help });

/** The readable part of the CLI account; the passwords are stored separately. */
const cliCredentials = {
  kind: 'object',
  name: 'CliCredentials',
  properties: {
    userName: { kind: 'text', max: 120 },
    passwordSet: { kind: 'flag' },
    enablePasswordSet: { kind: 'flag' },
    port: { kind: 'integer', min: 1, max: 65_535 },
    hostKey: {
      kind: 'text',
      max: 4_000,
      nullable: true,
      doc: 'Host key pinned at the first connection; the command line is not used while it differs.',
    },
  },
  nullable: true,
} as const;

export type CliShown = NonNullable<AnswerOf<typeof cliCredentials>>;

const firewalls = 'firewalls get users and their addresses';

/** The agent that receives a community or a USM user, and the protocol that carries it. */
const snmpAgent = ['ipAddress', 'snmpPort', 'protocol'] as const;

/** The USM settings decide how an SNMPv3 password is protected in transit. */
const usm = [...snmpAgent, 'snmpUsername', 'snmpAuthenticationProtocol', 'snmpPrivacyProtocol'] as const;

const portCount = '(select count(*) from port p where p.device_id = r.id)';

/**
 * A switch, router, access point, controller or firewall that the service monitors and configures, or a device that it
 * only pings.
 */
export const networkDevice = collection({
  name: 'network-device',
  title: 'Network device',
  path: '/device',
  permission: 'devices',
  doc: 'Switches, routers, access points and firewalls, each in a container of the topology.',
  columns: ['id', 'name', 'ipAddress', 'container', 'status', 'driver', 'vendor', 'model', 'portCount', 'lastPoll'],
  patterns: ['list', 'fetch', 'count', 'countAll', 'usage', ...deletes, 'monitor'],
  events: { noun: 'DEVICE', destroyed: 'DESTROYED', elementType: deviceElementType },
  memberOf: ['DEVICE'],
  scopedBy: { seenWith: 'containerID' },
  deciding: { fields: ['containerID', 'deviceTypeOverride', 'managed', 'sendDefaultVlan', 'radiusEnabled'] },
  everyRow: [{ sql: portCount, reason: 'a number of all ports names none' }],
  uniqueTogether: [
    ['name', 'landscape'],
    ['ipAddress', 'landscape'],
  ],
  sections: {
    Device: [
      'name',
      'ipAddress',
      'physicalAddress',
      'containerID',
      'container',
      'deviceTypeOverride',
      'role',
      'description',
      'note',
    ],
    Identity: [
      'driver',
      'deviceType',
      'vendor',
      'model',
      'firmware',
      'serialNumber',
      'sysOid',
      'sysDescr',
      'systemName',
      'contactName',
      'deviceLocation',
    ],
    SNMP: [
      'protocol',
      'snmpPort',
      'snmpSecurityStrings',
      'snmpUsername',
      'snmpAuthenticationProtocol',
      'snmpAuthenticationPassword',
      'snmpPrivacyProtocol',
      'snmpPrivacyPassword',
    ],
    'Command line': ['cliPasswords', 'cliCredentials'],
    RADIUS: [
      'radiusEnabled',
      'radiusSecret',
      'nasIdentifier',
      'coaPort',
      'radiusServerConfigID',
      'radiusAttrGroupID',
      'whenUndecided',
    ],
    Enforcement: ['managed', 'enforcementMethods', 'bounceAfterVlanChange', 'sendDefaultVlan', 'vlans'],
    Polling: [
      'contactPollingEnabled',
      'contactPollingInterval',
      'l2PollingEnabled',
      'l2PollingInterval',
      'l3PollingEnabled',
      'l3PollingInterval',
      'l3PollingPriority',
      'lastPoll',
      'lastSuccessfulPoll',
      'lastL2Poll',
      'lastL3Poll',
      'lastTrap',
    ],
    Integration: ['incomingEventParserID', 'ssoAgentType', 'ssoAddressGroupID', 'vpnAddressGroupID'],
  },
  labels: {
    physicalAddress: 'MAC address',
    snmpSecurityStrings: 'SNMP communities',
    note: 'Notes',
  },
  units: { contactPollingInterval: 's', l2PollingInterval: 's', l3PollingInterval: 's' },
  fields: {
    id: identity(),
    landscape,
    state: computed<number>(shapes.code(['active', 'disabled', 'being deleted']), '0'),
    elementClass: computed<number>(
      { kind: 'integer', min: 1, max: 3 },
      `case r.protocol when 'PING' then 3 else 2 end`,
      { doc: '2 managed device, 3 pingable device.' },
    ),
    status: observed<number>(
      shapes.code([
        'never contacted',
        'contact established',
        'contact lost',
        'degraded (ping works, SNMP or CLI fails)',
        'management disabled',
      ]),
      0,
    ),
    version,
    name: text({ min: 1, max: 128, search: true, doc: 'Name, unique in the cell.', help: 'Must be unique.' }),
    ipAddress: field<string | null>(
      { kind: 'address', nullable: true },
      {
        default: null,
        doc: 'Management IP address, unique in the cell.',
        help: 'IPv4 or IPv6 address for management.',
      },
    ),
    physicalAddress: field<string | null>(
      { kind: 'mac', nullable: true },
      {
        default: null,
        index: true,
        doc: 'MAC address of the device itself.',
        help: 'MAC address of the device, in any notation.',
      },
    ),
    containerID: reference('container', 'restrict', {
      doc: 'The container that holds it.',
      help: 'Location of the device in the topology.',
    }),
    container: computed<string>(
      { kind: 'text', max: 128 },
      '(select c.name from container c where c.id = r.container_id)',
      { doc: 'Name of the container.' },
    ),
    driver: observed<DriverName>({ kind: 'choice', values: driverNames }, 'ping', 'Driver used for the device.'),
    deviceTypeOverride: reference('device-type', 'restrict', {
      by: 'name',
      key: 'tag',
      nullable: true,
      doc: 'Tag of the device type, overriding the detected one; firewall and access-point also select the driver.',
      help: 'Select a type if the detected one is wrong. Firewall and access point also select the driver.',
    }),
    deviceType: observed<string>({ kind: 'text', max: 40 }, 'network', 'Tag of its device type.'),
    vendor: reportedText(120, 'Vendor.'),
    model: reportedText(120, 'Model name.'),
    firmware: reportedText(250, 'Firmware version.'),
    serialNumber: { ...reportedText(120, 'Serial number reported by the device.'), index: true },
    sysOid: reportedText(250, 'sysObjectID.'),
    sysDescr: reportedText(2_000, 'sysDescr.'),
    systemName: { ...reportedText(255, 'sysName.'), index: true },
    contactName: reportedText(255, 'sysContact.'),
    deviceLocation: reportedText(255, 'sysLocation.'),
    protocol: {
      ...derived<Protocol>({ kind: 'choice', values: protocols }, 'PING', 'Management protocol.'),
      audited: true,
    },
    role: reference('role', 'restrict', {
      by: 'name',
      nullable: true,
      doc: 'Role of the device.',
      help: 'Role of the device for policies. Default: the role of the container.',
    }),
    description: text({ max: 2_000, default: '', search: true }),
    note: text({ max: 2_000, default: '' }),
    mibs: observed<string[]>(
      { kind: 'list', item: { kind: 'text', max: 120 }, max: 100 },
      [],
      'MIB modules that it supports.',
    ),
    portCount: computed<number>(shapes.count, portCount, {
      doc: 'Number of ports.',
    }),
    connectedHosts: computed<number>(
      shapes.count,
      '(select count(*) from connection_active a where a.device_id = r.id)',
      { doc: 'Number of adapters connected to its ports now.' },
    ),
    snmpUsername: text({ max: 120, nullable: true, doc: 'SNMPv3 user name.', help: 'SNMPv3 only.' }),
    snmpAuthenticationProtocol: choice(['MD5', 'SHA', 'SHA224', 'SHA256', 'SHA384', 'SHA512'], {
      nullable: true,
      doc: 'How SNMPv3 signs.',
      help: 'SNMPv3 only.',
    }),
    snmpPrivacyProtocol: choice(['DES', 'AES', 'AES256B', 'AES256R'], {
      nullable: true,
      doc: 'SNMPv3 privacy protocol; null: no encryption. AES256 with key extension by Blumenthal (B) or Reeder (R).',
      help: 'SNMPv3 only; none: no encryption. Cisco devices use AES256R.',
    }),
    snmpSecurityStrings: secret({
      max: 4_000,
      boundTo: snmpAgent,
      doc: 'Communities, tried in this order.',
      help: 'SNMPv1 and SNMPv2c only. Several communities are tried in this order. Enter them again if you change the address, the port or the SNMP version.',
    }),
    snmpSecurityStringsSet: isSet('snmpSecurityStrings'),
    snmpAuthenticationPassword: secret({
      min: 8,
      max: 255,
      boundTo: usm,
      doc: 'SNMPv3 authentication password.',
      help: 'SNMPv3 only. Enter it again if you change the address, the port, the user name or a protocol.',
    }),
    snmpAuthenticationPasswordSet: isSet('snmpAuthenticationPassword'),
    snmpPrivacyPassword: secret({
      min: 8,
      max: 255,
      boundTo: usm,
      doc: 'SNMPv3 privacy password.',
      help: 'SNMPv3 only. Enter it again if you change the address, the port, the user name or a protocol.',
    }),
    snmpPrivacyPasswordSet: isSet('snmpPrivacyPassword'),
    snmpPort: port({ min: 1, default: 161 }),
    cliPasswords: secret({
      max: 1_000,
      secretParts: { password: 'cliCredentials.password', enablePassword: 'cliCredentials.enablePassword' },
      boundTo: [
        'ipAddress',
        'driver',
        'cliCredentials.userName',
        'cliCredentials.port',
        { pin: 'cliCredentials.hostKey' },
      ],
      doc: 'Both passwords of the command line.',
    }),
    cliCredentials: {
      ...derived<CliShown | null>(cliCredentials, null, 'SSH account for the command line.'),
      audited: true,
    },
    radiusEnabled: flag({
      default: false,
      doc: 'Whether it is a client of the RADIUS server.',
      help: 'On: the RADIUS server replies to this device. Requires a RADIUS secret.',
    }),
    radiusSecret: secret({
      max: 255,
      boundTo: ['ipAddress', 'nasIdentifier', 'coaPort'],
      doc: 'RADIUS shared secret.',
      help: 'Shared secret, as configured on the device. Enter it again if you change the IP address.',
    }),
    radiusSecretSet: isSet('radiusSecret'),
    nasIdentifier: notYet(
      text({
        max: 253,
        nullable: true,
        doc: 'NAS-Identifier of a device that is not known by its address.',
        help: 'NAS-Identifier that the device sends, if its address is not fixed.',
      }),
      'access devices are found by it',
    ),
    coaPort: notYet(
      port({
        min: 1,
        default: 3799,
        doc: 'UDP port for change of authorisation (RFC 5176).',
        help: 'UDP port of the device for Change of Authorization (RFC 5176).',
      }),
      'changes of authorisation are sent',
    ),
    radiusServerConfigID: reference('server-configuration', 'restrict', {
      nullable: true,
      doc: 'Profile of the RADIUS server; null: the default one.',
      help: 'RADIUS server configuration for this device. None: the default configuration.',
    }),
    radiusAttrGroupID: reference('radius-attribute-group', 'restrict', {
      nullable: true,
      doc: 'RADIUS attributes in responses to it; null: those of its driver.',
      help: 'RADIUS attributes that are sent to this device. None: the attributes of its driver.',
    }),
    whenUndecided: notYet(
      choice(['SILENT', 'LAST_ACCEPT'], {
        default: 'SILENT',
        doc: 'If no decision is possible: send no response, or repeat the last accept for that port.',
        help: 'Reply if no decision is possible: none, or the last Access-Accept for that port.',
      }),
      'last accepts are kept',
    ),
    managed: flag({
      default: true,
      doc: 'False: the device is only monitored and never changed.',
      help: 'Off: the device is only monitored, and its ports are not changed.',
    }),
    enforcementMethods: withoutEffect(
      list<string>(
        { item: { kind: 'choice', values: enforcementMethods }, max: enforcementMethods.length },
        {
          default: [],
          doc: 'Methods to change access, in the order to try; absent on create: the defaults of its protocol.',
          help: 'Methods to change the access of a host, in this order. Empty: the default methods of the protocol.',
        },
      ),
      'decisions are enforced on ports',
    ),
    bounceAfterVlanChange: notYet(
      flag({
        default: true,
        doc: 'Take the link down briefly, so that the host requests a new address.',
        help: 'On: the link goes down briefly after a VLAN change, so that the host requests a new IP address.',
      }),
      'decisions are enforced on ports',
    ),
    sendDefaultVlan: flag({
      default: false,
      doc: 'Return the default VLAN of the port to RADIUS if nothing else was decided.',
      help: 'On: RADIUS sends the default VLAN of the port if no policy applies.',
    }),
    vlans: observed<{ id: number; name: string }[]>(
      {
        kind: 'list',
        max: 4_094,
        item: {
          kind: 'object',
          name: 'DeviceVlan',
          properties: { id: { kind: 'integer', min: 1, max: 4_094 }, name: { kind: 'text', max: 64 } },
        },
      },
      [],
      'VLANs configured on it.',
    ),
    contactPollingEnabled: flag({
      default: true,
      help: 'On: the service checks regularly whether the device responds.',
    }),
    contactPollingInterval: seconds(600, 'Seconds between contact polls.', 'Time between two checks.'),
    l2PollingEnabled: flag({
      default: true,
      doc: 'Whether its forwarding table is read.',
      help: 'On: the MAC address table is read, which shows the connected hosts.',
    }),
    l2PollingInterval: seconds(600, 'Seconds between readings of the forwarding table.', 'Time between two L2 polls.'),
    l3PollingEnabled: flag({
      default: false,
      doc: 'Whether its ARP and neighbour tables are read.',
      help: 'On: the ARP and IPv6 neighbour tables are read, which show IP addresses. For routers.',
    }),
    l3PollingInterval: seconds(
      1_800,
      'Seconds between readings of the ARP and neighbour tables.',
      'Time between two L3 polls.',
    ),
    l3PollingPriority: choice(l3Priorities, {
      default: 'MEDIUM',
      doc: 'Polling order when many devices are due.',
      help: 'Priority if many devices are due.',
    }),
    lastPoll: seenAt('Last contact poll.'),
    lastSuccessfulPoll: seenAt('Last successful contact poll.'),
    lastL2Poll: seenAt('Last reading of the forwarding table.'),
    lastL3Poll: seenAt('Last reading of the ARP and neighbour tables.'),
    lastTrap: seenAt('Last trap from it.'),
    incomingEventParserID: reference('security-event-parser', 'set null', {
      nullable: true,
      doc: 'Parser for its messages about hosts.',
      help: 'Parser for security events that this device sends.',
    }),
    ssoAgentType: computed<string>({ kind: 'choice', values: ['NONE', 'STREAM', 'RADIUS_ACCOUNTING'] }, `'NONE'`, {
      doc: 'How a firewall is informed about users and their addresses.',
    }),
    ssoAddressGroupID: notYet(
      reference('network-address-group', 'restrict', {
        nullable: true,
        doc: 'Addresses of hosts that are reported to a firewall.',
      }),
      firewalls,
    ),
    vpnAddressGroupID: notYet(
      reference('network-address-group', 'restrict', {
        nullable: true,
        doc: 'Addresses of the VPN clients of a firewall.',
      }),
      firewalls,
    ),
    creationEvent: eventSlot('DEVICE_CREATED', deviceElementType),
    destroyEvent: eventSlot('DEVICE_DESTROYED', deviceElementType),
    establishedEvent: eventSlot('CONTACT_ESTABLISHED', deviceElementType),
    lostEvent: eventSlot('CONTACT_LOST', deviceElementType),
    ...modified,
  },
});

declare module '../../database.ts' {
  interface Database {
    network_device: RowOf<typeof networkDevice>;
  }
}
