import { collection, deletes } from '../../kernel/declare.ts';
import { eventSlot } from '../../kernel/embedded-event.ts';
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
  observed,
  port,
  reference,
  secret,
  text,
  version,
} from '../../kernel/field.ts';
import { integerMax } from '../../kernel/shape.ts';
import { type DriverName, driverNames } from '../../parts/drivers/names.ts';

/** The code of devices among elements of the topology. */
export const deviceElementType = 2;

/** How the service speaks to a device. */
export const protocols = ['SNMP_V1', 'SNMP_V2C', 'SNMP_V3', 'PING', 'RADIUS'] as const;
export type Protocol = (typeof protocols)[number];

export const enforcementMethods = ['COA', 'DISCONNECT', 'SNMP', 'CLI', 'BOUNCE'] as const;

export const l3Priorities = ['HIGH', 'MEDIUM', 'LOW'] as const;

const words = (max: number) => ({ kind: 'text', max, nullable: true }) as const;
const said = (max: number, doc: string) => observed<string | null>(words(max), null, doc);
const seenAt = (doc: string) => observed<string | null>({ kind: 'time', nullable: true }, null, doc);
const seconds = (standard: number, doc: string) => integer({ min: 30, max: 86_400, default: standard, doc });

/** What is shown of the account on the command line of a device; the passwords are stored apart. */
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
      doc: 'The key that the device showed first; another one stops the command line.',
    },
  },
  nullable: true,
} as const;

