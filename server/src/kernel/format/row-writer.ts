import type { RowBytes } from '../database/row-bytes.ts';
import type { ObjectShape, Shape } from '../declare/shape.ts';
import { type ByteSink, byteTable } from './byte-sink.ts';
import { compileWriter, type Dialect, type Place } from './json-writer.ts';

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

/** A piece of the literals of a plan. */
interface Piece {
  from: number;
  to: number;
}

type StepKind = 'number' | 'text' | 'flag' | 'time' | 'json';

/** One cell, with what is written before it. */
interface Step {
  kind: StepKind;
  path: string;
  column: number;
  before: Piece;
  isNullable: boolean;
  /** What stands around it, or in its place, where it may be null. */
  open: Piece;
  close: Piece;
  nil: Piece;
  /** Of an instant. */
  zone: Piece;
  /** Writes what the database gives as JSON, with its name. */
  rendered: ((json: string | null) => string) | undefined;
}

/** How records are written, as data: one loop goes through it for all tables, so that one loop is worth all of the optimizer's care. */
interface Plan {
  literals: Uint8Array;
  steps: readonly Step[];
  separator: Piece;
  tail: Piece;
  plainBytes: Uint8Array;
  escape(text: string): string;
  /** Maximum size of a record, excluding the bytes of its row. */
  room: number;
  /** How often the same cell is shown at most. */
  copies: number;
}

/**
 * Compiles the serializer of records whose values are cells of a row: bytes go from the database's message into the answer, with the
 * names of the fields between them. A cell that is null, or no number, where its shape does not allow it is a bug, and throws.
 */
export function rowWriter(shape: ObjectShape, cells: Cells, dialect: Dialect): RowWriter {
  const plan = new Planner(cells, dialect).plan(shape);
  return (rows, first, count, lead, out) => {
    for (let row = first; row < first + count; row++) writeRow(plan, rows, row, row > first, lead, out);
  };
}

/** Bytes are copied here, one by one and without a call for each cell: most pieces are shorter than a call is worth. */
function writeRow(plan: Plan, rows: RowBytes, row: number, isNext: boolean, lead: number, out: ByteSink): void {
  const { bytes, places, length: rowLength } = rows.cellsOf(row);
  const { literals, steps, plainBytes } = plan;
  const room = plan.room + plan.copies * rowLength;
  out.room(room);
  let output = out.bytes;
  let position = out.at;
  if (isNext) for (let l = plan.separator.from; l < plan.separator.to; l++) output[position++] = literals[l]!;
  for (let s = 0; s < steps.length; s++) {
    const step = steps[s]!;
    for (let l = step.before.from; l < step.before.to; l++) output[position++] = literals[l]!;
    const place = (step.column + lead) * 2;
    let source = places[place]!;
    const length = places[place + 1]!;
    const end = source + length;
    if (length < 0 && step.kind !== 'json') {
      if (!step.isNullable) throw new Error(`Cannot write ${step.path}: it should not be null.`);
      for (let l = step.nil.from; l < step.nil.to; l++) output[position++] = literals[l]!;
      continue;
    }
    for (let l = step.open.from; l < step.open.to; l++) output[position++] = literals[l]!;
    switch (step.kind) {
      case 'number':
        for (; source < end; source++) {
          if (numeric[bytes[source]!] === 0) throw wrong(step);
          output[position++] = bytes[source]!;
        }
        break;
      case 'text':
        while (source < end && plainBytes[bytes[source]!] === 1) output[position++] = bytes[source++]!;
        if (source === end) break;
        out.at = position;
        out.text(plan.escape(bytes.toString('utf8', source, end)));
        // What is escaped may be longer than it was.
        out.room(room);
        output = out.bytes;
        position = out.at;
        break;
      case 'flag': {
        const word = bytes[source] === 0x74 ? trueBytes : bytes[source] === 0x66 ? falseBytes : undefined;
        if (!word) throw wrong(step);
        for (let w = 0; w < word.length; w++) output[position++] = word[w]!;
        break;
      }
      case 'time':
        if (length < 19 || bytes[source + 10] !== 0x20) throw wrong(step);
        position = writeInstant(bytes, source, end, output, position);
        for (let l = step.zone.from; l < step.zone.to; l++) output[position++] = literals[l]!;
        break;
      case 'json':
        out.at = position;
        out.text(step.rendered!(length < 0 ? null : bytes.toString('utf8', source, end)));
        out.room(room);
        output = out.bytes;
        position = out.at;
    }
    for (let l = step.close.from; l < step.close.to; l++) output[position++] = literals[l]!;
  }
  for (let l = plan.tail.from; l < plan.tail.to; l++) output[position++] = literals[l]!;
  out.at = position;
}

/** `2026-01-31 08:15:30.5+00`, as the database writes an instant in UTC, becomes `2026-01-31T08:15:30.500`; the zone follows. */
function writeInstant(bytes: Buffer, source: number, end: number, output: Buffer, start: number): number {
  let position = start;
  for (let n = 0; n < 19; n++) output[position++] = n === 10 ? 0x54 : bytes[source + n]!;
  output[position++] = 0x2e;
  let fraction = bytes[source + 19] === 0x2e ? source + 20 : end;
  for (let digit = 0; digit < 3; digit++) {
    const isDigit = fraction < end && bytes[fraction]! >= 0x30 && bytes[fraction]! <= 0x39;
    output[position++] = isDigit ? bytes[fraction++]! : 0x30;
  }
  return position;
}

