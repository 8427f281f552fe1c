import { purgeFeed } from '../feed/feed.ts';
import type { Job } from '../jobs/jobs.ts';
import type { Runtime } from '../write/runtime.ts';

/**
 * Adds the deltas of the row counters to their base. Readers see both in one snapshot, so totals stay correct
 * meanwhile.
 */
export async function foldCounters(runtime: Runtime): Promise<void> {
  await runtime.read(async (client) => {
    await client.query(`with taken as (
        delete from row_count_delta d
        where d.id in (select x.id from row_count_delta x order by x.id limit 100000 for update skip locked)
        returning d.table_name, d.slice, d.delta
      )
      insert into row_count as c (table_name, slice, rows)
      select t.table_name, t.slice, sum(t.delta) from taken t group by t.table_name, t.slice order by t.table_name, t.slice
      on conflict (table_name, slice) do update set rows = c.rows + excluded.rows`);
    // What a counter counts may be deleted, such as the members of a group. No row is the same as a count of 0.
    await client.query('delete from row_count c where c.rows = 0');
  });
}

/** Deletes expired rows: idempotency keys, monitors without a poll for an hour, and old entries of the change feed. */
async function sweep(runtime: Runtime): Promise<void> {
  await runtime.read(async (client) => {
    await client.query('delete from idempotency_key where expires_at < now()');
    await client.query(`delete from monitor where polled_at < now() - interval '1 hour'`);
    await purgeFeed(client);
  });
}

/**
 * The jobs of the kernel. Each brings the database into a defined state, so it may run on another node, after a
 * restart, or twice.
 */
export const maintenanceJobs = <C>(runtime: Runtime): Job<C>[] => [
  {
    kind: 'job',
    name: 'fold-counters',
    doc: 'Aggregate the row counters',
    at: '* * * * *',
    secondsMax: 50,
    repeatable: true,
    run: () => foldCounters(runtime),
  },
  {
    kind: 'job',
    name: 'make-log-slices',
    doc: 'Create the next slices of every log',
    at: '7 * * * *',
    secondsMax: 60,
    repeatable: true,
    run: async () => void (await runtime.read((client) => client.query('select make_log_slices(7)'))),
  },
  {
    kind: 'job',
    name: 'sweep',
    doc: 'Remove expired rows',
    at: '23 * * * *',
    secondsMax: 300,
    repeatable: true,
    run: () => sweep(runtime),
  },
];
