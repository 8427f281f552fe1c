/** The public interface of the decision engine, for resources, the snapshot and explain. */
export { type Attribute, type AttributeType, attributeOf, attributes, operatorsOf } from './attributes.ts';
export { type CompiledSet, compilePolicySet } from './compile.ts';
export { decideAccess } from './decide.ts';
export {
  type DecidedValue,
  type Decision,
  type ExplainedDecision,
  type FamilyDecision,
  type NamedElement,
  type Outcome,
  outcomes,
  type TraceResult,
} from './decision.ts';
export { explainAccess } from './explain.ts';
export {
  type AdapterFacts,
  type ConnectionFacts,
  type ConnectionType,
  connectionType,
  connectionTypes,
  type DecisionContext,
  effectiveUser,
  type HostFacts,
  type UserFacts,
} from './facts.ts';
export {
  type AuthType,
  authenticatedBy,
  authTypes,
  byAddress,
  type Login,
  loginForDecision,
  noLogin,
} from './login.ts';
export {
  type AccessConfiguration,
  type AccessState,
  type AccessType,
  type AccessValue,
  type AttributeFilter,
  type AuthenticationConfiguration,
  accessStates,
  accessTypes,
  type Condition,
  type Criteria,
  type Family,
  families,
  type GroupEdge,
  type GroupRecord,
  type LogicalNetwork,
  type LogicalNetworkConfiguration,
  type Named,
  type Operator,
  operators,
  type Policy,
  type PolicySet,
  type RoleMapping,
  type Schedule,
  type Where,
} from './policy-set.ts';
export { type AdapterOnPort, portDecision } from './port-decision.ts';
export { isInZoneSpan, nextBoundary, type OffsetChange, scheduleHolds, type ZoneOffsets } from './schedule.ts';
export { effectiveRole } from './steps.ts';
export { type ContainerNode, type DeviceNode, type Place, type PortNode, Topology } from './topology.ts';
export { type NameFor, type WrittenCheck, type WrittenEntry, writePhrase, writeTrace } from './write-decision.ts';
