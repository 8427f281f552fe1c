import { createHash } from 'node:crypto';
import { type Context, type ImpactJudge, impactPage, Overtaken, type TryOut, type WriteTx } from '../../context.ts';
import type { Answer, Call } from '../../kernel/declare/operation.ts';
import { Failure, rejected, unavailable } from '../../kernel/failure.ts';
import type { PolicySnapshots, Snapshot } from '../snapshot/snapshot.service.ts';
import { type ChangedSet, readChangedSet } from './changed-set.ts';
import { type Comparison, compareConnections } from './compare-connections.ts';
import { writeChanges } from './write-changes.ts';

export { movedPolicies } from './moved-policies.ts';

/** A page after the first is answered from what was compared for the first. */
const keptMs = 60_000;
const keptMax = 8;
/** Comparisons that wait for their turn. */
const waitingMax = 8;
const triesMax = 3;

/** Locked first, so that nobody else changes what decides until the transaction ends. */
const generationSql = 'select g.generation from policy_generation g for update';

interface Kept {
  sinceMs: number;
  comparison: Comparison;
}

/** Says which live connections a write would move, and refuses one that would move too many. */
export class WhatIf implements ImpactJudge {
  readonly #policies: PolicySnapshots;
  readonly #contextOf: (call: Call) => Context;
  readonly #monotonicMs: () => number;
  readonly #kept = new Map<string, Kept>();
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(policies: PolicySnapshots, contextOf: (call: Call) => Context, monotonicMs: () => number) {
    this.#policies = policies;
    this.#contextOf = contextOf;
    this.#monotonicMs = monotonicMs;
  }

  async preview(call: Call, tryOut: TryOut): Promise<Answer> {
    const { answer, base, changed } = await this.#try(tryOut);
    if (answer.hasNoImpact) return { httpCode: 200, results: [], isImpact: true };
    const { changed: rows, total } = await this.#compareOnce(call, base, changed);
    const results = await writeChanges(this.#contextOf(call), call.caller.rights, rows, impactPage(call));
    return { httpCode: 200, results, filtered: rows.length, total, isImpact: true };
  }

  async admit(call: Call, max: number, tryOut: TryOut): Promise<(tx: WriteTx) => Promise<void>> {
    const { answer, base, changed } = await this.#try(tryOut);
    if (answer.hasNoImpact) throw rejected('maxImpact: is possible for device and port groups only.', '?maxImpact');
    const { changed: rows } = await this.#inTurn(() => this.#compare(call, base, changed));
    if (rows.length > max)
      throw new Failure(
        'protected',
        `This write would change ${rows.length === 1 ? '1 live connection' : `${rows.length} live connections`}, and maxImpact allows ${max}; nothing was changed. See which with dryRun=true.`,
      );
    return async (tx) => {
      if ((await lockGeneration(tx)) !== base.set.generation) throw new Overtaken('the policies were changed');
    };
  }

  /** Runs the write on top of what this node decides by, and keeps nothing. */
  async #try(tryOut: TryOut): Promise<{ answer: Answer; base: Snapshot; changed: ChangedSet }> {
    for (let tries = 1; ; tries++) {
      const base = await this.#policies.latest();
      try {
        const { answer, seen } = await tryOut({
          before: async (tx) => {
            if ((await lockGeneration(tx)) !== base.set.generation) throw new Overtaken('the policies were changed');
          },
          after: (tx) => readChangedSet(tx.client, base),
        });
        return { answer, base, changed: seen };
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
        if (tries === triesMax)
          throw unavailable('Policies are being changed all the time; try again in a few seconds.', error);
      }
    }
  }

  async #compareOnce(call: Call, base: Snapshot, changed: ChangedSet): Promise<Comparison> {
    const key = keyOf(call, base);
    const known = this.#kept.get(key);
    if (known && this.#monotonicMs() - known.sinceMs < keptMs) return known.comparison;
    const comparison = await this.#inTurn(() => this.#compare(call, base, changed));
    this.#kept.delete(key);
    this.#kept.set(key, { sinceMs: this.#monotonicMs(), comparison });
    if (this.#kept.size > keptMax) this.#kept.delete(this.#kept.keys().next().value!);
    return comparison;
  }

  #compare(call: Call, base: Snapshot, changed: ChangedSet): Promise<Comparison> {
    const { nowMs: atMs, signal } = call;
    return compareConnections(base, changed, this.#policies.connected(), { atMs, signal });
  }

  /** One comparison at a time: each takes the processor for as long as it gets it. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= waitingMax)
      throw unavailable('Too many dry runs are waiting on this node; try again in a few seconds.');
    this.#waiting++;
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn.finally(() => {
      this.#waiting--;
    });
  }
}

async function lockGeneration({ client }: WriteTx): Promise<number> {
  const { rows } = await client.query<{ generation: number }>({ name: 'what-if.generation', text: generationSql });
  return rows[0]!.generation;
}

/** The same write, on the same policies. */
function keyOf({ operation, origin, id, parameters, body }: Call, { set }: Snapshot): string {
  const sent = JSON.stringify([operation.operationId, origin.path, id, parameters, body ?? null]);
  return `${set.generation} ${createHash('sha256').update(sent).digest('base64')}`;
}
