import { setTimeout as sleep } from 'node:timers/promises';

/* A busy machine takes ten times as long as an idle one, so tests wait long for a condition. */

const waitMsMax = 60_000;

/** Options for `vi.waitFor`; `expect.poll` waits as long by default. */
export const patient = { timeout: waitMsMax, interval: 20 } as const;

/** Waits for a condition. */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>, everyMs = 20): Promise<void> {
  for (const end = performance.now() + waitMsMax; !(await isTrue()); await sleep(everyMs))
    if (performance.now() > end) throw new Error(`waited ${waitMsMax / 1_000} s for ${what}`);
}

/** Returns a time limit that the product keeps on an idle machine, or infinity unless PORTREEVE_TEST_TIMES is set. */
export const promised = (bound: number): number =>
  process.env.PORTREEVE_TEST_TIMES === undefined ? Number.POSITIVE_INFINITY : bound;

/** Returns the processor time of some work: unlike elapsed time, it hardly depends on other processes. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
