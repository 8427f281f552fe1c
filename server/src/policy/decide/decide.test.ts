import { describe, expect, test } from 'vitest';
import { compilePolicySet } from './compile.ts';
import { decideAccess } from './decide.ts';
import type { NamedElement } from './decision.ts';
import { explainAccess } from './explain.ts';
import type { DecisionContext } from './facts.ts';
import { noLogin } from './login.ts';
import type { AccessValue, Condition, Criteria, PolicySet } from './policy-set.ts';
import { Topology } from './topology.ts';
import { writePhrase, writeTrace } from './write-decision.ts';

const atMs = Date.UTC(2027, 0, 4, 10);

const vlan = (accessValue: string): AccessValue => ({
  accessType: 'VLAN_ID',
  accessValue,
  radiusAttrGroupID: null,
  cliApply: [],
  cliUndo: [],
});

const anybody: Criteria = {
  who: { roles: [], groups: [], attributes: [] },
  where: { containers: [], deviceGroups: [], portGroups: [], ssids: [] },
  when: { alwaysOn: true, daysOfWeek: 127, startTimeOfDay: 0, endTimeOfDay: 1_440 },
};

const network = (id: number, name: string, accessState: PolicySet['logicalNetworks'][number]['accessState']) => ({
  id,
  name,
  accessState,
  defaultValue: null,
});

/** One hall, one switch, two policies: cameras in hall A, and the office network for all others. */
const set = (change: Partial<PolicySet> = {}): PolicySet => ({
  generation: 5,
  landscape: 9,
  zone: { name: 'UTC', fromMs: 0, toMs: atMs * 2, changes: [{ atMs: 0, offsetMinutes: 0 }] },
  isQuarantineEnabled: true,
  roles: [
    { id: 1, name: 'NAC-Default' },
    { id: 2, name: 'Camera' },
  ],
  defaultRoleID: 1,
  groups: [
    { id: 10, name: 'Hall A', tag: null },
    { id: 11, name: 'Forced Registration', tag: 'enforce-registration' },
    { id: 12, name: 'Role Based Access', tag: 'enforce-role' },
  ],
  groupEdges: [],
  containers: [{ id: 1, name: 'Hall B' }],
  logicalNetworks: [
    network(1, 'Registration', 'REGISTRATION'),
    network(2, 'Office', 'PRODUCTION'),
    network(3, 'Cameras', 'PRODUCTION'),
  ],
  logicalNetworkConfigurations: [
    {
      id: 1,
      logicalNetworkID: 2,
      elementType: 'CONTAINER',
      elementID: 1,
      accessEnforcement: 'ENFORCE',
      firewallTagIDs: [],
      ...vlan('30'),
    },
  ],
  accessConfigurations: [2, 3].map((id) => ({
    id,
    name: `configuration ${id}`,
    type: 'LOGICAL_NETWORK',
    logicalNetworkID: id,
    directConfiguration: null,
    firewallTagIDs: [],
    sessionTimeoutMinutes: 0,
  })),
  authenticationConfigurations: [],
  roleMappings: [],
  accessPolicies: [
    { id: 3, name: 'Everybody', rank: 4, enabled: true, configurationID: 2, criteria: anybody },
    {
      id: 12,
      name: 'Cameras',
      rank: 3,
      enabled: true,
      configurationID: 3,
      criteria: {
        ...anybody,
        who: { ...anybody.who, roles: [2] },
        where: { ...anybody.where, portGroups: [10] },
      },
    },
  ],
  families: { authentication: [], compliance: [], portal: [], supplicant: [] },
  ...change,
});

const isSent = { type: 'WIRED_MAB', sendDefaultVlan: true } as const;
const isNotSent = { type: 'WIRED_MAB', sendDefaultVlan: false } as const;
const bySnmp = { type: 'WIRED_SNMP', sendDefaultVlan: false } as const;
type Way = typeof isSent | typeof isNotSent | typeof bySnmp;

