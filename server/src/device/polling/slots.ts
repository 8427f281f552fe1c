/** Limits how many tasks run at once; the others wait in a queue. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((go) => this.#waiting.push(go));
    try {
      return await work();
    } finally {
      // The slot is passed to the next waiting task, so that no new one can take it.
      const nextWaiter = this.#waiting.shift();
      if (nextWaiter) nextWaiter();
      else this.#free += 1;
    }
  }
}
