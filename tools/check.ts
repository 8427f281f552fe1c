import { runSteps } from './run.ts';

/** Format, lint, types, dead code and the fast tests: what every commit passes. */
await runSteps([
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['types', 'tsc', ['-p', '.']],
  ['dead code', 'knip', ['--no-progress']],
  ['fast tests', 'vitest', ['run', '--project', 'fast']],
]);
