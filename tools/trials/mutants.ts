import { mutants } from '@portreeve/server/test/mutants/mutants.ts';
import { drawn, failingAnyway, tryMutants } from '@portreeve/server/test/trials/mutants.ts';
import { flag, number, text } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Small faults, one at a time, in a copy of the code: the tests that are named with each must fail.',
  options: {
    only: text('', 'the mutants whose name contains this'),
    commit: text('', 'those that this commit draws'),
    parallel: number(2, 'copies that are tried at the same time'),
    baseline: flag('first run the tests without a fault: they must pass'),
  },
  async run({ only, commit, parallel, baseline }) {
    const named = mutants.filter(({ name }) => name.includes(only));
    const quick = named.filter(({ project = 'fast' }) => project === 'fast');
    const chosen = commit ? drawn(quick, commit) : named;
    const faults = baseline ? await failingAnyway(chosen) : [];
    const began = performance.now();
    let caught = 0;
    for await (const { mutant, verdict, detail, seconds } of tryMutants(chosen, parallel)) {
      console.log(`${verdict}: ${mutant.name} (${mutant.file}, ${seconds.toFixed(0)} s): ${detail.slice(0, 160)}`);
      if (verdict === 'caught') caught++;
      else faults.push(`${verdict}: ${mutant.name}`);
    }
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    console.log(`${caught} of ${chosen.length} caught in ${minutes} minutes`);
    reportVerdict(faults);
  },
});
