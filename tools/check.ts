import { runSteps } from './run.ts';

// Without the laws of served groups, which are the bulk of the tests, and with fewer cases for each property.
process.env.PORTREEVE_TEST_QUICKLY = 'yes';
const fastTests = ['fast tests', 'vitest', ['run', '--project', 'fast']] as const;

/** Format, lint, types, dead code and the fast tests: what every commit passes. `--no-tests` comes before a run of all tests. */
await runSteps([
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['types', 'tsc', ['-p', '.']],
  ['dead code', 'knip', ['--no-progress']],
  ...(process.argv.includes('--no-tests') ? [] : [fastTests]),
]);
