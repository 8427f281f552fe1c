export { decidePorts } from './decide-ports.ts';
export { connectionAt, decisionContext, openConnection, openSession } from './decision-context.ts';
export type { PolicyHits } from './policy-hits.ts';
export { PolicySnapshots, type Snapshot } from './policy-snapshots.ts';
export { type Facts, factsMax, readFacts, unknownFacts } from './read-facts.ts';
export { readPolicySet } from './read-policies.ts';
export { type ChangedRow, changedTopology, topologyTables } from './read-topology.ts';
