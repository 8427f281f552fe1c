import { openKillableCell, suddenDeath } from '@portreeve/server/test/trials/sudden-death.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Nodes and PostgreSQL are killed in the middle of writes; then each write must be stored whole, or not at all.',
  options: {
    writes: number(1_000, 'writes'),
    'node-kills': number(4, 'times a node is killed'),
    'postgres-kills': number(4, 'times PostgreSQL is killed'),
    seed: number(1, 'seed of every random choice'),
  },
  async run(values) {
    const cell = await openKillableCell();
    const report = await suddenDeath(cell, {
      writes: values.writes,
      nodeKills: values['node-kills'],
      postgresKills: values['postgres-kills'],
      seed: values.seed,
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
    reportVerdict(report.faults);
  },
});
