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

/** Which decision a port gets that has one value for all: phones are left out, the most restrictive state wins, then who is connected longest. */
export function portDecision(adapters: readonly AdapterOnPort[]): Decision | null {
  let winner: AdapterOnPort | undefined;
  for (const each of adapters) {
    if (each.hostType === phoneType) continue;
    if (!winner || precedes(each, winner)) winner = each;
  }
  return winner?.decision ?? null;
}

function precedes(one: AdapterOnPort, other: AdapterOnPort): boolean {
  const difference = order.indexOf(one.decision.accessState) - order.indexOf(other.decision.accessState);
  return difference < 0 || (difference === 0 && one.sinceMs < other.sinceMs);
}
