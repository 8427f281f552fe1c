import { radiusHostile } from '@portreeve/server/test/trials/radius-hostile.ts';
import { maybeNumber, number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Random packets at the RADIUS port and random bodies at the listener of the node: none is accepted, no process ends, memory is bounded.',
  options: {
    seed: maybeNumber('seed of every random choice; another one each time where it is left out'),
    packets: number(1_000_000, 'random packets'),
    bodies: number(100_000, 'random bodies'),
  },
  async run({ seed = Math.floor(Math.random() * 1_000_000), packets, bodies }) {
    console.log(`seed ${seed}`);
    const { faults } = await radiusHostile({ seed, packets, bodies, print: (line) => console.log(line) });
    reportVerdict(faults);
  },
});
