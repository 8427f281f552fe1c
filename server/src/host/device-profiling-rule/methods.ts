import type { ObjectShape, Shape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';

/** A type of method: one row of the table in the contract. */
export interface MethodType {
  id: number;
  name: string;
  shortName: string;
  /** Order of evaluation: stored data first, requests to the network later. */
  priority: number;
  /** Properties that its `data` may have. */
  takes: readonly string[];
  /** Properties that its `data` must have. */
  needs?: readonly string[];
  /** Properties of which its `data` must have at least one. */
  needsOneOf?: readonly string[];
  /** Values of absent properties. */
  defaults?: Readonly<Record<string, unknown>>;
  /** Properties that its `filters` may have; each filter needs at least one. */
  filterTakes?: readonly string[];
}

/** All types of methods. */
export const methodTypes: readonly MethodType[] = [
  {
    id: 1,
    name: 'Vendor OUI',
    shortName: 'OUI',
    priority: 1,
    takes: ['filters'],
    needs: ['filters'],
    filterTakes: ['field', 'value'],
  },
  {
    id: 2,
    name: 'DHCP Fingerprint',
    shortName: 'DHCP',
    priority: 2,
    takes: ['filters', 'matchType'],
    needsOneOf: ['filters', 'matchType'],
    filterTakes: ['vendorClass', 'paramList', 'optionList', 'hostName', 'os'],
  },
  {
    id: 3,
    name: 'Active Scan',
    shortName: 'ACTIVE',
    priority: 14,
    takes: ['os', 'products', 'maxAgeMinutes'],
    needsOneOf: ['os', 'products'],
    defaults: { maxAgeMinutes: 1_440 },
  },
  {
    id: 4,
    name: 'TCP Ports',
    shortName: 'TCP',
    priority: 11,
    takes: ['ports', 'mode'],
    needs: ['ports'],
    defaults: { mode: 'ALL' },
  },
  {
    id: 5,
    name: 'UDP Ports',
    shortName: 'UDP',
    priority: 13,
    takes: ['ports', 'mode'],
    needs: ['ports'],
    defaults: { mode: 'ALL' },
  },
  {
    id: 6,
    name: 'SNMP',
    shortName: 'SNMP',
    priority: 15,
    takes: ['oid', 'operator', 'value', 'version', 'credentials'],
    needs: ['oid'],
    defaults: { operator: 'EXISTS', version: 'V2C' },
  },
  {
    id: 7,
    name: 'HTTP',
    shortName: 'HTTP',
    priority: 16,
    takes: ['ssl', 'port', 'path', 'userName', 'password', 'match'],
    needs: ['match'],
    defaults: { ssl: false, port: 80, path: '/' },
  },
  {
    id: 8,
    name: 'SSH',
    shortName: 'SSH',
    priority: 17,
    takes: ['port', 'userName', 'password', 'command', 'match'],
    needs: ['userName'],
    defaults: { port: 22 },
  },
  { id: 9, name: 'Banner', shortName: 'BANNER', priority: 12, takes: ['port', 'match'], needs: ['port', 'match'] },
  {
    id: 10,
    name: 'IP Range',
    shortName: 'IP',
    priority: 3,
    takes: ['ranges', 'addressGroupID'],
    needsOneOf: ['ranges', 'addressGroupID'],
  },
  // No `needs`: its containers may all be deleted, and the rule then becomes INVALID.
  {
    id: 11,
    name: 'Location',
    shortName: 'LOC',
    priority: 4,
    takes: ['containerIDs', 'deviceGroupIDs', 'portGroupIDs', 'ssids'],
  },
  { id: 12, name: 'RADIUS Request', shortName: 'RADIUS', priority: 5, takes: ['attributes'], needs: ['attributes'] },
  {
    id: 13,
    name: 'LLDP',
    shortName: 'LLDP',
    priority: 6,
    takes: ['sysDescr', 'sysName', 'capabilities', 'portDescr'],
    needsOneOf: ['sysDescr', 'sysName', 'capabilities', 'portDescr'],
  },
  { id: 14, name: 'Agent', shortName: 'AGENT', priority: 7, takes: ['platform', 'os'] },
  { id: 15, name: 'MDM', shortName: 'MDM', priority: 8, takes: ['mdmID', 'compliant'] },
  { id: 16, name: 'User Agent', shortName: 'UA', priority: 9, takes: ['regex'], needs: ['regex'] },
  {
    id: 17,
    name: 'Network Traffic',
    shortName: 'TRAFFIC',
    priority: 10,
    takes: ['flows', 'mode', 'windowMinutes'],
    needs: ['flows'],
    defaults: { mode: 'ALL', windowMinutes: 60 },
  },
];

/** Added to the priority of a method with credentials: it sends them to an unverified device, so it runs after all others. */
export const withCredentials = 100;

const words = (max: number, doc?: string) =>
  ({ kind: 'text', min: 1, max, ...(doc && { doc }) }) as const satisfies Shape;
const several = (item: Shape, max: number, doc?: string) =>
  ({ kind: 'list', item, max, ...(doc && { doc }) }) as const satisfies Shape;
const minutes = { kind: 'integer', min: 1, max: 525_600 } as const satisfies Shape;
/** A change of any method can change which devices receive the secret, so it must be entered again then. */
const binding = { boundTo: ['methods'] } as const;
const secretText = (doc: string) => ({ kind: 'text', max: 512, secret: true, binding, doc }) as const satisfies Shape;
const record = shapes.id;
const operator = { kind: 'choice', values: ['EQUALS', 'CONTAINS', 'REGEX', 'EXISTS'] } as const satisfies Shape;
const portNumber = { kind: 'integer', min: 1, max: 65_535 } as const satisfies Shape;
const withStar = '* matches any text.';

/** The properties of all method types, because a shape has no alternatives. `takes` lists those that one type may have. */
export const methodData = {
  kind: 'object',
  name: 'ProfilingMethodData',
  sparse: true,
  doc: 'Criteria of the method; the allowed properties depend on its type.',
  properties: {
    filters: several(
      {
        kind: 'object',
        name: 'ProfilingFilter',
        sparse: true,
        properties: {
          field: {
            kind: 'choice',
            values: ['vendorName', 'vendorCode', 'vendorType'],
            doc: 'What an OUI filter compares.',
          },
          value: words(255, withStar),
          vendorClass: words(255, `DHCP option 60. ${withStar}`),
          paramList: words(1_000, 'DHCP option 55, as comma-separated numbers.'),
          optionList: words(1_000, 'Options in the packet, as comma-separated numbers.'),
          hostName: words(255, `DHCP option 12. ${withStar}`),
          os: words(255, `Operating system of the fingerprint. ${withStar}`),
        },
      },
      100,
      'One filter must match; all fields of a DHCP filter must match.',
    ),
    matchType: { kind: 'flag', doc: 'The device type found by DHCP must be the type of the rule.' },
    os: several(words(255), 50, 'Operating systems; one must match.'),
    products: several(words(255), 50, 'Products found by a scan; one must match.'),
    maxAgeMinutes: { ...minutes, doc: 'An older scan is repeated.' },
    ports: {
      kind: 'text',
      max: 1_000,
      pattern: { source: '^[0-9]{1,5}(,[0-9]{1,5})*$', words: 'comma-separated port numbers, such as 80,443,9100' },
      example: '80,443,9100',
    },
    mode: { kind: 'choice', values: ['ALL', 'ANY'], doc: 'ALL: all ports must be open; ANY: one is enough.' },
    oid: {
      kind: 'text',
      max: 255,
      pattern: { source: '^[0-9]+(\\.[0-9]+)+$', words: 'an OID such as 1.3.6.1.2.1.1.1.0' },
      example: '1.3.6.1.2.1.1.1.0',
    },
    operator,
    value: words(1_000, 'Value to compare the response with.'),
    version: { kind: 'choice', values: ['V1', 'V2C', 'V3'], doc: 'Version of SNMP.' },
    credentials: {
      kind: 'object',
      name: 'ProfilingSnmpCredentials',
      sparse: true,
      properties: {
        community: secretText('Of SNMP V1 and V2C.'),
        userName: words(64),
        authenticationProtocol: { kind: 'choice', values: ['MD5', 'SHA', 'SHA224', 'SHA256', 'SHA384', 'SHA512'] },
        authenticationPassword: secretText('Of SNMP V3.'),
        privacyProtocol: { kind: 'choice', values: ['DES', 'AES', 'AES256B', 'AES256R'] },
        privacyPassword: secretText('Of SNMP V3.'),
      },
    },
    ssl: { kind: 'flag', doc: 'HTTPS.' },
    port: portNumber,
    path: words(500),
    userName: words(64),
    password: secretText('Password sent to the device.'),
    command: words(500, 'Command to run after login.'),
    match: several(words(255), 50, 'Texts in the output; one must match.'),
    ranges: several(
      {
        kind: 'object',
        name: 'ProfilingAddressRange',
        properties: { startIP: { kind: 'address' }, endIP: { kind: 'address' } },
        required: ['startIP', 'endIP'],
      },
      100,
    ),
    addressGroupID: { ...record, doc: 'Network address group.' },
    containerIDs: several(record, 1_000, 'Containers it may be connected in.'),
    deviceGroupIDs: several(record, 1_000),
    portGroupIDs: several(record, 1_000),
    ssids: several(words(32), 100),
    attributes: several(
      {
        kind: 'object',
        name: 'ProfilingRadiusAttribute',
        sparse: true,
        properties: { name: words(128), operator, value: words(1_000) },
        required: ['name'],
      },
      50,
      'Attributes of its last request; all must match.',
    ),
    sysDescr: words(255, withStar),
    sysName: words(255, withStar),
    capabilities: several(
      {
        kind: 'choice',
        values: ['OTHER', 'REPEATER', 'BRIDGE', 'WLAN_ACCESS_POINT', 'ROUTER', 'TELEPHONE', 'DOCSIS', 'STATION'],
      },
      8,
      'System capabilities; one must match (IEEE 802.1AB, 8.5.8).',
    ),
    portDescr: words(255, withStar),
    platform: words(64, 'Platform of the agent.'),
    mdmID: { ...record, doc: 'MDM server that manages it; absent: any.' },
    compliant: { kind: 'flag', doc: 'Compliance state reported by the MDM server.' },
    regex: words(1_000, 'Regular expression (RE2) for the User-Agent of its browser.'),
    flows: several(
      {
        kind: 'object',
        name: 'ProfilingFlow',
        sparse: true,
        properties: {
          protocol: { kind: 'choice', values: ['TCP', 'UDP', 'ICMP'] },
          dstAddress: { kind: 'text', max: 50, doc: 'Address or network.' },
          dstPort: portNumber,
        },
      },
      50,
    ),
    windowMinutes: { ...minutes, doc: 'Maximum age of firewall sessions.' },
  },
} as const satisfies ObjectShape;
