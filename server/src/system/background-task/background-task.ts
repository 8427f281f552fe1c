import { auditFields, collection } from '../../kernel/declare/declaration.ts';
import {
  computed,
  derived,
  type Field,
  identity,
  integer,
  landscape,
  map,
  modified,
  notYet,
  observed,
  reference,
  text,
  time,
  version,
} from '../../kernel/declare/field.ts';
import { integerMax } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';

const id = shapes.count;
const nullableTime = { kind: 'time', nullable: true } as const;

export const taskStates = ['QUEUED', 'RUNNING', 'RETRYING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;

/** The progress of a job. */
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

/** A reference that only the service sets, when it creates the task. */
const byTheService = (field: Field<number | null>): Field<number | null> => ({ ...field, access: 'computed' });

const processOrJob = 11;

/** Work that takes longer than a request, and manual tasks of users. */
export const backgroundTask = collection({
  name: 'background-task',
  title: 'Background task',
  path: '/system/background-task',
  permission: 'scheduler',
  doc: 'Jobs of the service with their progress, and manual tasks assigned to users.',
  columns: ['id', 'kind', 'state', 'message', 'assignee', 'dateDue', 'dateCompleted'],
  patterns: ['list', 'fetch', 'create', 'update', 'deleteMany'],
  label: 'message',
  events: { elementType: processOrJob },
  ownedBy: ['assigner', 'assignee'],
  example: { message: 'Replace the certificate of the guest portal', dateDue: '2027-03-01T12:00:00.000Z' },
  sections: {
    Task: ['kind', 'message', 'note', 'assigner', 'assignee', 'attributes', 'notifyView'],
    Times: ['dateCreated', 'dateStarted', 'dateDue', 'dateCompleted'],
    Job: [
      'jobName',
      'state',
      'progress',
      'attempts',
      'node',
      'errorMessage',
      'report',
      'resultLocation',
      'scheduledActivityID',
    ],
    Order: ['previousTask', 'previousTaskComplete', 'childTasks'],
  },
  fields: {
    id: identity(),
    kind: derived<string>(
      { kind: 'choice', values: ['JOB', 'MANUAL'] },
      'MANUAL',
      'JOB: executed by the service; MANUAL: by a person.',
    ),
    message: text({ min: 1, max: 500, search: true, doc: 'Description of the task.' }),
    note: text({ max: 2_000, default: '' }),
    assigner: byTheService(
      reference('user-account', 'set null', { empty: true, doc: 'User who created it; 0: the service itself.' }),
    ),
    assignee: reference('user-account', 'set null', { nullable: true, doc: 'User it is assigned to.' }),
    dateCreated: derived<string>({ kind: 'time' }, '1970-01-01T00:00:00.000Z', 'When it was created.'),
    dateStarted: observed<string | null>(nullableTime, null, 'When a worker started it.'),
    dateCompleted: observed<string | null>(nullableTime, null, 'When it was completed.'),
    dateDue: time({ nullable: true, doc: 'Due date.' }),
    previousTask: reference('background-task', 'set null', { nullable: true, doc: 'Previous task.' }),
    previousTaskComplete: computed<boolean>(
      { kind: 'flag' },
      'coalesce((select p.date_completed is not null from background_task p where p.id = r.previous_task), true)',
      { doc: 'Whether the previous task is completed; true if there is none.' },
    ),
    notifyView: notYet(
      text({ max: 80, nullable: true, doc: 'Page of the console to open.' }),
      'tasks lead to pages of the console',
    ),
    childTasks: computed<number[]>(
      { kind: 'list', item: id, max: 10_000 },
      `(select coalesce(jsonb_agg(c.id order by c.id), '[]'::jsonb) from background_task c where c.previous_task = r.id)`,
      { doc: 'Next tasks.' },
    ),
    attributes: map<string>({ value: { kind: 'text', max: 2_000 }, max: 50 }, { default: {} }),
    jobName: derived<string>({ kind: 'text', max: 80 }, '', 'Name of the job; empty for a manual task.'),
    queueJobID: derived<string>({ kind: 'text', max: 60 }, '', 'Identity in the job queue.'),
    state: observed<string>(
      { kind: 'choice', values: taskStates },
      'QUEUED',
      'State of the job; a manual task is QUEUED until completed.',
    ),
    progress: observed<TaskProgress>(progressShape, noProgress, 'Progress.'),
    attempts: observed<number>({ kind: 'integer', min: 0, max: 1_000 }, 0, 'Number of attempts.'),
    node: observed<string>({ kind: 'text', max: 120 }, '', 'Node that runs it.'),
    errorMessage: observed<string | null>({ kind: 'text', max: 2_000, nullable: true }, null, 'Why it failed.'),
    report: observed<unknown[]>({ kind: 'list', item: reportItem, max: 10_000 }, [], 'Outcome of each item.'),
    resultLocation: observed<string | null>({ kind: 'text', max: 300, nullable: true }, null, 'URL of the result.'),
    scheduledActivityID: notYet(
      integer({ min: 0, max: integerMax, nullable: true, doc: 'Schedule that started it.' }),
      'the scheduler is served',
    ),
    landscape,
    version,
    ...modified,
    ...auditFields('background-task', 'message'),
  },
});
