import { describe, expect, test } from 'vitest';
import { pastDays } from '../../../test/trials/slices.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world } from '../../../test/world/world.ts';
import { Metrics } from '../../kernel/telemetry/metrics.ts';
import { logIdAt } from '../../kernel/values/time.ts';
import type { EngineStatistics } from '../../protocols/radius/engine-statistics.ts';
import { noDeltas } from './engine-deltas.ts';
import { forgetEngineState, reportEngineState, reportSilentNodes } from './engine-state.ts';
import { measureReplies } from './measure-replies.ts';
import { HealthRecorder } from './record-health.ts';

const path = '/radius/radius-health';
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const weekMs = 7 * 24 * hourMs;

interface Snapshot {
  date: string;
  duration: number;
  acceptCount: number;
  rejectCount: number;
  totalCount: number;
  failureRate: number;
  rejectCountByCause: Record<string, number>;
  meanMs: number | null;
  p95Ms: number | null;
  engine: Record<string, number | string | null>;
  historicalStats: Record<string, number | boolean | string>[];
}

/** Opens a cell with slices for a week, and functions that store replies and rows of the past. */
async function openHealth() {
  const opened = await world();
  const { admin, service, database } = opened;
  const limiter = new Limiter(opened);
  const sql: Limiter['sql'] = (text, values) => limiter.sql(text, values);
  const { makePastSlices } = pastDays();
  for (const log of ['radius_response', 'radius_health']) await makePastSlices(database, log, [1, 7, 8]);
  const [row] = await sql<{ nowMs: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::double precision as "nowMs"',
  );
  /** The newest full minute that ended long enough ago. */
  const endMs = Math.floor((row!.nowMs - 8_000) / minuteMs) * minuteMs;
  let answerNumber = 0;
  const answers = (atMs: number, count: number, { cause = 'NONE', ms = 3, node = 'node-1' } = {}) => {
    const firstNumber = answerNumber;
    answerNumber += count;
    return sql(
      `insert into radius_response (id, device_id, nas, reply, cause, message, duration_ms, cluster_node)
       select $1::bigint + n, 1, 'sw', case $3 when 'NONE' then 'ACCEPT' else 'REJECT' end, $3, '', $4, $5 from generate_series(0, $2::integer - 1) n`,
      [logIdAt(atMs) + (firstNumber % 4_096), count, cause, ms, node],
    );
  };
  const countedTo = (atMs: number, node = 'node-1', counters: EngineStatistics | null = null) =>
    sql(
      `insert into radius_health_node (node, counted_to, counters) values ($1, to_timestamp($2::double precision / 1000), $3)
       on conflict (node) do update set counted_to = excluded.counted_to, counters = excluded.counters`,
      [node, atMs, counters && JSON.stringify(counters)],
    );
  const recorder = (node = 'node-1', statistics?: EngineStatistics, accounting = 0) =>
    new HealthRecorder({
      runtime: service.runtime,
      metrics: new Metrics(),
      node,
      readStatistics: async () => statistics,
      countAccounting: () => accounting,
      onError: (error) => {
        throw error;
      },
    });
  const statistics = (counters: Partial<EngineStatistics>): EngineStatistics => ({
    ...noDeltas,
    queueLenAuth: 0,
    ppsIn: 0,
    startSeconds: Math.floor(endMs / 1_000) - 1_000,
    hupSeconds: Math.floor(endMs / 1_000) - 1_000,
    ...counters,
  });
  const snapshots = async (query = '') => {
    const { code, body, text } = await admin.get<Snapshot>(`${path}${query}`);
    expect(code, text).toBe(200);
    return body.results!;
  };
  const rows = (node = 'node-1') =>
    sql<{ seconds: number }>('select * from radius_health where cluster_node = $1 order by id', [node]);
  /** Stores a row of a minute as a node does. */
  const store = (atMs: number, accepts: number, rejects: number, node = 'node-1') =>
    sql(
      `insert into radius_health (id, cluster_node, seconds, accept_count, reject_count, reject_count_by_cause, duration_ms_sum, duration_counts, requests,
         accepts, rejects, challenges, duplicates, malformed, invalid, dropped, conflicts, acct_requests, queue_len_auth, pps_in, start_seconds, hup_seconds)
       values (log_id_at(to_timestamp($1::double precision / 1000)), $2, 60, $3, $4::integer, jsonb_build_object('OTHER', $4::integer), 0, '{}', 1, 0, 0, 0, 0, 0, 0, 0,
         0, 2, 4, 0, 0, 0)`,
      [atMs, node, accepts, rejects],
    );
  return {
    admin,
    sql,
    runtime: service.runtime,
    endMs,
    answers,
    countedTo,
    recorder,
    statistics,
    snapshots,
    rows,
    store,
  };
}

