import { unavailable } from '../../kernel/failure.ts';
import { LoopShare } from '../../kernel/values/loop-share.ts';
import {
  type CompiledSet,
  compilePolicySet,
  type Decision,
  decideAccess,
  effectiveUser,
  families,
  type Topology,
  type UserFacts,
} from '../decide/decide.service.ts';
import type { PendingRoles } from '../role/role.service.ts';
import { decisionContext, type Facts, openConnection, type Snapshot } from '../snapshot/snapshot.service.ts';
import type { ChangedSet } from './changed-set.ts';

/** The properties of a decision that are compared or returned. */
export type Access = Pick<
  Decision,
  'outcome' | 'accessState' | 'step' | 'policyID' | 'policyName' | 'value' | 'isUnresolved' | 'families'
>;

/** A connection whose access changes. */
export interface ChangedConnection {
  mac: string;
  adapterID: number;
  hostID: number;
  hostName: string | null;
  user: Pick<UserFacts, 'id' | 'userID'> | null;
  deviceID: number;
  portID: number;
  isByRadius: boolean;
  before: Access;
  after: Access;
}

export interface Comparison {
  changed: readonly ChangedConnection[];
  /** Connections that were compared. */
  total: number;
}

interface Side {
  set: CompiledSet;
  topology: Topology;
}

export interface CompareOptions {
  atMs: number;
  signal: AbortSignal;
  /** Called with the number of connections processed. */
  onProgress?: (looked: number) => void;
  /** Returns the connections of a batch that are compared and counted; absent: all of them. */
  visibleOf?: ((batch: readonly Facts[]) => Promise<readonly Facts[]>) | undefined;
  /** True if the connection counts as changed; absent: if it gets another access. */
  isChanged?: ((before: Decision, after: Decision) => boolean) | undefined;
}

/** Decides every open connection with the stored data and with the data that a write would leave. */
export async function compareConnections(
  before: Snapshot,
  { policies, topology, roles }: ChangedSet,
  connected: AsyncIterable<readonly Facts[]>,
  { atMs, signal, onProgress, visibleOf, isChanged = hasOtherAccess }: CompareOptions,
): Promise<Comparison> {
  const after: Side = { set: compilePolicySet(policies), topology };
  const changed: ChangedConnection[] = [];
  const share = new LoopShare();
  let total = 0;
  let looked = 0;
  for await (const batch of connected) {
    if (signal.aborted) throw unavailable('The dry run was stopped before all connections were compared.');
    for (const facts of visibleOf ? await visibleOf(batch) : batch) {
      const was = decideFor(before, facts, atMs);
      const is = decideFor(after, withRoles(facts, roles), atMs);
      if (!was || !is) continue;
      total++;
      if (isChanged(was, is)) changed.push(changeOf(facts, was, is));
      if (share.isUsedUp()) await share.pause();
    }
    looked += batch.length;
    onProgress?.(looked);
  }
  return { changed, total };
}

function decideFor({ set, topology }: Side, facts: Facts, atMs: number): Decision | undefined {
  const connection = openConnection(topology, facts);
  return connection ? decideAccess(set, decisionContext(facts, connection, atMs)) : undefined;
}

/** Returns the facts with the roles that the host and its users would have. */
function withRoles(facts: Facts, { hosts, users }: PendingRoles): Facts {
  if (hosts.size === 0 && users.size === 0) return facts;
  const ofUser = (user: UserFacts | null): UserFacts | null =>
    user?.id && users.has(user.id) ? { ...user, roleID: users.get(user.id)! } : user;
  const roleID = hosts.get(facts.host.id);
  return {
    ...facts,
    host: roleID === undefined ? facts.host : { ...facts.host, roleID },
    loggedOnUser: ofUser(facts.loggedOnUser),
    owner: ofUser(facts.owner),
  };
}

/** The step in which `policyID` is that of a role mapping. */
export const roleMappingStep = 6;

/**
 * True if the host notices the difference: another outcome, state, value or session timeout, or another configuration of another family.
 * Another policy with the same result is not a difference.
 */
function hasOtherAccess(a: Decision, b: Decision): boolean {
  return (
    a.outcome !== b.outcome ||
    a.accessState !== b.accessState ||
    a.isUnresolved !== b.isUnresolved ||
    a.sessionTimeoutSeconds !== b.sessionTimeoutSeconds ||
    a.value?.accessType !== b.value?.accessType ||
    a.value?.accessValue !== b.value?.accessValue ||
    // Another attribute group for the same value matters to RADIUS connections only.
    (a.isByRadius && a.value?.radiusAttrGroupID !== b.value?.radiusAttrGroupID) ||
    families.some((family) => a.families[family]?.configurationID !== b.families[family]?.configurationID)
  );
}

/** True if another policy or role mapping decides, also with the same result. */
export const isDecidedByOther = (a: Decision, b: Decision): boolean =>
  a.policyID !== b.policyID || (a.step === roleMappingStep) !== (b.step === roleMappingStep);

const nameOf = (user: UserFacts | null): ChangedConnection['user'] => user && { id: user.id, userID: user.userID };

const changeOf = (facts: Facts, before: Decision, after: Decision): ChangedConnection => ({
  mac: facts.adapter.mac,
  adapterID: facts.adapter.id!,
  hostID: facts.host.id,
  hostName: facts.hostName,
  user: nameOf(effectiveUser(facts)),
  deviceID: facts.connection!.deviceID,
  portID: facts.connection!.portID,
  isByRadius: after.isByRadius,
  before: accessOf(before),
  after: accessOf(after),
});

/** Returns the properties that are needed later: up to 150,000 of these are kept in memory. */
const accessOf = ({
  outcome,
  accessState,
  step,
  policyID,
  policyName,
  value,
  isUnresolved,
  families: familyDecisions,
}: Decision): Access => ({
  outcome,
  accessState,
  step,
  policyID,
  policyName,
  value,
  isUnresolved,
  families: familyDecisions,
});
