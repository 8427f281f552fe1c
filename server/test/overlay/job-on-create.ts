import { setTimeout as sleep } from 'node:timers/promises';
import { job, rules } from '../../src/context.ts';
import { resource } from '../../src/kernel/operations/resource.ts';
import type { ServiceOptions } from '../../src/node/start-service.ts';
import { teaMachine } from './tea-machine.ts';

/** Returns the message of the task that shows the job of a new machine. */
export const brewMessage = (machine: string): string => `Brew with ${machine}`;

const brew = job('brew', {
  doc: 'Brew the first cup of a new machine',
  secondsMax: 20,
  repeatable: true,
  run: async () => void (await sleep(20)),
});

/** A resource that is not in the catalogue: its creation queues a job in the same transaction. */
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
