import { causeOutages, type OutageRow } from '@portreeve/server/test/trials/radius-outage.ts';
import { number, text } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

const columns = ['fault', 'right', 'second', 'silent', 'wrong', 'rejected', 'recoverSeconds'] as const;
const cell = (text: string | number, index: number): string =>
  index === 0 ? String(text).padEnd(20) : String(text).padStart(15);

export const trial = defineTrial({
  doc: 'Two nodes with RADIUS engines, and a switch that sends to both: nodes, engines and PostgreSQL die or freeze. No login is rejected or gets a wrong VLAN.',
  options: {
    rate: number(500, 'logins a second'),
    seconds: number(5, 'how long each fault lasts'),
    only: text(undefined, 'name of one fault'),
  },
  async run({ rate, seconds, only }) {
    const print = (row: Record<(typeof columns)[number], string | number>) =>
      console.log(columns.map((column, index) => cell(row[column], index)).join(''));
    print(Object.fromEntries(columns.map((column) => [column, column])) as never);
    const { faults } = await causeOutages({
      perSecond: rate,
      seconds,
      only,
      report: (row: OutageRow) => print(row as never),
    });
    reportVerdict(faults);
  },
});