const wrong = ({ path, kind }: Step) => new Error(`Cannot write ${path}: its cell is not of kind ${kind}.`);

const trueBytes = Buffer.from('true');
const falseBytes = Buffer.from('false');

// Digits, sign, point and exponent.
const numeric = byteTable((byte) => (byte >= 0x30 && byte <= 0x39) || [0x2b, 0x2d, 0x2e, 0x65].includes(byte));

/** What an instant or a flag may be longer than its cell. */
const cellRoom = 16;

/** Walks a shape; literals that stand next to each other become one. */
class Planner {
  readonly #cells: Cells;
  readonly #dialect: Dialect;
  readonly #steps: Step[] = [];
  #literals = Buffer.alloc(0);
  #pending = '';

  constructor(cells: Cells, dialect: Dialect) {
    this.#cells = cells;
    this.#dialect = dialect;
  }

  plan(shape: ObjectShape): Plan {
    const { item, plainBytes, text } = this.#dialect;
    this.#pending = item.before;
    this.#object(shape, '');
    const tail = this.#piece(this.#pending + item.after);
    const separator = this.#piece(this.#dialect.separator);
    return {
      literals: Uint8Array.from(this.#literals),
      steps: this.#steps,
      separator,
      tail,
      plainBytes,
      escape: text,
      // All literals, though of a nullable cell only some are written.
      room: this.#literals.length + this.#steps.length * cellRoom,
      copies: this.#copies(),
    };
  }

  #copies(): number {
    const shown = new Map<number, number>();
    for (const { column } of this.#steps) shown.set(column, (shown.get(column) ?? 0) + 1);
    return Math.max(1, ...shown.values());
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
    else if (cell.render)
      this.#step({
        kind: 'json',
        path,
        column: cell.column,
        rendered: jsonText(name, shape, cell.render, this.#dialect),
      });
    else this.#scalar(shape, path, cell.column, place);
  }

  #scalar(shape: Shape, path: string, column: number, place: Place): void {
    const kind = scalarKind(shape, path);
    const quote = kind === 'text' || kind === 'time' ? this.#dialect.quote : '';
    const [open, close] = [place.before + quote, quote + place.after];
    const zone = this.#piece(shape.kind === 'time' ? (shape.zone ?? 'Z') : '');
    if (shape.nullable) {
      const nullablePieces = { open: this.#piece(open), close: this.#piece(close), nil: this.#piece(place.nil) };
      this.#step({ kind, path, column, zone, isNullable: true, ...nullablePieces });
      return;
    }
    this.#pending += open;
    this.#step({ kind, path, column, zone });
    this.#pending = close;
  }

  #step(step: Pick<Step, 'kind' | 'path' | 'column'> & Partial<Step>): void {
    const before = this.#piece(this.#pending);
    this.#pending = '';
    // Every step has the same properties in the same order, which is what makes the loop fast.
    const { kind, path, column, isNullable = false, open = none, close = none, nil = none, zone = none } = step;
    this.#steps.push({ kind, path, column, before, isNullable, open, close, nil, zone, rendered: step.rendered });
  }

  #piece(text: string): Piece {
    const start = this.#literals.length;
    this.#literals = Buffer.concat([this.#literals, Buffer.from(text)]);
    return { from: start, to: this.#literals.length };
  }
}

const none: Piece = { from: 0, to: 0 };

function scalarKind({ kind }: Shape, path: string): StepKind {
  switch (kind) {
    case 'integer':
    case 'decimal':
      return 'number';
    case 'flag':
    case 'time':
      return kind;
    case 'list':
    case 'map':
    case 'object':
    case 'mixed':
    case 'json':
      throw new Error(`${path} is no scalar, so its cell has to be JSON`);
    default:
      return 'text';
  }
}

/** The last step of a cell that is shown as the database has it. */
export const asItIs = (value: unknown): unknown => value;

/** Of cells that are shown as they are, short ones are often the same: an empty list, one of forty device types. */
const rememberedLength = 200;
const rememberedMax = 500;

/** A property the database gives as JSON is read, rendered and written as text, with its name and also when it is null. */
function jsonText(name: string, shape: Shape, render: NonNullable<Cell['render']>, dialect: Dialect) {
  const write = compileWriter(shape, { ...dialect, root: dialect.property(name) });
  const writeJson = (json: string | null): string => write(render(json === null ? null : JSON.parse(json)));
  if (render !== asItIs) return writeJson;
  const remembered = new Map<string, string>();
  return (json: string | null): string => {
    if (json === null || json.length > rememberedLength) return writeJson(json);
    const cachedText = remembered.get(json);
    if (cachedText !== undefined) return cachedText;
    const text = writeJson(json);
    if (remembered.size === rememberedMax) remembered.clear();
    remembered.set(json, text);
    return text;
  };
}