function context(groups: number[] = [11, 12], type = 2, way: Way = isSent): DecisionContext {
  const topology = new Topology();
  topology.setContainer({ id: 1, name: 'Hall B', parentID: null });
  topology.setDevice({
    id: 1,
    name: 'sw-3',
    containerID: 1,
    isManaged: true,
    sendDefaultVlan: way.sendDefaultVlan,
    isRadiusClient: true,
    deviceType: null,
    model: null,
    groups: [],
  });
  topology.setPort({ id: 7, deviceID: 1, name: 'Gi1/0/7', ssid: null, isUplink: false, defaultVlan: '110', groups });
  return {
    atMs,
    adapter: { id: 1, mac: '00:1D:09:00:00:01', enabled: true, groups: [], login: noLogin, values: {} },
    host: {
      id: 1,
      type,
      enabled: true,
      expiresAtMs: null,
      health: 'SAFE',
      authenticated: false,
      authenticatedUntilMs: null,
      roleID: 2,
      groups: [],
      profilingSchedule: null,
      ownAttributes: [],
      values: { operatingSystem: 'Windows 11' },
    },
    loggedOnUser: null,
    owner: null,
    connection: {
      ...topology.placeOfPort(7)!,
      ssid: null,
      type: way.type,
      vlan: null,
      authenticatedBy: null,
      realm: null,
      radius: null,
      sinceMs: null,
      isEnforcedEverywhere: false,
    },
  };
}

const all = ({ name }: NamedElement) => name;
const reasonOf = (change: Partial<PolicySet>, facts: DecisionContext): string =>
  writePhrase(decideAccess(compilePolicySet(set(change)), facts).reason, all);

describe('explain', () => {
  test('writes an entry of the trace as specified', () => {
    const { trace } = explainAccess(compilePolicySet(set()), context());
    expect(writeTrace(trace, all).find(({ id }) => id === 12)).toEqual({
      step: 7,
      kind: 'ACCESS',
      id: 12,
      name: 'Cameras',
      rank: 3,
      result: 'NO_MATCH',
      checks: [
        { section: 'roles', expected: ['Camera'], actual: 'Camera', ok: true },
        {
          section: 'where',
          expected: ['port group: Hall A'],
          actual: ['sw-3 Gi1/0/7', 'container: Hall B'],
          ok: false,
        },
      ],
    });
  });

  test('omits names that the reader may not view, and keeps kind and id', () => {
    const { trace, reason } = explainAccess(compilePolicySet(set()), context());
    const hidden = new Set<NamedElement['kind']>(['role', 'port group', 'device', 'container', 'access policy']);
    const nameFor = ({ kind, name }: NamedElement) => (hidden.has(kind) ? undefined : name);
    const entry = writeTrace(trace, nameFor).find(({ id }) => id === 12)!;
    expect(entry.name).toBe('access policy #12');
    expect(entry.checks.map(({ expected, actual }) => ({ expected, actual }))).toEqual([
      { expected: ['role #2'], actual: 'role #2' },
      { expected: ['port group: #10'], actual: ['device #1 Gi1/0/7', 'container: #1'] },
    ]);
    expect(writePhrase(reason, nameFor)).toBe('Access policy #3 matches: Office is VLAN 30, from container #1.');
  });

  test('marks entries below the winner that would match, and skips steps that are not enforced at the place', () => {
    const results = (groups: number[]) =>
      Object.fromEntries(
        writeTrace(explainAccess(compilePolicySet(set()), context(groups, 1)).trace, all).map(
          ({ kind, name, result }) => [`${kind} ${name}`, result],
        ),
      );
    expect(results([11, 12])).toMatchObject({
      'NOT_REGISTERED Not registered': 'MATCH',
      'ACCESS Everybody': 'NOT_REACHED_WOULD_MATCH',
      'PORT_DEFAULT Port default': 'NOT_REACHED_WOULD_MATCH',
    });
    expect(results([12])).toMatchObject({
      'NOT_REGISTERED Not registered': 'SKIPPED_NOT_ENFORCED_HERE',
      'ACCESS Everybody': 'MATCH',
    });
  });
});

describe('the reason', () => {
  test('is one sentence with the value and where it came from', () => {
    expect(reasonOf({}, context())).toBe('Access policy Everybody matches: Office is VLAN 30, from container Hall B.');
    expect(reasonOf({}, context([10, 12]))).toBe(
      'Access policy Cameras matches: Cameras has no value here, so the default of the port applies, VLAN 110, from port Gi1/0/7.',
    );
    expect(reasonOf({}, context([11], 1))).toBe(
      'The host is not registered: Registration has no value here, so the request is rejected.',
    );
    expect(reasonOf({}, context([]))).toBe('Nothing is enforced: the port is in no enforcement group.');
    expect(reasonOf({ accessPolicies: [] }, context())).toBe(
      'No policy matches: the default of the port applies, VLAN 110, from port Gi1/0/7.',
    );
  });
});

