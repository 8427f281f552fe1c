import { churn, openChurnCell } from '@portreeve/server/test/trials/churn/churn.ts';
import { hotShare, unindexed } from '@portreeve/server/test/trials/churn/growth.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportLogs, reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Two nodes, a campus of online adapters that come, go and move, administrators who edit them meanwhile, and monitors that follow.',
  options: {
    adapters: number(200_000, 'online adapters'),
    rate: number(500, 'changes a second'),
    seconds: number(60, 'how long it runs'),
    seed: number(1, 'seed of every random choice'),
  },
  async run(values) {
    const options = {
      adapters: values.adapters,
      perSecond: values.rate,
      seconds: values.seconds,
      seed: values.seed,
      print: console.log,
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
      const { perSecond, lateSeconds, moves, growth, ...result } = await churn(cell, options);
      faults = result.faults;
      // A backlog that is stored only after the run would hide a rate that is too low.
      if (perSecond < 0.95 * options.perSecond || lateSeconds > lateSecondsMax)
        faults.push(`only ${perSecond.toFixed(0)} changes a second, the last of them ${lateSeconds.toFixed(1)} s late`);
      for (const counted of growth) {
        if (unindexed.includes(counted.table) && hotShare(counted) < hotShareLeast)
          faults.push(`${counted.table}: only ${counted.hot} of ${counted.updated} updates stayed on their page`);
        if (counted.table === 'connection_active' && counted.updated - counted.hot > moves * (2 - hotShareLeast))
          faults.push(`${counted.table}: ${counted.updated - counted.hot} updates left their page for ${moves} moves`);
      }
      reportLogs(cell.nodes);
    } finally {
      await cell.close();
    }
    reportVerdict(faults);
  },
});
