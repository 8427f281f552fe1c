import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { seesEverything } from '../../src/kernel/access/visibility.ts';
import { inTransaction } from '../../src/kernel/database/transaction.ts';
import { archiveName } from '../../src/kernel/log/archive-store.ts';
import { importArchives } from '../../src/kernel/log/import.ts';
import { LogWriter } from '../../src/kernel/log/log-writer.ts';
import { foldCounters } from '../../src/kernel/operations/maintenance-jobs.ts';
import { event } from '../../src/logging/event/event.ts';
import type { World } from '../world/open-world.ts';
import { asOwner, pastDays, sliceDate } from './slices.ts';
import { generator } from './storm.ts';

export interface LogTrialOptions {
  days: number;
  rowsADay: number;
  /** How often each read is measured. */
  reads: number;
  /** How many of the oldest slices are detached and imported again. */
  leaving: number;
  seed: number;
}

export interface Read {
  name: string;
  p50: number;
  max: number;
  /**
   * CPU time of the session's backend and of this process for each read, in milliseconds: independent of the load of
   * the machine.
   */
  cpu: number;
  plan: string[];
}

export interface LogTrialReport {
  rows: number;
  fillSeconds: number;
  reads: Read[];
  /** How often the total was compared with count(*), and the differences. */
  compared: number;
  differing: string[];
  /** Rows that were written meanwhile. */
  written: number;
  leftRows: number;
  leaveSeconds: number;
  returnedRows: number;
  returnSeconds: number;
  /** Slices that differ after the import. */
  faults: string[];
}

const { daysAgoMs } = pastDays();
const elements = 5_000;
/** The part of a day in which rows have their time. */
const dayMs = 86_399_000;

/**
 * Fills a log with more than a year of rows, measures reads with warm caches, then writes, archives, detaches and
 * imports at once.
 */
export async function logTrial(world: World, options: LogTrialOptions): Promise<LogTrialReport> {
  const started = Date.now();
  await fill(world, options);
  const fillSeconds = (Date.now() - started) / 1_000;
  const reads = await measureReads(world, options);
  const traffic = new Traffic(world);
  const moved = await traffic.during(() => leaveAndReturn(world, options));
  return { rows: options.days * options.rowsADay, fillSeconds, reads, ...traffic.outcome, ...moved };
}

/** Fills one slice at a time before it is attached: its indexes are then built at once. */
async function fill({ database }: World, { days, rowsADay }: LogTrialOptions): Promise<void> {
  await asOwner(database, async (client) => {
    await client.query('set synchronous_commit = off; set maintenance_work_mem = 262144');
    for (let day = days; day >= 1; day--) {
      const dayStart = daysAgoMs(day);
      const slice = `event_${sliceDate(dayStart).replaceAll('-', '')}`;
      // The slice exists already, and is empty, if the database was cloned from one that was created on that day or
      // before.
      await client.query(`drop table if exists ${slice}`);
      await client.query(
        `create table ${slice} (like event including defaults including generated including constraints)`,
      );
      await client.query(
        `insert into ${slice} (id, name, element_type, element_id, element_name, message, event_format_string, event_type_id, category, attributes)
         select log_first_id($1::date) + (n * $2::bigint / $3::bigint) * 8192 + (n & 8191), 'TRIAL_' || n % 40, 2, (n * 7919) % ${elements},
           'switch-' || n % ${elements}, 'Port Gi1/0/' || n % 48 || ' of switch ' || n % ${elements} || ' went down and came back after a while', 'Trial event ' || n, 1, 'DEVICE', '{}'
         from generate_series(0, $3::bigint - 1) n`,
        [sliceDate(dayStart), dayMs, rowsADay],
      );
      await client.query(`revoke all on ${slice} from portreeve_service`);
      await client.query(
        `alter table event attach partition ${slice} for values from (${firstId(dayStart)}) to (${firstId(daysAgoMs(day - 1))})`,
      );
      await client.query(`insert into row_count (table_name, slice, rows) values ('event', $1, $2)`, [
        sliceDate(dayStart),
        rowsADay,
      ]);
    }
    await client.query('analyze event');
    await client.query(`update log_setting set value = $1 where name = 'eventDays'`, [days + 1]);
  });
}

const firstId = (ms: number): number => (ms - 1_577_836_800_000) * 8192;

