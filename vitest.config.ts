import { defineConfig } from 'vitest/config';

/** Midnight passes in every file of tests: `npm run trial -- clocks` asks for it, under a clock that the files move one after the other. */
const hasMidnight = process.env.PORTREEVE_TEST_MIDNIGHT !== undefined;

const common = {
  environment: 'node',
  // Bounds for what hangs, not for what is slow: a busy machine takes ten times as long as an idle one.
  testTimeout: 180_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  maxWorkers: hasMidnight ? 1 : 2,
  isolate: false,
  globalSetup: ['tools/generate/before-tests.ts', 'server/test/world/run.ts'],
  setupFiles: ['server/test/world/measure-file.ts', ...(hasMidnight ? ['server/test/world/midnight.ts'] : [])],
};

/** Tests in a browser need the console; it is built before them, and not on the account of the first. */
const withConsole = [...common.globalSetup, 'console/e2e/build.ts'];

/**
 * `x.real.test.ts` starts real servers, `x.long.test.ts` takes some seconds: `npm run check` leaves both to `npm test`.
 * `x.slow.test.ts` takes more than ten seconds, or holds a promise about time: `npm test -- --all` runs it, alone.
 */
const gateKinds = ['real', 'long'] as const;
const folders = '{server/src,server/test,sdk/src,cli/src,testbed/src,console/build,console/src,console/e2e,tools}';

/** These send every operation to a service, or every field: they grow with the catalogue, so `npm run check` leaves them to `npm test`. */
const costly = ['rights', 'row-visibility', 'row-scope', 'row-scope-reach', 'seeds', 'joins-and-filters-agree'].map(
  (name) => `server/test/surface/${name}.test.ts`,
);

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'fast',
          include: [`${folders}/**/*.test.ts`],
          exclude: [
            ...[...gateKinds, 'slow', 'e2e', 'bench'].map((kind) => `**/*.${kind}.test.ts`),
            ...(process.env.PORTREEVE_TEST_QUICKLY ? costly : []),
          ],
        },
      },
      ...gateKinds.map((kind) => ({
        test: {
          ...common,
          name: kind,
          include: [`${folders}/**/*.${kind}.test.ts`],
          ...(kind === 'real' && { globalSetup: withConsole }),
        },
      })),
      {
        test: {
          ...common,
          name: 'slow',
          include: [`${folders}/**/*.slow.test.ts`],
          env: { PORTREEVE_TEST_TIMES: 'yes' },
          testTimeout: 600_000,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          name: 'e2e',
          include: ['console/e2e/**/*.e2e.test.ts'],
          globalSetup: withConsole,
          testTimeout: 600_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // In a group of its own behind the others: what is measured must not share the machine with other tests.
        test: {
          ...common,
          name: 'bench',
          include: ['tools/**/*.bench.test.ts'],
          testTimeout: 900_000,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
