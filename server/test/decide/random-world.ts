import type {
  AccessState,
  AccessType,
  AccessValue,
  AttributeFilter,
  Condition,
  ContainerNode,
  Criteria,
  DeviceNode,
  GroupEdge,
  Login,
  Operator,
  Policy,
  PolicySet,
  PortNode,
  Schedule,
  UserFacts,
  Where,
  ZoneOffsets,
} from '../../src/policy/decide/decide.service.ts';
import { accessTypes, families, operators } from '../../src/policy/decide/decide.service.ts';
import type { Random } from './random.ts';
import type { DecisionWorld, RawConnection } from './world.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const yearMs = Date.UTC(2027, 0, 1);

const roleIDs = [1, 2, 3, 4];
/** Groups of hosts and users; 20 is the group of exceptions. */
const hostGroupIDs = [11, 12, 13, 14, 15, 20];
const portGroupIDs = [21, 22, 23, 24, 31, 32, 33, 34, 35];
const deviceGroupIDs = [41, 42, 43, 44];
const ssids = ['staff', 'Staff', 'guests', 'lab 5'];
const texts = ['Windows 11', 'windows 11', 'macOS', 'a*b', 'aab', 'abab', '42', '7', '__proto__', 'é', '10.1.2.3'];
const patterns = [
  '*',
  '?*',
  'win*',
  '*OS',
  '*a?b*',
  'a?b',
  '*1*1',
  'a*b*a*b',
  '??',
  '',
  '*é',
  '__*__',
  'aab*ab',
  '42*2',
  'macos*os',
];
const addresses = ['10.1.2.3', '10.200.0.1', '192.168.7.9', '2001:db8::1', '::ffff:10.1.2.3', 'fe80::1', '::1'];
const networks = ['10.0.0.0/8', '10.1.2.0/24', '0.0.0.0/0', '2001:db8::/32', '::/0', '192.168.7.9'];

/** Attributes of every kind, two that do not exist and one that is a property of every object. */
const attributeNames = [
  'host.typeLabel',
  'host.operatingSystem',
  'host.registered',
  'host.health',
  'host.authenticated',
  'host.maxThreat',
  'host.application',
  'host.registeredAt',
  'host.attributes.floor',
  'host.attributes.__proto__',
  'host.nothing',
  '__proto__',
  'adapter.physicalAddress',
  'adapter.ipaddress',
  'adapter.randomized',
  'adapter.authType',
  'adapter.outerEapType',
  'adapter.innerEapType',
  'user.userID',
  'user.source',
  'user.loggedOn',
  'user.directory.department',
  'connection.type',
  'connection.vlan',
  'connection.deviceModel',
  'connection.authenticatedBy',
  'radius.NAS-Port-Type',
];

function randomZone(random: Random): ZoneOffsets {
  const [fromMs, toMs] = [yearMs - 200 * dayMs, yearMs + 400 * dayMs];
  const offsetMinutes = random.pick([0, 60, -300, 630, 345]);
  const changes = [{ atMs: fromMs, offsetMinutes }];
  if (random.chance(0.7)) {
    const summer = offsetMinutes + random.pick([60, 30]);
    changes.push({ atMs: yearMs + 86 * dayMs + 2 * hourMs, offsetMinutes: summer });
    changes.push({ atMs: yearMs + 303 * dayMs + hourMs, offsetMinutes });
  }
  return { name: 'Test/Zone', fromMs, toMs, changes };
}

function randomInstant(random: Random): number {
  // Around a change of the clock, at the edge of an hour, or at any time.
  const kind = random.next();
  if (kind < 0.3) return yearMs + 86 * dayMs + random.integer(-180, 360) * minuteMs;
  if (kind < 0.5) return yearMs + 303 * dayMs + random.integer(-180, 360) * minuteMs;
  if (kind < 0.8) return yearMs + random.integer(0, 365 * 24) * hourMs;
  return yearMs + random.integer(0, 365 * 86_400) * 1_000;
}

function randomSchedule(random: Random, alwaysChance: number): Schedule {
  const minute = () => random.pick([0, 60, 120, 150, 480, 720, 1_080, 1_320, 1_440, random.integer(0, 1_440)]);
  return {
    alwaysOn: random.chance(alwaysChance),
    daysOfWeek: random.pick([127, 127, 62, 65, 1, 0, random.integer(0, 127)]),
    startTimeOfDay: minute(),
    endTimeOfDay: minute(),
  };
}

function randomWhere(random: Random, containerIDs: readonly number[]): Where {
  const empty: Where = { containers: [], deviceGroups: [], portGroups: [], ssids: [] };
  if (random.chance(0.5)) return empty;
  return {
    containers: random.chance(0.4) ? [random.pick(containerIDs)] : [],
    deviceGroups: random.chance(0.3) ? [random.pick(deviceGroupIDs)] : [],
    portGroups: random.chance(0.4) ? random.some(portGroupIDs, 0.2) : [],
    ssids: random.chance(0.3) ? random.some(ssids, 0.4) : [],
  };
}