/** Measures the most frequent reads of a log on one warm session, each time with other values. */
async function measureReads({ service }: World, { days, rowsADay, reads, seed }: LogTrialOptions): Promise<Read[]> {
  const random = generator(seed);
  const reader = service.runtime.reader(event.name, seesEverything);
  const element = () => `elementType==2;elementID==${Math.floor(random() * elements)}`;
  const month = 'timeOfEvent=ge=-31d';
  return service.runtime.read(async (client) => {
    const { rows } = await client.query<{ backend: number }>('select pg_backend_pid() as backend');
    const { backend } = rows[0]!;
    const anId = () => {
      const n = Math.floor(random() * rowsADay);
      const day = daysAgoMs(1 + Math.floor(random() * days));
      return firstId(day) + Math.floor((n * dayMs) / rowsADay) * 8192 + (n & 8191);
    };
    const list = (filter: string[], count: number) => reader.list(client, { filter, start: 0, count }, Date.now());
    const kinds: [string, () => Promise<unknown>][] = [
      ['list by element, 31 days', () => list([element(), month], 100)],
      ['newest 100', () => list([], 100)],
      ['count by element, 31 days', () => list([element(), month], 0)],
      [
        'fetch by id',
        async () => {
          const id = anId();
          if (!(await reader.fetch(client, id))) throw new Error(`the row ${id} was not found`);
        },
      ],
    ];
    const measured: Read[] = [];
    for (const [name, run] of kinds) {
      // A session plans a named statement five times before it keeps a plan.
      for (let n = 0; n < 8; n++) await run();
      const plan = await planOf(client, run);
      const took: number[] = [];
      const before = cpuMs(backend);
      for (let n = 0; n < reads; n++) {
        const since = performance.now();
        await run();
        took.push(performance.now() - since);
      }
      took.sort((a, b) => a - b);
      const cpu = (cpuMs(backend) - before) / reads;
      measured.push({ name, p50: took[took.length >> 1]!, max: took.at(-1)!, cpu, plan });
    }
    return measured;
  });
}

/**
 * Returns the CPU time of another process on this machine plus this process, from the kernel's clock of 100 ticks a
 * second.
 */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const { user, system } = process.cpuUsage();
  return (fields[11]! + fields[12]!) * 10 + (user + system) / 1_000;
}

/** Returns the plan of the one statement that a read sends. */
async function planOf(client: pg.PoolClient, run: () => Promise<unknown>): Promise<string[]> {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  let sentQuery: { text: string; values: unknown[] } | undefined;
  Object.assign(client, {
    query: (...args: unknown[]) => {
      const config = args[0] as { text?: string; values?: unknown[] };
      if (config.text) sentQuery = { text: config.text, values: config.values ?? [] };
      return query(...args);
    },
  });
  try {
    await run();
  } finally {
    Object.assign(client, { query });
  }
  const { rows } = await client.query<{ 'QUERY PLAN': string }>({
    text: `explain (analyze, costs off, timing off, summary on) ${sentQuery!.text}`,
    values: sentQuery!.values,
  });
  return shortened(rows.map((row) => row['QUERY PLAN']));
}

/** Shortens a plan: of hundreds of equal partitions the first ones are shown. */
function shortened(plan: readonly string[]): string[] {
  const shown: string[] = [];
  const countByForm = new Map<string, number>();
  for (const line of plan) {
    const form = line.replaceAll(/\d+/g, '#');
    const times = (countByForm.get(form) ?? 0) + 1;
    countByForm.set(form, times);
    if (times <= 2) shown.push(line);
  }
  const hidden = plan.length - shown.length;
  return hidden > 0 ? [...shown, `(${hidden} more lines of the same kinds)`] : shown;
}

/**
 * Writes in transactions and by COPY, runs the job that folds counters, and compares the total with count(*) all the
 * time.
 */
class Traffic {
  readonly #world: World;
  readonly outcome = { compared: 0, differing: [] as string[], written: 0 };
  #isOver = false;

  constructor(world: World) {
    this.#world = world;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    const background = Promise.all([this.#inTransactions(), this.#byCopy(), this.#fold(), this.#compare()]);
    try {
      const result = await work();
      // Compares twice more after the work.
      const { compared } = this.outcome;
      while (this.outcome.compared < compared + 2 && this.outcome.differing.length === 0) await sleep(20);
      return result;
    } finally {
      this.#isOver = true;
      await background;
    }
  }

