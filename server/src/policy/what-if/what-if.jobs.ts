import { type Context, type Job, job, type StoredCall, type StoredCalls } from '../../context.ts';
import { forgetSql, whatIfJob } from './stored-comparisons.ts';

/** Runs a dry run whose comparison takes longer than a request. */
export const compareConnections = (calls: StoredCalls): Job<Context> =>
  job(whatIfJob, {
    doc: 'Compute which live connections a write would change',
    secondsMax: 1_800,
    repeatable: true,
    async run(payload, { signal, progress, report }) {
      const follow = (done: number, total: number) => progress(done, total, 'Comparing connections');
      const { filtered = 0, total = 0 } = await calls.dryRun(payload as StoredCall, { signal, follow });
      const detail = `${filtered} of ${total} live connections that you can view would change. Repeat the dry run to list them; the result is kept for 10 minutes.`;
      report([{ item: 'connections', outcome: 'COMPARED', detail }]);
    },
  });

export const forgetComparisons = job('what-if-sweep', {
  doc: 'Delete results of dry runs after ten minutes',
  at: '*/5 * * * *',
  secondsMax: 60,
  repeatable: true,
  async run(_payload, { context }) {
    await context.query(forgetSql, []);
  },
});
