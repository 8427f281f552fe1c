import { line, type Pen } from './output.ts';
import { fill, widthOf } from './text.ts';

/** Lines below one header that come one by one: a column is as wide as what it has shown so far. */
export class GrowingTable {
  readonly #pen: Pen;
  readonly #heads: readonly string[];
  readonly #widths: number[];
  #isBegun = false;

  constructor(pen: Pen, heads: readonly string[]) {
    this.#pen = pen;
    this.#heads = heads;
    this.#widths = heads.map(widthOf);
  }

  async print(cells: readonly string[]): Promise<void> {
    const lines = this.#isBegun ? [cells] : [this.#heads, cells];
    for (const [at, cell] of cells.entries()) this.#widths[at] = Math.max(this.#widths[at] ?? 0, widthOf(cell));
    for (const each of lines) {
      const text = this.#pen.isTerminal
        ? each
            .map((cell, at) => fill(cell, this.#widths[at]!))
            .join('  ')
            .trimEnd()
        : each.join('\t');
      await line(this.#pen, each === this.#heads ? this.#pen.style('bold', text) : text);
    }
    this.#isBegun = true;
  }
}
