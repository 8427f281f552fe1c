import type { RowBytes } from '../database/row-bytes.ts';
import type { ObjectShape, Shape } from '../declare/shape.ts';
import { type ByteSink, byteTable } from './byte-sink.ts';
import { compileWriter, type Dialect, type Place } from './json-writer.ts';

/** The place of a value in a row. */
export interface Cell {
  column: number;
  /** Set if the cell is JSON: converts the parsed cell to the value of the record. */
  render?: ((value: unknown) => unknown) | undefined;
}

/** Cells by dotted path; an object without a cell consists of the cells of its properties. */
export type Cells = ReadonlyMap<string, Cell>;

/** Writes `count` rows from `first` on; `lead` is the number of columns before those of the record. */
export type RowWriter = (rows: RowBytes, first: number, count: number, lead: number, out: ByteSink) => void;

/** A range of the literals of a plan. */
interface Piece {
  from: number;
  to: number;
}

type StepKind = 'number' | 'text' | 'flag' | 'time' | 'json';

/** One cell, with the text before it. */
interface Step {
  kind: StepKind;
  path: string;
  column: number;
  before: Piece;
  isNullable: boolean;
  /** The texts around a cell that may be null, and the text that replaces all of it. */
  open: Piece;
  close: Piece;
  nil: Piece;
  /** The zone of an instant. */
  zone: Piece;
  /** Writes the JSON of the database as a property, with its name. */
  rendered: ((json: string | null) => string) | undefined;
}

/**
 * How records are written, as data: one loop processes the plans of all tables, so that the engine optimizes this loop
 * fully.
 */
interface Plan {
  literals: Uint8Array;
  steps: readonly Step[];
  separator: Piece;
  tail: Piece;
  plainBytes: Uint8Array;
  escape(text: string): string;
  /** Maximum size of a record in addition to the bytes of its row. */
  room: number;
  /** Maximum number of times that a record contains the same cell. */
  copies: number;
}

/**
 * Compiles the serializer of records whose values are cells of a row: it copies bytes from the message of the database
 * to the response, with the names of the fields between them. It throws for a null, or for another kind of value, that
 * the shape does not allow: that is a bug.
 */
export function rowWriter(shape: ObjectShape, cells: Cells, dialect: Dialect): RowWriter {
  const plan = new Planner(cells, dialect).plan(shape);
  return (rows, first, count, lead, out) => {
    for (let row = first; row < first + count; row++) writeRow(plan, rows, row, row > first, lead, out);
  };
}

/** Copies bytes one by one, without a call for each cell: most pieces are so short that a call would cost more. */
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
        // The escaped text may be longer than the cell.
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

/**
 * Converts `2026-01-31 08:15:30.5+00`, which PostgreSQL writes for an instant in UTC, to `2026-01-31T08:15:30.500`; the
 * zone follows.
 */
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

/** The number of bytes by which an instant or a flag may be longer than its cell. */
const cellRoom = 16;

/** Builds the plan of a shape; adjacent literals are merged. */
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
      // The size of all literals, although only some of them are written for a nullable cell.
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

/** Returns a JSON cell unchanged, for values that are shown as stored. */
export const asItIs = (value: unknown): unknown => value;

/**
 * Short cells that are shown as stored often repeat, such as an empty list or one of forty device types, so their texts
 * are cached.
 */
const rememberedLength = 200;
const rememberedMax = 500;

/**
 * Returns the writer of a property that the database returns as JSON: it is parsed, rendered and written with its name,
 * also if it is null.
 */
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
