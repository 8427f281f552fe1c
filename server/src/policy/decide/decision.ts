import type { AccessState, AccessValue, Family } from './policy-set.ts';

/** A named record whose name is hidden from some callers; its kind and id may be shown to every caller. */
export interface NamedElement {
  kind:
    | 'role'
    | 'group'
    | 'container'
    | 'device'
    | 'port'
    | 'device group'
    | 'port group'
    | 'role mapping'
    | 'access policy'
    | 'authentication policy'
    | 'compliance policy'
    | 'portal policy'
    | 'supplicant policy'
    | 'logical network'
    | 'access configuration';
  id: number;
  name: string;
}

/** A text, or the parts of one, some of which are names. */
export type Part = string | NamedElement;
export type Phrase = Part | readonly Part[];

export const outcomes = ['GRANT', 'ISOLATE', 'DENY', 'NOT_ENFORCED'] as const;
export type Outcome = (typeof outcomes)[number];

export type ValueSource = 'PORT' | 'SSID' | 'DEVICE' | 'CONTAINER' | 'DEFAULT' | 'DIRECT';

export interface DecidedValue extends AccessValue {
  source: ValueSource;
  /** The element that the value is configured on; null: `DEFAULT` and `DIRECT`. */
  element: NamedElement | null;
}

export type TraceKind =
  | 'NOT_GOVERNED'
  | 'DISABLED'
  | 'AT_RISK'
  | 'NOT_REGISTERED'
  | 'NOT_AUTHENTICATED'
  | 'ROLE_MAPPING'
  | 'ACCESS'
  | 'GUEST_DEFAULT'
  | 'PORT_DEFAULT'
  | 'AUTHENTICATION'
  | 'COMPLIANCE'
  | 'PORTAL'
  | 'SUPPLICANT';

export type TraceResult =
  | 'MATCH'
  | 'NO_MATCH'
  | 'NOT_REACHED_WOULD_MATCH'
  | 'NOT_REACHED'
  | 'DISABLED'
  | 'SKIPPED_NOT_ENFORCED_HERE';

/** A comparison of an entry; one of `expected` is enough. An entry matches if all of its checks are ok. */
export interface Check {
  section: 'roles' | 'groups' | 'attributes' | 'where' | 'when';
  expected: readonly Phrase[];
  /** A list if there can be several values; null: no value. */
  actual: { one: Phrase } | { list: readonly Phrase[] } | null;
  ok: boolean;
}

export interface TraceEntry {
  /** Null: an entry of a family that is not part of the access decision. */
  step: number | null;
  kind: TraceKind;
  /** The record; null: a step without records. */
  element: NamedElement | null;
  /** Name of a step without records. */
  name: string;
  rank: number | null;
  result: TraceResult;
  checks: readonly Check[];
}

export interface FamilyDecision {
  policyID: number;
  name: string;
  configurationID: number;
}

/** The access that one connection gets at one instant. */
export interface Decision {
  atMs: number;
  generation: number;
  landscape: number;
  hostID: number | null;
  adapterID: number | null;
  mac: string;
  userName: string | null;
  /** True if a RADIUS reply applies the access; otherwise SNMP or CLI does. */
  isByRadius: boolean;
  outcome: Outcome;
  accessState: AccessState | null;
  step: number;
  /** The access policy; in step 6 the role mapping. */
  policyID: number | null;
  policyName: string | null;
  configurationID: number | null;
  logicalNetwork: NamedElement | null;
  value: DecidedValue | null;
  /** True if the logical network has no value on this device. */
  isUnresolved: boolean;
  firewallTagIDs: readonly number[];
  sessionTimeoutSeconds: number | null;
  families: Readonly<Record<Family, FamilyDecision | null>>;
  /** The reason in one sentence. */
  reason: readonly Part[];
}

export interface ExplainedDecision extends Decision {
  trace: readonly TraceEntry[];
}
