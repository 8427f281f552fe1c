import { parseArgs } from 'node:util';
import { openMortalCell, suddenDeath } from '@portreeve/server/testing/sudden-death.ts';
import { sayVerdict } from './verdict.ts';

/** Nodes and PostgreSQL are killed in the middle of writes; then everything must be there whole, or not at all. */
const { values } = parseArgs({
  options: {
    writes: { type: 'string', default: '1000' },
    'node-kills': { type: 'string', default: '4' },
    'postgres-kills': { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
  },
});
// Whoever stops this does not leave a cell behind: it ends with the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const cell = await openMortalCell();
const report = await suddenDeath(cell, {
  writes: Number(values.writes),
  nodeKills: Number(values['node-kills']),
  postgresKills: Number(values['postgres-kills']),
  seed: Number(values.seed),
  jobsMustEnd: true,
}).finally(() => cell.close());

console.log(
  `${report.writes} writes by 8 writers on two nodes, seed ${values.seed}; kill -9 of a node ${report.nodeKills} times, of PostgreSQL ${report.postgresKills} times, each with ${Math.min(...report.inFlight)} to ${Math.max(...report.inFlight)} writes under way`,
);
console.log(
  `${report.acknowledged} acknowledged, ${report.refused} refused, ${report.unanswered} without an answer, of which ${report.doneUnanswered} had been done; all of these were asked again`,
);
console.log(
  `${report.changes} changes, each with one key, one audit row and one feed entry; ${report.jobs} jobs, ${report.jobsDone} done in the end`,
);
console.log(
  `without PostgreSQL: ${report.probes503} of ${report.probes} probes answered 503 with Retry-After; back after ${Math.max(...report.recoveryMs).toFixed(0)} ms at most`,
);
for (const [table, { counter, counted }] of Object.entries(report.counts))
  console.log(`${table}: counter ${counter}, count(*) ${counted}`);
sayVerdict(report.faults);
