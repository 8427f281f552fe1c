import { job } from '../../context.ts';
import { endGrace } from './end-grace.ts';

/** Puts hosts at risk whose time to mend what is wrong with them is over. */
export const healthGrace = job('health-grace', {
  doc: 'Put hosts at risk whose grace time is over',
  at: '* * * * *',
  secondsMax: 55,
  repeatable: true,
  async run(_payload, { context, signal }) {
    while (!signal.aborted && (await context.write(endGrace)));
  },
});