describe('the default VLAN of a port', () => {
  const decide = (change: Partial<PolicySet>, groups: number[], way: Way) =>
    decideAccess(compilePolicySet(set(change)), context(groups, 2, way));
  const vlanOfPort = { accessType: 'VLAN_ID', accessValue: '110', source: 'PORT' };

  test.each([
    ['no policy matches', { accessPolicies: [] }, [11, 12], 9],
    ['the granted network has no value', {}, [10, 12], 7],
  ])('is the value only where it is sent, if %s', (_, change, groups, step) => {
    for (const way of [isSent, bySnmp])
      expect(decide(change, groups, way)).toMatchObject({ outcome: 'GRANT', step, value: vlanOfPort });
    const notSent = decide(change, groups, isNotSent);
    expect(notSent).toMatchObject({ outcome: 'GRANT', step, accessState: 'PRODUCTION', value: null });
    expect(writePhrase(notSent.reason, all)).toContain("the device's own default applies (sendDefaultVlan is off)");
  });
});

describe('a denial by a value', () => {
  const denied = (way: Way, deadEnd: 'ENFORCE' | 'DENY') => {
    const value = (logicalNetworkID: number, accessEnforcement: 'ENFORCE' | 'DENY', accessValue: string) => ({
      id: logicalNetworkID,
      logicalNetworkID,
      elementType: 'CONTAINER' as const,
      elementID: 1,
      accessEnforcement,
      firewallTagIDs: [],
      ...vlan(accessValue),
    });
    const logicalNetworks = [
      ...set().logicalNetworks,
      { id: 9, name: 'Dead End', accessState: 'DEAD_END' as const, defaultValue: null },
    ];
    const logicalNetworkConfigurations = [value(2, 'DENY', '30'), value(9, deadEnd, '666')];
    return decideAccess(
      compilePolicySet(set({ logicalNetworks, logicalNetworkConfigurations })),
      context([11, 12], 2, way),
    );
  };

  test('has no value if RADIUS rejects the request, otherwise the value of Dead End, which the reason names', () => {
    expect(denied(isSent, 'ENFORCE')).toMatchObject({ outcome: 'DENY', value: null });
    const decision = denied(bySnmp, 'ENFORCE');
    expect(decision).toMatchObject({ outcome: 'DENY', value: { accessValue: '666' } });
    expect(writePhrase(decision.reason, all)).toBe(
      'Access policy Everybody matches: Office is denied here: Dead End is VLAN 666, from container Hall B.',
    );
    expect(denied(bySnmp, 'DENY')).toMatchObject({ outcome: 'DENY', value: null });
  });
});

describe('hostile criteria', () => {
  const decideBy = (condition: Condition) => {
    const criteria = { ...anybody, who: { ...anybody.who, attributes: [{ conditions: [condition] }] } };
    const accessPolicies = [{ id: 1, name: 'p', rank: 1, enabled: true, configurationID: 2, criteria }];
    return decideAccess(compilePolicySet(set({ accessPolicies })), context()).policyID;
  };

  test.each([
    '__proto__',
    'constructor',
    'host.__proto__',
    'host.constructor',
    'radius.__proto__',
    'user.directory.__proto__',
    'host.attributes.__proto__',
    '',
  ])('an attribute called %j has no value', (attribute) => {
    expect(decideBy({ attribute, op: 'IS_SET', value: null })).toBeNull();
    expect(decideBy({ attribute, op: 'NE', value: 'x' })).toBeNull();
    expect(decideBy({ attribute, op: 'NOT_SET', value: null })).toBe(1);
  });

  test('evaluates a pattern of 4,000 stars', () => {
    expect(decideBy({ attribute: 'host.operatingSystem', op: 'LIKE', value: '*a'.repeat(4_000) })).toBeNull();
    expect(decideBy({ attribute: 'host.operatingSystem', op: 'LIKE', value: '*'.repeat(4_000) })).toBe(1);
  });
});
