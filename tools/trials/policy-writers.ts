import { policyWritersTrial } from '@portreeve/server/test/trials/policy-writers.ts';
import { openWorld } from '@portreeve/server/test/world/open-world.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Writers of policies and groups at two nodes, half of them with maxImpact: none may move more than it allows.',
  options: {
    connections: number(400, 'live connections'),
    writers: number(8, 'writers with maxImpact, and as many without'),
    writes: number(100, 'writes of each'),
    seed: number(1, 'of the random writes'),
  },
  async run(values) {
    const world = await openWorld();
    try {
      const { faults, ...counted } = await policyWritersTrial(world, values);
      console.log(
        `${counted.bounded} writes with maxImpact were stored (${counted.boundedAndMoving} of them moved somebody), ${counted.refused} were refused, ${counted.overtaken} were overtaken; ${counted.unbounded} without; ${counted.generations} generations compared`,
      );
      reportVerdict(faults);
    } finally {
      await world.close();
    }
  },
});
