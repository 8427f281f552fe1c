import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Rows as the database sent them. `pg` converts every cell to a string, which is most of the cost of a list; here a cell is located by
 * its offset and copied into the response as bytes.
 */
export class RowBytes {
  readonly #buffers: Buffer[] = [];
  readonly #starts: number[] = [];
  #places = new Int32Array(0);

  get length(): number {
    return this.#starts.length;
  }

  /** Adds the body of a DataRow message, which begins with its number of columns. */
  add(bytes: Buffer, start: number): void {
    this.#buffers.push(bytes);
    this.#starts.push(start);
  }

  reverse(): void {
    this.#buffers.reverse();
    this.#starts.reverse();
  }

  /** Returns the offset and length of each cell of a row; length -1 means null. The result is valid until the next call. */
  cellsOf(row: number): { bytes: Buffer; places: Int32Array; length: number } {
    const bytes = this.#buffers[row]!;
    let offset = this.#starts[row]!;
    const count = (bytes[offset]! << 8) | bytes[offset + 1]!;
    if (this.#places.length !== count * 2) this.#places = new Int32Array(count * 2);
    const places = this.#places;
    offset += 2;
    for (let column = 0; column < count; column++) {
      const length =
        (bytes[offset]! << 24) | (bytes[offset + 1]! << 16) | (bytes[offset + 2]! << 8) | bytes[offset + 3]!;
      offset += 4;
      places[column * 2] = offset;
      places[column * 2 + 1] = length;
      if (length > 0) offset += length;
    }
    return { bytes, places, length: offset - this.#starts[row]! };
  }

  /** Returns one cell as a number. */
  number(row: number, column: number): number {
    return Number(this.text(row, column));
  }

  /** Returns one cell as text. */
  text(row: number, column: number): string | null {
    const { bytes, places } = this.cellsOf(row);
    const [start, length] = [places[column * 2]!, places[column * 2 + 1]!];
    return length < 0 ? null : bytes.toString('utf8', start, start + length);
  }
}

/** The parts of `pg`'s connection that are used here; not in its types. */
interface Connection {
  stream: Socket;
  parsedStatements: Record<string, string | undefined>;
  parse(statement: { name: string; text: string }): void;
}

/** Receives data before `pg`'s parser: takes out the rows of a read that wants bytes, and passes everything else on unchanged. */
class Tap {
  reading: RowBytes | undefined;
  readonly #handOn: (bytes: Buffer) => void;
  #rest: Buffer | undefined;

  constructor(stream: Socket) {
    const [parse, ...otherListeners] = stream.listeners('data') as ((bytes: Buffer) => void)[];
    if (!parse || otherListeners.length > 0) throw new Error('pg does not listen to its connection as it used to');
    this.#handOn = (bytes) => parse.call(stream, bytes);
    stream.off('data', parse).on('data', (bytes: Buffer) => this.#take(bytes));
  }

  /** Passes only complete messages on, so that a read can begin at any time. */
  #take(chunk: Buffer): void {
    const bytes = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    let [position, unpassedStart] = [0, 0];
    while (position + headerLength <= bytes.length) {
      const end = position + 1 + bytes.readInt32BE(position + 1);
      if (end > bytes.length) break;
      if (bytes[position] === dataRow && this.reading) {
        if (unpassedStart < position) this.#handOn(bytes.subarray(unpassedStart, position));
        this.reading.add(bytes, position + headerLength);
        unpassedStart = end;
      }
      position = end;
    }
    this.#rest = position < bytes.length ? bytes.subarray(position) : undefined;
    if (unpassedStart < position) this.#handOn(bytes.subarray(unpassedStart, position));
  }
}

const headerLength = 5;
const dataRow = 0x44;
const taps = new WeakMap<Connection, Tap>();

/** A prepared read whose rows arrive as bytes, as a query object that `pg` can run (a Submittable). */
class BytesRead {
  readonly name: string;
  readonly text: string;
  readonly done: Promise<RowBytes>;
  readonly #message: Buffer;
  readonly #rows = new RowBytes();
  #tap: Tap | undefined;
  #resolve!: (rows: RowBytes) => void;
  #reject!: (error: Error) => void;

  constructor(name: string, text: string, values: readonly unknown[]) {
    this.name = name;
    this.text = text;
    this.#message = executeMessage(name, values);
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: Connection): void {
    this.#tap = taps.get(connection) ?? new Tap(connection.stream);
    taps.set(connection, this.#tap);
    this.#tap.reading = this.#rows;
    if (this.name === '' || !connection.parsedStatements[this.name])
      connection.parse({ name: this.name, text: this.text });
    connection.stream.write(this.#message);
  }

  handleReadyForQuery(): void {
    this.#end();
    this.#resolve(this.#rows);
  }

  handleError(error: Error): void {
    this.#end();
    this.#reject(error);
  }

  handleCommandComplete(): void {}

  #end(): void {
    if (this.#tap) this.#tap.reading = undefined;
  }
}

/** Runs a prepared statement of this session, without Describe: the caller defines the columns. */
export function readBytes(
  client: pg.PoolClient,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<RowBytes> {
  const query = new BytesRead(name, text, values);
  client.query(query as unknown as pg.Submittable);
  return query.done;
}

/** Bind, Execute and Sync (PostgreSQL, "Message Formats") in one buffer, so that they are sent in one packet. */
function executeMessage(name: string, values: readonly unknown[]): Buffer {
  const texts = values.map(parameterText);
  const nameLength = Buffer.byteLength(name);
  const lengths = texts.map((text) => (text === null ? 0 : Buffer.byteLength(text)));
  const bindLength = 4 + 1 + nameLength + 1 + 2 + 2 + lengths.reduce((sum, length) => sum + 4 + length, 0) + 2;
  const message = Buffer.allocUnsafe(1 + bindLength + executeAndSync.length);
  let offset = message.writeUInt8(0x42, 0);
  offset = message.writeInt32BE(bindLength, offset);
  // The unnamed portal, then the statement, then no formats: all parameters are text.
  offset = message.writeUInt8(0, offset);
  offset += message.write(name, offset, 'latin1');
  offset = message.writeUInt8(0, offset);
  offset = message.writeInt16BE(0, offset);
  offset = message.writeInt16BE(texts.length, offset);
  for (const [index, text] of texts.entries()) {
    offset = message.writeInt32BE(text === null ? -1 : lengths[index]!, offset);
    if (text !== null) offset += message.write(text, offset, 'utf8');
  }
  offset = message.writeInt16BE(0, offset);
  executeAndSync.copy(message, offset);
  return message;
}

const executeAndSync = Buffer.from('E\0\0\0\x09\0\0\0\0\0S\0\0\0\x04', 'latin1');

function parameterText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) {
    if (!value.every((item) => typeof item === 'number'))
      throw new Error('only lists of numbers are parameters of a read');
    return `{${value.join(',')}}`;
  }
  return String(value);
}
