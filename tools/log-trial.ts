import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { logTrial } from '@portreeve/server/testing/log-trial.ts';
import { openWorld } from '@portreeve/server/testing/open-world.ts';
import { sayVerdict } from './verdict.ts';

/** A log of more than a year: how fast it is read, and whether its totals and its rows stay right while everything happens to it at once. */
const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '400' },
    rows: { type: 'string', default: '20000000' },
    reads: { type: 'string', default: '200' },
    leaving: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});
const days = Number(values.days);
const readMsMax = 20;
const world = await openWorld();
try {
  const report = await logTrial(world, {
    days,
    rowsADay: Math.round(Number(values.rows) / days),
    reads: Number(values.reads),
    leaving: Number(values.leaving),
    seed: Number(values.seed),
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
  // On a busy machine the clock tells of others; CPU time is what a read takes by itself.
  const slow = report.reads
    .filter(({ p50, cpu }) => Math.min(p50, cpu) >= readMsMax)
    .map(({ name }) => `${name} takes ${readMsMax} ms or more`);
  const wrong = [...report.faults, ...report.differing, ...slow];
  sayVerdict(wrong);
} finally {
  await world.close();
}
