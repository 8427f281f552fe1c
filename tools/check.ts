import { mkdirSync } from 'node:fs';
import { flag, readCommand } from './command.ts';
import { ensureProducts } from './generate/products.ts';
import { runSteps, type Step } from './run.ts';
import { lintedFiles, touchedFiles, touchedGroups } from './touched.ts';

/**
 * Checks format, lint, types and dead code, and runs the fast tests of touched folders: the check before every commit.
 */

const { values } = readCommand({
  usage: 'npm run check',
  doc: 'Checks format and lint of the files you touched, types and dead code, and runs the fast tests of the kernel and of the groups you touched. npm test runs all.',
  options: {
    'no-tests': flag('leave the tests out, before a run of all of them'),
    touched: flag('of the tests, run those of the groups you touched and of the whole surface only'),
    all: flag('check the format of all files, and all types from the beginning: what lands'),
  },
});
// Fewer cases for each property, and without the tests that grow with the catalogue.
process.env.PORTREEVE_TEST_QUICKLY = 'yes';

/** Folders whose number of tests does not grow with the served resources. */
const always = [
  ...['kernel', 'node', 'auth', 'protocols', 'drivers'].map((room) => `server/src/${room}/`),
  ...['server/test/', 'sdk/src/', 'cli/src/', 'testbed/src/', 'console/', 'tools/'],
];
const surface = ['server/test/surface/', 'tools/generate/'];
const files = touchedFiles();
const groups = values['no-tests'] ? [] : touchedGroups(files);
const fastTests = [
  groups.length > 0
    ? `fast tests, with those of ${groups.map((folder) => folder.split('/').at(-2)).join(', ')}`
    : 'fast tests',
  'vitest',
  ['run', '--project', 'fast', ...(values.touched ? surface : always), ...groups],
] as const;

/** Here the compiler stores what it found, so that the next check reads only what has changed. Ignored by git, and safe to remove. */
const cache = 'node_modules/.cache/portreeve';

await ensureProducts();
mkdirSync(cache, { recursive: true });
await runSteps(
  [
    ...lintSteps(),
    ['types', 'tsc', ['-p', '.', ...incremental('types')]],
    ['types of the console', 'tsc', ['-p', 'console', ...incremental('console')]],
    ['dead code', 'knip', ['--no-progress']],
    ['language', process.execPath, ['tools/language.ts']],
  ],
  values['no-tests'] ? [] : [fastTests],
);

function lintSteps(): Step[] {
  const paths = values.all ? ['.'] : lintedFiles(files);
  if (paths.length === 0) return [];
  return [['format and lint', 'biome', ['check', '--error-on-warnings', '--no-errors-on-unmatched', ...paths]]];
}

function incremental(name: string): string[] {
  return values.all ? [] : ['--incremental', '--tsBuildInfoFile', `${cache}/${name}.tsbuildinfo`];
}
