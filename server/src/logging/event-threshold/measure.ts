import { statfs } from 'node:fs/promises';
import { cpus, freemem, totalmem } from 'node:os';
import type pg from 'pg';
import { measureReplies } from '../../radius/radius-health/radius-health.service.ts';
import type { thresholds } from './thresholds.ts';

type Name = (typeof thresholds)[number]['name'];

/** Measured values, in the unit of each threshold. A value that cannot be measured now is missing. */
export type Measured = ReadonlyMap<Name, number>;

/** Measures one node. CPU usage is computed between two measurements. */
export class Measurer {
  readonly #pool: pg.Pool;
  readonly #folders: readonly string[];
  #cpu = cpuTimes();

  /** `folders`: folders on the disks to measure. */
  constructor(pool: pg.Pool, folders: readonly string[]) {
    this.#pool = pool;
    this.#folders = folders;
  }

  async measure(): Promise<Measured> {
    const measured = new Map<Name, number>();
    const cpu = this.#cpuPercent();
    if (cpu !== undefined) measured.set('CPU', cpu);
    measured.set('MEMORY', (1 - freemem() / totalmem()) * 100);
    measured.set('DISK', Math.max(...(await Promise.all(this.#folders.map(diskPercent)))));
    const { connections, waiting, growth, open } = await this.#ofDatabase();
    measured.set('DATABASE_CONNECTIONS', connections);
    measured.set('QUEUE_DEPTH', waiting);
    measured.set('PARTITION_GROWTH', growth);
    const { p95Ms, rejectPercent } = await measureReplies(this.#pool);
    measured.set('RADIUS_LATENCY', p95Ms);
    measured.set('RADIUS_REJECT_RATE', rejectPercent);
    measured.set('CONCURRENT_CONNECTIONS', (open / connectionsMax) * 100);
    return measured;
  }

  #cpuPercent(): number | undefined {
    const [before, after] = [this.#cpu, cpuTimes()];
    this.#cpu = after;
    const total = after.total - before.total;
    return total > 0 ? (1 - (after.idle - before.idle) / total) * 100 : undefined;
  }

  async #ofDatabase(): Promise<OfDatabase> {
    const { rows } = await this.#pool.query<OfDatabase>(databaseSql, [minRowsReported, 2 * connectionsMax]);
    return rows[0]!;
  }
}

interface OfDatabase {
  connections: number;
  waiting: number;
  growth: number;
  /** Open connections, counted up to twice the number that a cell is made for. */
  open: number;
}

/** Open connections that a cell is made for. */
const connectionsMax = 200_000;

/** Minimum mean of rows per day for the comparison, so that a small log does not count as fast growing. */
const minRowsReported = 1_000;

/** Fraction of yesterday within the last 24 hours; its rows are assumed to be evenly distributed. */
const restOfYesterday = `(1 - extract(epoch from now() - date_trunc('day', now())) / 86400)`;

/** Growth compares the last 24 hours of a log with the mean of up to seven days before yesterday. */
const databaseSql = `select 100.0 * (select count(*) from pg_stat_activity a where a.backend_type = 'client backend')
    / current_setting('max_connections')::integer as connections,
  (select count(*) from (select from pgboss.job j where j.state in ('created', 'retry') and j.start_after <= now() limit 1000000) w) as waiting,
  (select count(*) from (select from connection_active a limit $2) o)::double precision as open,
  (select coalesce(max(g.recent / greatest(g.mean, $1)), 0) from (
    select coalesce(sum(c.rows) filter (where c.day::date = current_date), 0)
        + coalesce(sum(c.rows) filter (where c.day::date = current_date - 1), 0) * ${restOfYesterday} as recent,
      coalesce(sum(c.rows) filter (where c.day::date between current_date - 8 and current_date - 2), 0)
        / nullif(greatest(0, least(current_date - 1 - min(c.day::date), 7)), 0) as mean
    from log_slice_count c join log_table t on t.table_name = c.log and t.slice = 'day'
    group by c.log) g where g.mean is not null)::double precision as growth`;

function cpuTimes(): { idle: number; total: number } {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, cpu) => sum + cpu.idle, 0);
  const total = times.reduce((sum, cpu) => sum + cpu.idle + cpu.user + cpu.nice + cpu.sys + cpu.irq, 0);
  return { idle, total };
}

/** Returns the disk usage as `df` does, with space reserved for root as used; 0 for a folder that does not exist yet. */
async function diskPercent(folder: string): Promise<number> {
  const fileSystem = await statfs(folder).catch(() => undefined);
  if (!fileSystem) return 0;
  const { blocks, bfree, bavail } = fileSystem;
  const used = blocks - bfree;
  return used + bavail > 0 ? (used / (used + bavail)) * 100 : 0;
}
