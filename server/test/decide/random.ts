/** Draws that a seed repeats. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number, both ends included. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.integer(0, from.length - 1)]!;
  }

  /** Each with the same probability, in their order. */
  some<T>(from: readonly T[], probability: number): T[] {
    return from.filter(() => this.chance(probability));
  }

  list<T>(length: number, make: (index: number) => T): T[] {
    return Array.from({ length }, (_, index) => make(index));
  }
}
