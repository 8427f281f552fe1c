import { line, type Pen } from './output.ts';
import { fill, widthOf } from './text.ts';

/** A table whose rows are printed one by one. A column is as wide as its widest cell so far. */
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
    for (const [index, cell] of cells.entries())
      this.#widths[index] = Math.max(this.#widths[index] ?? 0, widthOf(cell));
    for (const row of lines) {
      const text = this.#pen.isTerminal
        ? row
            .map((cell, index) => fill(cell, this.#widths[index]!))
            .join('  ')
            .trimEnd()
        : row.join('\t');
      await line(this.#pen, row === this.#heads ? this.#pen.style('bold', text) : text);
    }
    this.#isBegun = true;
  }
}
