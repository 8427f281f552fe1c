import { defineConfig } from 'vitest/config';

const common = { environment: 'node', testTimeout: 30_000, hookTimeout: 60_000, maxWorkers: 2, isolate: false } as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'fast',
          include: ['{server,sdk,cli,testbed}/src/**/*.test.ts'],
          exclude: ['**/*.real.test.ts'],
        },
      },
      // Tests that start real parts: FreeRADIUS and its like.
      { test: { ...common, name: 'real', include: ['{server,sdk,cli,testbed}/src/**/*.real.test.ts'] } },
    ],
  },
});
