import { LoopShare } from '../../kernel/values/loop-share.ts';
import { type AdapterOnPort, type Decision, portDecision } from '../decide/decide.service.ts';
import { decisionContext, openConnection } from './decision-context.ts';
import type { PolicySnapshots } from './policy-snapshots.ts';
import { factsMax } from './read-facts.ts';

/** What is decided now for the adapters on ports; ports without any are missing. */
export async function decidePorts(
  policies: PolicySnapshots,
  portIDs: readonly number[],
  atMs: number,
): Promise<ReadonlyMap<number, Decision>> {
  const snapshot = await policies.latest();
  const onPorts = new Map<number, AdapterOnPort[]>();
  const share = new LoopShare();
  for (let at = 0; at < portIDs.length; at += factsMax) {
    for (const facts of await policies.facts('port', portIDs.slice(at, at + factsMax))) {
      const connection = openConnection(snapshot.topology, facts);
      if (!connection?.port) continue;
      const decision = policies.decide(snapshot, decisionContext(facts, connection, atMs));
      const others = onPorts.get(connection.port.id) ?? [];
      others.push({ decision, hostType: facts.host.type, sinceMs: connection.sinceMs ?? atMs });
      onPorts.set(connection.port.id, others);
      if (share.isUsedUp()) await share.pause();
    }
  }
  const decided = [...onPorts].map(([id, adapters]) => [id, portDecision(adapters)] as const);
  return new Map(decided.filter((each): each is readonly [number, Decision] => each[1] !== null));
}
