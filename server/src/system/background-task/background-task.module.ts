import { resource } from '../../context.ts';
import { backgroundTaskActions } from './background-task.actions.ts';
import { backgroundTaskCompleted, backgroundTaskFailed } from './background-task.events.ts';
import { lostTasks } from './background-task.jobs.ts';
import { backgroundTaskRules } from './background-task.rules.ts';
import { backgroundTask } from './background-task.ts';

export const backgroundTaskModule = resource('Background task', backgroundTask, {
  actions: backgroundTaskActions,
  rules: backgroundTaskRules,
  jobs: [lostTasks],
  events: [backgroundTaskCompleted, backgroundTaskFailed],
});
