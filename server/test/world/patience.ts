import { setTimeout as sleep } from 'node:timers/promises';

/* A busy machine takes ten times as long as an idle one: what is waited for comes late there, but it comes. */

const waitMsMax = 60_000;

/** For `vi.waitFor`; `expect.poll` waits as long by itself. */
export const patient = { timeout: waitMsMax, interval: 20 } as const;

/** Waits for a condition. */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>, everyMs = 20): Promise<void> {
  for (const end = performance.now() + waitMsMax; !(await isTrue()); await sleep(everyMs))
    if (performance.now() > end) throw new Error(`waited ${waitMsMax / 1_000} s for ${what}`);
}

/** A bound of time that the product keeps where nothing else runs: it is asked for with PORTREEVE_TEST_TIMES only. */
export const promised = (bound: number): number =>
  process.env.PORTREEVE_TEST_TIMES === undefined ? Number.POSITIVE_INFINITY : bound;

/** Time of the processor that some work took: unlike that of the clock it hardly grows when others want the processor too. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
