import { loadavg } from 'node:os';
import { logTrial } from '@portreeve/server/test/trials/log.ts';
import { openWorld } from '@portreeve/server/test/world/open-world.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'A log of more than a year: how fast it is read, and whether totals and rows stay right while it is written, archived and imported at once.',
  options: {
    days: number(400, 'day slices'),
    rows: number(20_000_000, 'rows in all'),
    reads: number(200, 'times each read is measured'),
    leaving: number(20, 'slices that are archived, detached and imported'),
    seed: number(1, 'seed of every random choice'),
  },
  async run(values) {
    const { days } = values;
    const readMsMax = 20;
    const world = await openWorld();
    try {
      const report = await logTrial(world, {
        days,
        rowsADay: Math.round(values.rows / days),
        reads: values.reads,
        leaving: values.leaving,
        seed: values.seed,
      });
      console.log(
        `${report.rows} events in ${days} day slices, made in ${report.fillSeconds.toFixed(0)} s, seed ${values.seed}`,
      );
      for (const { name, p50, max, cpu, plan } of report.reads) {
        console.log(
          `${name}: p50 ${p50.toFixed(2)} ms, most ${max.toFixed(2)} ms, CPU ${cpu.toFixed(2)} ms (${values.reads} times, warm, load average ${loadavg()[0]!.toFixed(1)})`,
        );
        for (const line of plan) console.log(`    ${line}`);
      }
      console.log(
        `${report.leftRows} rows of ${values.leaving} slices archived and detached in ${report.leaveSeconds.toFixed(1)} s, ${report.returnedRows} imported in ${report.returnSeconds.toFixed(1)} s, while ${report.written} were written`,
      );
      console.log(`total against count(*): ${report.compared} times, ${report.differing.length} differing`);
      // On a busy machine elapsed time depends on other programs; CPU time is the cost of the read itself.
      const slow = report.reads
        .filter(({ p50, cpu }) => Math.min(p50, cpu) >= readMsMax)
        .map(({ name }) => `${name} takes ${readMsMax} ms or more`);
      const wrong = [...report.faults, ...report.differing, ...slow];
      reportVerdict(wrong);
    } finally {
      await world.close();
    }
  },
});
