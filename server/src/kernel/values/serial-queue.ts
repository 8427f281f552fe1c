/** Runs one piece of work at a time, in the order of the calls. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** The number of pieces that have not ended. */
  get waiting(): number {
    return this.#waiting;
  }

  run<T>(work: () => T | Promise<T>): Promise<T> {
    this.#waiting++;
    const turn = this.#last.then(work).finally(() => {
      this.#waiting--;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
