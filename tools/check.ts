import { flag, readCommand } from './command.ts';
import { ensureProducts } from './generate/products.ts';
import { runSteps } from './run.ts';
import { touchedFiles, touchedGroups } from './touched.ts';

/** Format, lint, types, dead code and the fast tests of what was touched: what every commit passes, in less than a minute. */

const { values } = readCommand({
  usage: 'npm run check',
  doc: 'Checks format, lint, types and dead code, and runs the fast tests of the kernel and of the groups you touched. npm test runs all.',
  options: {
    'no-tests': flag('leave the tests out, before a run of all of them'),
    touched: flag('of the tests, run those of the groups you touched and of the whole surface only'),
  },
});
// Fewer cases for each property, and without the tests that grow with the catalogue.
process.env.PORTREEVE_TEST_QUICKLY = 'yes';

/** Their number does not grow with the groups that are served. */
const always = [
  ...['kernel', 'node', 'auth', 'protocols', 'drivers'].map((room) => `server/src/${room}/`),
  ...['server/test/', 'sdk/src/', 'cli/src/', 'testbed/src/', 'console/', 'tools/'],
];
const surface = ['server/test/surface/', 'tools/generate/'];
const groups = values['no-tests'] ? [] : touchedGroups(touchedFiles());
const fastTests = [
  groups.length > 0
    ? `fast tests, with those of ${groups.map((folder) => folder.split('/').at(-2)).join(', ')}`
    : 'fast tests',
  'vitest',
  ['run', '--project', 'fast', ...(values.touched ? surface : always), ...groups],
] as const;

await ensureProducts();
await runSteps(
  [
    ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
    ['types', 'tsc', ['-p', '.']],
    ['types of the console', 'tsc', ['-p', 'console']],
    ['dead code', 'knip', ['--no-progress']],
    ['language', process.execPath, ['tools/language.ts']],
  ],
  values['no-tests'] ? [] : [fastTests],
);
