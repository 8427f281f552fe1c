import { decidedValue, type Resolution } from './access-value.ts';
import type { CompiledSet } from './compile.ts';
import type { DecidedValue, Decision, NamedElement, Part } from './decision.ts';
import { type DecisionContext, isByRadius } from './facts.ts';
import type { AccessConfiguration, AccessValue, LogicalNetwork } from './policy-set.ts';
import { disabledReason, stateReason, valuePhrase } from './reason.ts';
import { nextBoundary } from './schedule.ts';
import {
  guestDefault,
  isDeadEndEnforced,
  isRoleEnforced,
  isUplink,
  type StateStep,
  type Subject,
  stateOfStep,
  stateSteps,
  subjectOf,
} from './steps.ts';

type Result = Omit<
  Decision,
  'atMs' | 'generation' | 'landscape' | 'hostID' | 'adapterID' | 'mac' | 'userName' | 'isByRadius' | 'families'
>;

const nothing: Omit<Result, 'step' | 'outcome' | 'reason'> = {
  accessState: null,
  policyID: null,
  policyName: null,
  configurationID: null,
  logicalNetwork: null,
  value: null,
  isUnresolved: false,
  firewallTagIDs: [],
  sessionTimeoutSeconds: null,
};

const elementOf = ({ id, name }: LogicalNetwork): NamedElement => ({ kind: 'logical network', id, name });

/** A RADIUS reply contains the default VLAN of the port only for devices that are set up for it. */
const isDefaultSent = ({ context: { connection } }: Subject): boolean =>
  !isByRadius(connection) || connection.device.sendDefaultVlan;

/** The default VLAN of the port; null: it has none, or the reply does not contain it. */
function portDefault(subject: Subject): DecidedValue | null {
  const { port } = subject.context.connection;
  if (!port || port.defaultVlan === '' || !isDefaultSent(subject)) return null;
  const accessType = /^\d+$/.test(port.defaultVlan) ? 'VLAN_ID' : 'VLAN_NAME';
  const value: AccessValue = {
    accessType,
    accessValue: port.defaultVlan,
    radiusAttrGroupID: null,
    cliApply: [],
    cliUndo: [],
  };
  return decidedValue(value, 'PORT', { kind: 'port', id: port.id, name: port.name });
}

/** Returns the value of Dead End, for a denial without RADIUS; null if it has none here. */
function denialValue({ set, context: { connection } }: Subject): DecidedValue | null {
  if (isByRadius(connection)) return null;
  const network = set.networkOf.get('DEAD_END');
  const resolution = network ? set.values.resolve(network, connection) : null;
  if (resolution?.enforcement !== 'ENFORCE' || resolution.value.accessType === 'DENY') return null;
  return resolution.value;
}

/** A denial: RADIUS rejects the request, other connections get the value of Dead End. */
function deny(subject: Subject, granted: Result): Result {
  const value = denialValue(subject);
  return {
    ...granted,
    outcome: 'DENY',
    value,
    sessionTimeoutSeconds: null,
    reason: [...granted.reason, ' is denied here', ...(value ? [': Dead End is ', ...valuePhrase(value)] : []), '.'],
  };
}

/** Applies a configured or direct value to a grant or isolation. */
function byResolution(subject: Subject, { enforcement, value, firewallTagIDs }: Resolution, granted: Result): Result {
  if (enforcement === 'DENY' || value.accessType === 'DENY') return deny(subject, granted);
  const tags = [...new Set([...granted.firewallTagIDs, ...firewallTagIDs])].sort((a, b) => a - b);
  if (enforcement === 'BYPASS')
    return {
      ...granted,
      firewallTagIDs: tags,
      reason: [...granted.reason, " is bypassed here: the device's own default applies."],
    };
  return { ...granted, value, firewallTagIDs: tags, reason: [...granted.reason, ' is ', ...valuePhrase(value), '.'] };
}

