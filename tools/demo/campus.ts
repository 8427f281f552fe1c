import type { SwitchSpec } from '@portreeve/testbed/snmp-switches.ts';

/** A fictional campus, large enough to try every served operation. */

export interface Building {
  name: string;
  description: string;
  floors: number;
}

export const buildings: readonly Building[] = [
  { name: 'Library', description: 'Reading rooms, 24 h', floors: 4 },
  { name: 'Hospital North', description: 'Wards 1 to 12', floors: 6 },
  { name: 'Hospital South', description: 'Operating theatres and laboratories', floors: 5 },
  { name: 'Lecture Halls', description: 'Halls A to F', floors: 2 },
  { name: 'Dormitory East', description: '420 rooms', floors: 8 },
  { name: 'Administration', description: 'Offices and the archive', floors: 3 },
  { name: 'Computing Centre', description: 'Core network and data centre', floors: 2 },
];

const switchCount = 40;
export const portsEach = 48;

export interface Switch {
  name: string;
  container: string;
  ipAddress: string;
  physicalAddress: string;
  /** These devices do not exist, so they are not polled. */
  contactPollingEnabled: false;
  l2PollingEnabled: false;
}

const hex = (value: number): string => value.toString(16).padStart(2, '0').toUpperCase();

/** Returns the switches, spread over the floors in the order of the buildings. */
export function switches(): Switch[] {
  const floors = buildings.flatMap(({ name, floors: count }) =>
    Array.from({ length: count }, (_, floor) => `${name} ${floor}`),
  );
  return Array.from({ length: switchCount }, (_, index) => {
    const container = floors[index % floors.length]!;
    return {
      name: `sw-${container.toLowerCase().replaceAll(' ', '-')}-${Math.floor(index / floors.length) + 1}`,
      container,
      ipAddress: `192.0.2.${index + 10}`,
      physicalAddress: `02:00:5E:00:${hex(index)}:00`,
      contactPollingEnabled: false,
      l2PollingEnabled: false,
    };
  });
}

/** Returns one port as a poll would store it; most are up, some are uplinks, a few are shut down. */
export function portOf(device: number, index: number) {
  const isUplink = index > portsEach - 2;
  const isShut = (device + index) % 17 === 0;
  const isUp = !isShut && (isUplink || (device * 7 + index * 13) % 10 < 7);
  const vlan = isUplink ? '1' : String([110, 120, 130, 200][(device + index) % 4]);
  return {
    name: `Gi1/0/${index}`,
    label: isUplink ? 'uplink' : '',
    status: isShut ? 3 : isUp ? 1 : 2,
    connectionState: isUplink ? 8 : isUp ? (index % 9 === 0 ? 2 : 1) : 0,
    defaultVlan: vlan,
    currentVlan: isUp && index % 9 === 0 ? '999' : vlan,
    ifindex: String(10_100 + index),
    ifspeed: isUplink ? '10000000000' : '1000000000',
    ifdescr: `GigabitEthernet1/0/${index}`,
    ifadminStatus: isShut ? 2 : 1,
    ifoperStatus: isUp ? 1 : 2,
    physAddr: `02:00:5E:00:${hex(device)}:${hex(index)}`,
  };
}

/** The community with which the simulated switches are read and written. */
export const community = 'demo-write';

/** Common properties: the write community, and the VLANs that policies of the campus name. */
const simulated = {
  readCommunity: 'demo-read',
  writeCommunity: community,
  vlans: {
    1: 'default',
    10: 'office',
    20: 'voice',
    30: 'registration',
    40: 'printers',
    50: 'cameras',
    60: 'building',
    70: 'medical',
    90: 'guests',
  },
} satisfies Partial<SwitchSpec>;

/** The network of the computing centre: simulated switches that are really polled, so that there are changes to see. */
export const polledSwitches: readonly SwitchSpec[] = [
  {
    ...simulated,
    address: '127.41.0.1',
    sysName: 'core-1',
    ports: 24,
    hostOnEachPort: false,
    forwards: true,
    neighbours: [2, 3, 4].map((low) => ({
      port: low - 1,
      sysName: `access-${low - 1}`,
      chassis: `02:AA:00:00:00:0${low}`,
      portId: 'uplink',
      managementAddress: `127.41.0.${low}`,
    })),
  },
  ...[2, 3, 4].map((low) => ({
    ...simulated,
    address: `127.41.0.${low}`,
    sysName: `access-${low - 1}`,
    ports: 24,
    ...(low === 4 && { kind: 'cisco' as const }),
    neighbours: [
      { port: 21, sysName: 'core-1', chassis: '02:AA:00:00:00:01', portId: '1/1', managementAddress: '127.41.0.1' },
    ],
  })),
  { ...simulated, address: '127.41.0.5', sysName: 'access-point-1', ports: 8, ssids: ['campus', 'guests'] },
];

/** A switch without a device record: a discovery finds it. */
export const newSwitch: SwitchSpec = { ...simulated, address: '127.41.0.6', sysName: 'access-4', ports: 24 };

