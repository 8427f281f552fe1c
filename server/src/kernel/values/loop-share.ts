import { setImmediate as nextTurn } from 'node:timers/promises';

const sliceMs = 5;

/**
 * Lets long work share the event loop with requests: after each piece, the work checks if its slice is used up, and
 * then pauses.
 */
export class LoopShare {
  #begunMs = performance.now();

  isUsedUp(): boolean {
    return performance.now() - this.#begunMs > sliceMs;
  }

  /** Continues in a later turn of the loop. */
  async pause(): Promise<void> {
    await nextTurn();
    this.#begunMs = performance.now();
  }
}

/** Work that yields wherever requests may run in between, and returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs steps, and lets requests run in between. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  const share = new LoopShare();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (share.isUsedUp()) await share.pause();
  }
}

/** Runs steps without a pause, in tools and tests. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
