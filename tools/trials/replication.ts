import { openReplicatedCell, replication } from '@portreeve/server/test/trials/replication.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Commits are cancelled while their synchronous standby is frozen; then it is promoted, and nothing acknowledged may be lost.',
  options: { rounds: number(200, 'times the standby is frozen') },
  async run({ rounds }) {
    const cell = await openReplicatedCell();
    const report = await replication(cell, { rounds }).finally(() => cell.close());
    console.log(`${rounds} rounds; ${report.cancelled} commits cancelled while they waited for the standby`);
    console.log(
      `${report.unknown} requests answered 503 meanwhile, ${report.acknowledged} acknowledged when the standby had them`,
    );
    console.log(
      `primary killed, standby promoted: the node wrote there after ${(report.promotedMs / 1_000).toFixed(1)} s`,
    );
    reportVerdict(report.faults);
  },
});
