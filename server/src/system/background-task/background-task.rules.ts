import { type RecordValue, rules, type WriteTx } from '../../context.ts';
import { protectedRecord, rejected } from '../../kernel/failure.ts';
import { backgroundTask } from './background-task.ts';

const isOpen = (state: unknown): boolean => state === 'QUEUED' || state === 'RUNNING' || state === 'RETRYING';

/** True if the change only clears references. A deleted record is removed from all tasks that refer to it, also from jobs. */
const isRelease = (requestBody: Readonly<RecordValue>): boolean =>
  Object.entries(requestBody).every(
    ([field, value]) => ['assigner', 'assignee', 'previousTask'].includes(field) && !value,
  );

export const backgroundTaskRules = rules(backgroundTask, {
  async beforeSave({ id, before, after, sent: requestBody }, { tx }) {
    if (before?.kind === 'JOB' && !isRelease(requestBody))
      throw protectedRecord(`Task ${before.id} is a job of the service; it can be completed or deleted, not edited.`);
    if (requestBody.kind === 'JOB' && before?.kind !== 'JOB')
      throw protectedRecord('kind: jobs are created by the service; tasks created by callers are MANUAL.');
    if (after.previousTask && after.previousTask !== before?.previousTask)
      await refuseCycle(tx, id, Number(after.previousTask));
    if (before) return;
    after.assigner = tx.origin.accountId;
    after.dateCreated = new Date().toISOString();
  },

  /** Cancels a job that waits or runs before its task is deleted. Its worker stops within a second. */
  async beforeDelete(record, { cancelJob }) {
    if (record.kind === 'JOB' && isOpen(record.state))
      await cancelJob(String(record.jobName), String(record.queueJobID));
  },
});

/** Throws if a task would wait for itself, directly or through other tasks. */
async function refuseCycle({ client }: WriteTx, id: number, previous: number): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtext('background-task-chain'))`);
  const { rows } = await client.query<{ cycle: boolean }>(
    `with recursive back (id) as (
       select $2::bigint
       union
       select t.previous_task from background_task t join back on t.id = back.id where t.previous_task is not null
     )
     select exists (select from back where back.id = $1) as cycle`,
    [id, previous],
  );
  if (rows[0]!.cycle) throw rejected(`previousTask: ${previous} already waits for this task.`, '/previousTask');
}
