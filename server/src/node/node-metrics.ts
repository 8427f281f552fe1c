import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { SharedPool } from '../kernel/database/connect.ts';
import type { Observer } from '../kernel/http/server.ts';
import { Metrics } from '../kernel/telemetry/metrics.ts';
import type { Tracing } from '../kernel/telemetry/tracing.ts';

const latencyBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics of a node and its requests. */
export function observeRequests(tracing: Tracing): { metrics: Metrics; observer: Observer } {
  const metrics = new Metrics();
  const requests = metrics.counter(
    'portreeve_http_requests_total',
    'Completed requests, by operation and status word.',
  );
  const seconds = metrics.histogram(
    'portreeve_http_request_duration_seconds',
    'Time until the response was sent, by operation.',
    latencyBounds,
  );
  const labelled = new Map<string, Record<string, string>>();
  /** Returns the same object for the same labels. */
  const labelsOf = (key: string, makeLabels: () => Record<string, string>): Record<string, string> => {
    const labels = labelled.get(key) ?? makeLabels();
    labelled.set(key, labels);
    return labels;
  };
  const observer: Observer = {
    answered(operation, status, duration) {
      requests.add(labelsOf(`${operation} ${status}`, () => ({ operation, status })));
      seconds.observe(
        labelsOf(operation, () => ({ operation })),
        duration,
      );
    },
    traced: (call, work) => tracing.traced(call, work),
  };
  return { metrics, observer };
}

/** Adds the metrics that a scrape reads from the process and the database. */
export function observeNode(metrics: Metrics, pool: SharedPool): void {
  const loop = monitorEventLoopDelay({ resolution: 10 });
  loop.enable();
  const sampleOf = (value: number) => [{ labels: {}, value }];
  metrics.gauge('process_resident_memory_bytes', 'Resident memory of the process.', () =>
    sampleOf(process.memoryUsage.rss()),
  );
  metrics.gauge(
    'process_cpu_seconds_total',
    'CPU time used by the process.',
    () => sampleOf(process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6),
    'counter',
  );
  metrics.gauge('process_start_time_seconds', 'When the process started.', () =>
    sampleOf(performance.timeOrigin / 1_000),
  );
  metrics.gauge(
    'portreeve_event_loop_delay_seconds',
    'Event loop delay, 99th percentile since the last scrape.',
    () => {
      const value = loop.percentile(99) / 1e9;
      loop.reset();
      return sampleOf(value);
    },
  );
  metrics.gauge('portreeve_database_sessions', 'Database sessions of the pool, by state.', () => [
    { labels: { state: 'idle' }, value: pool.idleCount },
    { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
    { labels: { state: 'wanted' }, value: pool.wanted },
  ]);
  metrics.gauge('portreeve_job_queue_age_seconds', 'Waiting time of the oldest job of a queue.', async () => {
    const { rows } = await pool.query<{ queue: string; age: number }>(
      `select q.name as queue, coalesce((select extract(epoch from now() - min(j.created_on)) from pgboss.job j
         where j.name = q.name and j.state in ('created', 'retry') and j.start_after <= now()), 0)::double precision as age
       from pgboss.queue q order by q.name limit 500`,
    );
    return rows.map(({ queue, age }) => ({ labels: { queue }, value: age }));
  });
  metrics.gauge('portreeve_change_feed_rows', 'Changes stored for monitors.', async () => {
    const { rows } = await pool.query<{ rows: number }>(
      `select greatest(reltuples, 0)::bigint as rows from pg_class where oid = 'change_feed'::regclass`,
    );
    return sampleOf(rows[0]!.rows);
  });
  metrics.gauge(
    'portreeve_change_feed_lag_seconds',
    'Time since the last poll of the most delayed monitor.',
    async () => {
      const { rows } = await pool.query<{ lag: number }>(
        `select coalesce(extract(epoch from now() - min(m.polled_at)), 0)::double precision as lag from monitor m where m.polled_at > now() - interval '15 minutes'`,
      );
      return sampleOf(rows[0]!.lag);
    },
  );
}
