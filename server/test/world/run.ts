import { beginRun, endRun } from './databases.ts';

/* What vitest does before the first test and after the last. */

export const setup = beginRun;
export const teardown = endRun;
