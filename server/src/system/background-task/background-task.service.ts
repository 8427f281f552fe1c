import { hostname } from 'node:os';
import type { Job, JobFollower, Jobs, Runtime, WriteTx } from '../../context.ts';
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

/** Queues a job and makes the task by which people follow it, both in the transaction that causes them. */
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

/** Writes what a worker does into the task; a task that is gone means that the job is not wanted any more. */
export function followJobs(runtime: Runtime): JobFollower {
  const observe = (taskId: number, seen: Record<string, unknown>) =>
    runtime.transact(systemOrigin('follow'), async (tx) => {
      await tx.records.observe(backgroundTask, taskId, seen);
      return tx.records.exists(backgroundTask, taskId);
    });
  return {
    begun: async (taskId, attempts) => {
      await observe(taskId, {
        state: 'RUNNING',
        attempts,
        node,
        dateStarted: new Date().toISOString(),
        errorMessage: null,
      });
    },
    seen: (taskId, state) => observe(taskId, { progress: progressOf(state) }),
    ended: async (taskId, { error, willRetry, report, state }) => {
      const now = new Date().toISOString();
      const outcome =
        error === undefined
          ? { state: 'COMPLETED', dateCompleted: now }
          : { state: willRetry ? 'RETRYING' : 'FAILED', errorMessage: error.slice(0, 2_000) };
      await observe(taskId, { ...outcome, progress: progressOf(state), report: report.slice(0, 10_000) });
      if (error !== undefined && !willRetry) await emitFailure(runtime, taskId, error);
    },
  };
}

async function emitFailure(runtime: Runtime, taskId: number, error: string): Promise<void> {
  await runtime.transact(systemOrigin('follow'), async (tx) => {
    const task = await tx.records.fetch(backgroundTask, taskId);
    if (!task) return;
    await tx.emit({
      type: backgroundTaskFailed,
      element: { id: taskId, name: String(task.message) },
      attributes: { error },
    });
  });
}
