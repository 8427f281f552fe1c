import { writeInstant } from '../../kernel/values/time.ts';
import {
  type AdapterFacts,
  type DecisionContext,
  type ExplainedDecision,
  effectiveUser,
  type Family,
  families,
  type NamedElement,
  type UserFacts,
  type WrittenCheck,
  type WrittenEntry,
  writePhrase,
  writeTrace,
} from '../decide/decide.service.ts';
import type { RadiusReply } from './radius-reply.ts';
import type { Names } from './visible-names.ts';

/** The names and users that the reader of an explanation may view. */
export interface ExplanationReader {
  names: Names;
  /** True with the right to view accounts. */
  showsUsers: boolean;
  /** Accounts that the reader sees. */
  users: ReadonlySet<number>;
}

/** True if the reader may not view the user: accounts by right and row, a user without an account by right. */
export const isHidden = (user: UserFacts | null, { showsUsers, users }: ExplanationReader): user is UserFacts =>
  user !== null && (!showsUsers || (user.id !== null && !users.has(user.id)));

/** Replaces the values of user attributes by `label`, for a user that the reader may not view. */
function withoutUser(entry: WrittenEntry, label: string): WrittenEntry {
  const hide = (check: WrittenCheck): WrittenCheck =>
    check.actual !== null && check.expected.some((text) => text.startsWith('user.'))
      ? { ...check, actual: label }
      : check;
  return { ...entry, checks: entry.checks.map(hide) };
}

/** Returns the attributes of a reply, one entry per value. */
const pairsOf = ({ attributes }: RadiusReply): { name: string; value: string }[] =>
  attributes.flatMap(({ attribute, values }) => values.map((value) => ({ name: attribute, value })));

/** Returns a decision as the API shows it, with the names that the reader may view. */
export function writeDecision(
  decision: ExplainedDecision,
  context: DecisionContext,
  radius: RadiusReply | null,
  reader: ExplanationReader,
): object {
  const { names } = reader;
  const user = effectiveUser(context);
  const nameOf = (kind: NamedElement['kind'], id: number | null) =>
    id === null ? null : (names({ kind, id, name: '' }) ?? `${kind} #${id}`);
  const trace = writeTrace(decision.trace, names);
  const { value, logicalNetwork } = decision;
  const familyOf = (family: Family) => {
    const familyDecision = decision.families[family];
    return familyDecision && { ...familyDecision, name: nameOf(`${family} policy`, familyDecision.policyID) };
  };
  return {
    at: writeInstant(decision.atMs),
    generation: decision.generation,
    landscape: decision.landscape,
    hostID: decision.hostID,
    adapterID: decision.adapterID,
    mac: decision.mac,
    userName: isHidden(user, reader) ? null : decision.userName,
    outcome: decision.outcome,
    accessState: decision.accessState,
    step: decision.step,
    policyID: decision.policyID,
    policyName: nameOf(decision.step === 6 ? 'role mapping' : 'access policy', decision.policyID),
    configurationID: decision.configurationID,
    logicalNetwork: logicalNetwork && writePhrase(logicalNetwork, names),
    value: value && { accessType: value.accessType, accessValue: value.accessValue, source: value.source },
    radius: radius && { code: radius.code, attributes: pairsOf(radius) },
    // No configuration can have firewall tags until their resource is served.
    firewallTags: [],
    sessionTimeoutSeconds: decision.sessionTimeoutSeconds,
    families: Object.fromEntries(families.map((family) => [family, familyOf(family)])),
    reason: writePhrase(decision.reason, names),
    trace: isHidden(user, reader)
      ? trace.map((entry) => withoutUser(entry, reader.showsUsers ? `user #${user.id}` : 'a user'))
      : trace,
  };
}

/** Returns the entry of a host or adapter that is not connected. */
export const nowhere = (
  head: { at: string; generation: number; landscape: number; hostID: number },
  adapter: AdapterFacts | undefined,
): object => ({
  ...head,
  adapterID: adapter?.id ?? null,
  mac: adapter?.mac ?? '',
  userName: null,
  outcome: 'NOT_ENFORCED',
  accessState: null,
  step: null,
  policyID: null,
  policyName: null,
  configurationID: null,
  logicalNetwork: null,
  value: null,
  radius: null,
  firewallTags: [],
  sessionTimeoutSeconds: null,
  families: Object.fromEntries(families.map((family) => [family, null])),
  reason: `${adapter ? 'The adapter' : 'The host'} is not connected. Send portID or ssid to decide for a port or a wireless network.`,
  trace: [],
});
