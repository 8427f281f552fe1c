import { type Column, columnAt, columnsByWorth, valueAt } from './columns.ts';
import type { Document, Schema } from './document.ts';
import type { Pen } from './output.ts';
import { isObject, type JsonObject } from './set.ts';
import { cut, fill, harmless, harmlessJson, widthOf } from './text.ts';

const gap = '  ';
const widthFirst = 32;
const widthLeast = 8;

/** Prints records below one header; the first page decides the columns, so that later pages align with it. */
export class Table {
  readonly #pen: Pen;
  readonly #candidates: readonly Column[];
  readonly #isChosen: boolean;
  #columns: readonly Column[] | undefined;

  /** `columns` are those the user chose; without them, the most important ones that fit. */
  constructor(pen: Pen, record: Schema | undefined, document: Document, columns?: readonly string[]) {
    this.#pen = pen;
    this.#isChosen = columns !== undefined;
    this.#candidates = columns
      ? columns.map((path) => columnAt(path, record, document))
      : columnsByWorth(record, document);
  }

  async print(records: readonly JsonObject[]): Promise<void> {
    const { width } = this.#pen;
    const isFirst = this.#columns === undefined;
    if (width === undefined) return this.#printTabbed(records, isFirst);
    if (records.length === 0) return;
    this.#columns ??= this.#fitted(records, width);
    const lines = records.map((record) => this.#line(this.#columns!.map((column) => cellOf(record, column))));
    const head = this.#line(this.#columns.map(({ path }) => path));
    await this.#pen.write([...(isFirst ? [this.#pen.style('bold', head)] : []), ...lines, ''].join('\n'));
  }

  /** For programs: every column, untruncated, tab-separated. */
  async #printTabbed(records: readonly JsonObject[], isFirst: boolean): Promise<void> {
    this.#columns = this.#candidates;
    const rows = records.map((record) => this.#candidates.map(({ path }) => textOf(valueAt(record, path))).join('\t'));
    const head = isFirst ? [this.#candidates.map(({ path }) => path).join('\t')] : [];
    if (rows.length + head.length > 0) await this.#pen.write(`${[...head, ...rows].join('\n')}\n`);
  }

  #line(cells: readonly string[]): string {
    return cells
      .map((cell, at) => {
        const { width, isNumber } = this.#columns![at]!;
        return fill(cut(cell, width), width, isNumber ? 'right' : 'left');
      })
      .join(gap)
      .trimEnd();
  }

  #fitted(records: readonly JsonObject[], width: number): Column[] {
    const natural = this.#candidates.map((column) => ({
      ...column,
      width: Math.max(widthOf(column.path), ...records.map((record) => widthOf(cellOf(record, column)))),
      values: new Set(records.map((record) => cellOf(record, column))),
    }));
    if (this.#isChosen) return shrunk(natural, width);
    // A column with the same value in every row is of little use, an empty one of none.
    const telling = natural.filter(
      ({ values, isAlways }) => isAlways || values.size > 1 || (records.length === 1 && !values.has('')),
    );
    const same = natural.filter((column) => !telling.includes(column) && !column.values.has(''));
    return taken([...telling, ...same], width);
  }
}

const total = (columns: readonly Column[]): number =>
  columns.reduce((sum, column) => sum + column.width, gap.length * Math.max(0, columns.length - 1));

/** As many columns as fit, most important first; the remaining width goes to truncated columns. */
function taken(natural: readonly Column[], width: number): Column[] {
  const columns: Column[] = [];
  const wanted = new Map<string, number>();
  for (const column of natural) {
    const next = { ...column, width: Math.min(column.width, widthFirst) };
    if (columns.length > 0 && total([...columns, next]) > width) continue;
    columns.push(next);
    wanted.set(column.path, column.width);
  }
  let left = width - total(columns);
  return shrunk(
    columns.map((column) => {
      const more = Math.max(0, Math.min(left, wanted.get(column.path)! - column.width));
      left -= more;
      return { ...column, width: column.width + more };
    }),
    width,
  );
}

/** All chosen columns; the widest are truncated first. */
function shrunk(natural: readonly Column[], width: number): Column[] {
  const columns = natural.map((column) => ({ ...column }));
  while (total(columns) > width) {
    const widest = columns.reduce((a, b) => (b.width > a.width ? b : a));
    if (widest.width <= widthLeast) break;
    widest.width--;
  }
  return columns;
}

/** A value on one line. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? harmlessJson(item) : textOf(item))).join(', ');
  return isObject(value) ? harmlessJson(value) : harmless(String(value));
}

const neverMs = 0;

/** Drops milliseconds; the service writes "never" as 1970. */
function cellOf(record: JsonObject, column: Column): string {
  const text = textOf(valueAt(record, column.path));
  if (!column.isTime || text === '') return text;
  return Date.parse(text) === neverMs ? 'never' : text.replace(/\.\d{3}(?=Z|\+0000)/, '').replace('+0000', 'Z');
}
