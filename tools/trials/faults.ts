import { causeFaults } from '@portreeve/server/test/trials/faults.ts';
import { number, text } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Faults of the database, the disk and the node under writes; then nothing acknowledged may be lost. Needs root for the full disk.',
  options: {
    'lock-seconds': number(12, 'how long a table is locked'),
    'freeze-seconds': number(60, 'how long PostgreSQL is frozen'),
    only: text('', 'names of faults between commas; all where it is left out'),
  },
  async run(values) {
    const { rows, faults } = await causeFaults({
      lockSeconds: values['lock-seconds'],
      freezeSeconds: values['freeze-seconds'],
      ...(values.only && { only: values.only.split(',') }),
    });
    console.log('fault | acknowledged | lost | answers | /readyz | recovered after');
    for (const row of rows)
      console.log(
        `${row.name} | ${row.acknowledged} | ${row.lost} | ${row.answers} | ${row.ready} | ${row.recoverySeconds.toFixed(1)} s`,
      );
    reportVerdict(faults);
  },
});
