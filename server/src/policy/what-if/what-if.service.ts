import { createHash } from 'node:crypto';
import {
  ConcurrentPolicyChange,
  type Context,
  type ImpactCalculator,
  impactPage,
  type RunRolledBack,
  type WriteTx,
} from '../../context.ts';
import type { Answer, Call } from '../../kernel/declare/operation.ts';
import { Failure, rejected, unavailable } from '../../kernel/failure.ts';
import { SerialQueue } from '../../kernel/values/serial-queue.ts';
import type { PolicySnapshots, Snapshot } from '../snapshot/snapshot.service.ts';
import { type ChangedSet, readChangedSet } from './changed-set.ts';
import { type Comparison, compareConnections } from './compare-connections.ts';
import { type StoredComparison, StoredComparisons } from './stored-comparisons.ts';
import { hidesConnections, visibleConnections } from './visible-connections.ts';
import { slicesOf, writeChanges } from './write-changes.ts';

export { movedPolicies } from './moved-policies.ts';
export { hidesConnections } from './visible-connections.ts';
export { compareConnections as compareConnectionsJob, forgetComparisons } from './what-if.jobs.ts';
export { StoredComparisons };

/** A page after the first is answered from what was compared for the first. */
const cacheMs = 60_000;
/** Connections of all kept comparisons together. */
const cachedRowsMax = 150_000;
/** Sessions that read who is connected. */
const readAtOnce = 2;
/** Dry runs, and writes with `maxImpact`, that wait for their turn on this node. */
const waitingMax = 32;
/** Of one account one is compared and one waits, so that the dry runs of others wait for few. */
const dryRunsPerAccountMax = 2;

const generationSql = 'select g.generation from policy_generation g';
/** First, so that nobody else changes what decides until the transaction ends. */
const lockedGenerationSql = `${generationSql} for update`;

/** Says which live connections a write would move, and refuses one that would move too many. */
export class WhatIf implements ImpactCalculator {
  readonly #policies: PolicySnapshots;
  readonly #contextOf: (call: Call) => Context;
  readonly #stored: StoredComparisons;
  readonly #cachedComparisons = new Map<string, Comparison>();
  readonly #rolledBackRuns = new SerialQueue();
  /** Each takes the processor for as long as it gets it. */
  readonly #comparisons = new SerialQueue();
  /** Dry runs that wait or run, by account. */
  readonly #runningByAccount = new Map<number, number>();

  constructor(policies: PolicySnapshots, contextOf: (call: Call) => Context, stored: StoredComparisons) {
    this.#policies = policies;
    this.#contextOf = contextOf;
    this.#stored = stored;
  }

  async preview(call: Call, tryOut: RunRolledBack): Promise<Answer> {
    if (impactPage(call).max !== undefined) this.#refuseUncountable(call);
    const compared = await this.#comparedFor(call);
    if (compared) return this.#page(call, compared);
    // A background task has a bound of its own.
    return call.follow ? this.#compareFor(call, tryOut) : this.#forAccount(call, () => this.#compareFor(call, tryOut));
  }

