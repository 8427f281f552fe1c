import { setTimeout as sleep } from 'node:timers/promises';
import { job, rules } from '../../src/context.ts';
import { resource } from '../../src/kernel/operations/resource.ts';
import type { ServiceOptions } from '../../src/node/start-service.ts';
import { teaMachine } from './tea-machine.ts';

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
    resource('Tea machine', teaMachine, {
      rules: rules(teaMachine, {
        async afterSave({ before, after }, { startTask }) {
          if (!before) await startTask(brew, {}, brewMessage(String(after.name)));
        },
      }),
    }),
  ],
  jobs: [brew],
} satisfies ServiceOptions['overlay'];
