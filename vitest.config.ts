import { defineConfig } from 'vitest/config';

const common = {
  environment: 'node',
  testTimeout: 30_000,
  hookTimeout: 60_000,
  maxWorkers: 2,
  isolate: false,
  globalSetup: ['server/src/testing/run.ts'],
};

/** `x.real.test.ts` starts real parts, `x.long.test.ts` takes its time; `npm run check` leaves both to `npm test`. */
const slow = ['real', 'long'] as const;
const folders = '{server,sdk,cli,testbed}/src';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'fast',
          include: [`${folders}/**/*.test.ts`],
          exclude: slow.map((kind) => `**/*.${kind}.test.ts`),
        },
      },
      ...slow.map((kind) => ({
        test: { ...common, name: kind, include: [`${folders}/**/*.${kind}.test.ts`, `tools/**/*.${kind}.test.ts`] },
      })),
      {
        // In a group of its own behind the others: what is measured must not share the machine with other tests.
        test: {
          ...common,
          name: 'bench',
          include: ['tools/**/*.bench.test.ts'],
          testTimeout: 300_000,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
