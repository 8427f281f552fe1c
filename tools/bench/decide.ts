import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  type AccessValue,
  type CompiledSet,
  type Condition,
  compilePolicySet,
  type DecisionContext,
  decideAccess,
  explainAccess,
  noLogin,
  type Policy,
  type PolicySet,
  Topology,
} from '@portreeve/server/policy/decide/decide.service.ts';
import { Random } from '@portreeve/server/test/decide/random.ts';

export const decideName = 'decide';
export const decideDoc =
  'the policy engine alone: first match and explain of 20,000 connections by 200 policies and 200,000 by 1,000, compiling, topology';

const yearMs = Date.UTC(2027, 0, 4, 10);
const deviceCount = 2_000;
const portsOfDevice = 50;
const containerCount = 200;
const roleCount = 40;
const hostGroupCount = 200;
const portGroupCount = 100;
/** Explanations are kept until they are read, so they are measured with this many. */
const explainedMax = 20_000;
const runs = 5;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns the megabytes of reachable objects. */
function heldMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1_048_576;
}

/** Returns the milliseconds of CPU of this thread, which do not depend on other programs. */
function cpuMs(run: () => void): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const shown = (ms: number): string => ms.toFixed(ms < 100 ? 1 : 0);

const value = (vlan: number): AccessValue => ({
  accessType: 'VLAN_ID',
  accessValue: String(vlan),
  radiusAttrGroupID: null,
  cliApply: [],
  cliUndo: [],
});

/**
 * Fills a topology with containers four deep, devices in them, ports in groups of their own and all under enforcement.
 */
function fillTopology(random: Random): Topology {
  const topology = new Topology();
  for (let id = 1; id <= containerCount; id++)
    topology.setContainer({ id, name: `container ${id}`, parentID: id === 1 ? null : Math.floor((id + 4) / 6) });
  for (let id = 1; id <= deviceCount; id++) {
    topology.setDevice({
      id,
      name: `switch-${id}`,
      containerID: random.integer(1, containerCount),
      isManaged: true,
      sendDefaultVlan: false,
      isRadiusClient: false,
      deviceType: 'network',
      model: 'C9300',
      groups: [random.integer(1_001, 1_020)],
    });
    for (let port = 0; port < portsOfDevice; port++)
      topology.setPort({
        id: id * portsOfDevice + port,
        deviceID: id,
        name: `Gi1/0/${port + 1}`,
        ssid: null,
        isUplink: false,
        defaultVlan: '110',
        groups: [1, 2, 3, 4, 5, random.integer(101, 100 + portGroupCount)],
      });
  }
  return topology;
}

function randomCondition(random: Random): Condition {
  return random.pick<Condition>([
    { attribute: 'host.operatingSystem', op: 'LIKE', value: '*windows*1?' },
    { attribute: 'host.operatingSystem', op: 'NE', value: 'Linux' },
    { attribute: 'adapter.ipaddress', op: 'IN_SUBNET', value: `10.${random.integer(0, 50)}.0.0/16` },
    { attribute: 'host.health', op: 'EQ', value: 'SAFE' },
    { attribute: 'host.registeredAt', op: 'NEWER_THAN', value: 43_200 },
  ]);
}

/** Returns policies like those of a large site: by role and place, half with attributes, some by time. */
const randomPolicies = (random: Random, count: number): Policy[] =>
  random.list(count, (index) => ({
    id: index + 1,
    name: `policy ${index + 1}`,
    rank: index + 1,
    enabled: random.chance(0.95),
    configurationID: 1,
    criteria: {
      who: {
        roles: random.chance(0.8) ? [random.integer(1, roleCount)] : [],
        groups: random.chance(0.3) ? [random.integer(2_001, 2_000 + hostGroupCount)] : [],
        attributes: random.chance(0.5)
          ? [{ conditions: random.list(random.integer(1, 3), () => randomCondition(random)) }]
          : [],
      },
      where: {
        containers: random.chance(0.4) ? [random.integer(2, containerCount)] : [],
        deviceGroups: random.chance(0.2) ? [random.integer(1_001, 1_020)] : [],
        portGroups: random.chance(0.3) ? [random.integer(101, 100 + portGroupCount)] : [],
        ssids: [],
      },
      when: {
        alwaysOn: random.chance(0.7),
        daysOfWeek: 62,
        startTimeOfDay: 60 * random.integer(0, 12),
        endTimeOfDay: 60 * random.integer(13, 24),
      },
    },
  }));

const tags = [
  'enforce-dead-end',
  'enforce-remediation',
  'enforce-registration',
  'enforce-authentication',
  'enforce-role',
];

