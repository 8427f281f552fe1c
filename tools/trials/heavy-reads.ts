import { heavyReads } from '@portreeve/server/test/trials/heavy-reads.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'One token sends reads that no index serves; the median of an honest caller stays within three times its quiet value.',
  options: {
    events: number(1_000_000, 'rows of the event log'),
    attackers: number(24, 'clients of the attacker'),
    seconds: number(15, 'how long each attack lasts'),
    slower: number(3, 'how many times its quiet median an honest caller may take'),
  },
  async run(values) {
    const { faults } = await heavyReads({ ...values, print: (line) => console.log(line) });
    reportVerdict(faults);
  },
});
