import { action } from '../../context.ts';
import { notFound, rejected } from '../../kernel/failure.ts';
import { backgroundTask, backgroundTaskCompleted } from './background-task.ts';

/** What I started or was given, and is not done yet. */
const currentUser = action(backgroundTask, {
  name: 'current-user',
  method: 'GET',
  path: '/current-user',
  doc: 'List open tasks that you started or that are assigned to you, newest first',
  signedIn: true,
  result: 'record',
  async run({ caller }, { list }) {
    const account = caller.accountId;
    const page = await list(backgroundTask, {
      filter: [`assigner==${account},assignee==${account}`, 'dateCompleted=isnull=true'],
      start: 0,
      count: 1_000,
      sortKey: 'id',
      sortDir: 'desc',
    });
    return page.records;
  },
});

/** Done: by a person, or acknowledged after the service gave up. */
const complete = action(backgroundTask, {
  name: 'complete',
  method: 'POST',
  path: '/{id}/complete',
  doc: 'Complete a manual task, or acknowledge a job that failed or was cancelled',
  body: {
    kind: 'object',
    name: 'TaskCompletion',
    properties: { note: { kind: 'text', max: 2_000, doc: 'Replaces the note of the task.' } },
  },
  bodyOptional: true,
  example: { note: 'Done; the new certificate is in place.' },
  errors: ['not-found', 'rejected'],
  async run({ id, body }, { tx }) {
    const task = await tx.records.fetch(backgroundTask, id);
    if (!task) throw notFound('Background task', id);
    const isJob = task.kind === 'JOB';
    if (isJob && task.state !== 'FAILED' && task.state !== 'CANCELLED')
      throw rejected(
        `Task ${id} is a job in state ${task.state}; only one that failed or was cancelled can be acknowledged.`,
      );
    const { note } = (body ?? {}) as { note?: string };
    const isNoted =
      note !== undefined && !isJob && (await tx.records.update(backgroundTask, id, { note }, {}, 'EXECUTE')).changed;
    if (task.dateCompleted !== null) return {};
    await tx.records.observe(backgroundTask, id, {
      dateCompleted: new Date().toISOString(),
      ...(!isJob && { state: 'COMPLETED' }),
    });
    // The state is observed, so nothing but this says who completed the task; with a note, its audit row does.
    if (!isNoted)
      await tx.engine.sinks.audit(tx.client, tx.origin, [
        {
          action: 'EXECUTE',
          table: 'background_task',
          recordId: id,
          recordName: String(task.message),
          eventTag: backgroundTaskCompleted.name,
          summary: 'completed',
          changes: [],
        },
      ]);
    await tx.emit({ type: backgroundTaskCompleted, element: { id, name: String(task.message) } });
    return {};
  },
});

export const backgroundTaskActions = [currentUser, complete];
