import type { Context } from '../../context.ts';
import { logIdAt, writeInstant } from '../../kernel/values/time.ts';
import { percentile } from './durations.ts';
import { engineCounters } from './engine-deltas.ts';
import { intervalStart, rowSecondsMax } from './intervals.ts';
import { settleMs } from './record-health.ts';

/** Further delay until all nodes have stored an interval, each with its own timer and clock of the database. */
const storedWithinMs = 3_000;
const msPerSecond = 1_000;
const msPerHour = 3_600_000;
const msPerDay = 24 * msPerHour;

/** Windows that a snapshot is compared with. */
export const offsets = [
  { offset: msPerHour / msPerSecond, offsetType: 1, offsetTypeStr: 'hour' },
  { offset: msPerDay / msPerSecond, offsetType: 2, offsetTypeStr: 'day' },
  { offset: (7 * msPerDay) / msPerSecond, offsetType: 3, offsetTypeStr: 'week' },
] as const;

/** A failure rate is high if both limits are exceeded, in enough requests. */
export const warningRate = 0.1;
export const warningFactor = 2;
export const warningRequestsMin = 50;

interface Counts {
  acceptCount: number;
  rejectCount: number;
}

interface SumRow extends Counts {
  /** Milliseconds by which the rows are older than the snapshot; 0: its own. */
  age: number;
  bucket: number;
  endMs: number;
  startMs: number;
  durationMsSum: number;
  [counter: string]: number;
}

/** Sums the rows that lie in a span, and those that lie an offset earlier, into buckets; of gauges, the largest value of each node counts. */
const sumsSql = `select s.age, s.bucket, sum(s.accepted)::double precision as "acceptCount", sum(s.rejected)::double precision as "rejectCount",
  sum(s.ms)::double precision as "durationMsSum", min(s.start_ms) as "startMs", max(s.end_ms) as "endMs",
  ${engineCounters.map((name) => `sum(s.${name})::double precision as ${name}`).join(', ')}, sum(s.acct_requests)::double precision as "acctRequests",
  sum(s.queue)::double precision as "queueLenAuth", sum(s.pps)::double precision as "ppsIn", max(s.started)::double precision as "startSeconds",
  max(s.reloaded)::double precision as "hupSeconds"
from (
  select o.age, floor((t.start_ms + o.age - $1::double precision) / $3::double precision)::integer as bucket, h.cluster_node, min(t.start_ms) as start_ms,
    max(t.start_ms + h.seconds * 1000) as end_ms, sum(h.accept_count) as accepted, sum(h.reject_count) as rejected, sum(h.duration_ms_sum) as ms,
    ${engineCounters.map((name) => `sum(h.${name}) as ${name}`).join(', ')}, sum(h.acct_requests) as acct_requests, max(h.queue_len_auth) as queue,
    max(h.pps_in) as pps, max(h.start_seconds) as started, max(h.hup_seconds) as reloaded
  from unnest($4::double precision[]) o(age)
  join radius_health h on h.id >= $5::bigint - o.age::bigint * 8192 and h.id < $6::bigint - o.age::bigint * 8192
  cross join lateral (select extract(epoch from h.at)::double precision * 1000 as start_ms) t
  where t.start_ms + h.seconds * 1000 + o.age <= $2::double precision and t.start_ms + o.age >= $1::double precision
  group by 1, 2, 3
) s
group by 1, 2`;

const mapSql = (
  column: string,
) => `select floor((extract(epoch from h.at)::double precision * 1000 - $1::double precision) / $3::double precision)::integer as bucket, e.key,
  sum(e.value::bigint)::double precision as value
from radius_health h cross join lateral jsonb_each_text(h.${column}) e
where h.id >= $4::bigint and h.id < $5::bigint
  and (extract(epoch from h.at)::double precision + h.seconds) * 1000 <= $2::double precision
group by 1, 2`;

const causesSql = mapSql('reject_count_by_cause');
const durationsSql = mapSql('duration_counts');

/** A span that is divided into buckets of one length from its start. */
export interface Span {
  fromMs: number;
  toMs: number;
  bucketSeconds: number;
}

/** Returns the snapshots of a span, summed over nodes, the newest last; a bucket without a row of any node has none. */
export async function readSnapshots({ query }: Pick<Context, 'query'>, { fromMs, toMs, bucketSeconds }: Span) {
  if (toMs <= fromMs) return [];
  const span = [fromMs, toMs, bucketSeconds * msPerSecond];
  const ids = [logIdAt(Math.floor(fromMs)), logIdAt(Math.ceil(toMs))];
  const ages = [0, ...offsets.map(({ offset }) => offset * msPerSecond)];
  const sums = await query<SumRow>(sumsSql, [...span, ages, ...ids]);
  const causeRows = await query<MapRow>(causesSql, [...span, ...ids]);
  const durationRows = await query<MapRow>(durationsSql, [...span, ...ids]);
  const causes = mapsByBucket(causeRows);
  const durations = mapsByBucket(durationRows);
  const earlier = new Map(sums.filter(({ age }) => age > 0).map((row) => [`${row.age} ${row.bucket}`, row]));
  return sums
    .filter(({ age }) => age === 0)
    .sort((a, b) => a.bucket - b.bucket)
    .map((row) => {
      const replies = row.acceptCount + row.rejectCount;
      return {
        date: writeInstant(row.startMs),
        duration: Math.round((row.endMs - row.startMs) / msPerSecond),
        acceptCount: row.acceptCount,
        rejectCount: row.rejectCount,
        totalCount: replies,
        failureRate: failureRate(row),
        rejectCountByCause: causes.get(row.bucket) ?? {},
        meanMs: replies === 0 ? null : Math.round((row.durationMsSum / replies) * 10) / 10,
        p95Ms: percentile(durations.get(row.bucket) ?? {}, 0.95),
        engine: {
          ...(Object.fromEntries(engineCounters.map((name) => [name, row[name]!])) as Record<
            (typeof engineCounters)[number],
            number
          >),
          acctRequests: row.acctRequests!,
          queueLenAuth: row.queueLenAuth!,
          ppsIn: row.ppsIn!,
          startTime: instantOf(row.startSeconds!),
          hupTime: instantOf(row.hupSeconds!),
        },
        historicalStats: offsets.map((offset) =>
          compare(row, earlier.get(`${offset.offset * msPerSecond} ${row.bucket}`), offset),
        ),
      };
    });
}