/** Isolates a host in the network of its state. Without a value here, access is denied and the result is marked as unresolved. */
function isolate(subject: Subject, { step }: StateStep): Result {
  const { set, context } = subject;
  const accessState = stateOfStep.get(step)!;
  const network = set.networkOf.get(accessState);
  const because = stateReason(step, subject);
  const base: Result = {
    ...nothing,
    step,
    accessState,
    outcome: 'ISOLATE',
    logicalNetwork: network ? elementOf(network) : null,
    reason: [...because, ': ', network ? elementOf(network) : accessState],
  };
  const resolution = network ? set.values.resolve(network, context.connection) : null;
  if (resolution) return byResolution(subject, resolution, base);
  return {
    ...base,
    outcome: 'DENY',
    isUnresolved: true,
    reason: [
      ...base.reason,
      isByRadius(context.connection)
        ? ' has no value here, so the request is rejected.'
        : ' has no value here, so the port is left as it is.',
    ],
  };
}

/** Returns the result for a disabled host where Dead End is not enforced. */
function refuse(subject: Subject): Result {
  const isRejected = isByRadius(subject.context.connection);
  return {
    ...nothing,
    step: 2,
    outcome: isRejected ? 'DENY' : 'NOT_ENFORCED',
    accessState: isRejected ? 'DEAD_END' : null,
    reason: [
      disabledReason(subject),
      isRejected
        ? ', and Dead End is not enforced here: the request is rejected.'
        : ', and Dead End is not enforced here: nothing is set.',
    ],
  };
}

/** Describes the default VLAN that a port without another value gets. */
function defaultPhrase(subject: Subject, value: DecidedValue | null): Part[] {
  if (!isDefaultSent(subject)) return ["the device's own default applies (sendDefaultVlan is off)"];
  return ['the default of the port applies, ', ...(value ? valuePhrase(value) : ['and it has none'])];
}

/** Grants a network. If it has no value here, the default of the port applies. */
function grantNetwork(subject: Subject, network: LogicalNetwork, base: Result): Result {
  const { set, context } = subject;
  const granted: Result = {
    ...base,
    accessState: network.accessState,
    logicalNetwork: elementOf(network),
    reason: [...base.reason, elementOf(network)],
  };
  const resolution = set.values.resolve(network, context.connection);
  if (resolution) return byResolution(subject, resolution, granted);
  const value = portDefault(subject);
  return {
    ...granted,
    isUnresolved: true,
    value,
    reason: [...granted.reason, ' has no value here, so ', ...defaultPhrase(subject, value), '.'],
  };
}

const grantDirect = (subject: Subject, value: AccessValue, base: Result): Result =>
  byResolution(
    subject,
    { enforcement: 'ENFORCE', value: decidedValue(value, 'DIRECT'), firewallTagIDs: [] },
    { ...base, accessState: 'PRODUCTION', reason: [...base.reason, 'access'] },
  );

function grantConfiguration(subject: Subject, configuration: AccessConfiguration, base: Result): Result {
  const granted: Result = {
    ...base,
    configurationID: configuration.id,
    firewallTagIDs: [...configuration.firewallTagIDs].sort((a, b) => a - b),
    sessionTimeoutSeconds: shortest(configuration.sessionTimeoutMinutes * 60 || null, base.sessionTimeoutSeconds),
  };
  if (configuration.directConfiguration) return grantDirect(subject, configuration.directConfiguration, granted);
  const network = subject.set.networks.get(configuration.logicalNetworkID ?? 0);
  if (!network) throw new Error(`access configuration ${configuration.id} names no logical network of its policy set`);
  return grantNetwork(subject, network, granted);
}

const shortest = (first: number | null, second: number | null): number | null =>
  first === null ? second : second === null ? first : Math.min(first, second);

const matchReason = (element: NamedElement, what: string): Part[] => [`${what} `, element, ' matches: '];

