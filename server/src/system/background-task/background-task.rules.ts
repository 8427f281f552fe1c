import { rules } from '../../context.ts';
import { protectedRecord } from '../../kernel/failure.ts';
import { backgroundTask } from './background-task.ts';

const isOpen = (state: unknown): boolean => state === 'QUEUED' || state === 'RUNNING' || state === 'RETRYING';

export const backgroundTaskRules = rules(backgroundTask, {
  beforeSave({ before, after }, { tx }) {
    if (before?.kind === 'JOB')
      throw protectedRecord(`Task ${before.id} is a job of the service; it can be completed or deleted, not edited.`);
    if (before) return;
    after.assigner = tx.origin.accountId;
    after.dateCreated = new Date().toISOString();
  },

  /** A job that still waits or runs is cancelled first; its worker notices within a second that the task is gone. */
  async beforeDelete(record, { cancelJob }) {
    if (record.kind === 'JOB' && isOpen(record.state))
      await cancelJob(String(record.jobName), String(record.queueJobID));
  },
});
