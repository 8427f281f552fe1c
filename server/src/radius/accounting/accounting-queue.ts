/** What orders packets: those of one MAC address, and those of an access device that restarts, are stored in the order of arrival. */
export interface Ordered {
  deviceID: number;
  /** Null: the access device restarted. */
  mac: string | null;
}

/** Received packets that wait to be stored, bounded. */
export class AccountingQueue<Item extends Ordered> {
  #items: Item[] = [];
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get length(): number {
    return this.#items.length;
  }

  /** Returns false if the queue is full. */
  push(item: Item): boolean {
    if (this.#items.length >= this.#max) return false;
    this.#items.push(item);
    return true;
  }

  /**
   * Takes the oldest items that can be stored with the same statements: one for each MAC address, and a restart of an access device
   * only without other packets of that device. The others keep their order.
   */
  take(max: number): Item[] {
    const batch: Item[] = [];
    const remaining: Item[] = [];
    const macs = new Set<string>();
    const devices = new Set<number>();
    const restarting = new Set<number>();
    for (const item of this.#items) {
      const isBlocked =
        batch.length >= max ||
        restarting.has(item.deviceID) ||
        (item.mac === null ? devices.has(item.deviceID) : macs.has(item.mac));
      if (isBlocked) remaining.push(item);
      else batch.push(item);
      if (item.mac === null) restarting.add(item.deviceID);
      else macs.add(item.mac);
      devices.add(item.deviceID);
    }
    this.#items = remaining;
    return batch;
  }
}