/** A laptop that connects and disconnects: its switch reports each link change by a trap. */
export const visitor = { address: '127.41.0.3', port: 22, mac: '3C:07:54:DD:00:01', staysMs: 20_000 };

/** Registered devices on ports of the simulated switches. */
export const devicesOnPorts = [
  { address: '127.41.0.2', port: 5, hostName: 'desk-5-laptop', role: 'Corporate', deviceType: 'windows' },
  { address: '127.41.0.2', port: 7, hostName: 'hall-printer', role: 'Printers', deviceType: 'printer' },
  { address: '127.41.0.3', port: 9, hostName: 'gate-camera', role: 'Cameras', deviceType: 'camera' },
] as const;

export const aaaServers = [
  {
    name: 'radius-hospital',
    netId: 'radius.hospital.example',
    secret: 'demo-shared-secret-1',
    checkUser: 'probe',
    checkPassword: 'probe-password',
    flrPriority: 0,
  },
  { name: 'radius-faculty', netId: '192.0.2.11', secret: 'demo-shared-secret-2', localClientDefault: true },
  { name: 'federation-1', netId: 'flr1.roaming.example', secret: 'demo-shared-secret-3', flrPriority: 1 },
  { name: 'federation-2', netId: 'flr2.roaming.example', secret: 'demo-shared-secret-4', flrPriority: 2 },
];

export const directoryAgentConfigs = [
  { name: 'Ward terminals', registerByUser: false, scanGraceLength: -1, addToGroupNames: ['Forced Scan Exceptions'] },
  { name: 'Staff laptops', registerByUser: true, scanGraceLength: 1_440, addToGroupNames: [] },
  { name: 'Everybody else', registerRogue: false, enabled: false },
];

export const deviceTypes = [
  { name: 'Infusion pump', tag: 'infusion-pump', category: 'MEDICAL', image: 'syringe' },
  { name: 'Ward tablet', tag: 'ward-tablet', category: 'MOBILE', image: 'tablet' },
];

export const mdmServers = [
  {
    name: 'Campus MDM',
    pluginName: 'GENERIC_JSON',
    request: 'https://mdm.campus.example',
    identifier: 'campus',
    userID: 'portreeve',
    password: 'demo-mdm-password',
    option1: '/devices',
    poll: false,
  },
];

export const adminProfiles = [
  {
    name: 'Ward Support',
    note: 'Sees the network, changes nothing.',
    permissions: { devices: { view: true }, 'device-profiling': { view: true }, scheduler: { view: true } },
  },
];

/** A second administrator with the first of these profiles and a random password that is not shown. */
export const secondAdministrator = { userID: 'm.seacole', firstName: 'Mary', lastName: 'Seacole' };

export interface ProfilingRule {
  name: string;
  typeTag: string;
  role: string;
  description: string;
  methods: readonly object[];
  /** Name of the MDM that must have the device, and report it as compliant. */
  mdm?: string;
}

export const profilingRules: readonly ProfilingRule[] = [
  {
    name: 'Infusion pumps by vendor',
    typeTag: 'infusion-pump',
    role: 'NAC-Default',
    description: 'Pumps of the two vendors that the hospital buys.',
    methods: [
      { enabled: true, methodType: { id: 1 }, data: { filters: [{ field: 'vendorName', value: 'Example Medical*' }] } },
    ],
  },
  {
    name: 'Ward printers',
    typeTag: 'printer',
    role: 'NAC-Default',
    description: 'Printers answer on port 9100.',
    methods: [{ enabled: true, methodType: { id: 4 }, data: { ports: '9100', mode: 'ALL' } }],
  },
  {
    name: 'Ward tablets in the MDM',
    typeTag: 'ward-tablet',
    role: 'NAC-Default',
    description: 'Tablets that the MDM has and reports as compliant.',
    methods: [],
    mdm: 'Campus MDM',
  },
];

export const tasks = [
  { message: 'Replace the switch in Library 0', note: 'Two fans failed.', dateDue: '2027-01-15T12:00:00.000Z' },
  { message: 'Ask the wards about the new tablets', note: '' },
];

/** Known addresses, and the groups that contain them. */
export const networkAddresses = [
  { name: 'Clinical network', type: 'SUBNET', network: '198.51.100.0/25' },
  { name: 'Dormitory network', type: 'SUBNET', network: '203.0.113.0/24' },
  { name: 'Infusion pumps', type: 'RANGE', start: '198.51.100.64', end: '198.51.100.95' },
  { name: 'Picture archive', type: 'HOST', address: '198.51.100.7' },
] as const;
export const networkAddressGroups = [
  { name: 'Hospital', addresses: ['Clinical network', 'Infusion pumps', 'Picture archive'] },
  { name: 'Housing', addresses: ['Dormitory network'] },
] as const;
export const macExclusions = [
  {
    name: 'Cluster of the archive',
    start: '02:BF:0A:14:01:00',
    end: '02:BF:0A:14:01:FF',
    description: 'Two nodes, one address',
  },
];

