import type { Facts } from '../../policy/snapshot/snapshot.service.ts';

const batchMax = 64;
const statementsMax = 2;

interface Waiting {
  mac: string;
  found(facts: Facts | undefined): void;
  failed(error: unknown): void;
}

/**
 * Looks up MAC addresses. Those that are asked for in the same turn share a statement; and while statements are under way, those
 * that come meanwhile wait for the next one: the more there are, the less each of them costs.
 */
export class FactsBatch {
  readonly #read: (macs: readonly string[]) => Promise<Facts[]>;
  #waiting: Waiting[] = [];
  #underWay = 0;
  #isDue = false;

  constructor(read: (macs: readonly string[]) => Promise<Facts[]>) {
    this.#read = read;
  }

  /** Undefined: nobody has that address. */
  of(mac: string): Promise<Facts | undefined> {
    return new Promise((found, failed) => {
      this.#waiting.push({ mac, found, failed });
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
          const byMac = new Map(facts.map((each) => [each.adapter.mac, each]));
          for (const { mac, found } of batch) found(byMac.get(mac));
        },
        (error: unknown) => {
          for (const { failed } of batch) failed(error);
        },
      );
  }
}
