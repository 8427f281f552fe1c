import { generator } from '../storm.ts';

/** Random choices of one case. A case has its own seed, so it does not depend on other cases. */
export class Draw {
  readonly #next: () => number;

  constructor(seed: number, stage: string, number: number) {
    let mixed = seed;
    for (const code of Buffer.from(`${stage} ${number}`)) mixed = Math.imul(mixed ^ code, 0x01000193);
    this.#next = generator(mixed);
  }

  /** Returns an integer from 0 to below the limit. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  chance(share: number): boolean {
    return this.#next() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** Returns a count: mostly small, seldom up to the maximum. */
  few(max: number): number {
    return this.chance(0.02) ? this.between(1, max) : this.between(1, Math.min(3, max));
  }

  times<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make);
  }

  bytes(length: number): Buffer {
    return Buffer.from(this.times(length, () => this.below(256)));
  }

  /**
   * Returns text of odd pieces: other scripts, control characters, lone surrogates, characters with a meaning in other
   * languages.
   */
  oddText(pieces = this.few(40)): string {
    return this.times(pieces, () => this.pick(oddPieces)).join('');
  }

  /** Returns the text with a few changes: characters removed, doubled, swapped, inserted. */
  mutated(text: string): string {
    let result = text;
    for (let accidents = this.between(1, 4); accidents > 0; accidents--) {
      const start = this.below(result.length + 1);
      const end = start + this.below(Math.min(12, result.length - start + 1));
      const [before, cut, after] = [result.slice(0, start), result.slice(start, end), result.slice(end)];
      result = this.pick([
        () => before + after,
        () => before + cut + cut + after,
        () => before + this.pick(oddPieces) + cut + after,
        () => after + cut + before,
        () => before + this.pick(signs) + after,
        () => before,
      ])();
    }
    return result;
  }
}

/** Splits a text into words: shorter to read than a list. */
export const words = (text: string): string[] => text.split(' ');

const signs = [...`()[]{}<>"'\`;,=!~*\\/|&%$#@?:.+-_ \t\r\n\0`];

/** Texts that are known to break programs. */
const oddPieces = [
  ...signs,
  ...words('a Z 0 9 name null true #{7*7} {{7*7}} <script> ../ %00 %s%n ß İ ı Σ ﬁ 😀 𝒳 漢字 עברית'),
  "' or 1=1 --",
  ...['\u0001', '\u001b[31m', '\u007f', '\u0085', '\u00a0', '\u00ad', '\u0301', '\u200b', '\u202e', '\u2028', '\ufeff'],
  ...['\ufffd', '\ufffe', '\uffff', '\ud800', '\udc00', '\u{10ffff}', '\u{e0001}'],
];
