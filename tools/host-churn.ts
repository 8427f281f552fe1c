import { parseArgs } from 'node:util';
import { churn, openChurnCell } from '@portreeve/server/testing/churn/churn.ts';
import { hotShare, unindexed } from '@portreeve/server/testing/churn/growth.ts';
import { sayLogged, sayVerdict } from './verdict.ts';

/** Two nodes, a campus of online adapters that come, go and move, administrators who edit them meanwhile, and monitors that follow. */
const { values } = parseArgs({
  options: {
    adapters: { type: 'string', default: '200000' },
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});
// Whoever stops this does not leave a cell behind: it ends with the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const options = {
  adapters: Number(values.adapters),
  perSecond: Number(values.rate),
  seconds: Number(values.seconds),
  seed: Number(values.seed),
  say: console.log,
};
const began = performance.now();
const cell = await openChurnCell(options);
const lateSecondsMax = 5;
const hotShareLeast = 0.9;
let faults: string[];
try {
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  console.log(
    `${options.adapters} hosts with an online adapter each filled in, in bulk, in ${seconds} s; seed ${options.seed}`,
  );
  const { perSecond, lateSeconds, moves, growth, ...found } = await churn(cell, options);
  faults = found.faults;
  // What is told is not put off until afterwards.
  if (perSecond < 0.95 * options.perSecond || lateSeconds > lateSecondsMax)
    faults.push(`only ${perSecond.toFixed(0)} changes a second, the last of them ${lateSeconds.toFixed(1)} s late`);
  for (const one of growth) {
    if (unindexed.includes(one.table) && hotShare(one) < hotShareLeast)
      faults.push(`${one.table}: only ${one.hot} of ${one.updated} updates stayed on their page`);
    if (one.table === 'connection_active' && one.updated - one.hot > moves * (2 - hotShareLeast))
      faults.push(`${one.table}: ${one.updated - one.hot} updates left their page for ${moves} moves`);
  }
  sayLogged(cell.nodes);
} finally {
  await cell.close();
}
sayVerdict(faults);
