import { isAuthenticated, isExpired, typeLabelOf } from './attributes.ts';
import { type CompiledSet, enforced, enforcementOf } from './compile.ts';
import type { Situation } from './criteria.ts';
import type { Check, FamilyDecision, NamedElement, TraceKind } from './decision.ts';
import { type DecisionContext, effectiveUser, type UserFacts } from './facts.ts';
import type { AccessState, Family, LogicalNetwork } from './policy-set.ts';
import { families } from './policy-set.ts';
import { scheduleHolds } from './schedule.ts';

/** A connection with the values that several steps read. */
export interface Subject extends Situation {
  set: CompiledSet;
  user: UserFacts | null;
  /** Bits of `enforced`. */
  enforcement: number;
  families: Record<Family, FamilyDecision | null>;
}

const noGroups: readonly number[] = [];

/** Returns the ids of three lists, ascending. Returns a single non-empty list itself, because usually two are empty. */
function union(a: readonly number[], b: readonly number[], c: readonly number[]): readonly number[] {
  const filled = [a, b, c].filter(({ length }) => length > 0);
  if (filled.length < 2) return filled[0] ?? noGroups;
  return [...new Set(filled.flat())].sort((first, second) => first - second);
}

/** Returns the role that policies evaluate: that of the logged-on user, of the host, or the default. */
export const effectiveRole = (
  { defaultRoleID }: Pick<CompiledSet, 'defaultRoleID'>,
  { loggedOnUser, host }: DecisionContext,
): number => loggedOnUser?.roleID ?? host.roleID ?? defaultRoleID;

export function subjectOf(set: CompiledSet, context: DecisionContext): Subject {
  const { adapter, host, connection } = context;
  const user = effectiveUser(context);
  const ofPort = set.closureOf(connection.port?.groups ?? noGroups);
  const ofDevice = set.closureOf(connection.device.groups);
  const subject: Subject = {
    set,
    context,
    user,
    roleID: effectiveRole(set, context),
    groups: union(adapter.groups, host.groups, user?.groups ?? noGroups),
    portGroups: ofPort.groups,
    deviceGroups: ofDevice.groups,
    isDevice: host.type >= 3,
    enforcement: enforcementOf(ofPort, ofDevice, connection.isEnforcedEverywhere),
    families: { authentication: null, compliance: null, portal: null, supplicant: null },
  };
  for (const family of families) {
    const match = set.familyLists[family].firstMatch(subject);
    if (!match) continue;
    const { id, name } = match.element;
    const { configurationID } = set.familyPolicies[family].get(id)!;
    subject.families[family] = { policyID: id, name, configurationID };
  }
  return subject;
}

/** A step that tests the state or place of the host. */
export interface StateStep {
  step: number;
  kind: TraceKind;
  name: string;
  /** True if the step is enforced at this place. */
  isEnforced(subject: Subject): boolean;
  applies(subject: Subject): boolean;
  checks(subject: Subject): Check[];
}

const isUnder =
  (bit: number) =>
  ({ enforcement }: Subject): boolean =>
    (enforcement & bit) !== 0;

const attributeCheck = (expected: string, actual: string | null, ok: boolean): Check => ({
  section: 'attributes',
  expected: [expected],
  actual: actual === null ? null : { one: actual },
  ok,
});

export const isUplink = ({ context }: Subject): boolean => context.connection.port?.isUplink ?? false;

const notGoverned: StateStep = {
  step: 1,
  kind: 'NOT_GOVERNED',
  name: 'Not governed',
  isEnforced: () => true,
  applies: (subject) => isUplink(subject) || !subject.context.connection.device.isManaged,
  checks: (subject) => [
    {
      section: 'where',
      expected: ['port: uplink', 'device: not managed'],
      actual: {
        list: [
          isUplink(subject) ? 'port: uplink' : 'port: edge',
          subject.context.connection.device.isManaged ? 'device: managed' : 'device: not managed',
        ],
      },
      ok: notGoverned.applies(subject),
    },
  ],
};

export const isOutsideProfilingSchedule = ({ set, context: { host, atMs } }: Subject): boolean =>
  host.profilingSchedule !== null && !scheduleHolds(host.profilingSchedule, set.zone, atMs);

const disabled: StateStep = {
  step: 2,
  kind: 'DISABLED',
  name: 'Disabled',
  isEnforced: () => true,
  applies(subject) {
    const { adapter, host, owner } = subject.context;
    return (
      !adapter.enabled || !host.enabled || (owner !== null && !owner.enabled) || isOutsideProfilingSchedule(subject)
    );
  },
  checks(subject) {
    const { adapter, host, owner } = subject.context;
    const schedule =
      host.profilingSchedule === null ? 'none' : isOutsideProfilingSchedule(subject) ? 'outside' : 'inside';
    return [
      {
        section: 'attributes',
        expected: [
          'adapter.enabled: false',
          'host.enabled: false',
          'owner.enabled: false',
          'profiling schedule: outside',
        ],
        actual: {
          list: [
            `adapter.enabled: ${adapter.enabled}`,
            `host.enabled: ${host.enabled}`,
            `owner.enabled: ${owner ? owner.enabled : 'no owner'}`,
            `profiling schedule: ${schedule}`,
          ],
        },
        ok: disabled.applies(subject),
      },
    ];
  },
};

