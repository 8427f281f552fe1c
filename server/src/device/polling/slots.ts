/** Lets so many pieces of work run at once; the others wait for their turn. */
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
      // The next in the queue gets the slot directly, so that no newcomer takes it.
      const nextWaiter = this.#waiting.shift();
      if (nextWaiter) nextWaiter();
      else this.#free += 1;
    }
  }
}
