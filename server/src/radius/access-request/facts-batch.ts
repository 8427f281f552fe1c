import type { Facts } from '../../policy/snapshot/snapshot.service.ts';

const batchMax = 64;
const statementsMax = 2;

interface PendingLookup {
  mac: string;
  resolve(facts: Facts | undefined): void;
  reject(error: unknown): void;
}

/**
 * Looks up MAC addresses in batches. Requests of the same event loop iteration share a statement, and requests that arrive while the
 * maximum number of statements is running wait for the next one, so the cost per address falls with the load.
 */
export class FactsBatch {
  readonly #read: (macs: readonly string[]) => Promise<Facts[]>;
  #waiting: PendingLookup[] = [];
  #underWay = 0;
  #isDue = false;

  constructor(readFacts: (macs: readonly string[]) => Promise<Facts[]>) {
    this.#read = readFacts;
  }

  /** Resolves to the facts of an address; undefined if no adapter has it. */
  of(mac: string): Promise<Facts | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ mac, resolve, reject });
      this.#scheduleQuery();
    });
  }

  #scheduleQuery(): void {
    if (this.#isDue || this.#waiting.length === 0 || this.#underWay >= statementsMax) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#query();
    });
  }

  #query(): void {
    const batch = this.#waiting.splice(0, batchMax);
    const macs = [...new Set(batch.map(({ mac }) => mac))];
    this.#underWay += 1;
    this.#read(macs)
      .finally(() => {
        this.#underWay -= 1;
        this.#scheduleQuery();
      })
      .then(
        (facts) => {
          const byMac = new Map(facts.map((adapterFacts) => [adapterFacts.adapter.mac, adapterFacts]));
          for (const { mac, resolve } of batch) resolve(byMac.get(mac));
        },
        (error: unknown) => {
          for (const { reject } of batch) reject(error);
        },
      );
  }
}
