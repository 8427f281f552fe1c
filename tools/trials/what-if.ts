import { comparedInRequestMax } from '@portreeve/server/policy/what-if/stored-comparisons.ts';
import { whatIfTrial } from '@portreeve/server/test/trials/what-if.ts';
import { openWorld } from '@portreeve/server/test/world/open-world.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Dry runs over many live connections, each compared row for row with what the real write moves.',
  options: {
    connections: number(100_000, 'live connections; above 100,000 a background task compares them'),
    hosts: number(0, 'hosts in all, connected or not; 0: the connected ones alone'),
    ports: number(500, 'ports that are put under enforcement at once'),
  },
  async run(values) {
    const { hosts, ...sizes } = values;
    // Runs jobs only if they are needed: the trial assigns roles itself.
    const isLarge = sizes.connections > comparedInRequestMax;
    const world = await openWorld(isLarge ? { jobs: 'work' } : {});
    try {
      const { faults } = await whatIfTrial(world, {
        ...sizes,
        ...(hosts > 0 && { hosts }),
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
