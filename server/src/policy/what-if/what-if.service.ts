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

/** Time in which later pages are served from the comparison of the first page. */
const cacheMs = 60_000;
/** Limit on the connections of all cached comparisons. */
const cachedRowsMax = 150_000;
/** Database connections that read the facts of connected adapters. */
const readAtOnce = 2;
/** Limit on the dry runs, and writes with `maxImpact`, that wait on this node. */
const waitingMax = 32;
/** Limit per account: one is compared and one waits, so that those of other accounts wait for few. */
const dryRunsPerAccountMax = 2;

const generationSql = 'select g.generation from policy_generation g';
/** Runs first in the transaction, so that no other one changes the policies until it ends. */
const lockedGenerationSql = `${generationSql} for update`;

/** Computes which live connections a write would change, and rejects a write that would change too many. */
export class WhatIf implements ImpactCalculator {
  readonly #policies: PolicySnapshots;
  readonly #contextOf: (call: Call) => Context;
  readonly #stored: StoredComparisons;
  readonly #cachedComparisons = new Map<string, Comparison>();
  readonly #rolledBackRuns = new SerialQueue();
  /** Comparisons use the processor continuously, so they run one at a time. */
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
    // Background tasks have their own limit.
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

  /** Returns the comparison of the first page, unless the policies have changed since. A later page does not run the write again. */
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

  /** Compares and stores the result, in a background task. The repeated dry run finds it by the same key. */
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
    if (answer.hasNoImpact) throw rejected('maxImpact: is supported for device and port groups only.', '?maxImpact');
    const { changed: rows } = await runQueued(this.#comparisons, () => this.#compare(call, base, changed));
    requireAtMost(rows.length, max);
    return async (tx) => {
      if ((await lockGeneration(tx)) !== base.set.generation)
        throw new ConcurrentPolicyChange('the policies have changed');
    };
  }

  /** Runs the work of a dry run. Throws 503 if its account already has too many running or waiting. */
  async #forAccount<T>({ caller: { accountId } }: Call, work: () => Promise<T>): Promise<T> {
    const runningCount = this.#runningByAccount.get(accountId) ?? 0;
    if (runningCount >= dryRunsPerAccountMax)
      throw unavailable(
        'Two dry runs or writes with maxImpact of your account are already running on this node; try again when one of them has ended.',
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
   * Rejects `maxImpact` of a caller who does not see all connections, before anything is compared. If all connections counted, each
   * rejection would disclose one bit about hidden hosts; if only visible ones did, a write could change more than `maxImpact` allows.
   */
  #refuseUncountable(call: Call): void {
    if (hidesConnections(this.#contextOf(call)))
      throw rejected(
        'maxImpact: your profile shows only some hosts, but all of them would count. Send the write without maxImpact, or as an administrator who sees every host.',
        '?maxImpact',
      );
  }

  async begin(tx: WriteTx): Promise<void> {
    await lockGeneration(tx);
  }

  /** Runs the write on the policies of this node and rolls it back. One at a time, because each locks the same row. */
  #runRolledBack(tryOut: RunRolledBack): Promise<{ answer: Answer; base: Snapshot; changed: ChangedSet }> {
    return runQueued(this.#rolledBackRuns, async () => {
      let base = await this.#policies.latest();
      const { answer, seen: changed } = await tryOut({
        before: async (tx) => {
          const generation = await lockGeneration(tx);
          // Other writes may have committed while this one waited for the lock; the lock excludes further ones.
          if (base.set.generation !== generation) base = await this.#policies.latest();
          if (base.set.generation !== generation)
            throw unavailable('This node could not load the latest policies; try again in a few seconds.');
        },
        after: (tx) => readChangedSet(tx.client, base),
      });
      return { answer, base, changed };
    });
  }

  async #compareOnce(call: Call, key: string, base: Snapshot, changed: ChangedSet): Promise<Comparison> {
    const cachedComparison = this.#cachedComparisons.get(key);
    if (cachedComparison) return cachedComparison;
    const comparison = await runQueued(this.#comparisons, () => this.#compare(call, base, changed));
    this.#cacheComparison(key, comparison);
    return comparison;
  }

  /** Caches a comparison and removes the oldest ones beyond the limit. */
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

/** Runs work in a queue. Throws 503 if too many wait. */
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

/** Returns the cache key: the same write by the same account with the same row limits, on the same generation. */
function keyOf({ caller, operation, origin, body }: Call, generation: number): string {
  const { accountId, limits } = caller;
  const rows = limits ? [limits.byGroups, ...limits.selected] : null;
  const keyText = JSON.stringify([accountId, rows, operation.operationId, origin.path, body ?? null]);
  return `${generation} ${createHash('sha256').update(keyText).digest('base64')}`;
}