  async #inTransactions(): Promise<void> {
    const { pool } = this.#world.service.runtime;
    for (let n = 0; !this.#isOver; n++) {
      await inTransaction(pool, (client) =>
        client.query(
          `insert into event (name, element_type, element_id, event_format_string, event_type_id, category, attributes) select 'WRITTEN', 2, n, 'written', 1, 'DEVICE', '{}' from generate_series(1, $1) n`,
          [1 + (n % 5)],
        ),
      );
      this.outcome.written += 1 + (n % 5);
      await sleep(2);
    }
  }

  async #byCopy(): Promise<void> {
    const writer = new LogWriter({
      pool: this.#world.service.runtime.pool,
      table: 'event',
      columns: ['name', 'element_type', 'element_id', 'event_format_string', 'event_type_id', 'category', 'attributes'],
      onOverload: () => undefined,
      onError: (error) => void this.outcome.differing.push(String(error)),
    });
    while (!this.#isOver) {
      await Promise.all(
        Array.from({ length: 200 }, (_, n) => writer.write(['COPIED', 2, n, 'copied', 1, 'DEVICE', '{}'])),
      );
      this.outcome.written += 200;
    }
    await writer.close();
  }

  async #fold(): Promise<void> {
    for (; !this.#isOver; await sleep(50)) await foldCounters(this.#world.service.runtime);
  }

  async #compare(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#world.database.serviceUrl });
    await client.connect();
    try {
      for (; !this.#isOver; await sleep(5)) {
        const { rows } = await client.query<{ total: string; counted: string }>({
          name: 'compare',
          text: `select row_total('event') as total, (select count(*) from event) as counted`,
        });
        const { total, counted } = rows[0]!;
        this.outcome.compared++;
        if (total !== counted) this.outcome.differing.push(`the total was ${total}, count(*) was ${counted}`);
      }
    } finally {
      await client.end();
    }
  }
}

/** Archives and detaches the oldest slices, and imports them again: each row must be the same as before. */
async function leaveAndReturn({ service, database }: World, { days, leaving }: LogTrialOptions) {
  const { pool } = service.runtime;
  const archives = service.archives!;
  const slices = Array.from({ length: leaving }, (_, n) => sliceDate(daysAgoMs(days - n)));
  const sums = async () => {
    const client = new pg.Client({ connectionString: database.serviceUrl });
    await client.connect();
    try {
      const sliceSums: string[] = [];
      for (const slice of slices) {
        const { rows } = await client.query<{ sum: string }>(
          `select count(*) || ' ' || coalesce(md5(string_agg((to_jsonb(r) - 'txid')::text, ',' order by r.id)), '') as sum
           from event r where r.id >= log_first_id($1::date) and r.id < log_first_id($1::date + 1)`,
          [slice],
        );
        sliceSums.push(rows[0]!.sum);
      }
      return sliceSums;
    } finally {
      await client.end();
    }
  };
  const never = new AbortController().signal;
  const before = await sums();
  await asOwner(database, (client) =>
    client.query(`update log_setting set value = $1 where name = 'eventDays'`, [days - leaving]),
  );
  let since = performance.now();
  await archives.ageAll(never);
  const leaveSeconds = (performance.now() - since) / 1_000;
  const faults = (await sums()).flatMap((sum, n) =>
    sum === '0 ' ? [] : [`slice ${slices[n]} was not detached: ${sum}`],
  );

  const { landscape } = (await pool.query('select cell_landscape() as landscape')).rows[0] as { landscape: number };
  const names = slices.map((slice) => archiveName('event', slice, landscape));
  const { rows: requested } = await pool.query<{ id: number }>(
    `insert into log_import (name, log) select unnest($1::text[]), 'event' returning id`,
    [names],
  );
  since = performance.now();
  const ids = requested.map(({ id }) => id);
  await importArchives(archives, ids, { signal: never, progress: () => undefined, report: () => undefined });
  const returnSeconds = (performance.now() - since) / 1_000;
  const { rows: imports } = await pool.query<{ name: string; state: string; inserted: number; error: string | null }>(
    'select name, state, inserted, error from log_import where id = any($1)',
    [ids],
  );
  faults.push(...imports.filter(({ state }) => state !== 'DONE').map(({ name, error }) => `${name}: ${error}`));
  const after = await sums();
  faults.push(
    ...after.flatMap((sum, n) => (sum === before[n] ? [] : [`slice ${slices[n]} was ${before[n]} and is ${sum}`])),
  );
  return {
    leftRows: before.reduce((rows, sum) => rows + Number(sum.split(' ')[0]), 0),
    leaveSeconds,
    returnedRows: imports.reduce((rows, { inserted }) => rows + inserted, 0),
    returnSeconds,
    faults,
  };
}