/** Events that other systems and a colleague on shift have posted. */
export const postedEvents = [
  {
    name: 'EXT_UPS_ON_BATTERY',
    elementType: 0,
    elementName: 'UPS of the Library',
    message: 'Running on battery, 42 minutes left',
    attributes: { load: '38 %' },
  },
  { name: 'EXT_UPS_ON_MAINS', elementType: 0, elementName: 'UPS of the Library', message: 'Mains are back' },
  { name: 'EXT_DOOR_OPENED', elementType: 0, elementName: 'Server room', message: 'Opened with badge 1183' },
];
export const shiftNote = 'Fans of the switch in Library 0 are being replaced';

/** Roles, highest first, and the groups of people that give them. */
export const roles = [
  { name: 'Clinical staff', groups: ['Physicians', 'Nurses'], note: 'Reaches the clinical network.' },
  { name: 'Faculty', groups: ['Professors', 'Lecturers'], note: '' },
  { name: 'Student', groups: ['Students'], note: 'Dormitories, library and lecture halls.' },
] as const;

/**
 * Returns the address on a port of a switch: of one of the vendors that the campus buys from, or one that hides its
 * vendor.
 */
export function learnedOn(device: number, index: number): string {
  const vendors = ['00:1D:09', '00:21:5A', '3C:07:54', '02:9A:3C'];
  return `${vendors[(device + index) % vendors.length]}:${hex(device)}:00:${hex(index)}`;
}

/** Registered hosts, each with its adapters. */
export const hosts = [
  {
    hostName: 'ward-3-cart',
    deviceType: { tag: 'windows' },
    operatingSystem: 'Windows 11',
    notes: 'Medication cart',
    adapterObjects: [
      { physicalAddress: learnedOn(0, 1), mediaType: 'WIRED', ipaddress: '198.51.100.11' },
      { physicalAddress: '3C:07:54:AA:00:01', mediaType: 'WIRELESS' },
    ],
  },
  {
    hostName: 'library-kiosk-1',
    deviceType: { tag: 'linux' },
    operatingSystem: 'Debian 12',
    adapterObjects: [{ physicalAddress: learnedOn(0, 2), mediaType: 'WIRED', ipaddress: '198.51.100.12' }],
  },
  {
    hostName: 'pump-17',
    type: 3,
    deviceType: { tag: 'infusion-pump' },
    hardwareType: 'Example Medical Flow 2',
    serialNumber: 'EM-100017',
    adapterObjects: [{ physicalAddress: '00:21:5A:BB:00:11', mediaType: 'WIRED', ipaddress: '198.51.100.81' }],
  },
  {
    hostName: 'reception-phone',
    deviceType: { tag: 'ip-phone' },
    adapterObjects: [{ physicalAddress: learnedOn(1, 4), mediaType: 'WIRED' }],
  },
];

/** A request that waits to be signed by an authority. */
export const certificateRequest = {
  name: 'remote-api',
  subject: { CN: 'nac.campus.example', O: 'Example Campus', C: 'GB' },
  subjectAltNames: ['nac.campus.example', '192.0.2.1'],
  keyType: 'EC_P256' as const,
};

/** A configuration that is not deployed yet. */
export const tlsConfigurations = [
  { name: 'Modern clients', certificateAlias: 'agent', autoUpdate: false, protocols: ['TLS_1_3' as const] },
];

/** Access devices of branches use certificates and MAC addresses only, no passwords. */
export const radiusProfile = {
  name: 'Branches',
  enabledEapTypes: ['TLS' as const],
  defaultEapType: 'TLS' as const,
};

/** The attributes that send the security group of a device to a switch, in addition to its VLAN. */
export const attributeGroups = [
  {
    name: 'Security group tag',
    attributes: [{ attribute: 'Cisco-AVPair', responseValues: ['cts:security-group-tag=%ACCESS_VALUE%-00'] }],
  },
];

/** Devices of the library with a role; policies decide which network it gives them. */
export const devicesWithRoles = [
  {
    hostName: 'lobby-camera',
    type: 3,
    role: 'Cameras',
    deviceType: { tag: 'camera' },
    adapterObjects: [{ physicalAddress: learnedOn(0, 4), mediaType: 'WIRED' }],
  },
  {
    hostName: 'reading-room-printer',
    type: 3,
    role: 'Printers',
    deviceType: { tag: 'printer' },
    adapterObjects: [{ physicalAddress: learnedOn(1, 1), mediaType: 'WIRED' }],
  },
];

/** A user with her own laptop. */
export const owner = {
  userID: 'f.nightingale',
  firstName: 'Florence',
  lastName: 'Nightingale',
  email: 'f.nightingale@campus.example',
};
export const ownedHost = { hostName: 'nightingale-laptop', deviceType: { tag: 'macos' }, operatingSystem: 'macOS 15' };
export const ownedAdapter = { physicalAddress: '3C:07:54:CC:00:01', mediaType: 'WIRELESS', ipaddress: '203.0.113.120' };
