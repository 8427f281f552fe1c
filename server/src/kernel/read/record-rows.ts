import type { RowBytes } from '../database/row-bytes.ts';
import type { AnswerRows, Format } from '../declare/operation.ts';
import type { ObjectShape } from '../declare/shape.ts';
import { ByteSink } from '../format/byte-sink.ts';
import type { RecordReader } from './select.ts';

/** The mean size in bytes of a record in responses, by its shape. */
const sizes = new WeakMap<ObjectShape, Partial<Record<Format, number>>>();

/** Records that are still rows, and are written to the response undecoded. */
export class RecordRows implements AnswerRows {
  readonly length: number;
  readonly #reader: RecordReader;
  readonly #rows: RowBytes;
  readonly #first: number;
  readonly #lead: number;

  /** Covers `length` rows from `first` on; `lead` is the number of columns before those of the record. */
  constructor(reader: RecordReader, rows: RowBytes, range: { first: number; length: number; lead: number }) {
    this.#reader = reader;
    this.#rows = rows;
    this.#first = range.first;
    this.length = range.length;
    this.#lead = range.lead;
  }

  answer(format: Format, open: Buffer, close: string, shown?: ObjectShape): Buffer {
    const out = new ByteSink(open.length + this.#sizeGuess(format, shown) + 100);
    out.add(open);
    this.#write(format, out, shown);
    out.text(close);
    return out.written();
  }

  /** Estimates the size of the records from earlier responses. */
  #sizeGuess(format: Format, shown: ObjectShape = this.#reader.shape): number {
    return Math.ceil(this.length * (sizes.get(shown)?.[format] ?? 1_000) * 1.1);
  }

  #write(format: Format, out: ByteSink, shown: ObjectShape | undefined): void {
    const before = out.at;
    const shape = shown ?? this.#reader.shape;
    this.#reader.writer(format, shown)(this.#rows, this.#first, this.length, this.#lead, out);
    if (this.length > 0) sizes.set(shape, { ...sizes.get(shape), [format]: (out.at - before) / this.length });
  }
}
