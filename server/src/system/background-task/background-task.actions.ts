import { action } from '../../context.ts';
import { notFound, rejected } from '../../kernel/failure.ts';
import { backgroundTaskCompleted } from './background-task.events.ts';
import { backgroundTask } from './background-task.ts';

const currentUser = action(backgroundTask, {
  name: 'current-user',
  method: 'GET',
  path: '/current-user',
  doc: 'List your open tasks, newest first',
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

const complete = action(backgroundTask, {
  name: 'complete',
  method: 'POST',
  path: '/{id}/complete',
  doc: 'Complete a manual task or acknowledge a failed job',
  body: {
    kind: 'object',
    name: 'TaskCompletion',
    properties: { note: { kind: 'text', max: 2_000, doc: 'Replaces the note of the task.' } },
  },
  bodyOptional: true,
  saves: true,
  example: { note: 'Done; the new certificate is in place.' },
  errors: ['not-found', 'rejected'],
  async run({ id, body, dryRun }, { tx }) {
    const task = await tx.records.fetch(backgroundTask, id);
    if (!task) throw notFound('Background task', id);
    const isJob = task.kind === 'JOB';
    if (isJob && task.state !== 'FAILED' && task.state !== 'CANCELLED')
      throw rejected(`Task ${id} is a job in state ${task.state}; only failed or cancelled jobs can be acknowledged.`);
    const note = body?.note;
    if (task.dateCompleted !== null) {
      if (note !== undefined && note !== task.note)
        throw rejected(`note: task ${id} is already completed; its note can be changed by POST /{id}.`, '/note');
      return dryRun ? { results: [task] } : {};
    }
    if (!isJob && !task.previousTaskComplete)
      throw rejected(`Task ${id} waits for task ${task.previousTask}, which is not completed.`);
    if (isJob && note !== undefined) throw rejected('note: a job has no note; leave the field out.', '/note');
    const isNoted =
      note !== undefined && (await tx.records.update(backgroundTask, id, { note }, {}, 'EXECUTE')).changed;
    await tx.records.observe(backgroundTask, id, {
      dateCompleted: new Date().toISOString(),
      ...(!isJob && { state: 'COMPLETED' }),
    });
    // Observed fields have no audit row, so this one stores who completed the task. A change of the note has written one already.
    if (!isNoted)
      await tx.engine.sinks.audit(tx.client, tx.origin, [
        {
          action: 'EXECUTE',
          table: 'background_task',
          recordId: id,
          recordName: task.message,
          eventTag: backgroundTaskCompleted.name,
          summary: 'completed',
          changes: [],
        },
      ]);
    await tx.emit({ type: backgroundTaskCompleted, element: { id, name: task.message } });
    return dryRun ? { results: [await tx.records.fetch(backgroundTask, id)] } : {};
  },
});

export const backgroundTaskActions = [currentUser, complete];
