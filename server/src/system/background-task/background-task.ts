import { auditFields, collection } from '../../kernel/declare.ts';
import { eventType } from '../../kernel/event-type.ts';
import {
  computed,
  derived,
  type Field,
  identity,
  integer,
  landscape,
  map,
  modified,
  observed,
  reference,
  text,
  time,
  version,
} from '../../kernel/field.ts';
import { integerMax } from '../../kernel/shape.ts';

const id = { kind: 'integer', min: 0, max: integerMax } as const;
const nullableTime = { kind: 'time', nullable: true } as const;

export const taskStates = ['QUEUED', 'RUNNING', 'RETRYING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;

/** How far a job has got. */
export interface TaskProgress {
  done: number;
  total: number;
  percent: number;
  step: string;
}

export const noProgress: TaskProgress = { done: 0, total: 0, percent: 0, step: '' };

const progressShape = {
  kind: 'object',
  name: 'TaskProgress',
  properties: { done: id, total: id, percent: { kind: 'integer', min: 0, max: 100 }, step: { kind: 'text', max: 200 } },
} as const;

const reportItem = {
  kind: 'object',
  name: 'TaskReportItem',
  properties: {
    item: { kind: 'text', max: 300 },
    outcome: { kind: 'text', max: 80 },
    detail: { kind: 'text', max: 2_000 },
  },
} as const;

/** Set by the service when the task is made, and a record of another table. */
const byTheService = (field: Field<number | null>): Field<number | null> => ({ ...field, access: 'computed' });

const processOrJob = 11;

export const backgroundTaskCompleted = eventType({
  name: 'BACKGROUND_TASK_COMPLETED',
  description: 'Somebody completed a manual task, or acknowledged a job that failed or was cancelled.',
  category: 'SYSTEM',
  elementType: processOrJob,
  format: 'Task {element} completed by {user}.',
});

export const backgroundTaskFailed = eventType({
  name: 'BACKGROUND_TASK_FAILED',
  description: 'A job failed and is not tried again.',
  category: 'SYSTEM',
  elementType: processOrJob,
  format: 'Task {element} failed: {error}',
  syslogSeverity: 3,
});

/** Everything that takes longer than a request, and to-dos for people. */
export const backgroundTask = collection({
  name: 'background-task',
  title: 'Background task',
  path: '/system/background-task',
  permission: 'scheduler',
  doc: 'Jobs of the service, with their progress, and to-dos given to a person.',
  columns: ['id', 'kind', 'state', 'message', 'assignee', 'dateDue', 'dateCompleted'],
  patterns: ['list', 'fetch', 'create', 'update', 'deleteMany'],
  label: 'message',
  events: { elementType: processOrJob },
  ownedBy: ['assigner', 'assignee'],
  example: { message: 'Replace the certificate of the guest portal', dateDue: '2027-03-01T12:00:00.000Z' },
  fields: {
    id: identity(),
    kind: derived<string>(
      { kind: 'choice', values: ['JOB', 'MANUAL'] },
      'MANUAL',
      'JOB: done by the service; MANUAL: by a person.',
    ),
    message: text({ min: 1, max: 500, search: true, doc: 'What is to be done, in words.' }),
    note: text({ max: 2_000, default: '' }),
    assigner: byTheService(
      reference('user-account', 'set null', { empty: true, doc: 'Who gave it; 0: the service itself.' }),
    ),
    assignee: reference('user-account', 'set null', { nullable: true, doc: 'Who is to do it.' }),
    dateCreated: derived<string>({ kind: 'time' }, '1970-01-01T00:00:00.000Z', 'When it was given.'),
    dateStarted: observed<string | null>(nullableTime, null, 'When a worker began.'),
    dateCompleted: observed<string | null>(nullableTime, null, 'When it was done.'),
    dateDue: time({ nullable: true, doc: 'Until when it should be done.' }),
    previousTask: reference('background-task', 'set null', { nullable: true, doc: 'Task that comes before.' }),
    previousTaskComplete: computed<boolean>(
      { kind: 'flag' },
      'coalesce((select p.date_completed is not null from background_task p where p.id = r.previous_task), true)',
      { doc: 'Whether the one before is done; true without one.' },
    ),
    notifyView: text({ max: 80, nullable: true, doc: 'Page of the console to open.' }),
    childTasks: computed<number[]>(
      { kind: 'list', item: id, max: 10_000 },
      `(select coalesce(jsonb_agg(c.id order by c.id), '[]'::jsonb) from background_task c where c.previous_task = r.id)`,
      { doc: 'Tasks that come after.' },
    ),
    attributes: map<string>({ value: { kind: 'text', max: 2_000 }, max: 50 }, { default: {} }),
    jobName: derived<string>({ kind: 'text', max: 80 }, '', 'Name of the job; empty for a manual task.'),
    queueJobID: derived<string>({ kind: 'text', max: 60 }, '', 'Identity in the job queue.'),
    state: observed<string>(
      { kind: 'choice', values: taskStates },
      'QUEUED',
      'Where the job stands; a manual task is QUEUED until completed.',
    ),
    progress: observed<TaskProgress>(progressShape, noProgress, 'How far it has got.'),
    attempts: observed<number>({ kind: 'integer', min: 0, max: 1_000 }, 0, 'How often it was begun.'),
    node: observed<string>({ kind: 'text', max: 120 }, '', 'Node that works on it.'),
    errorMessage: observed<string | null>({ kind: 'text', max: 2_000, nullable: true }, null, 'Why it failed.'),
    report: observed<unknown[]>({ kind: 'list', item: reportItem, max: 10_000 }, [], 'Outcome of each item.'),
    resultLocation: observed<string | null>({ kind: 'text', max: 300, nullable: true }, null, 'Where the result lies.'),
    scheduledActivityID: integer({ min: 0, max: integerMax, nullable: true, doc: 'Schedule that started it.' }),
    landscape,
    version,
    ...modified,
    ...auditFields('background-task', 'message'),
  },
});
