import { setTimeout as sleep } from 'node:timers/promises';
import { job, rules } from '../context.ts';
import { group } from '../kernel/action.ts';
import type { ServiceOptions } from '../service.ts';
import { coffeeMachine } from './overlay/coffee-machine.ts';

/** What a new machine is for; the task that follows the job is named after it. */
export const brewMessage = (machine: string): string => `Brew with ${machine}`;

const brew = job('brew', {
  doc: 'Brew the first cup of a new machine',
  secondsMax: 20,
  repeatable: true,
  run: async () => void (await sleep(20)),
});

/** Beyond the catalogue: a group whose creation queues a job in the same transaction. */
export const brewing = {
  groups: [
    group('Coffee machine', coffeeMachine, {
      rules: rules(coffeeMachine, {
        async afterSave({ before, after }, { startTask }) {
          if (!before) await startTask(brew, {}, brewMessage(String(after.name)));
        },
      }),
    }),
  ],
  jobs: [brew],
} satisfies ServiceOptions['overlay'];