function randomOperand(random: Random, attribute: string, op: Operator): Condition['value'] {
  if (op === 'IN_SUBNET') return random.chance(0.5) ? random.pick(networks) : random.some(networks, 0.4);
  if (op === 'LIKE' || op === 'NOT_LIKE')
    return random.chance(0.8) ? random.pick(patterns) : random.some(patterns, 0.2);
  if (op === 'OLDER_THAN' || op === 'NEWER_THAN') return random.pick([0, 5, 1_440]);
  if (attribute === 'host.registeredAt') return new Date(yearMs + random.integer(0, 365) * dayMs).toISOString();
  if (op === 'IN' || op === 'NOT_IN') return random.some([...texts, 'SAFE', 'Rogue', 'true'], 0.4);
  return random.pick<Condition['value']>([
    ...texts,
    'SAFE',
    'AT_RISK',
    'IP Phone',
    'Registered Host',
    'LOCAL',
    'GUEST',
    'WIRED_MAB',
    'WIRED_SNMP',
    'MAB',
    'DOT1X',
    'TLS',
    'PEAP',
    'CERTIFICATE',
    'NONE',
    true,
    false,
    7,
    5,
    null,
  ]);
}

function randomFilters(random: Random): AttributeFilter[] {
  if (random.chance(0.6)) return [];
  return random.list(random.integer(1, 2), () => ({
    conditions: random.list(random.integer(1, 2), () => {
      const attribute = random.pick(attributeNames);
      const op = random.pick(operators);
      return { attribute, op, value: randomOperand(random, attribute, op) };
    }),
  }));
}

const randomCriteria = (random: Random, containerIDs: readonly number[]): Criteria => ({
  who: {
    roles: random.chance(0.5) ? random.some(roleIDs, 0.5) : [],
    groups: random.chance(0.4) ? random.some(hostGroupIDs, 0.4) : [],
    attributes: randomFilters(random),
  },
  where: randomWhere(random, containerIDs),
  when: randomSchedule(random, 0.7),
});

function randomPolicies(
  random: Random,
  containerIDs: readonly number[],
  max: number,
  configurations: readonly number[],
): Policy[] {
  const policies = random.list(random.integer(0, max), (index) => ({
    id: index + 1,
    name: `policy ${index + 1}`,
    rank: index + 1,
    enabled: random.chance(0.85),
    criteria: randomCriteria(random, containerIDs),
    configurationID: random.pick(configurations),
  }));
  // The database returns them in no order.
  return policies.sort(() => random.next() - 0.5);
}

function randomValue(random: Random): AccessValue {
  const accessType: AccessType = random.chance(0.7) ? 'VLAN_ID' : random.pick(accessTypes);
  return {
    accessType,
    accessValue: String(random.integer(2, 4_094)),
    radiusAttrGroupID: null,
    cliApply: accessType === 'CLI' ? ['switchport'] : [],
    cliUndo: [],
  };
}

/** Each group may be in groups of its kind with a lower id, so there is no cycle. */
const randomEdges = (random: Random, ids: readonly number[]): GroupEdge[] =>
  ids.flatMap((childID, index) =>
    random.some(ids.slice(0, index), 1.4 / ids.length).map((parentID) => ({ parentID, childID })),
  );

const states: AccessState[] = [
  'DEAD_END',
  'QUARANTINE',
  'REGISTRATION',
  'AUTHENTICATION',
  'GUEST',
  'PRODUCTION',
  'PRODUCTION',
];

const tags = new Map([
  [20, 'forced-remediation-exceptions'],
  [31, 'enforce-dead-end'],
  [32, 'enforce-remediation'],
  [33, 'enforce-registration'],
  [34, 'enforce-authentication'],
  [35, 'enforce-role'],
  [44, 'enforce-dead-end-device'],
]);

