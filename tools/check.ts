import { runSteps } from './run.ts';

// The laws of served groups are the bulk of the tests; see server/src/testing/laws/laws-of.ts.
process.env.PORTREEVE_TEST_LAWS = 'overlay';
const fastTests = ['fast tests', 'vitest', ['run', '--project', 'fast']] as const;

/** Format, lint, types, dead code and the fast tests: what every commit passes. `--no-tests` comes before a run of all tests. */
await runSteps([
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['types', 'tsc', ['-p', '.']],
  ['dead code', 'knip', ['--no-progress']],
  ...(process.argv.includes('--no-tests') ? [] : [fastTests]),
]);
