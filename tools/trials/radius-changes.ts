import { timeChanges } from '@portreeve/server/test/trials/radius-changes.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'How soon both nodes use another secret of an access device, and how long no engine replies during a restart, under logins.',
  options: { rate: number(100, 'logins a second'), times: number(5, 'how often each is changed') },
  async run({ rate, times }) {
    const { faults } = await timeChanges({
      perSecond: rate,
      times,
      report: ({ change, ms, allMs, goalMs }) =>
        console.log(`${change}: ${allMs.join(', ')} ms; worst ${ms}, goal ${goalMs}`),
    });
    reportVerdict(faults);
  },
});