function mapRole(subject: Subject): Result | null {
  const { set } = subject;
  const match = set.mappingList.firstMatch(subject);
  if (!match) return null;
  const { id, name } = match.element;
  const mapping = set.mappings.get(id)!;
  const base: Result = {
    ...nothing,
    step: 6,
    outcome: 'GRANT',
    policyID: id,
    policyName: name,
    reason: matchReason(match.element, 'Role mapping'),
  };
  if (mapping.directConfiguration) return grantDirect(subject, mapping.directConfiguration, base);
  const configuration = set.accessConfigurations.get(mapping.accessConfigurationID ?? 0);
  if (!configuration) throw new Error(`role mapping ${id} names no access configuration of its policy set`);
  return grantConfiguration(subject, configuration, base);
}

function applyPolicy(subject: Subject): Result | null {
  const { set, context } = subject;
  const match = set.accessList.firstMatch(subject);
  if (!match) return null;
  const { id, name } = match.element;
  const configuration = set.accessConfigurations.get(set.accessPolicies.get(id)!.configurationID);
  if (!configuration) throw new Error(`access policy ${id} names no access configuration of its policy set`);
  const boundary = nextBoundary(match.criteria.when, set.zone, context.atMs);
  return grantConfiguration(subject, configuration, {
    ...nothing,
    step: 7,
    outcome: 'GRANT',
    policyID: id,
    policyName: name,
    // The session ends with the policy's schedule, so that a device without CoA authenticates again then.
    sessionTimeoutSeconds: boundary === null ? null : Math.ceil((boundary - context.atMs) / 1_000),
    reason: matchReason(match.element, 'Access policy'),
  });
}

function grantGuest(subject: Subject): Result {
  const base: Result = { ...nothing, step: 8, outcome: 'GRANT', reason: ['The user is a guest: '] };
  return grantNetwork(subject, subject.set.networkOf.get('GUEST')!, base);
}

function leaveToPort(subject: Subject): Result {
  if (subject.enforcement === 0)
    return {
      ...nothing,
      step: 9,
      outcome: 'NOT_ENFORCED',
      reason: ['Nothing is enforced: the port is in no enforcement group.'],
    };
  const value = portDefault(subject);
  return {
    ...nothing,
    step: 9,
    outcome: 'GRANT',
    accessState: 'PRODUCTION',
    value,
    reason: [
      isRoleEnforced(subject) ? 'No policy matches' : 'Role Based Access is not enforced here',
      ': ',
      ...defaultPhrase(subject, value),
      '.',
    ],
  };
}

/** Returns the result of the first step that applies. */
function firstResult(subject: Subject): Result {
  for (const test of stateSteps) {
    if (!test.isEnforced(subject) || !test.applies(subject)) continue;
    if (test.step === 1)
      return {
        ...nothing,
        step: 1,
        outcome: 'NOT_ENFORCED',
        reason: [`Nothing is enforced: ${isUplink(subject) ? 'the port is an uplink' : 'the device is not managed'}.`],
      };
    if (test.step === 2 && !isDeadEndEnforced(subject)) return refuse(subject);
    return isolate(subject, test);
  }
  const ranked = isRoleEnforced(subject) ? (mapRole(subject) ?? applyPolicy(subject)) : null;
  if (ranked) return ranked;
  return guestDefault.isEnforced(subject) && guestDefault.applies(subject) ? grantGuest(subject) : leaveToPort(subject);
}

export function decideSubject(subject: Subject): Decision {
  const { set, context, user } = subject;
  return {
    atMs: context.atMs,
    generation: set.generation,
    landscape: set.landscape,
    hostID: context.host.id,
    adapterID: context.adapter.id,
    mac: context.adapter.mac,
    userName: user?.userID ?? null,
    isByRadius: isByRadius(context.connection),
    ...firstResult(subject),
    families: subject.families,
  };
}

/** Decides the access of a connection, with the reason in one sentence. */
export const decideAccess = (set: CompiledSet, context: DecisionContext): Decision =>
  decideSubject(subjectOf(set, context));
