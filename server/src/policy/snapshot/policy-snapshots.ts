import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { type CacheInvalidation, inTransaction, type Metrics } from '../../context.ts';
import { unavailable } from '../../kernel/failure.ts';
import {
  type CompiledSet,
  compilePolicySet,
  type Decision,
  type DecisionContext,
  decideAccess,
  type ExplainedDecision,
  explainAccess,
  type PolicySet,
  type Topology,
  type UserFacts,
  type ZoneOffsets,
} from '../decide/decide.service.ts';
import { DecisionMetrics } from './decision-metrics.ts';
import { CountedHits, type PolicyHits } from './policy-hits.ts';
import { type Facts, type FactsKey, readConnected, readFacts, readUser } from './read-facts.ts';
import { readPolicySet } from './read-policies.ts';
import { type ChangedRow, changedTopology, readTopology, topologyTables } from './read-topology.ts';
import { readZone } from './read-zone.ts';

/** Data that decisions of a node read: a compiled policy set and the topology. */
export interface Snapshot {
  set: CompiledSet;
  /** The policies that `set` was compiled from. */
  policies: PolicySet;
  topology: Topology;
}

/** Interval at which the change feed is read without a notification or request. */
const followMs = 1_000;
/** With more changes than this, loading everything is faster. */
const changesMax = 20_000;
const firstWaitMs = 5_000;

/** Selects the position, the generation, and the rows of the topology that changed since `$2`. `isGap`: some changes are no longer in the feed. */
const stateSql = `with changed as materialized (
  select f.table_name, f.record_id from change_feed f
  where f.table_name = any($1::text[]) and f.txid >= pg_snapshot_xmin($2::pg_snapshot) and not pg_visible_in_snapshot(f.txid, $2::pg_snapshot)
  union
  select v.table_name, v.record_id from visibility_change v
  where v.table_name = any($1::text[]) and v.txid >= pg_snapshot_xmin($2::pg_snapshot) and not pg_visible_in_snapshot(v.txid, $2::pg_snapshot)
  limit ${changesMax + 1}
)
select g.generation, cell_time_zone() as "zoneName", (extract(epoch from now()) * 1000)::double precision as "nowMs",
  pg_current_snapshot()::text as position,
  pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax($2::pg_snapshot) or exists (
    select from feed_purge p where p.table_name = any($1::text[]) and p.txid >= pg_snapshot_xmin($2::pg_snapshot)) as "isGap",
  (select coalesce(jsonb_agg(jsonb_build_object('table', c.table_name, 'id', c.record_id)), '[]') from changed c) as changes
from policy_generation g`;

interface State {
  generation: number;
  zoneName: string;
  nowMs: number;
  position: string;
  isGap: boolean;
  changes: ChangedRow[];
}

/** Position before the first load, after which nothing counts as changed. */
const noPosition = '9223372036854775806:9223372036854775806:';

/**
 * Maintains the snapshot of a node. Policies are compiled again for each generation; the topology is loaded once and then updated from
 * the change feed, as a new version each time. A snapshot never changes: the next one replaces it once it is complete.
 */
export class PolicySnapshots {
  readonly #pool: pg.Pool;
  readonly #onError: (error: Error) => void;
  readonly #metrics: DecisionMetrics;
  /** Runs loads outside the async context of the request that triggers them, so that they do not join its trace. */
  readonly #outsideRequest = AsyncLocalStorage.snapshot();
  readonly #hits: CountedHits;
  #current: Snapshot | undefined;
  #zone: ZoneOffsets | undefined;
  #position: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #isClosed = false;

  constructor(pool: pg.Pool, generations: CacheInvalidation, metrics: Metrics, onError: (error: Error) => void) {
    this.#pool = pool;
    this.#onError = onError;
    this.#metrics = new DecisionMetrics(metrics, () => this.#current);
    this.#hits = new CountedHits(this, () => performance.now());
    generations.follow({
      channel: 'policy_changed',
      sql: 'select g.generation from policy_generation g',
      forget: () => this.#follow(),
    });
  }

  /** Starts to load the snapshot and to follow changes. */
  start(): void {
    this.#follow();
    this.#timer = setInterval(() => this.#follow(), followMs).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#next;
    await this.#running;
  }

  /** Returns the current snapshot; undefined before the first load. */
  get current(): Snapshot | undefined {
    return this.#current;
  }

  /** Returns a snapshot with all changes committed before the call; the current one if the load fails or takes too long. */
  async latest(): Promise<Snapshot> {
    await Promise.race([this.#readAgain(), later(firstWaitMs)]);
    if (!this.#current) throw unavailable('The policies are not loaded yet; try again in a few seconds.');
    return this.#current;
  }

  /** Reads the facts of adapters, in one statement. */
  facts(key: FactsKey, keys: readonly (string | number)[]): Promise<Facts[]> {
    return readFacts(this.#pool, key, keys);
  }

  /** Yields the facts of all connected adapters in batches, read by `atOnce` database connections. */
  connected(atOnce?: number): AsyncIterable<Facts[]> {
    return readConnected(this.#pool, atOnce);
  }

  /** Returns how many connections each policy decides, at most a minute old. */
  hits(atMs: number): Promise<PolicyHits> {
    return this.#hits.read(atMs);
  }

  /** Reads a user by name; one without an account if no account has the name. */
  user(userID: string): Promise<UserFacts> {
    return readUser(this.#pool, userID);
  }

  decide({ set }: Snapshot, context: DecisionContext): Decision {
    return this.#metrics.timed(() => decideAccess(set, context));
  }

  explain({ set }: Snapshot, context: DecisionContext): ExplainedDecision {
    return this.#metrics.timed(() => explainAccess(set, context));
  }

  #follow(): void {
    void this.#readAgain();
  }

  /** Resolves after a load that starts from now on. A running load may miss recent changes, so another one runs after it. */
  #readAgain(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    if (!this.#running) return this.#run();
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.#isClosed ? undefined : this.#run();
    });
    return this.#next;
  }

  #run(): Promise<void> {
    const reading = this.#outsideRequest(() => inTransaction(this.#pool, (client) => this.#read(client)));
    const run = reading.catch((error: Error) => {
      if (!this.#isClosed) this.#onError(error);
    });
    this.#running = run.finally(() => {
      if (this.#running === settled) this.#running = undefined;
    });
    const settled = this.#running;
    return settled;
  }

  async #read(client: pg.PoolClient): Promise<void> {
    await client.query('set transaction isolation level repeatable read, read only');
    const { rows } = await client.query<State>({
      name: 'snapshot.state',
      text: stateSql,
      values: [topologyTables, this.#position ?? noPosition],
    });
    const state = rows[0]!;
    const before = this.#current;
    const canApplyChanges = before !== undefined && !state.isGap && state.changes.length <= changesMax;
    const topology = canApplyChanges
      ? await changedTopology(client, before.topology, state.changes)
      : await readTopology(client);
    const zone = await readZone(client, state.zoneName, state.nowMs, this.#zone);
    const isSame = before?.set.generation === state.generation && zone === this.#zone;
    const policies = isSame ? before.policies : await readPolicySet(client, zone);
    const set = isSame ? before.set : this.#compile(policies);
    // Assigned without an await in between, so that a decision reads policies and topology of the same generation.
    this.#zone = zone;
    this.#position = state.position;
    if (!isSame || topology !== before.topology) this.#current = { set, policies, topology };
  }

  #compile(policies: PolicySet): CompiledSet {
    return this.#metrics.compiled(() => compilePolicySet(policies));
  }
}

const later = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
