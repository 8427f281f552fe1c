import { inTransaction, type Metrics, type Runtime, type Sql } from '../../context.ts';
import type { EngineStatistics } from '../../protocols/radius/engine-statistics.ts';
import { countResponses, type ResponseCounts } from './count-responses.ts';
import { type EngineDeltas, engineCounters, engineDeltas, noDeltas } from './engine-deltas.ts';
import { reportFailureRate } from './failure-rate.ts';
import { completeIntervals, type Interval, intervalStart } from './intervals.ts';

/** Delay between the end of an interval and its row: replies are stored after they are sent, and the engine counts accepts and rejects `cleanup_delay` later. */
export const settleMs = 5_000;
/** Intervals that one transaction stores. */
const intervalsMax = 10;
/** How far back a node counts that was stopped. */
const catchUpMs = 3_600_000;
const lookMs = 1_000;

interface Cursor {
  nowMs: number;
  snapshotSeconds: number;
  /** Null: the node has not counted yet. */
  countedToMs: number | null;
  counters: EngineStatistics | null;
}

const cursorColumns = `(extract(epoch from clock_timestamp()) * 1000)::double precision as "nowMs", g.snapshot_interval as "snapshotSeconds",
  (extract(epoch from n.counted_to) * 1000)::double precision as "countedToMs", n.counters`;
const lookSql = `select ${cursorColumns} from radius_global g left join radius_health_node n on n.node = $1`;
const lockSql = `select ${cursorColumns} from radius_global g join radius_health_node n on n.node = $1 for no key update of n`;
const beginSql = `insert into radius_health_node (node, counted_to) values ($1, to_timestamp($2::double precision / 1000)) on conflict (node) do nothing`;
const moveSql = `update radius_health_node set counted_to = to_timestamp($2::double precision / 1000), counters = coalesce($3::jsonb, counters) where node = $1`;
const forgetSql = `delete from radius_health_node n where n.counted_to < now() - interval '30 days' and n.node <> $1`;

const insertSql = `insert into radius_health (id, cluster_node, seconds, accept_count, reject_count, reject_count_by_cause, duration_ms_sum, duration_counts,
  requests, accepts, rejects, challenges, duplicates, malformed, invalid, dropped, conflicts, acct_requests, queue_len_auth, pps_in, start_seconds, hup_seconds)
select log_id_at(to_timestamp(n."fromMs" / 1000)), $1, n.seconds, n."acceptCount", n."rejectCount", n."rejectCountByCause", n."durationMsSum", n."durationCounts",
  n.requests, n.accepts, n.rejects, n.challenges, n.duplicates, n.malformed, n.invalid, n.dropped, n.conflicts, n."acctRequests", n."queueLenAuth", n."ppsIn",
  n."startSeconds", n."hupSeconds"
from jsonb_to_recordset($2::jsonb) n("fromMs" double precision, seconds integer, "acceptCount" bigint, "rejectCount" bigint, "rejectCountByCause" jsonb,
  "durationMsSum" bigint, "durationCounts" jsonb, requests bigint, accepts bigint, rejects bigint, challenges bigint, duplicates bigint, malformed bigint,
  invalid bigint, dropped bigint, conflicts bigint, "acctRequests" bigint, "queueLenAuth" bigint, "ppsIn" bigint, "startSeconds" bigint, "hupSeconds" bigint)`;

interface RecorderOptions {
  runtime: Runtime;
  metrics: Metrics;
  node: string;
  /** Returns the counters of the engine of this node; undefined: it does not reply. */
  readStatistics(): Promise<EngineStatistics | undefined>;
  /** Accounting requests since the start of this process. */
  countAccounting(): number;
  onError(error: Error): void;
}

/**
 * Stores what this node and its engine did, one row for each interval. The end of the last stored interval and the counters of the engine
 * are in the database, so that a node that was stopped goes on where it ended, and two processes of one node count nothing twice.
 */