const policySet = (random: Random, policies: number): PolicySet => ({
  generation: 1,
  landscape: 1,
  zone: {
    name: 'UTC',
    fromMs: yearMs - 86_400_000 * 200,
    toMs: yearMs + 86_400_000 * 200,
    changes: [{ atMs: yearMs - 86_400_000 * 200, offsetMinutes: 0 }],
  },
  isQuarantineEnabled: true,
  roles: random.list(roleCount, (index) => ({ id: index + 1, name: `role ${index + 1}` })),
  defaultRoleID: 1,
  groups: tags.map((tag, index) => ({ id: index + 1, name: tag, tag })),
  // Chains of ten groups of ports, each in the next.
  groupEdges: random
    .list(portGroupCount, (index) => ({ parentID: 102 + index, childID: 101 + index }))
    .filter((_, index) => index % 10 !== 9),
  containers: [],
  logicalNetworks: [{ id: 1, name: 'Production', accessState: 'PRODUCTION', defaultValue: value(10) }],
  logicalNetworkConfigurations: random.list(containerCount, (index) => ({
    id: index + 1,
    logicalNetworkID: 1,
    elementType: 'CONTAINER' as const,
    elementID: index + 1,
    accessEnforcement: 'ENFORCE' as const,
    firewallTagIDs: [],
    ...value(index + 2),
  })),
  accessConfigurations: [
    {
      id: 1,
      name: 'Production',
      type: 'LOGICAL_NETWORK',
      logicalNetworkID: 1,
      directConfiguration: null,
      firewallTagIDs: [],
      sessionTimeoutMinutes: 0,
    },
  ],
  authenticationConfigurations: [],
  roleMappings: [],
  accessPolicies: randomPolicies(random, policies),
  families: { authentication: [], compliance: [], portal: [], supplicant: [] },
});

const randomContext = (random: Random, topology: Topology, index: number): DecisionContext => ({
  atMs: yearMs,
  adapter: {
    id: index,
    mac: index.toString(16).padStart(12, '0'),
    enabled: true,
    groups: [],
    login: noLogin,
    values: { ipaddress: `10.${random.integer(0, 255)}.${random.integer(0, 255)}.7` },
  },
  host: {
    id: index,
    type: 2,
    enabled: true,
    expiresAtMs: null,
    health: 'SAFE',
    authenticated: true,
    authenticatedUntilMs: null,
    roleID: random.integer(1, roleCount),
    groups: random.list(3, () => random.integer(2_001, 2_000 + hostGroupCount)),
    profilingSchedule: null,
    ownAttributes: [],
    values: {
      operatingSystem: random.pick(['Windows 11', 'Linux', 'macOS 15', null]),
      registeredAt: yearMs - random.integer(0, 86_400) * 100_000,
    },
  },
  loggedOnUser: null,
  owner: null,
  connection: {
    ...topology.placeOfPort(random.integer(portsOfDevice, deviceCount * portsOfDevice + portsOfDevice - 1))!,
    ssid: null,
    type: 'WIRED_MAB',
    vlan: '10',
    authenticatedBy: null,
    realm: null,
    radius: null,
    sinceMs: yearMs - 3_600_000,
    isEnforcedEverywhere: false,
  },
});

/** Prints milliseconds of CPU and megabytes; there is nothing to compare with, so there is no verdict. */
export function measureDecide(print: (line: string) => void, isShort: boolean, seed: number): void {
  const random = new Random(seed);
  print(`seed ${seed}; milliseconds of CPU of one thread, median of ${runs}`);
  const before = heldMegabytes();
  let topology = new Topology();
  const loadMs = cpuMs(() => {
    topology = fillTopology(random);
  });
  print(
    `topology of ${topology.size.ports} ports of ${topology.size.devices} devices: ${shown(loadMs)} ms, ${shown(heldMegabytes() - before)} MB`,
  );
  const sizes = isShort
    ? [{ connections: 2_000, policies: 200 }]
    : [
        { connections: 20_000, policies: 200 },
        { connections: 200_000, policies: 1_000 },
      ];
  for (const { connections, policies } of sizes) {
    const contexts = random.list(connections, (index) => randomContext(random, topology, index + 1));
    const records = policySet(random, policies);
    const heldBefore = heldMegabytes();
    let set: CompiledSet = compilePolicySet(records);
    const compileMs = median(
      random.list(runs, () =>
        cpuMs(() => {
          set = compilePolicySet(records);
        }),
      ),
    );
    let matched = 0;
    const decideMs = median(
      random.list(runs, () => {
        matched = 0;
        return cpuMs(() => {
          for (const context of contexts) if (decideAccess(set, context).policyID !== null) matched++;
        });
      }),
    );
    const heldAfter = heldMegabytes();
    const explained = contexts.slice(0, explainedMax);
    let entries = 0;
    const explainMs = cpuMs(() => {
      for (const context of explained) entries += explainAccess(set, context).trace.length;
    });
    print(
      `${connections} × ${policies}: compiled in ${shown(compileMs)} ms, first match ${shown(decideMs)} ms ` +
        `(${matched} matched a policy), explain ${shown(explainMs)} ms for ${explained.length} (${entries} entries), ` +
        `compiled set ${shown(heldAfter - heldBefore)} MB`,
    );
  }
}
