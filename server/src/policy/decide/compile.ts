import { AccessValues } from './access-value.ts';
import { type Entry, type NameOf, RankedList } from './criteria.ts';
import type { NamedElement } from './decision.ts';
import type {
  AccessConfiguration,
  AccessState,
  AuthenticationConfiguration,
  Criteria,
  Family,
  LogicalNetwork,
  Named,
  Policy,
  PolicySet,
  RoleMapping,
} from './policy-set.ts';
import { families } from './policy-set.ts';
import type { ZoneOffsets } from './schedule.ts';

/** The kinds of enforcement on a port, as bits. */
export const enforced = { deadEnd: 1, remediation: 2, registration: 4, authentication: 8, role: 16 } as const;
const enforcedAll = 31;

/** Enforcement of the built-in port groups, by tag. */
const enforcementTags = new Map<string, number>([
  ['enforce-dead-end', enforced.deadEnd],
  ['enforce-remediation', enforced.remediation],
  ['enforce-registration', enforced.registration],
  ['enforce-authentication', enforced.authentication],
  ['enforce-role', enforced.role],
]);
/** Tag of the device group whose ports all count as members of `enforce-dead-end`. */
const deadEndDeviceTag = 'enforce-dead-end-device';
const remediationExceptionsTag = 'forced-remediation-exceptions';

/** Groups including their ancestors, and the enforcement that results from them. */
export interface Closure {
  groups: readonly number[];
  portEnforcement: number;
  deviceEnforcement: number;
}

/** A policy set prepared for decisions. Its caches do not change results. */
export interface CompiledSet {
  generation: number;
  landscape: number;
  zone: ZoneOffsets;
  isQuarantineEnabled: boolean;
  defaultRoleID: number;
  nameOf: NameOf;
  values: AccessValues;
  /** The built-in network of each isolation and limited state. */
  networkOf: ReadonlyMap<AccessState, LogicalNetwork>;
  networks: ReadonlyMap<number, LogicalNetwork>;
  accessConfigurations: ReadonlyMap<number, AccessConfiguration>;
  authenticationConfigurations: ReadonlyMap<number, AuthenticationConfiguration>;
  accessPolicies: ReadonlyMap<number, Policy>;
  mappings: ReadonlyMap<number, RoleMapping>;
  mappingList: RankedList;
  accessList: RankedList;
  familyLists: Readonly<Record<Family, RankedList>>;
  familyPolicies: Readonly<Record<Family, ReadonlyMap<number, Policy>>>;
  remediationExceptions: Named | null;
  closureOf(groups: readonly number[]): Closure;
}

const always = { alwaysOn: true, daysOfWeek: 127, startTimeOfDay: 0, endTimeOfDay: 1_440 } as const;

const byId = <T extends { id: number }>(records: readonly T[]): ReadonlyMap<number, T> =>
  new Map(records.map((record) => [record.id, record]));

function names(set: PolicySet): NameOf {
  const tables: Partial<Record<NamedElement['kind'], ReadonlyMap<number, Named>>> = {
    role: byId<Named>(set.roles),
    container: byId<Named>(set.containers),
  };
  const groups = byId<Named>(set.groups);
  for (const kind of ['group', 'device group', 'port group'] as const) tables[kind] = groups;
  return (kind, id) => ({ kind, id, name: tables[kind]?.get(id)?.name ?? `#${id}` });
}

/** Returns a function that adds the ancestors to a list of groups. */
function closures({ groups, groupEdges }: PolicySet): CompiledSet['closureOf'] {
  const parents = new Map<number, number[]>();
  for (const { parentID, childID } of groupEdges) {
    const parentIDs = parents.get(childID);
    if (parentIDs) parentIDs.push(parentID);
    else parents.set(childID, [parentID]);
  }
  const portEnforcement = new Map<number, number>();
  const deviceEnforcement = new Map<number, number>();
  for (const { id, tag } of groups) {
    const bit = tag === null ? undefined : enforcementTags.get(tag);
    if (bit !== undefined) portEnforcement.set(id, bit);
    if (tag === deadEndDeviceTag) deviceEnforcement.set(id, enforced.deadEnd);
  }
  const cachedClosures = new WeakMap<readonly number[], Closure>();
  return (direct) => {
    const before = cachedClosures.get(direct);
    if (before) return before;
    const reached = new Set(direct);
    // The set grows during the iteration, so each parent is visited once, even if the edges form a cycle.
    for (const group of reached) for (const parent of parents.get(group) ?? []) reached.add(parent);
    const all = [...reached].sort((a, b) => a - b);
    const bitsOf = (bits: ReadonlyMap<number, number>) => all.reduce((mask, id) => mask | (bits.get(id) ?? 0), 0);
    const closure = {
      groups: all,
      portEnforcement: bitsOf(portEnforcement),
      deviceEnforcement: bitsOf(deviceEnforcement),
    };
    cachedClosures.set(direct, closure);
    return closure;
  };
}

const entryOf = (kind: NamedElement['kind'], { id, name, rank, enabled, criteria }: Policy): Entry => ({
  element: { kind, id, name },
  rank,
  enabled,
  devicesOnly: false,
  criteria,
});

function mappingEntry({ id, name, rank, roleID, where, appliesTo }: RoleMapping): Entry {
  const criteria: Criteria = { who: { roles: [roleID], groups: [], attributes: [] }, where, when: always };
  return {
    element: { kind: 'role mapping', id, name },
    rank,
    enabled: true,
    devicesOnly: appliesTo === 'DEVICES',
    criteria,
  };
}

const perFamily = <T>(make: (family: Family) => T): Record<Family, T> => {
  const [authentication, compliance, portal, supplicant] = families;
  return {
    authentication: make(authentication),
    compliance: make(compliance),
    portal: make(portal),
    supplicant: make(supplicant),
  };
};

/** Prepares a policy set for decisions. Runs once for each generation. */
export function compilePolicySet(set: PolicySet): CompiledSet {
  const nameOf = names(set);
  const { generation, landscape, zone, isQuarantineEnabled, defaultRoleID } = set;
  const listOf = (entries: readonly Entry[]) => new RankedList(entries, nameOf, zone);
  const exceptions = set.groups.find(({ tag }) => tag === remediationExceptionsTag);
  return {
    generation,
    landscape,
    zone,
    isQuarantineEnabled,
    defaultRoleID,
    nameOf,
    values: new AccessValues(set.logicalNetworkConfigurations),
    networkOf: new Map(
      set.logicalNetworks
        .filter(({ accessState }) => accessState !== 'PRODUCTION')
        .map((network) => [network.accessState, network]),
    ),
    networks: byId(set.logicalNetworks),
    accessConfigurations: byId(set.accessConfigurations),
    authenticationConfigurations: byId(set.authenticationConfigurations),
    accessPolicies: byId(set.accessPolicies),
    mappings: byId(set.roleMappings),
    mappingList: listOf(set.roleMappings.map(mappingEntry)),
    accessList: listOf(set.accessPolicies.map((policy) => entryOf('access policy', policy))),
    familyLists: perFamily((family) =>
      listOf(set.families[family].map((policy) => entryOf(`${family} policy`, policy))),
    ),
    familyPolicies: perFamily((family) => byId(set.families[family])),
    remediationExceptions: exceptions ?? null,
    closureOf: closures(set),
  };
}

/** Returns the enforcement of a connection, as bits of `enforced`. */
export function enforcementOf(port: Closure, device: Closure, isEnforcedEverywhere: boolean): number {
  return isEnforcedEverywhere ? enforcedAll : port.portEnforcement | device.deviceEnforcement;
}