function randomSet(
  random: Random,
  containers: readonly ContainerNode[],
  devices: readonly DeviceNode[],
  ports: readonly PortNode[],
): PolicySet {
  const containerIDs = containers.map(({ id }) => id);
  const logicalNetworks = states.map((accessState, index) => ({
    id: index + 1,
    name: `network ${index + 1}`,
    accessState,
    defaultValue: random.chance(0.2) ? randomValue(random) : null,
  }));
  const places = [
    ...containerIDs.map((elementID) => ({ elementType: 'CONTAINER' as const, elementID, share: 0.25 })),
    ...devices.map(({ id }) => ({ elementType: 'DEVICE' as const, elementID: id, share: 0.2 })),
    ...ports.map(({ id }) => ({ elementType: 'PORT' as const, elementID: id, share: 0.1 })),
    ...ports
      .filter(({ ssid }) => ssid !== null)
      .map(({ id }) => ({ elementType: 'SSID' as const, elementID: id, share: 0.3 })),
  ];
  const logicalNetworkConfigurations = logicalNetworks.flatMap(({ id: logicalNetworkID }) =>
    places
      .filter(({ share }) => random.chance(share))
      .map(({ elementType, elementID }, index) => ({
        id: logicalNetworkID * 1_000 + index,
        logicalNetworkID,
        elementType,
        elementID,
        accessEnforcement: random.pick(['ENFORCE', 'ENFORCE', 'ENFORCE', 'ENFORCE', 'BYPASS', 'DENY'] as const),
        firewallTagIDs: random.some([5, 6], 0.2),
        ...randomValue(random),
      })),
  );
  const accessConfigurations = random.list(4, (index) => {
    const isDirect = random.chance(0.3);
    return {
      id: index + 1,
      name: `configuration ${index + 1}`,
      type: isDirect ? ('DIRECT' as const) : ('LOGICAL_NETWORK' as const),
      logicalNetworkID: isDirect ? null : random.pick([5, 6, 7]),
      directConfiguration: isDirect ? randomValue(random) : null,
      firewallTagIDs: random.some([7, 6], 0.3),
      sessionTimeoutMinutes: random.pick([0, 0, 60]),
    };
  });
  const roleMappings = random
    .list(random.integer(0, 4), (index) => {
      const isDirect = random.chance(0.3);
      return {
        id: index + 1,
        name: `mapping ${index + 1}`,
        rank: index + 1,
        roleID: random.pick(roleIDs),
        where: randomWhere(random, containerIDs),
        appliesTo: random.pick(['DEVICES', 'DEVICES', 'ALL'] as const),
        accessConfigurationID: isDirect ? null : random.integer(1, 4),
        directConfiguration: isDirect ? randomValue(random) : null,
      };
    })
    .sort(() => random.next() - 0.5);
  const namedGroups = (prefix: string, ids: readonly number[]) =>
    ids.map((id) => ({ id, name: `${prefix} ${id}`, tag: tags.get(id) ?? null }));
  return {
    generation: random.integer(1, 1_000),
    landscape: 7,
    zone: randomZone(random),
    isQuarantineEnabled: random.chance(0.9),
    roles: namedGroups('role', roleIDs),
    defaultRoleID: 1,
    groups: [
      ...namedGroups('hosts', hostGroupIDs),
      ...namedGroups('ports', portGroupIDs),
      ...namedGroups('devices', deviceGroupIDs),
    ],
    groupEdges: [...randomEdges(random, portGroupIDs), ...randomEdges(random, deviceGroupIDs)],
    containers: containers.map(({ id, name }) => ({ id, name })),
    logicalNetworks,
    logicalNetworkConfigurations,
    accessConfigurations,
    authenticationConfigurations: [1, 2].map((id) => ({
      id,
      name: `authentication ${id}`,
      enableAuthentication: random.chance(0.8),
      timeInProductionBeforeAuthentication: random.pick([0, 0, 30]),
    })),
    roleMappings,
    accessPolicies: randomPolicies(random, containerIDs, random.chance(0.1) ? 70 : 8, [1, 2, 3, 4]),
    families: {
      authentication: randomPolicies(random, containerIDs, 4, [1, 2]),
      compliance: randomPolicies(random, containerIDs, 2, [1]),
      portal: randomPolicies(random, containerIDs, 2, [1]),
      supplicant: random.chance(0.2) ? randomPolicies(random, containerIDs, 2, [families.length]) : [],
    },
  };
}

const randomUser = (random: Random, id: number): UserFacts => ({
  id,
  userID: random.pick(['ada', 'grace', 'Windows 11']),
  enabled: random.chance(0.95),
  source: random.pick(['LOCAL', 'DIRECTORY', 'GUEST']),
  roleID: random.chance(0.8) ? random.pick(roleIDs) : null,
  groups: random.some(hostGroupIDs, 0.15),
  directory: random.chance(0.5)
    ? new Map([['department', random.pick<string | string[]>(['7', ['aab', '42'], []])]])
    : null,
  values: {},
});

function randomLogin(random: Random): Login {
  const authType = random.pick(['NONE', 'NONE', 'MAB', 'DOT1X', 'DOT1X', 'PORTAL', 'VPN'] as const);
  if (authType !== 'DOT1X') return { authType, outerEapType: null, innerEapType: null };
  const [outerEapType, innerEapType] = random.pick([
    ['TLS', null],
    ['PEAP', 'MSCHAPv2'],
    ['TTLS', 'PAP'],
    [null, null],
  ] as const);
  return { authType, outerEapType, innerEapType };
}

