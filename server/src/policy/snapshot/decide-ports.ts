import { LoopShare } from '../../kernel/values/loop-share.ts';
import { type AdapterOnPort, type Decision, portDecision } from '../decide/decide.service.ts';
import { decisionContext, openConnection } from './decision-context.ts';
import type { PolicySnapshots } from './policy-snapshots.ts';
import { factsMax } from './read-facts.ts';

/** Returns the current decision for each port; ports without connected adapters are missing. */
export async function decidePorts(
  policies: PolicySnapshots,
  portIDs: readonly number[],
  atMs: number,
): Promise<ReadonlyMap<number, Decision>> {
  const snapshot = await policies.latest();
  const onPorts = new Map<number, AdapterOnPort[]>();
  const share = new LoopShare();
  for (let start = 0; start < portIDs.length; start += factsMax) {
    for (const facts of await policies.facts('port', portIDs.slice(start, start + factsMax))) {
      const connection = openConnection(snapshot.topology, facts);
      if (!connection?.port) continue;
      const decision = policies.decide(snapshot, decisionContext(facts, connection, atMs));
      const adaptersOnPort = onPorts.get(connection.port.id) ?? [];
      adaptersOnPort.push({ decision, hostType: facts.host.type, sinceMs: connection.sinceMs ?? atMs });
      onPorts.set(connection.port.id, adaptersOnPort);
      if (share.isUsedUp()) await share.pause();
    }
  }
  const decided = [...onPorts].map(([id, adapters]) => [id, portDecision(adapters)] as const);
  return new Map(decided.filter((entry): entry is readonly [number, Decision] => entry[1] !== null));
}
