import type { Decision } from './decision.ts';
import { hostTypeLabels } from './facts.ts';
import { type AccessState, accessStates } from './policy-set.ts';

/** The decision of one of several adapters on a port. */
export interface AdapterOnPort {
  decision: Decision;
  hostType: number;
  sinceMs: number;
}

const order: readonly (AccessState | null)[] = [...accessStates, null];

const phoneType = hostTypeLabels.indexOf('IP Phone') + 1;

/**
 * Returns the decision for a port that can have only one value for all adapters: the most restrictive access state, of several the one
 * connected longest. Phones are ignored.
 */
export function portDecision(adapters: readonly AdapterOnPort[]): Decision | null {
  let winner: AdapterOnPort | undefined;
  for (const adapter of adapters) {
    if (adapter.hostType === phoneType) continue;
    if (!winner || precedes(adapter, winner)) winner = adapter;
  }
  return winner?.decision ?? null;
}

function precedes(first: AdapterOnPort, second: AdapterOnPort): boolean {
  const difference = order.indexOf(first.decision.accessState) - order.indexOf(second.decision.accessState);
  return difference < 0 || (difference === 0 && first.sinceMs < second.sinceMs);
}
