import { purgeFeed } from '../feed/feed.ts';
import type { Job } from '../jobs/jobs.ts';
import type { Runtime } from '../write/runtime.ts';

/** Folds the deltas of the counters into their base. Readers see both in one snapshot, so totals never waver. */
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
    // What is counted may itself be gone for ever, such as the members of a group; nothing counts as none.
    await client.query('delete from row_count c where c.rows = 0');
  });
}

/** Removes what has had its time: kept answers, the feed of yesterday, monitors nobody polls. */
async function sweep(runtime: Runtime): Promise<void> {
  await runtime.read(async (client) => {
    await client.query('delete from idempotency_key where expires_at < now()');
    await client.query(`delete from monitor where polled_at < now() - interval '1 hour'`);
    await purgeFeed(client);
  });
}

/** The kernel's own jobs. Each closes a gap, so it is the same on another node, after a restart, or run twice. */
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
