import { parseArgs } from 'node:util';
import { followLogThroughDeath, openLogCell } from '@portreeve/server/testing/log-monitor.ts';

/** A client follows a log on two nodes while it is written in every way, a slice leaves and a node is killed. */
const { values } = parseArgs({
  options: {
    writers: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});
// Whoever stops this does not leave a cell behind: it ends with the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const cell = await openLogCell();
const report = await followLogThroughDeath(cell, {
  writers: Number(values.writers),
  seconds: Number(values.seconds),
  seed: Number(values.seed),
}).finally(() => cell.close());
console.log(
  `${report.requests} requests by ${values.writers} writers, ${report.copied} rows by COPY, ${report.late} that committed late, in ${values.seconds} s, seed ${values.seed}`,
);
console.log(
  `kill -9 of a node left ${report.unanswered} requests; ${report.detachedRows} old rows were detached; ${report.polls} polls, ${report.lostPages} pages asked for again`,
);
console.log(
  `${report.committed} rows committed, ${report.delivered} told, ${report.faults.length} missing, twice or wrong`,
);
for (const fault of report.faults.slice(0, 20)) console.log(`  ${fault}`);
console.log(report.faults.length === 0 ? 'all right' : 'NOT right');
process.exitCode = report.faults.length === 0 ? 0 : 1;
