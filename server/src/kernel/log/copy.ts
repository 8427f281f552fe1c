import type pg from 'pg';

/** The members of pg's connection that its types leave out. */
interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
  stream: NodeJS.WritableStream & { writableNeedDrain: boolean };
}

export type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>;

/**
 * `copy … from stdin` in the form that pg's client accepts as a query: it receives the messages of the server and sends
 * the data itself.
 */
class CopyIn {
  /** The first cell of the query that precedes the COPY in the same text. */
  cell: string | undefined;
  /** The statement; tools that watch the client's queries read it. */
  readonly text: string;
  readonly #data: Buffer | Chunks;
  readonly #done: (rows: number) => void;
  readonly #failed: (error: unknown) => void;
  #rows = 0;
  #error: unknown;
  #hasEnded = false;

  constructor(text: string, data: Buffer | Chunks, done: (rows: number) => void, failed: (error: unknown) => void) {
    this.text = text;
    this.#data = data;
    this.#done = done;
    this.#failed = failed;
  }

  /**
   * Sends the data along with the statement if it is complete, which saves a round trip; a server that refuses the
   * statement skips it.
   */
  submit(connection: Wire): void {
    connection.query(this.text);
    if (Buffer.isBuffer(this.#data)) connection.sendCopyFromChunk(this.#data);
  }

  /**
   * Sends the end of the data, without which nothing is committed: by now the caller has the result of the preceding
   * query.
   */
  handleCopyInResponse(connection: Wire): void {
    if (Buffer.isBuffer(this.#data)) {
      connection.endCopyFrom();
      return;
    }
    this.#send(connection, this.#data).then(
      () => this.#hasEnded || connection.endCopyFrom(),
      (error) => {
        // The server answers with a general error, so the cause is reported instead.
        this.#error = error;
        if (!this.#hasEnded) connection.sendCopyFail('the source failed');
      },
    );
  }

  async #send(connection: Wire, chunks: Chunks): Promise<void> {
    for await (const chunk of chunks) {
      // The server may refuse a row while more are being sent.
      if (this.#hasEnded) return;
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) await drained(connection.stream);
    }
  }

  handleRowDescription(): void {
    // Nothing to do: the cells arrive as text, as needed.
  }

  handleDataRow(message: { fields: (string | Buffer | null)[] }): void {
    this.cell ??= message.fields[0]?.toString();
  }

  handleCommandComplete(message: { text: string }): void {
    const [command, rows] = message.text.split(' ');
    if (command === 'COPY') this.#rows = Number(rows);
  }

  /** The last message for this query; the client waits until the session is ready again. */
  handleError(error: unknown): void {
    this.#hasEnded = true;
    this.#failed(this.#error ?? error);
  }

  handleReadyForQuery(): void {
    this.#hasEnded = true;
    this.#done(this.#rows);
  }
}

/** Resolves when the stream drains, or when it closes and would never drain. */
const drained = (stream: NodeJS.WritableStream): Promise<void> =>
  new Promise((done) => {
    const end = () => {
      stream.off('drain', end);
      stream.off('close', end);
      done();
    };
    stream.once('drain', end);
    stream.once('close', end);
  });

/** Copies rows into a table and returns their number. The statement is constant; data is sent separately. */
export const copyIn = (client: pg.ClientBase, text: string, data: Buffer | Chunks): Promise<number> =>
  startCopy(client, text, data).done;

/**
 * Starts a COPY that may follow a query in the same text: both are one transaction, and `cell` returns the first cell
 * of the query.
 */
export function startCopy(
  client: pg.ClientBase,
  text: string,
  data: Buffer | Chunks,
): { done: Promise<number>; cell(): string | undefined } {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const copy = new CopyIn(text, data, resolve, reject);
  client.query(copy as unknown as pg.Submittable);
  return { done: promise, cell: () => copy.cell };
}

/** Returns a cell in the text format of COPY; objects and lists are JSON. */
function cellText(value: unknown): string {
  switch (typeof value) {
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'string':
      return escaped(value);
    default:
      return value === null || value === undefined ? '\\N' : escaped(JSON.stringify(value));
  }
}

const special = /[\\\n\r\t]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (text: string): string =>
  special.test(text) ? text.replaceAll(/[\\\n\r\t]/g, (character) => escapes[character]!) : text;

/** Returns a row as a line of COPY's text format. */
export function copyLine(cells: readonly unknown[]): string {
  let line = '';
  for (let index = 0; index < cells.length; index++)
    line += index === 0 ? cellText(cells[0]) : `\t${cellText(cells[index])}`;
  return `${line}\n`;
}
