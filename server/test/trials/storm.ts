import { container } from '../../src/device/container/container.ts';
import { aaaServer } from '../../src/integration/aaa-server/aaa-server.ts';
import { systemOrigin } from '../../src/kernel/declare/caller.ts';
import { foldCounters } from '../../src/kernel/operations/maintenance-jobs.ts';
import type { Runtime, WriteTx } from '../../src/kernel/write/runtime.ts';
import type { World } from '../world/world.ts';

export interface StormReport {
  transactions: number;
  /** Errors that callers got, by message. */
  failures: Map<string, number>;
  deadlocks: number;
  /** Per table: the counter, and the result of count(*). */
  counts: Record<string, { counter: number; counted: number }>;
  /** Records whose feed lacks a version or has one out of order. */
  feedFaults: string[];
  feedEntries: number;
}

const rowsEach = 40;
const tables = { container, aaa_server: aaaServer } as const;

/**
 * Writes two tables from many connections in either order: creating, changing and deleting, while a job folds the
 * counters.
 */
export async function storm(
  world: World,
  options: { connections: number; seconds: number; seed: number },
): Promise<StormReport> {
  const { runtime } = world.service;
  const random = generator(options.seed);
  const ids = await prepare(runtime);
  const until = performance.now() + options.seconds * 1_000;
  const failures = new Map<string, number>();
  const before = await deadlocksOf(runtime);
  let transactions = 0;
  const writer = async (): Promise<void> => {
    while (performance.now() < until) {
      await runtime
        .transact(systemOrigin('storm'), (tx) => writeBoth(tx, ids, random))
        .then(
          () => transactions++,
          (error: Error) => failures.set(error.message, (failures.get(error.message) ?? 0) + 1),
        );
    }
  };
  const folder = async (): Promise<void> => {
    for (; performance.now() < until; await new Promise((done) => setTimeout(done, 50))) await foldCounters(runtime);
  };
  await Promise.all([...Array.from({ length: options.connections }, writer), folder()]);
  return {
    transactions,
    failures,
    deadlocks: (await deadlocksOf(runtime)) - before,
    counts: await countsOf(runtime),
    ...(await feedFaultsOf(runtime)),
  };
}

type Ids = Record<keyof typeof tables, number[]>;

async function prepare(runtime: Runtime): Promise<Ids> {
  const ids: Ids = { container: [], aaa_server: [] };
  await runtime.transact(systemOrigin('storm'), async (tx) => {
    for (let n = 0; n < rowsEach; n++) {
      ids.container.push((await tx.records.create(container, { name: `storm-${n}` })).id);
      ids.aaa_server.push(
        (
          await tx.records.create(aaaServer, {
            name: `storm-${n}`,
            netId: `storm-${n}.example`,
            secret: 'a-long-shared-secret',
          })
        ).id,
      );
    }
  });
  return ids;
}

let recordCount = 0;

/**
 * Writes both tables in one transaction, in either order; now and then it also creates a record, and deletes it right
 * away.
 */
async function writeBoth(tx: WriteTx, ids: Ids, random: () => number): Promise<void> {
  const pick = (list: readonly number[]) => list[Math.floor(random() * list.length)]!;
  const steps = [
    () => tx.records.update(container, pick(ids.container), { notes: `${random()}` }),
    () => tx.records.update(aaaServer, pick(ids.aaa_server), { checkUser: `${random()}` }),
  ];
  if (random() < 0.5) steps.reverse();
  if (random() < 0.2) {
    const number = recordCount++;
    const created = await tx.records.create(container, { name: `storm-extra-${number}` });
    if (random() < 0.5) await tx.records.remove(container, [created.id]);
  }
  for (const step of steps) await step();
}

async function deadlocksOf(runtime: Runtime): Promise<number> {
  const { rows } = await runtime.pool.query<{ deadlocks: number }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  return rows[0]!.deadlocks;
}

async function countsOf(runtime: Runtime): Promise<StormReport['counts']> {
  const counts: StormReport['counts'] = {};
  for (const name of [...Object.keys(tables), 'audit_record', 'event']) {
    const { rows } = await runtime.pool.query<{ counter: number; counted: number }>(
      `select row_total('${name}') as counter, (select count(*) from ${name}) as counted`,
    );
    counts[name] = rows[0]!;
  }
  return counts;
}

/**
 * Returns the records whose feed is wrong: each must be added with version 1, then have every version once, and may
 * then be removed.
 */
async function feedFaultsOf(runtime: Runtime): Promise<{ feedFaults: string[]; feedEntries: number }> {
  const { rows } = await runtime.pool.query<{
    table: string;
    id: number;
    story: string;
    wanted: string;
    entries: number;
  }>(
    `select f.table_name as "table", f.record_id as id, count(*)::integer as entries,
       string_agg(f.change || f.version, ' ' order by f.seq) as story,
       string_agg(case when f.place = 1 then 'added1' when f.change = 'removed' then 'removed' || (f.place - 1) else 'modified' || f.place end, ' ' order by f.seq) as wanted
     from (select x.*, row_number() over (partition by x.table_name, x.record_id order by x.seq) as place from change_feed x where x.table_name = any($1)) f
     group by f.table_name, f.record_id`,
    [Object.keys(tables)],
  );
  const { rows: live } = await runtime.pool.query<{ id: number; version: number }>(
    'select id, version from container union all select id, version from aaa_server',
  );
  const faults = rows
    .filter(({ story, wanted }) => story !== wanted)
    .map(({ table, id, story }) => `${table} ${id}: ${story}`);
  const reported = rows.reduce((sum, row) => sum + row.entries, 0);
  if (live.length === 0) faults.push('no record remains to compare');
  return { feedFaults: faults, feedEntries: reported };
}

/** A small random generator with a seed, so that a failed run can be repeated. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
