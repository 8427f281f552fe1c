import { eventType } from '../../kernel/declare/event-type.ts';
import { backgroundTask } from './background-task.ts';

export const backgroundTaskCompleted = eventType({
  name: 'BACKGROUND_TASK_COMPLETED',
  description: 'A user completed a manual task, or acknowledged a failed or cancelled job.',
  category: 'SYSTEM',
  elementType: backgroundTask.events.elementType,
  format: 'Task {element} completed by {user}.',
});

export const backgroundTaskFailed = eventType({
  name: 'BACKGROUND_TASK_FAILED',
  description: 'A job failed and is not retried.',
  category: 'SYSTEM',
  elementType: backgroundTask.events.elementType,
  format: 'Task {element} failed: {error}',
  syslogSeverity: 3,
});
