import { followLogThroughDeath, openLogCell } from '@portreeve/server/test/trials/log-monitor.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'A client follows a log on two nodes while it is written in every way, a slice is detached and a node is killed.',
  options: {
    writers: number(8, 'writers'),
    seconds: number(60, 'how long it runs'),
    seed: number(1, 'seed of every random choice'),
  },
  async run(values) {
    const cell = await openLogCell();
    const report = await followLogThroughDeath(cell, values).finally(() => cell.close());
    console.log(
      `${report.requests} requests by ${values.writers} writers, ${report.copied} rows by COPY, ${report.late} that committed late, in ${values.seconds} s, seed ${values.seed}`,
    );
    console.log(
      `kill -9 of a node left ${report.unanswered} requests; ${report.detachedRows} old rows were detached; ${report.polls} polls, ${report.lostPages} pages asked for again`,
    );
    console.log(
      `${report.committed} rows committed, ${report.delivered} delivered, ${report.faults.length} missing, twice or wrong`,
    );
    reportVerdict(report.faults);
  },
});