  async #compareFor(call: Call, tryOut: RunRolledBack): Promise<Answer> {
    const { answer, base, changed } = await this.#runRolledBack(tryOut);
    if (answer.hasNoImpact) return { httpCode: 200, results: [], isImpact: true };
    const key = keyOf(call, base.set.generation);
    if (call.follow) return this.#compareAndStore(call, key, base, changed);
    if (await this.#stored.areNeeded()) {
      const storedComparison = await this.#stored.find(key);
      return storedComparison ? this.#page(call, storedComparison) : this.#stored.begin(call, key);
    }
    return this.#page(call, pagesOf(await this.#compareOnce(call, key, base, changed)));
  }

  /** What was compared for the first page, unless the policies changed since: a later page does not try the write again. */
  async #comparedFor(call: Call): Promise<StoredComparison | undefined> {
    if (impactPage(call).start === 0) return undefined;
    const [{ generation }] = (await this.#contextOf(call).query<{ generation: number }>(generationSql, [])) as [
      { generation: number },
    ];
    const key = keyOf(call, generation);
    const cachedComparison = this.#cachedComparisons.get(key);
    return cachedComparison ? pagesOf(cachedComparison) : this.#stored.find(key);
  }

  async #page(call: Call, { slices, changed, total }: StoredComparison): Promise<Answer> {
    const page = impactPage(call);
    requireAtMost(changed, page.max);
    const results = await writeChanges(this.#contextOf(call), call.caller, slices, page);
    return { httpCode: 200, results, filtered: changed, total, isImpact: true };
  }

  /** What a background task does; the caller asks again, and finds it under the same key. */
  async #compareAndStore(call: Call, key: string, base: Snapshot, changed: ChangedSet): Promise<Answer> {
    const compared = await runQueued(this.#comparisons, () => this.#compare(call, base, changed));
    await this.#stored.add(key, compared);
    return { httpCode: 200, results: [], filtered: compared.changed.length, total: compared.total, isImpact: true };
  }

  async admit(call: Call, max: number, tryOut: RunRolledBack): Promise<(tx: WriteTx) => Promise<void>> {
    this.#refuseUncountable(call);
    return this.#forAccount(call, () => this.#admitted(call, max, tryOut));
  }

  async #admitted(call: Call, max: number, tryOut: RunRolledBack): Promise<(tx: WriteTx) => Promise<void>> {
    const { answer, base, changed } = await this.#runRolledBack(tryOut);
    if (answer.hasNoImpact) throw rejected('maxImpact: is possible for device and port groups only.', '?maxImpact');
    const { changed: rows } = await runQueued(this.#comparisons, () => this.#compare(call, base, changed));
    requireAtMost(rows.length, max);
    return async (tx) => {
      if ((await lockGeneration(tx)) !== base.set.generation)
        throw new ConcurrentPolicyChange('the policies were changed');
    };
  }

  /** Does the work of a dry run, unless its account has too many under way. */
  async #forAccount<T>({ caller: { accountId } }: Call, work: () => Promise<T>): Promise<T> {
    const runningCount = this.#runningByAccount.get(accountId) ?? 0;
    if (runningCount >= dryRunsPerAccountMax)
      throw unavailable(
        'Two dry runs or writes with maxImpact of your account are under way on this node; try again when one of them has ended.',
      );
    this.#runningByAccount.set(accountId, runningCount + 1);
    try {
      return await work();
    } finally {
      const remainingCount = this.#runningByAccount.get(accountId)! - 1;
      if (remainingCount > 0) this.#runningByAccount.set(accountId, remainingCount);
      else this.#runningByAccount.delete(accountId);
    }
  }

  /**
   * Refuses `maxImpact` to a caller who does not see all connections, before anything is compared. Counting all of them would make each
   * refusal one bit about hidden hosts, and counting the visible ones would let a write move more than `maxImpact` allows.
   */
  #refuseUncountable(call: Call): void {
    if (hidesConnections(this.#contextOf(call)))
      throw rejected(
        'maxImpact: your profile shows only some hosts, and the others would count as well. Send the write without it, or as an administrator who sees every host.',
        '?maxImpact',
      );
  }

  async begin(tx: WriteTx): Promise<void> {
    await lockGeneration(tx);
  }

  /** Runs the write on top of what this node decides by, and keeps nothing. One at a time: each would wait for the same row. */
  #runRolledBack(tryOut: RunRolledBack): Promise<{ answer: Answer; base: Snapshot; changed: ChangedSet }> {
    return runQueued(this.#rolledBackRuns, async () => {
      let base = await this.#policies.latest();
      const { answer, seen } = await tryOut({
        before: async (tx) => {
          const generation = await lockGeneration(tx);
          // Others have written while this waited for the row; from now on nobody does.
          if (base.set.generation !== generation) base = await this.#policies.latest();
          if (base.set.generation !== generation)
            throw unavailable('This node could not read the newest policies; try again in a few seconds.');
        },
        after: (tx) => readChangedSet(tx.client, base),
      });
      return { answer, base, changed: seen };
    });
  }

  async #compareOnce(call: Call, key: string, base: Snapshot, changed: ChangedSet): Promise<Comparison> {
    const cachedComparison = this.#cachedComparisons.get(key);
    if (cachedComparison) return cachedComparison;
    const comparison = await runQueued(this.#comparisons, () => this.#compare(call, base, changed));
    this.#cacheComparison(key, comparison);
    return comparison;
  }

  /** The oldest give way. */
  #cacheComparison(key: string, comparison: Comparison): void {
    this.#cachedComparisons.set(key, comparison);
    let rows = [...this.#cachedComparisons.values()].reduce(
      (sum, comparisonEntry) => sum + comparisonEntry.changed.length,
      0,
    );
    for (const [oldest, { changed }] of this.#cachedComparisons) {
      if (rows <= cachedRowsMax) break;
      this.#cachedComparisons.delete(oldest);
      rows -= changed.length;
    }
    setTimeout(() => this.#cachedComparisons.delete(key), cacheMs).unref();
  }

  async #compare(call: Call, base: Snapshot, changed: ChangedSet): Promise<Comparison> {
    const { nowMs: atMs, signal, follow } = call;
    const connected = this.#policies.connected(readAtOnce);
    const visibleOf = visibleConnections(this.#contextOf(call));
    if (!follow) return compareConnections(base, changed, connected, { atMs, signal, visibleOf });
    const total = await this.#stored.connections();
    const onProgress = (looked: number) => follow(Math.min(looked, total), total);
    return compareConnections(base, changed, connected, { atMs, signal, visibleOf, onProgress });
  }
}

const pagesOf = ({ changed, total }: Comparison): StoredComparison => ({
  slices: slicesOf(changed),
  changed: changed.length,
  total,
});

/** Takes a turn, where not too many wait for theirs. */
function runQueued<T>(queue: SerialQueue, work: () => Promise<T>): Promise<T> {
  if (queue.waiting >= waitingMax)
    throw unavailable('Too many dry runs are waiting on this node; try again in a few seconds.');
  return queue.run(work);
}

async function lockGeneration({ client }: WriteTx): Promise<number> {
  const { rows } = await client.query<{ generation: number }>({
    name: 'what-if.generation',
    text: lockedGenerationSql,
  });
  return rows[0]!.generation;
}

function requireAtMost(changed: number, max: number | undefined): void {
  if (max === undefined || changed <= max) return;
  const connections = changed === 1 ? '1 live connection' : `${changed} live connections`;
  throw new Failure(
    'protected',
    `This write would change ${connections}, and maxImpact allows ${max}; nothing was changed. See which with dryRun=true.`,
  );
}

/** The same write of the same caller with the same row limits, on the same policies: the caller's rows alone are compared. */
function keyOf({ caller, operation, origin, body }: Call, generation: number): string {
  const { accountId, limits } = caller;
  const rows = limits ? [limits.byGroups, ...limits.selected] : null;
  const keyText = JSON.stringify([accountId, rows, operation.operationId, origin.path, body ?? null]);
  return `${generation} ${createHash('sha256').update(keyText).digest('base64')}`;
}
