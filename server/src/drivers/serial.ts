/** Runs what belongs to one key one after the other, in the order it came. */
export class Serial {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    // A previous failure was already returned to its own caller.
    const mine = before ? before.then(work, work) : work();
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
