import type { RowBytes } from '../database/row-bytes.ts';
import type { ObjectShape, Shape, TimeShape } from '../shape.ts';
import { type ByteSink, byteTable } from './byte-sink.ts';
import { compileWriter, type Dialect, type Place } from './json-writer.ts';

export type Format = 'json' | 'xml';

/** Where a value stands in a row. */
export interface Cell {
  column: number;
  /** The cell is JSON, and this is the last step to what the record shows. */
  render?: ((value: unknown) => unknown) | undefined;
}

/** By dotted path; an object without a cell is put together from those of its properties. */
export type Cells = ReadonlyMap<string, Cell>;

/** Writes so many rows, from the first on; `lead` columns stand before those of the record. */
export type RowWriter = (rows: RowBytes, first: number, count: number, lead: number, out: ByteSink) => void;

/** Writes a cell that is not null. */
type CopyCell = (out: ByteSink, bytes: Buffer, start: number, length: number) => void;

/** One cell, with what is written before it. */
interface Step {
  path: string;
  column: number;
  before: Buffer;
  copy: CopyCell;
  /** What stands around it, or in its place, where it may be null. */
  nullable: { before: Buffer; after: Buffer; nil: Buffer } | undefined;
  /** What all of that can take, beside the bytes of the cell. */
  room: number;
}

/**
 * Compiles the serializer of records whose values are cells of a row: bytes go from the database's message into the answer, with the
 * names of the fields between them. A cell that is null, or no number, where its shape does not allow it is a bug, and throws.
 */
export function rowWriter(shape: ObjectShape, cells: Cells, dialect: Dialect): RowWriter {
  const { steps, tail } = new StepMaker(cells, dialect).make(shape);
  const separator = Buffer.from(dialect.separator);
  return (rows, first, count, lead, out) => {
    for (let row = first; row < first + count; row++) {
      const { bytes, places } = rows.cellsOf(row);
      if (row > first) out.add(separator);
      for (const step of steps) {
        const place = (step.column + lead) * 2;
        writeStep(step, out, bytes, places[place]!, places[place + 1]!);
      }
      out.add(tail);
    }
  };
}

function writeStep(step: Step, out: ByteSink, bytes: Buffer, start: number, length: number): void {
  const { before, copy, nullable } = step;
  out.room(step.room + Math.max(0, length));
  out.copy(before, 0, before.length);
  if (!nullable) {
    copy(out, bytes, start, length);
    return;
  }
  if (length < 0) {
    out.copy(nullable.nil, 0, nullable.nil.length);
    return;
  }
  out.copy(nullable.before, 0, nullable.before.length);
  copy(out, bytes, start, length);
  out.add(nullable.after);
}

/** What a flag or an instant may be longer than its cell. */
const cellRoom = 16;

/** Walks a shape; literals that stand next to each other become one. */
class StepMaker {
  readonly #cells: Cells;
  readonly #dialect: Dialect;
  readonly #steps: Step[] = [];
  #pending = '';

  constructor(cells: Cells, dialect: Dialect) {
    this.#cells = cells;
    this.#dialect = dialect;
  }

  make(shape: ObjectShape): { steps: readonly Step[]; tail: Buffer } {
    const { item } = this.#dialect;
    this.#pending = item.before;
    this.#object(shape, '');
    return { steps: this.#steps, tail: Buffer.from(this.#pending + item.after) };
  }

  #object(shape: ObjectShape, path: string): void {
    const [open, close] = this.#dialect.object;
    this.#pending += open;
    for (const [index, [name, property]] of Object.entries(shape.properties).entries()) {
      if (index > 0) this.#pending += this.#dialect.separator;
      this.#property(name, property, path === '' ? name : `${path}.${name}`);
    }
    this.#pending += close;
  }