export class HealthRecorder {
  readonly #options: RecorderOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #accountingCount = 0;
  #newest: EngineStatistics | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    options.metrics.gauge(
      'portreeve_radius_engine_packets_total',
      'Counters of the RADIUS engine since its start, at the last health interval.',
      () => engineCounters.map((counter) => ({ labels: { counter }, value: this.#newest?.[counter] ?? 0 })),
      'counter',
    );
    options.metrics.gauge('portreeve_radius_engine_queue', 'Requests in the queue of the RADIUS engine.', () => [
      { labels: {}, value: this.#newest?.queueLenAuth ?? 0 },
    ]);
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running ??= this.record()
        .catch(this.#options.onError)
        .finally(() => {
          this.#running = undefined;
        });
    }, lookMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Stores the intervals that are complete, if there are any. */
  async record(): Promise<void> {
    const { runtime, node, readStatistics, countAccounting } = this.#options;
    const { rows } = await runtime.pool.query<Cursor>(lookSql, [node]);
    const firstCursor = rows[0]!;
    if (firstCursor.countedToMs === null) {
      await runtime.pool.query(beginSql, [node, intervalStart(firstCursor.nowMs, firstCursor.snapshotSeconds)]);
      return;
    }
    const { intervals, areAll } = dueIntervals(firstCursor, firstCursor.countedToMs);
    if (intervals.length === 0) return;
    // The newest interval gets what the counters added. While older ones are caught up, the engine is not read.
    const statistics = areAll ? await readStatistics() : undefined;
    const accountingCount = countAccounting();
    const isStored = await inTransaction(runtime.pool, async (client) => {
      const { rows: locked } = await client.query<Cursor>(lockSql, [node]);
      const cursor = locked[0];
      // Another process with the same name stored them meanwhile.
      if (cursor?.countedToMs !== firstCursor.countedToMs) return false;
      const engine = statistics && engineDeltas(cursor.counters, statistics, intervals.at(-1)!.fromMs);
      const acctRequests = areAll ? accountingCount - this.#accountingCount : 0;
      const counts = await countResponses(client, node, intervals);
      await insertRows(client, node, { intervals, counts, newest: { engine, statistics, acctRequests } });
      await client.query(moveSql, [node, intervals.at(-1)!.toMs, statistics ? JSON.stringify(statistics) : null]);
      await client.query(forgetSql, [node]);
      return true;
    });
    if (!isStored) return;
    if (areAll) this.#accountingCount = accountingCount;
    this.#newest = statistics ?? this.#newest;
    if (areAll) await reportFailureRate(runtime, intervals.at(-1)!.toMs);
  }
}

/** Returns the intervals that ended long enough ago. A node that was stopped for long goes on an hour back. */
function dueIntervals({ nowMs, snapshotSeconds }: Cursor, countedToMs: number) {
  const earliestMs = intervalStart(nowMs - catchUpMs, snapshotSeconds);
  const span = { fromMs: Math.max(countedToMs, earliestMs), toMs: nowMs - settleMs };
  return completeIntervals(span, snapshotSeconds, intervalsMax);
}

interface Newest {
  engine: EngineDeltas | undefined;
  statistics: EngineStatistics | undefined;
  acctRequests: number;
}

async function insertRows(
  client: Sql,
  node: string,
  { intervals, counts, newest }: { intervals: readonly Interval[]; counts: readonly ResponseCounts[]; newest: Newest },
): Promise<void> {
  const stored = intervals.map(({ fromMs, toMs }, index) => {
    const isNewest = index === intervals.length - 1;
    const statistics = isNewest ? newest.statistics : undefined;
    return {
      fromMs,
      seconds: (toMs - fromMs) / 1_000,
      ...counts[index],
      ...((isNewest && newest.engine) || noDeltas),
      acctRequests: isNewest ? newest.acctRequests : 0,
      queueLenAuth: statistics?.queueLenAuth ?? 0,
      ppsIn: statistics?.ppsIn ?? 0,
      startSeconds: statistics?.startSeconds ?? 0,
      hupSeconds: statistics?.hupSeconds ?? 0,
    };
  });
  await client.query(insertSql, [node, JSON.stringify(stored)]);
}
