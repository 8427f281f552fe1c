import { Turns } from '../kernel/values/turns.ts';

/** Runs operations with the same key one after the other, in order. */
export class Serial {
  readonly #keys = new Map<string, Turns>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turns = this.#keys.get(key) ?? new Turns();
    this.#keys.set(key, turns);
    try {
      return await turns.run(work);
    } finally {
      if (turns.waiting === 0) this.#keys.delete(key);
    }
  }
}
