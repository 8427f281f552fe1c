import { type Column, columnAt, columnsByPriority, valueAt } from './columns.ts';
import type { Document, Schema } from './document.ts';
import type { Pen } from './output.ts';
import type { ReferenceNames } from './reference-names.ts';
import type { JsonObject } from './set.ts';
import { displayText, type Show, showFor, textOf } from './shown-value.ts';
import { cut, fill, widthOf } from './text.ts';

const gap = '  ';
const widthFirst = 32;
const widthLeast = 8;

interface TableOptions {
  /** The selected columns; if absent, the most important ones that fit. */
  columns?: readonly string[] | undefined;
  /** Prints values as the service sends them, also on a terminal. */
  isRaw?: boolean;
  /** Prints the names of referenced records. */
  names?: ReferenceNames | undefined;
}

/** Prints records below one header; the first page determines the columns, so that later pages align. */
export class Table {
  readonly #pen: Pen;
  readonly #candidates: readonly Column[];
  readonly #isChosen: boolean;
  #columns: readonly Column[] | undefined;
  readonly #document: Document;
  readonly #record: Schema | undefined;
  readonly #show: Show;

  constructor(pen: Pen, record: Schema | undefined, document: Document, options: TableOptions = {}) {
    const { columns, isRaw = false, names } = options;
    this.#pen = pen;
    this.#document = document;
    this.#record = record;
    this.#show = showFor(pen.isTerminal, isRaw, names);
    this.#isChosen = columns !== undefined;
    this.#candidates = columns
      ? columns.map((path) => columnAt(path, record, document))
      : columnsByPriority(record, document);
  }

  async print(records: readonly JsonObject[]): Promise<void> {
    const { width } = this.#pen;
    const isFirst = this.#columns === undefined;
    if (width === undefined) return this.#printTabbed(records, isFirst);
    if (records.length === 0) return;
    await this.#loadNames(records);
    this.#columns ??= this.#fitted(records, width);
    const lines = records.map((record) => this.#line(this.#columns!.map((column) => this.#cellOf(record, column))));
    const head = this.#line(this.#columns.map(({ path }) => path));
    await this.#pen.write([...(isFirst ? [this.#pen.style('bold', head)] : []), ...lines, ''].join('\n'));
  }

  /** Loads the names for columns that are certainly shown; which others fit is determined later. */
  async #loadNames(records: readonly JsonObject[]): Promise<void> {
    if (this.#show.isRaw) return;
    const columns = this.#candidates.filter(({ isAlways }) => this.#isChosen || isAlways);
    const paths = columns.map(({ field }) => field);
    await this.#show.names?.load(records, this.#record, paths, this.#document);
  }

  /** Prints every column, untruncated and tab-separated, for programs. */
  async #printTabbed(records: readonly JsonObject[], isFirst: boolean): Promise<void> {
    this.#columns = this.#candidates;
    const rows = records.map((record) =>
      this.#candidates.map(({ field }) => textOf(valueAt(record, field))).join('\t'),
    );
    const head = isFirst ? [this.#candidates.map(({ path }) => path).join('\t')] : [];
    if (rows.length + head.length > 0) await this.#pen.write(`${[...head, ...rows].join('\n')}\n`);
  }

  #cellOf(record: JsonObject, { field, schema }: Column): string {
    return displayText(valueAt(record, field), schema, this.#document, this.#show);
  }

  #line(cells: readonly string[]): string {
    return cells
      .map((cell, index) => {
        const { width, isNumber } = this.#columns![index]!;
        return fill(cut(cell, width), width, isNumber ? 'right' : 'left');
      })
      .join(gap)
      .trimEnd();
  }

  #fitted(records: readonly JsonObject[], width: number): Column[] {
    const natural = this.#candidates.map((column) => ({
      ...column,
      width: Math.max(widthOf(column.path), ...records.map((record) => widthOf(this.#cellOf(record, column)))),
      values: new Set(records.map((record) => this.#cellOf(record, column))),
    }));
    if (this.#isChosen) return shrinkColumns(natural, width);
    // Columns with the same value in every row come last, and empty ones are omitted.
    const varying = natural.filter(
      ({ values, isAlways }) => isAlways || values.size > 1 || (records.length === 1 && !values.has('')),
    );
    const constant = natural.filter((column) => !varying.includes(column) && !column.values.has(''));
    return fittingColumns([...varying, ...constant], width);
  }
}

const total = (columns: readonly Column[]): number =>
  columns.reduce((sum, column) => sum + column.width, gap.length * Math.max(0, columns.length - 1));

/** Returns as many columns as fit, most important first; the remaining width goes to truncated columns. */
function fittingColumns(natural: readonly Column[], width: number): Column[] {
  const columns: Column[] = [];
  const naturalWidths = new Map<string, number>();
  for (const column of natural) {
    const candidate = { ...column, width: Math.min(column.width, widthFirst) };
    if (columns.length > 0 && total([...columns, candidate]) > width) continue;
    columns.push(candidate);
    naturalWidths.set(column.path, column.width);
  }
  let remainingWidth = width - total(columns);
  return shrinkColumns(
    columns.map((column) => {
      const extraWidth = Math.max(0, Math.min(remainingWidth, naturalWidths.get(column.path)! - column.width));
      remainingWidth -= extraWidth;
      return { ...column, width: column.width + extraWidth };
    }),
    width,
  );
}

/** Returns all columns, with the widest truncated to fit. */
function shrinkColumns(natural: readonly Column[], width: number): Column[] {
  const columns = natural.map((column) => ({ ...column }));
  while (total(columns) > width) {
    const widest = columns.reduce((a, b) => (b.width > a.width ? b : a));
    if (widest.width <= widthLeast) break;
    widest.width--;
  }
  return columns;
}