/** A switch, router, access point, controller or firewall that the service watches and controls, or what it only pings. */
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
  uniqueTogether: [
    ['name', 'landscape'],
    ['ipAddress', 'landscape'],
  ],
  fields: {
    id: identity(),
    landscape,
    state: computed<number>({ kind: 'integer', min: 0, max: 2 }, '0', {
      doc: '0 active, 1 disabled, 2 being deleted.',
    }),
    elementClass: computed<number>(
      { kind: 'integer', min: 1, max: 3 },
      `case r.protocol when 'PING' then 3 else 2 end`,
      { doc: '2 a device that is managed, 3 one that is only pinged.' },
    ),
    status: observed<number>(
      { kind: 'integer', min: 0, max: 4 },
      0,
      '0 never contacted, 1 contact established, 2 contact lost, 3 degraded (it pings, and SNMP or CLI fails), 4 management disabled.',
    ),
    version,
    name: text({ min: 1, max: 128, search: true, doc: 'Name, unique in the cell.' }),
    ipAddress: field<string | null>(
      { kind: 'address', nullable: true },
      { default: null, doc: 'Address it is managed by, unique in the cell.' },
    ),
    physicalAddress: field<string | null>(
      { kind: 'mac', nullable: true },
      { default: null, index: true, doc: 'MAC address of the device itself.' },
    ),
    containerID: reference('container', 'restrict', { doc: 'The container that holds it.' }),
    container: computed<string>(
      { kind: 'text', max: 128 },
      '(select c.name from container c where c.id = r.container_id)',
      { doc: 'Name of the container.' },
    ),
    driver: observed<DriverName>({ kind: 'choice', values: driverNames }, 'ping', 'What works on it.'),
    deviceTypeOverride: reference('device-type', 'restrict', {
      by: 'name',
      key: 'tag',
      nullable: true,
      doc: 'Tag of the device type it is taken for, whatever it says; firewall and access-point also choose the driver.',
    }),
    deviceType: observed<string>({ kind: 'text', max: 40 }, 'network', 'Tag of its device type.'),
    vendor: said(120, 'Who made it.'),
    model: said(120, 'What they call it.'),
    firmware: said(250, 'What runs on it.'),
    serialNumber: { ...said(120, 'As the device tells it.'), index: true },
    sysOid: said(250, 'sysObjectID.'),
    sysDescr: said(2_000, 'sysDescr.'),
    systemName: { ...said(255, 'sysName.'), index: true },
    contactName: said(255, 'sysContact.'),
    deviceLocation: said(255, 'sysLocation.'),
    protocol: {
      ...derived<Protocol>({ kind: 'choice', values: protocols }, 'PING', 'How the service speaks to it.'),
      audited: true,
    },
    role: reference('role', 'restrict', { by: 'name', nullable: true, doc: 'Role of the device.' }),
    description: text({ max: 2_000, default: '', search: true }),
    note: text({ max: 2_000, default: '' }),
    mibs: observed<string[]>(
      { kind: 'list', item: { kind: 'text', max: 120 }, max: 100 },
      [],
      'MIB modules that it answers.',
    ),
    portCount: computed<number>(
      { kind: 'integer', min: 0, max: integerMax },
      '(select count(*) from port p where p.device_id = r.id)',
      { doc: 'How many ports it has.' },
    ),
    connectedHosts: computed<number>(
      { kind: 'integer', min: 0, max: integerMax },
      '(select count(*) from connection_active a where a.device_id = r.id)',
      { doc: 'How many adapters are connected to its ports now.' },
    ),
    snmpUsername: text({ max: 120, nullable: true, doc: 'User of SNMPv3.' }),
    snmpAuthenticationProtocol: choice(['MD5', 'SHA', 'SHA224', 'SHA256', 'SHA384', 'SHA512'], {
      nullable: true,
      doc: 'How SNMPv3 signs.',
    }),
    snmpPrivacyProtocol: choice(['DES', 'AES', 'AES256B', 'AES256R'], {
      nullable: true,
      doc: 'How SNMPv3 encrypts; null: not. AES256 with key extension by Blumenthal (B) or Reeder (R).',
    }),
    snmpSecurityStrings: secret({ max: 4_000, doc: 'Communities, tried in their order.' }),
    snmpSecurityStringsSet: isSet('snmpSecurityStrings'),
    snmpAuthenticationPassword: secret({ min: 8, max: 255, doc: 'Password that SNMPv3 signs with.' }),
    snmpAuthenticationPasswordSet: isSet('snmpAuthenticationPassword'),
    snmpPrivacyPassword: secret({ min: 8, max: 255, doc: 'Password that SNMPv3 encrypts with.' }),
    snmpPrivacyPasswordSet: isSet('snmpPrivacyPassword'),
    snmpPort: port({ min: 1, default: 161 }),
    cliPasswords: secret({ max: 1_000, doc: 'Both passwords of the command line.' }),
    cliCredentials: {
      ...derived<object | null>(cliCredentials, null, 'Account on the command line, by SSH.'),
      audited: true,
    },
    radiusEnabled: flag({ default: false, doc: 'Whether it may ask the RADIUS server.' }),
    radiusSecret: secret({ max: 255, doc: 'Secret that it shares with the RADIUS server.' }),
    radiusSecretSet: isSet('radiusSecret'),
    nasIdentifier: text({
      max: 253,
      nullable: true,
      doc: 'NAS-Identifier, where its address does not tell who it is.',
    }),
    coaPort: port({ min: 1, default: 3799, doc: 'Where it takes changes of authorisation (RFC 5176).' }),
    radiusServerConfigID: reference('server-configuration', 'restrict', {
      nullable: true,
      doc: 'Virtual RADIUS server; null: the default one.',
    }),
    radiusAttrGroupID: reference('attribute-group-configuration', 'restrict', {
      nullable: true,
      doc: 'Attributes it is answered with; null: those of its driver.',
    }),
    whenUndecided: choice(['SILENT', 'LAST_ACCEPT'], {
      default: 'SILENT',
      doc: 'When no decision is possible: no answer, or the last accept on that port again.',
    }),
    managed: flag({ default: true, doc: 'False: it is watched, and nothing on it is changed.' }),
    enforcementMethods: list<string>(
      { item: { kind: 'choice', values: enforcementMethods }, max: enforcementMethods.length },
      { default: [], doc: 'How access is changed, in the order to try; absent on create: as its protocol suggests.' },
    ),
    bounceAfterVlanChange: flag({
      default: true,
      doc: 'Take the link down shortly, so that the host asks for a new address.',
    }),
    sendDefaultVlan: flag({
      default: false,
      doc: 'Answer RADIUS with the default VLAN of the port when nothing else was decided.',
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
      'VLANs that it has.',
    ),
    contactPollingEnabled: flag({ default: true }),
    contactPollingInterval: seconds(600, 'Seconds between contact polls.'),
    l2PollingEnabled: flag({ default: true, doc: 'Whether its forwarding table is read.' }),
    l2PollingInterval: seconds(600, 'Seconds between readings of the forwarding table.'),
    l3PollingEnabled: flag({ default: false, doc: 'Whether its ARP and neighbour tables are read.' }),
    l3PollingInterval: seconds(1_800, 'Seconds between readings of the ARP and neighbour tables.'),
    l3PollingPriority: choice(l3Priorities, {
      default: 'MEDIUM',
      doc: 'Who comes first when all are due.',
    }),
    lastPoll: seenAt('Last contact poll.'),
    lastSuccessfulPoll: seenAt('Last contact poll that it answered.'),
    lastL2Poll: seenAt('Last reading of the forwarding table.'),
    lastL3Poll: seenAt('Last reading of the ARP and neighbour tables.'),
    lastTrap: seenAt('Last trap from it.'),
    incomingEventParserID: reference('security-event-parser', 'set null', {
      nullable: true,
      doc: 'What reads its messages about hosts.',
    }),
    ssoAgentType: computed<string>({ kind: 'choice', values: ['NONE', 'STREAM', 'RADIUS_ACCOUNTING'] }, `'NONE'`, {
      doc: 'How a firewall is told who has which address.',
    }),
    ssoAddressGroupID: reference('network-address-group', 'restrict', {
      nullable: true,
      doc: 'Hosts of which addresses a firewall is told about.',
    }),
    vpnAddressGroupID: reference('network-address-group', 'restrict', {
      nullable: true,
      doc: 'Addresses of the VPN clients of a firewall.',
    }),
    creationEvent: eventSlot('DEVICE_CREATED', deviceElementType),
    destroyEvent: eventSlot('DEVICE_DESTROYED', deviceElementType),
    establishedEvent: eventSlot('CONTACT_ESTABLISHED', deviceElementType),
    lostEvent: eventSlot('CONTACT_LOST', deviceElementType),
    ...modified,
  },
});
