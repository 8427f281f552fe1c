import { SerialQueue } from '../kernel/values/serial-queue.ts';

/** Runs operations with the same key one after the other, in order. */
export class Serial {
  readonly #keys = new Map<string, SerialQueue>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turns = this.#keys.get(key) ?? new SerialQueue();
    this.#keys.set(key, turns);
    try {
      return await turns.run(work);
    } finally {
      if (turns.waiting === 0) this.#keys.delete(key);
    }
  }
}