describe('the health of RADIUS', () => {
  test('a node begins with the running interval, and stores nothing before it is complete', async () => {
    const { recorder, sql, rows, snapshots } = await openHealth();
    await recorder().record();
    await recorder().record();
    const [cursor] = await sql<{ seconds: number }>(
      'select extract(epoch from counted_to)::integer as seconds from radius_health_node',
    );
    expect(cursor!.seconds % 60).toBe(0);
    expect(await rows()).toEqual([]);
    expect(await snapshots()).toEqual([]);
  });

  test('stores replies, causes, latency and what the counters of the engine added, once', async () => {
    const { endMs, answers, countedTo, recorder, statistics, snapshots, rows } = await openHealth();
    const startMs = endMs - 2 * minuteMs;
    await answers(startMs + 100, 90, { ms: 4 });
    await answers(startMs + 200, 6, { cause: 'BAD_PASSWORD', ms: 15 });
    await answers(startMs + 300, 4, { cause: 'NO_POLICY', ms: 1_000 });
    await answers(endMs - 1, 7);
    await answers(startMs + 100, 50, { node: 'another' });
    await answers(startMs - 1, 50);
    await countedTo(startMs, 'node-1', statistics({ requests: 1_000, accepts: 700 }));
    const engine = statistics({ requests: 1_150, accepts: 797, rejects: 10, queueLenAuth: 3, ppsIn: 9 });
    const node = recorder('node-1', engine, 12);
    await node.record();
    await node.record();
    expect((await rows()).slice(0, 2)).toMatchObject([
      { seconds: 60, accept_count: 90, reject_count: 10, requests: 0, acct_requests: 0 },
      { seconds: 60, accept_count: 7, reject_count: 0, requests: 150, accepts: 97, rejects: 10, acct_requests: 12 },
    ]);
    const [first, second] = await snapshots('/latest?timespan=5');
    expect(first).toMatchObject({
      date: new Date(startMs).toISOString(),
      duration: 60,
      acceptCount: 90,
      rejectCount: 10,
      totalCount: 100,
      failureRate: 0.1,
      rejectCountByCause: { BAD_PASSWORD: 6, NO_POLICY: 4 },
      meanMs: 44.5,
      p95Ms: 15,
      engine: { requests: 0, startTime: null },
    });
    expect(second).toMatchObject({
      acceptCount: 7,
      meanMs: 3,
      engine: {
        requests: 150,
        accepts: 97,
        rejects: 10,
        acctRequests: 12,
        queueLenAuth: 3,
        ppsIn: 9,
        startTime: new Date(engine.startSeconds * 1_000).toISOString(),
      },
    });
  });

  test('two processes of one node store an interval once', async () => {
    const { endMs, countedTo, recorder, rows } = await openHealth();
    await countedTo(endMs - 10 * minuteMs);
    await Promise.all([recorder(), recorder(), recorder()].map((node) => node.record()));
    expect(await rows()).toHaveLength(10);
  });

  test('a node that was stopped continues where it ended, at most an hour back', async () => {
    const { endMs, answers, countedTo, recorder, statistics, rows, sql } = await openHealth();
    await countedTo(endMs - 3 * hourMs);
    await answers(endMs - 30 * minuteMs, 5);
    await answers(endMs - 2 * hourMs, 5);
    const node = recorder('node-1', statistics({ requests: 5 }));
    for (let times = 0; times < 8; times++) await node.record();
    const [sums] = await sql<{ accepts: number; seconds: number }>(
      'select sum(accept_count)::integer as accepts, sum(seconds)::integer as seconds from radius_health',
    );
    expect(sums!.accepts).toBe(5);
    expect(sums!.seconds).toBeGreaterThanOrEqual(59 * 60);
    expect((await rows()).length).toBeLessThanOrEqual(62);
  });

  test('sums over nodes, and compares with the hour, day and week before', async () => {
    const { endMs, store, snapshots } = await openHealth();
    const startMs = endMs - minuteMs;
    await store(startMs, 60, 30, 'node-1');
    await store(startMs, 20, 10, 'node-2');
    await store(startMs - minuteMs, 5, 5);
    await store(startMs - hourMs, 160, 20);
    await store(startMs - hourMs - minuteMs, 7, 7);
    await store(startMs - weekMs, 70, 20, 'node-1');
    await store(startMs - weekMs, 60, 20, 'node-2');
    const [current, ...furtherSnapshots] = await snapshots();
    expect(furtherSnapshots).toEqual([]);
    expect(current).toMatchObject({
      date: new Date(startMs).toISOString(),
      duration: 60,
      acceptCount: 80,
      rejectCount: 40,
      failureRate: 0.3333,
      rejectCountByCause: { OTHER: 40 },
      meanMs: 0,
      p95Ms: null,
      engine: { requests: 2, acctRequests: 4, queueLenAuth: 8 },
    });
    const compared = current!.historicalStats;
    expect(compared.map(({ offset, offsetType, offsetTypeStr }) => [offset, offsetType, offsetTypeStr])).toEqual([
      [3_600, 1, 'hour'],
      [86_400, 2, 'day'],
      [604_800, 3, 'week'],
    ]);
    expect(compared).toMatchObject([
      {
        failureRate: 0.1111,
        failureRateDelta: 0.2222,
        failureRateIncrease: true,
        failureRateWarning: true,
        acceptCount: 160,
        acceptDelta: -80,
        acceptDecrease: true,
        acceptWarning: false,
        rejectCount: 20,
        rejectDelta: 20,
        rejectIncrease: true,
        rejectWarning: false,
        totalCount: 180,
      },
      { totalCount: 0, failureRate: 0, failureRateWarning: true, acceptDecrease: false },
      { totalCount: 170, failureRate: 0.2353, failureRateWarning: false, rejectDelta: 0, rejectIncrease: false },
    ]);
  });

  test('leaves out an interval that not all nodes may have stored yet', async () => {
    const { endMs, store, snapshots } = await openHealth();
    await store(endMs - minuteMs, 1, 0);
    await store(endMs, 100, 0);
    expect((await snapshots('/latest')).map(({ acceptCount }) => acceptCount)).toEqual([1]);
  });

  test('timeline aggregates to the interval of the request', async () => {
    const { admin, endMs, store, snapshots } = await openHealth();
    const startMs = endMs - 30 * minuteMs;
    const time = (atMs: number) => encodeURIComponent(new Date(atMs).toISOString());
    for (let minute = 0; minute < 10; minute++) await store(startMs + minute * minuteMs, 3, 1);
    const aggregated = await snapshots(
      `/timeline?start=${time(startMs)}&end=${time(startMs + 10 * minuteMs)}&interval=300`,
    );
    const counts = { duration: 300, acceptCount: 15, rejectCount: 5, rejectCountByCause: { OTHER: 5 } };
    expect(aggregated).toMatchObject([
      { date: new Date(startMs).toISOString(), ...counts },
      { date: new Date(startMs + 5 * minuteMs).toISOString(), ...counts },
    ]);
    const refused = async (query: string) => (await admin.get(`${path}${query}`)).code;
    expect(await refused(`/timeline?start=${time(endMs)}&end=${time(startMs)}`)).toBe(400);
    expect(await refused(`/timeline?start=${time(endMs - 5 * weekMs)}&interval=86400`)).toBe(400);
    expect(await refused(`/timeline?start=${time(endMs - weekMs)}&interval=60`)).toBe(400);
    expect(await refused('/latest?timespan=3&timespanUnit=3')).toBe(400);
    expect(await refused('/latest?timespan=32&timespanUnit=3')).toBe(400);
    expect(await refused('/latest?timespan=1&timespanUnit=4')).toBe(400);
    expect(await refused('/latest?timespan=0')).toBe(400);
    expect(await refused('/latest?timespan=24&timespanUnit=2')).toBe(200);
  });

  test('snapshotInterval sets the length of the intervals', async () => {
    const { admin, endMs, countedTo, recorder, rows } = await openHealth();
    const settings = '/radius/radius-server-config/global';
    expect((await admin.post(settings, { snapshotInterval: 20 })).code).toBe(200);
    expect((await admin.get(`${path}/snapshot-interval`)).body.results).toEqual([{ interval: 20 }]);
    await countedTo(endMs - minuteMs);
    await recorder().record();
    expect((await rows()).slice(0, 3)).toMatchObject([{ seconds: 20 }, { seconds: 20 }, { seconds: 20 }]);
    expect((await admin.post(settings, { snapshotInterval: 9 })).code).toBe(400);
    expect((await admin.post(settings, { snapshotInterval: 60 })).code).toBe(200);
  });

  /** Makes nodes record a minute without replies, after which each compares the failure rate with its limits. */
  const evaluate = async ({ endMs, countedTo, recorder }: Awaited<ReturnType<typeof openHealth>>) => {
    for (const node of ['node-1', 'node-2']) {
      await countedTo(endMs - minuteMs, node);
      await recorder(node).record();
    }
  };
  const rateEvents = async ({ admin }: Awaited<ReturnType<typeof openHealth>>) => {
    const filter = encodeURIComponent('name==RADIUS_FAILURE_RATE_*');
    const { body } = await admin.get<{ name: string; eventFormatString: string }>(
      `/logging/event?sortKey=id&filter=${filter}`,
    );
    return body.results!.map(({ eventFormatString }) => eventFormatString);
  };

  test('reports a high failure rate once for all nodes, and once when it is normal again', async () => {
    const health = await openHealth();
    const { endMs, store } = health;
    await store(endMs - 2 * minuteMs, 37, 12);
    await evaluate(health);
    // A request too few.
    expect(await rateEvents(health)).toEqual([]);
    await store(endMs - 3 * minuteMs, 1, 0);
    await evaluate(health);
    await evaluate(health);
    const high = '24 % of 50 RADIUS replies in 5 minutes were rejects; in the same hour a week before it was 0 %.';
    expect(await rateEvents(health)).toEqual([high]);
    await store(endMs - 4 * minuteMs, 100, 0);
    await evaluate(health);
    expect(await rateEvents(health)).toEqual([high, '8 % of 150 RADIUS replies in 5 minutes were rejects.']);
  });

  test('a failure rate that was as high in the same hour a week before is not reported', async () => {
    const health = await openHealth();
    const { endMs, store } = health;
    const hourMsBefore = Math.floor((endMs - weekMs) / hourMs) * hourMs;
    await store(hourMsBefore, 88, 12);
    await store(endMs - 2 * minuteMs, 38, 12);
    await evaluate(health);
    expect(await rateEvents(health)).toEqual([]);
  });

  test('measures latency and rejects of the last minutes, with 20 replies and more', async () => {
    const { endMs, answers, countedTo, recorder, runtime } = await openHealth();
    await answers(endMs - 30_000, 19, { cause: 'NO_POLICY', ms: 600 });
    await countedTo(endMs - minuteMs);
    await recorder().record();
    expect(await measureReplies(runtime.pool)).toEqual({ p95Ms: 0, rejectPercent: 0 });
    await answers(endMs - 20_000, 57, { node: 'node-2', ms: 2 });
    await countedTo(endMs - minuteMs, 'node-2');
    await recorder('node-2').record();
    expect(await measureReplies(runtime.pool)).toEqual({ p95Ms: 615, rejectPercent: 25 });
  });

  test('reports the engine of a node that no longer reports once, and not that of a node that ended properly', async () => {
    const { admin, sql, runtime } = await openHealth();
    const reported = async () => {
      const filter = encodeURIComponent('name==RADIUS_SERVICE_*');
      const { body } = await admin.get<{ name: string; elementName: string }>(
        `/logging/event?sortKey=id&filter=${filter}`,
      );
      return body.results!.map(({ name, elementName }) => `${name} ${elementName}`);
    };
    const renewed = (node: string, secondsAgo: number) =>
      sql(
        `insert into cluster_node as n (node, version, radius, renewed) values ($1, '', '{}', clock_timestamp() - make_interval(secs => $2))
         on conflict (node) do update set renewed = excluded.renewed`,
        [node, secondsAgo],
      );
    for (const node of ['crashed', 'alive', 'ended', 'stopped'])
      await reportEngineState(runtime, node, { isUp: true, cause: '' });
    // The first start of an engine is no recovery.
    expect(await reported()).toEqual([]);
    await renewed('alive', 5);
    await renewed('crashed', 11);
    await renewed('stopped', 11);
    await forgetEngineState(runtime, 'stopped');
    await Promise.all([1, 2, 3].map(() => reportSilentNodes(runtime)));
    expect(await reported()).toEqual(['RADIUS_SERVICE_DOWN crashed']);
    await renewed('crashed', 0);
    for (const isUp of [true, true]) await reportEngineState(runtime, 'crashed', { isUp, cause: '' });
    await reportSilentNodes(runtime);
    expect(await reported()).toEqual(['RADIUS_SERVICE_DOWN crashed', 'RADIUS_SERVICE_UP crashed']);
  });
});