  #property(name: string, shape: Shape, path: string): void {
    const cell = this.#cells.get(path);
    const place = this.#dialect.property(name);
    if (!cell && shape.kind === 'object') {
      this.#pending += place.before;
      this.#object(shape, path);
      this.#pending += place.after;
    } else if (!cell) throw new Error(`no cell of the row is the value of ${path}`);
    else if (cell.render) this.#step(path, cell.column, jsonCopier(name, shape, cell.render, this.#dialect), undefined);
    else this.#scalar(shape, path, cell.column, place);
  }

  #scalar(shape: Shape, path: string, column: number, place: Place): void {
    const quote = isQuoted(shape) ? this.#dialect.quote : '';
    const [before, after] = [place.before + quote, quote + place.after];
    const copy = copierOf(shape, path, this.#dialect);
    if (shape.nullable) {
      const [b, a, nil] = [before, after, place.nil].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];
      this.#step(path, column, copy, { before: b, after: a, nil });
      return;
    }
    this.#pending += before;
    this.#step(path, column, refusingNull(copy, path), undefined);
    this.#pending = after;
  }

  #step(path: string, column: number, copy: CopyCell, nullable: Step['nullable']): void {
    const before = Buffer.from(this.#pending);
    const room = before.length + cellRoom + (nullable ? nullable.before.length + nullable.nil.length : 0);
    this.#steps.push({ path, column, before, copy, nullable, room });
    this.#pending = '';
  }
}

const isQuoted = ({ kind }: Shape): boolean => kind !== 'integer' && kind !== 'decimal' && kind !== 'flag';

const wrong = (path: string, kind: string) => new Error(`Cannot write ${path}: its cell is not of kind ${kind}.`);

const refusingNull =
  (copy: CopyCell, path: string): CopyCell =>
  (out, bytes, start, length) => {
    if (length < 0) throw new Error(`Cannot write ${path}: it should not be null.`);
    copy(out, bytes, start, length);
  };

function copierOf(shape: Shape, path: string, dialect: Dialect): CopyCell {
  switch (shape.kind) {
    case 'integer':
    case 'decimal':
      return (out, bytes, start, length) => {
        if (out.copyWhile(bytes, start, length, numeric) !== length) throw wrong(path, shape.kind);
      };
    case 'flag':
      return (out, bytes, start) => {
        if (bytes[start] === 0x74) out.add(trueBytes);
        else if (bytes[start] === 0x66) out.add(falseBytes);
        else throw wrong(path, 'flag');
      };
    case 'time':
      return instantCopier(shape, path);
    case 'list':
    case 'map':
    case 'object':
      throw new Error(`${path} is no scalar, so its cell has to be JSON`);
    default:
      return (out, bytes, start, length) => {
        const clean = out.copyWhile(bytes, start, length, dialect.plainBytes);
        if (clean < length) out.text(dialect.text(bytes.toString('utf8', start + clean, start + length)));
      };
  }
}

const trueBytes = Buffer.from('true');
const falseBytes = Buffer.from('false');

// Digits, sign, point and exponent.
const numeric = byteTable((byte) => (byte >= 0x30 && byte <= 0x39) || [0x2b, 0x2d, 0x2e, 0x65].includes(byte));

/** `2026-01-31 08:15:30.5+00`, as the database writes an instant in UTC, becomes `2026-01-31T08:15:30.500Z`. */
function instantCopier({ zone = 'Z' }: TimeShape, path: string): CopyCell {
  const end = Buffer.from(zone);
  return (out, bytes, start, length) => {
    if (length < 19 || bytes[start + 10] !== 0x20) throw wrong(path, 'time');
    out.copy(bytes, start, 19);
    out.bytes[out.at - 9] = 0x54;
    out.bytes[out.at++] = 0x2e;
    const fraction = bytes[start + 19] === 0x2e ? start + 20 : start + length;
    for (let digit = 0, at = fraction; digit < 3; digit++) {
      const isDigit = at < start + length && bytes[at]! >= 0x30 && bytes[at]! <= 0x39;
      out.bytes[out.at++] = isDigit ? bytes[at++]! : 0x30;
    }
    out.add(end);
  };
}

/** A property the database gives as JSON is read, rendered and written as text, with its name and also when it is null. */
function jsonCopier(name: string, shape: Shape, render: NonNullable<Cell['render']>, dialect: Dialect): CopyCell {
  const write = compileWriter(shape, { ...dialect, root: dialect.property(name) });
  return (out, bytes, start, length) => {
    const value = length < 0 ? null : JSON.parse(bytes.toString('utf8', start, start + length));
    out.text(write(render(value)));
  };
}
