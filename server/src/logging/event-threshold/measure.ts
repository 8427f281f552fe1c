import { statfs } from 'node:fs/promises';
import { cpus, freemem, totalmem } from 'node:os';
import type pg from 'pg';
import type { thresholds } from './thresholds.ts';

type Name = (typeof thresholds)[number]['name'];

/** What was measured, in the unit of each threshold; what cannot be known just now is missing. */
export type Measured = ReadonlyMap<Name, number>;

/** Measures one node. CPU usage is computed between two measurements. */
export class Measurer {
  readonly #pool: pg.Pool;
  readonly #folders: readonly string[];
  #cpu = cpuTimes();

  /** `folders`: what lies on the disks that are looked at. */
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
    const { connections, waiting, growth } = await this.#ofDatabase();
    measured.set('DATABASE_CONNECTIONS', connections);
    measured.set('QUEUE_DEPTH', waiting);
    measured.set('PARTITION_GROWTH', growth);
    return measured;
  }

  #cpuPercent(): number | undefined {
    const [before, after] = [this.#cpu, cpuTimes()];
    this.#cpu = after;
    const total = after.total - before.total;
    return total > 0 ? (1 - (after.idle - before.idle) / total) * 100 : undefined;
  }

  async #ofDatabase(): Promise<OfDatabase> {
    const { rows } = await this.#pool.query<OfDatabase>(databaseSql, [rowsWorthTelling]);
    return rows[0]!;
  }
}

interface OfDatabase {
  connections: number;
  waiting: number;
  growth: number;
}

/** Fewer rows a day than this are no growth, whatever they are a multiple of. */
const rowsWorthTelling = 1_000;

const databaseSql = `select 100.0 * (select count(*) from pg_stat_activity a where a.backend_type = 'client backend')
    / current_setting('max_connections')::integer as connections,
  (select count(*) from (select from pgboss.job j where j.state in ('created', 'retry') and j.start_after <= now() limit 1000000) w) as waiting,
  (select coalesce(max(g.today / greatest(g.mean, $1)), 0) from (
    select sum(c.rows) filter (where c.day = to_char(current_date, 'YYYY-MM-DD')) as today,
      avg(c.rows) filter (where c.day < to_char(current_date, 'YYYY-MM-DD')) as mean
    from log_slice_count c join log_table t on t.table_name = c.log and t.slice = 'day'
    where c.day >= to_char(current_date - 7, 'YYYY-MM-DD')
    group by c.log) g)::double precision as growth`;

function cpuTimes(): { idle: number; total: number } {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, each) => sum + each.idle, 0);
  const total = times.reduce((sum, each) => sum + each.idle + each.user + each.nice + each.sys + each.irq, 0);
  return { idle, total };
}

/** As `df` reports it: space reserved for root counts as used. A folder that does not exist yet uses no disk. */
async function diskPercent(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => undefined);
  if (!found) return 0;
  const { blocks, bfree, bavail } = found;
  const used = blocks - bfree;
  return used + bavail > 0 ? (used / (used + bavail)) * 100 : 0;
}