const exceptionOf = ({ set, groups }: Subject): NamedElement | null => {
  const exceptions = set.remediationExceptions;
  return exceptions && groups.includes(exceptions.id) ? set.nameOf('group', exceptions.id) : null;
};

const atRisk: StateStep = {
  step: 3,
  kind: 'AT_RISK',
  name: 'At risk',
  isEnforced: isUnder(enforced.remediation),
  applies: (subject) =>
    subject.context.host.health === 'AT_RISK' && exceptionOf(subject) === null && subject.set.isQuarantineEnabled,
  checks(subject) {
    const { health } = subject.context.host;
    const exception = exceptionOf(subject);
    return [
      attributeCheck('host.health EQ AT_RISK', health, health === 'AT_RISK'),
      {
        section: 'groups',
        expected: ['not in Forced Remediation Exceptions'],
        actual: { list: exception ? [exception] : [] },
        ok: exception === null,
      },
      attributeCheck('quarantine: on', subject.set.isQuarantineEnabled ? 'on' : 'off', subject.set.isQuarantineEnabled),
    ];
  },
};

export const isRogue = ({ context }: Subject): boolean => context.host.type === 1;

const notRegistered: StateStep = {
  step: 4,
  kind: 'NOT_REGISTERED',
  name: 'Not registered',
  isEnforced: isUnder(enforced.registration),
  applies: (subject) => isRogue(subject) || isExpired(subject.context.host.expiresAtMs, subject.context.atMs),
  checks(subject) {
    const { host, atMs } = subject.context;
    return [
      {
        section: 'attributes',
        expected: ['host.typeLabel: Rogue', 'registration: expired'],
        actual: {
          list: [
            `host.typeLabel: ${typeLabelOf(host.type)}`,
            `registration: ${isExpired(host.expiresAtMs, atMs) ? 'expired' : 'valid'}`,
          ],
        },
        ok: notRegistered.applies(subject),
      },
    ];
  },
};

/** Returns when the time before a required authentication ends; null if none is required. */
function graceEndMs({ set, context, families: { authentication } }: Subject): number | null {
  const configuration = authentication && set.authenticationConfigurations.get(authentication.configurationID);
  if (!configuration?.enableAuthentication) return null;
  return (context.connection.sinceMs ?? context.atMs) + configuration.timeInProductionBeforeAuthentication * 60_000;
}

const notAuthenticated: StateStep = {
  step: 5,
  kind: 'NOT_AUTHENTICATED',
  name: 'Not authenticated',
  isEnforced: isUnder(enforced.authentication),
  applies(subject) {
    const endMs = graceEndMs(subject);
    return endMs !== null && endMs <= subject.context.atMs && !isAuthenticated(subject.context);
  },
  checks(subject) {
    const { families: decided, context } = subject;
    const endMs = graceEndMs(subject);
    const policy = decided.authentication;
    const isKnown = isAuthenticated(context);
    const checks: Check[] = [
      attributeCheck('host.authenticated EQ false', String(isKnown), !isKnown),
      {
        section: 'attributes',
        expected: ['an authentication policy that demands it'],
        actual: policy && { one: { kind: 'authentication policy', id: policy.policyID, name: policy.name } },
        ok: endMs !== null,
      },
    ];
    if (endMs !== null)
      checks.push(attributeCheck('grace time over', new Date(endMs).toISOString(), endMs <= context.atMs));
    return checks;
  },
};

/** The steps before the ranked lists, in order: security first, then identity. */
export const stateSteps = [notGoverned, disabled, atRisk, notRegistered, notAuthenticated] as const;

/** The access state in which each step isolates a host. */
export const stateOfStep: ReadonlyMap<number, AccessState> = new Map<number, AccessState>([
  [2, 'DEAD_END'],
  [3, 'QUARANTINE'],
  [4, 'REGISTRATION'],
  [5, 'AUTHENTICATION'],
]);

const isGuest = ({ user }: Subject): boolean => user?.source === 'GUEST';

const guestResolution = ({ set, context }: Subject) => {
  const network: LogicalNetwork | undefined = set.networkOf.get('GUEST');
  return network ? set.values.resolve(network, context.connection) : null;
};

/** Not enforced on ports outside all enforcement groups: nothing is changed there, also for guests. */
export const guestDefault: StateStep = {
  step: 8,
  kind: 'GUEST_DEFAULT',
  name: 'Guest default',
  isEnforced: ({ enforcement }) => enforcement !== 0,
  applies: (subject) => isGuest(subject) && guestResolution(subject) !== null,
  checks(subject) {
    const network = subject.set.networkOf.get('GUEST');
    const resolution = guestResolution(subject);
    return [
      attributeCheck('user.source EQ GUEST', subject.user?.source ?? null, isGuest(subject)),
      {
        section: 'where',
        expected: [
          network ? ['value of ', { kind: 'logical network', id: network.id, name: network.name }] : 'value of Guest',
        ],
        actual: resolution && { one: `${resolution.value.accessType} ${resolution.value.accessValue}`.trim() },
        ok: resolution !== null,
      },
    ];
  },
};

export const isRoleEnforced = isUnder(enforced.role);
export const isDeadEndEnforced = isUnder(enforced.deadEnd);