function randomConnection(
  random: Random,
  devices: readonly DeviceNode[],
  ports: readonly PortNode[],
  edge: readonly number[],
): RawConnection {
  const port = random.chance(0.95) ? random.pick(ports) : null;
  const device = port ? devices.find(({ id }) => id === port.deviceID)! : random.pick(devices);
  const atMs = random.chance(0.2) ? random.pick(edge) : randomInstant(random);
  const nearbyInstant = (): number | null =>
    random.pick([null, null, atMs - hourMs, atMs, atMs + 1, atMs + hourMs, atMs - 30 * minuteMs]);
  return {
    atMs,
    deviceID: device.id,
    portID: port?.id ?? null,
    ssid: port ? port.ssid : random.chance(0.5) ? random.pick(ssids) : null,
    isByRequest: random.chance(0.2),
    vlan: random.pick([null, '', '7', '42']),
    realm: null,
    radius: random.chance(0.5)
      ? new Map([['NAS-Port-Type', random.pick<string | string[]>(['42', ['7', 'aab']])]])
      : null,
    sinceMs: nearbyInstant(),
    isEnforcedEverywhere: random.chance(0.1),
    adapter: {
      id: 1,
      mac: '00:1D:09:00:00:01',
      enabled: random.chance(0.95),
      groups: random.some(hostGroupIDs, 0.1),
      login: randomLogin(random),
      values: {
        ipaddress: random.pick([null, ...addresses]),
        randomized: random.pick([null, true, false]),
      },
    },
    host: {
      id: 1,
      type: random.pick([1, 2, 2, 2, 3, 4, 5]),
      enabled: random.chance(0.93),
      expiresAtMs: random.chance(0.2) ? nearbyInstant() : null,
      health: random.pick(['SAFE', 'SAFE', 'SAFE', 'PENDING', 'AT_RISK']),
      authenticated: random.chance(0.5),
      authenticatedUntilMs: nearbyInstant(),
      roleID: random.chance(0.8) ? random.pick(roleIDs) : null,
      groups: random.some(hostGroupIDs, 0.2),
      profilingSchedule: random.chance(0.15) ? randomSchedule(random, 0.3) : null,
      ownAttributes: random.chance(0.5)
        ? [{ name: random.pick(['floor', '__proto__']), value: random.pick(texts) }]
        : [],
      values: {
        operatingSystem: random.pick([null, '', ...texts]),
        maxThreat: random.pick([null, 0, 5, 7, 9]),
        application: random.pick([null, [], ['aab', 'macOS'], ['7']]),
        registeredAt: random.pick([null, atMs, atMs - 5 * minuteMs, atMs - 2 * dayMs]),
      },
    },
    loggedOnUser: random.chance(0.4) ? randomUser(random, 1) : null,
    owner: random.chance(0.5) ? randomUser(random, 2) : null,
  };
}

/** Returns instants at which a schedule in the set begins or ends. */
function edgesOf({ accessPolicies, zone }: PolicySet): number[] {
  const starts = accessPolicies.flatMap(({ criteria: { when } }) =>
    [when.startTimeOfDay, when.endTimeOfDay].flatMap((minute) =>
      [85, 86, 120, 303].map((day) => yearMs + day * dayMs + (minute - zone.changes[0]!.offsetMinutes) * minuteMs),
    ),
  );
  return [yearMs, ...starts];
}

/** Returns a small scenario in which most things are related. */
export function randomWorld(random: Random, connections: number): DecisionWorld {
  const containers = random.list(random.integer(1, 5), (index) => ({
    id: index + 1,
    name: `container ${index + 1}`,
    parentID: index === 0 ? null : random.integer(1, index),
  }));
  const devices = random.list(random.integer(1, 3), (index) => ({
    id: index + 1,
    name: `device ${index + 1}`,
    containerID: random.integer(1, containers.length),
    isManaged: random.chance(0.93),
    sendDefaultVlan: random.chance(0.5),
    isRadiusClient: random.chance(0.5),
    deviceType: 'network',
    model: random.pick([null, '42', 'macOS']),
    groups: random.some(deviceGroupIDs, 0.2),
  }));
  const ports = random.list(random.integer(2, 6), (index) => ({
    id: index + 1,
    deviceID: random.integer(1, devices.length),
    name: `port ${index + 1}`,
    ssid: random.chance(0.3) ? random.pick(ssids) : null,
    isUplink: random.chance(0.05),
    defaultVlan: random.pick(['', '110', 'office']),
    groups: random.some(portGroupIDs, 0.35),
  }));
  const set = randomSet(random, containers, devices, ports);
  return {
    set,
    containers,
    devices,
    ports,
    hostGroupEdges: randomEdges(random, hostGroupIDs),
    connections: random.list(connections, () => randomConnection(random, devices, ports, edgesOf(set))),
  };
}
