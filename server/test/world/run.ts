import { beginRun, endRun } from './databases.ts';

/* Hooks that vitest calls before the first test and after the last. */

export const setup = beginRun;
export const teardown = endRun;
