import { setImmediate as nextTurn } from 'node:timers/promises';

const sliceMs = 5;

/** Lets long work share the event loop with requests: after each piece it asks whether its slice is used up, and pauses if so. */
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