interface MapRow {
  bucket: number;
  key: string;
  value: number;
}

function mapsByBucket(rows: readonly MapRow[]): Map<number, Record<string, number>> {
  const maps = new Map<number, Record<string, number>>();
  for (const { bucket, key, value } of rows) maps.set(bucket, { ...maps.get(bucket), [key]: value });
  return maps;
}

const instantOf = (seconds: number): string | null => (seconds === 0 ? null : writeInstant(seconds * msPerSecond));

/** Rejects as a share of all replies, with four decimals; 0 without replies. */
export function failureRate({ acceptCount, rejectCount }: Counts): number {
  const replies = acceptCount + rejectCount;
  return replies === 0 ? 0 : Math.round((rejectCount / replies) * 10_000) / 10_000;
}

/** True if rejects are frequent, compared with an earlier window too. */
export function isFailureRateHigh(counts: Counts, before: Counts, share = 1): boolean {
  if (counts.acceptCount + counts.rejectCount < warningRequestsMin) return false;
  const rate = failureRate(counts);
  return rate > warningRate * share && rate > warningFactor * failureRate(before) * share;
}

const none: Counts = { acceptCount: 0, rejectCount: 0 };

/** Compares a snapshot with an earlier window; one that no node recorded has no replies. */
function compare(
  counts: Counts,
  before: Counts = none,
  { offset, offsetType, offsetTypeStr }: (typeof offsets)[number],
) {
  const rate = failureRate(before);
  const isHigh = isFailureRateHigh(counts, before);
  const acceptDelta = counts.acceptCount - before.acceptCount;
  const rejectDelta = counts.rejectCount - before.rejectCount;
  const failureRateDelta = Math.round((failureRate(counts) - rate) * 10_000) / 10_000;
  const beforeCount = before.acceptCount + before.rejectCount;
  return {
    offset,
    offsetType,
    offsetTypeStr,
    failureRate: rate,
    failureRateDelta,
    failureRateIncrease: failureRateDelta > 0,
    failureRateWarning: isHigh,
    acceptCount: before.acceptCount,
    acceptDelta,
    acceptDecrease: acceptDelta < 0,
    acceptWarning: beforeCount >= warningRequestsMin && counts.acceptCount * warningFactor < before.acceptCount,
    rejectCount: before.rejectCount,
    rejectDelta,
    rejectIncrease: rejectDelta > 0,
    rejectWarning: counts.rejectCount >= warningRequestsMin && counts.rejectCount > warningFactor * before.rejectCount,
    totalCount: beforeCount,
  };
}

const clockSql = `select g.snapshot_interval as "snapshotSeconds", (extract(epoch from clock_timestamp()) * 1000)::double precision as "nowMs"
from radius_global g`;
const newestRowSql = `select (extract(epoch from h.at) * 1000)::double precision as "startMs", h.seconds from radius_health h
where h.id >= $2::bigint and h.at + make_interval(secs => h.seconds) <= to_timestamp($1::double precision / 1000)
order by h.id desc limit 1`;

/** Returns `snapshotInterval`, and the instant up to which all nodes have stored their rows. */
export async function readClock({ query }: Pick<Context, 'query'>): Promise<{ snapshotSeconds: number; toMs: number }> {
  const [row] = await query<{ snapshotSeconds: number; nowMs: number }>(clockSql, []);
  const { snapshotSeconds, nowMs } = row!;
  return { snapshotSeconds, toMs: nowMs - settleMs - storedWithinMs };
}

/** Returns the span from the start of the newest interval with a stored row to the end of that row; undefined: no node stored one lately. */
export async function readNewestSpan(context: Pick<Context, 'query'>): Promise<Span | undefined> {
  const { snapshotSeconds, toMs } = await readClock(context);
  const lookBackSeconds = 2 * Math.max(snapshotSeconds, rowSecondsMax);
  const [newest] = await context.query<{ startMs: number; seconds: number }>(newestRowSql, [
    toMs,
    logIdAt(Math.floor(toMs - lookBackSeconds * msPerSecond)),
  ]);
  if (!newest) return undefined;
  const fromMs = intervalStart(newest.startMs, snapshotSeconds);
  return { fromMs, toMs: newest.startMs + newest.seconds * msPerSecond, bucketSeconds: snapshotSeconds };
}
