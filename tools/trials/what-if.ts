import { whatIfTrial } from '@portreeve/server/test/trials/what-if.ts';
import { openWorld } from '@portreeve/server/test/world/open-world.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Dry runs over many live connections, each compared row for row with what the real write moves.',
  options: {
    connections: number(100_000, 'live connections'),
    ports: number(500, 'ports that are put under enforcement at once'),
  },
  async run(values) {
    const world = await openWorld();
    try {
      const { faults } = await whatIfTrial(world, {
        ...values,
        reported: ({ name, changed, total, seconds, healthMs }) =>
          console.log(
            `${name}: ${changed} of ${total} would change, ${seconds.toFixed(1)} s with every page; /healthz p99 ${healthMs.toFixed(1)} ms`,
          ),
      });
      reportVerdict(faults);
    } finally {
      await world.close();
    }
  },
});
