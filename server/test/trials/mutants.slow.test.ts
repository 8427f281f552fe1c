import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { mutants } from '../mutants/mutants.ts';
import { drawn, tryMutants } from './mutants.ts';

/** The commit that is tested; without Git always the same one. */
function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '00000000';
  }
}

test('some of the mutants, selected by the commit, are caught', async () => {
  const quick = mutants.filter(({ project = 'fast' }) => project === 'fast');
  const missed: string[] = [];
  for await (const { mutant, verdict, detail } of tryMutants(drawn(quick, commit())))
    if (verdict !== 'caught') missed.push(`${verdict}: ${mutant.name}: ${detail}`);
  expect(missed).toEqual([]);
}, 900_000);
