import { job } from '../../context.ts';
import { endLostTasks } from './background-task.service.ts';

export const lostTasks = job('lost-tasks', {
  doc: 'End tasks whose worker stopped and whose job is not retried',
  at: '* * * * *',
  secondsMax: 50,
  repeatable: true,
  run: (_payload, { context }) => context.write(endLostTasks),
});
