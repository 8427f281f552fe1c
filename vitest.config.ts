import { defineConfig } from 'vitest/config';

const common = {
  environment: 'node',
  // A busy machine takes ten times as long as an idle one: what hangs is ended, what is slow is waited for.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  maxWorkers: 2,
  isolate: false,
  globalSetup: ['server/src/testing/run.ts'],
};

/**
 * `x.real.test.ts` starts real parts, `x.long.test.ts` takes some seconds: `npm run check` leaves both to `npm test`.
 * `x.slow.test.ts` takes more than ten, or holds a promise about time: `npm test -- --all` runs it, alone.
 */
const kinds = ['real', 'long'] as const;
const folders = '{server,sdk,cli,testbed}/src';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'fast',
          include: [`${folders}/**/*.test.ts`],
          exclude: ['slow', ...kinds].map((kind) => `**/*.${kind}.test.ts`),
        },
      },
      ...kinds.map((kind) => ({
        test: { ...common, name: kind, include: [`${folders}/**/*.${kind}.test.ts`, `tools/**/*.${kind}.test.ts`] },
      })),
      {
        test: {
          ...common,
          name: 'slow',
          include: [`${folders}/**/*.slow.test.ts`, 'tools/**/*.slow.test.ts'],
          env: { PORTREEVE_TEST_TIMES: 'yes' },
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // In a group of its own behind the others: what is measured must not share the machine with other tests.
        test: {
          ...common,
          name: 'bench',
          include: ['tools/**/*.bench.test.ts'],
          testTimeout: 300_000,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
