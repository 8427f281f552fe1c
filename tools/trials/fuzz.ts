import { fuzz } from '@portreeve/server/test/fuzz/fuzz.ts';
import { number, text } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Inputs made of the kept corpus, for everything that reads what strangers send; what reaches new code is kept.',
  options: {
    minutes: number(20, 'minutes in all'),
    seed: number(1, 'seed of every random choice'),
    only: text('', 'the targets whose name contains this'),
  },
  async run({ minutes, seed, only }) {
    const faults: string[] = [];
    let inputs = 0;
    for await (const report of fuzz({ minutes, seed, only })) {
      inputs += report.inputs;
      console.log(
        `${report.target}: ${report.inputs} inputs, blocks reached ${report.blocksBefore} → ${report.blocksAfter}, ${report.added} kept, ${report.findings.length} found`,
      );
      for (const { target, input, what } of report.findings) faults.push(`${target} ${input}: ${what}`);
    }
    console.log(`${inputs} inputs, seed ${seed}`);
    reportVerdict(faults);
  },
});
