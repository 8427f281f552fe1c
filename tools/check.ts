import { runSteps } from './run.ts';

/** Format, lint, types, dead code and the fast tests: what every commit passes. */
// The laws of served groups are the bulk of the tests; see server/src/testing/laws/laws-of.ts.
process.env.PORTREEVE_TEST_LAWS = 'overlay';
await runSteps([
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['types', 'tsc', ['-p', '.']],
  ['dead code', 'knip', ['--no-progress']],
  ['fast tests', 'vitest', ['run', '--project', 'fast']],
]);
