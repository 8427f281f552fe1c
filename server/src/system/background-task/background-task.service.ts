import { hostname } from 'node:os';
import type { Job, JobFollower, Jobs, Runtime, WhileOwn, WriteTx } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { backgroundTaskFailed } from './background-task.events.ts';
import { backgroundTask, type TaskProgress } from './background-task.ts';

const node = hostname();

const progressOf = ({ done, total, step }: { done: number; total: number; step: string }): TaskProgress => ({
  done,
  total,
  percent: total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : 0,
  step,
});

/** Queues a job and creates the task that shows its progress, both in the transaction that causes them. */
export async function startTask<C>(
  tx: WriteTx,
  jobs: Jobs<C>,
  job: Pick<Job<C>, 'name'>,
  payload: unknown,
  message: string,
): Promise<number> {
  const { id } = await tx.records.create(backgroundTask, { message });
  const queueJobID = await jobs.enqueue(tx.client, job.name, { taskId: id, payload });
  await tx.client.query(`update background_task set kind = 'JOB', job_name = $2, queue_job_id = $3 where id = $1`, [
    id,
    job.name,
    queueJobID,
  ]);
  return id;
}

/** Stores the progress of a worker in its task, in one transaction with the state of the job in the queue. */
export function followJobs(runtime: Runtime): JobFollower {
  const write = (
    taskId: number,
    isOwn: WhileOwn,
    observedFields: () => Record<string, unknown>,
    after?: After,
  ): Promise<boolean> =>
    runtime.transact(systemOrigin('follow'), async (tx) => {
      // Locks the task before its job, in the same order as the deletion of a task.
      const { rowCount } = await tx.client.query('select from background_task t where t.id = $1 for update', [taskId]);
      if (!(await isOwn(tx.client)) || rowCount === 0) return false;
      await tx.records.observe(backgroundTask, taskId, observedFields());
      await after?.(tx);
      return true;
    });
  return {
    begin: (taskId, attempts, isOwn) =>
      write(taskId, isOwn, () => ({
        state: 'RUNNING',
        attempts,
        node,
        dateStarted: new Date().toISOString(),
        errorMessage: null,
      })),
    storeProgress: (taskId, state, isOwn) => write(taskId, isOwn, () => ({ progress: progressOf(state) })),
    end: async (taskId, { error, willRetry, report, state }, settle) => {
      const outcome =
        error === undefined
          ? { state: 'COMPLETED', dateCompleted: new Date().toISOString() }
          : { state: willRetry ? 'RETRYING' : 'FAILED', errorMessage: error.slice(0, errorLengthMax) };
      const finalFields = { ...outcome, progress: progressOf(state), report: report.slice(0, reportItemsMax) };
      const isFailed = error !== undefined && !willRetry;
      await write(taskId, settle, () => finalFields, isFailed ? (tx) => emitFailure(tx, taskId, error) : undefined);
    },
  };
}

type After = (tx: WriteTx) => Promise<void>;

const errorLengthMax = 2_000;
const reportItemsMax = 10_000;

const lostTasksMax = 500;
const lostTaskMessage =
  'The node that ran this job stopped, or did not report for too long, and the job is not retried. Completed steps are not reverted.';

/** Ends tasks that still seem to run although their job has ended together with its worker. */
export async function endLostTasks(tx: WriteTx): Promise<void> {
  const { rows } = await tx.client.query<{ id: number }>(
    `select t.id from background_task t
     where t.kind = 'JOB' and t.state in ('QUEUED', 'RUNNING', 'RETRYING')
       and not exists (select from pgboss.job j where j.name = t.job_name and j.id = t.queue_job_id::uuid and j.state < 'completed')
     order by t.id limit ${lostTasksMax} for update of t skip locked`,
  );
  for (const { id } of rows) {
    await tx.records.observe(backgroundTask, id, { state: 'FAILED', errorMessage: lostTaskMessage });
    await emitFailure(tx, id, lostTaskMessage);
  }
}

async function emitFailure(tx: WriteTx, taskId: number, error: string): Promise<void> {
  const task = await tx.records.fetch(backgroundTask, taskId);
  if (!task) return;
  await tx.emit({
    type: backgroundTaskFailed,
    element: { id: taskId, name: String(task.message) },
    attributes: { error },
  });
}
