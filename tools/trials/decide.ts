import { compareEngines, tryFaults } from '@portreeve/server/test/trials/decide.ts';
import { flag, number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Random worlds decided by the policy engine and by a slow second one; result, value and trace must be the same.',
  options: {
    worlds: number(10_000, 'random worlds, of ten decisions each'),
    seed: number(1, 'seed of every random choice'),
    mutants: flag('put one fault at a time into a copy of the engine instead; each must be found'),
  },
  async run({ worlds, seed, mutants }) {
    if (mutants) {
      const missed: string[] = [];
      for await (const { name, found: difference, decisions } of tryFaults({ worlds, seed })) {
        console.log(`${difference === null ? 'NOT FOUND' : `found after ${decisions} decisions`}: ${name}`);
        if (difference === null) missed.push(`not found: ${name}`);
      }
      reportVerdict(missed);
      return;
    }
    const { worlds: compared, decisions, steps, differences } = compareEngines({ worlds, seed });
    console.log(`${compared} worlds, ${decisions} decisions, ${differences.length} differences, seed ${seed}`);
    const counts = [...steps].sort(([a], [b]) => a - b).map(([step, count]) => `${step}: ${count}`);
    console.log(`decided by step ${counts.join(', ')}`);
    reportVerdict(differences);
  },
});
