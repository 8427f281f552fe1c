import type { Facts } from '../../policy/snapshot/snapshot.service.ts';

const batchMax = 64;

interface Waiting {
  mac: string;
  found(facts: Facts | undefined): void;
  failed(error: unknown): void;
}

/** Looks up MAC addresses: those that are asked for in the same turn share a statement. */
export class FactsBatch {
  readonly #read: (macs: readonly string[]) => Promise<Facts[]>;
  #waiting: Waiting[] = [];

  constructor(read: (macs: readonly string[]) => Promise<Facts[]>) {
    this.#read = read;
  }

  /** Undefined: nobody has that address. */
  of(mac: string): Promise<Facts | undefined> {
    return new Promise((found, failed) => {
      this.#waiting.push({ mac, found, failed });
      if (this.#waiting.length === 1) setImmediate(() => this.#ask());
      else if (this.#waiting.length === batchMax) this.#ask();
    });
  }

  #ask(): void {
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    const macs = [...new Set(batch.map(({ mac }) => mac))];
    this.#read(macs).then(
      (facts) => {
        const byMac = new Map(facts.map((each) => [each.adapter.mac, each]));
        for (const { mac, found } of batch) found(byMac.get(mac));
      },
      (error: unknown) => {
        for (const { failed } of batch) failed(error);
      },
    );
  }
}
