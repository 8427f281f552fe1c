import type pg from 'pg';

/** The parts of pg's connection that its types leave out. */
interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
  stream: NodeJS.WritableStream & { writableNeedDrain: boolean };
}

export type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>;

/** `copy … from stdin` in the form that pg's client takes for a query: it is told what the server answers, and sends the data itself. */
class CopyIn {
  readonly #text: string;
  readonly #chunks: Chunks;
  readonly #done: (rows: number) => void;
  readonly #failed: (error: unknown) => void;
  #rows = 0;
  #error: unknown;
  #hasEnded = false;

  constructor(text: string, chunks: Chunks, done: (rows: number) => void, failed: (error: unknown) => void) {
    this.#text = text;
    this.#chunks = chunks;
    this.#done = done;
    this.#failed = failed;
  }

  submit(connection: Wire): void {
    connection.query(this.#text);
  }

  handleCopyInResponse(connection: Wire): void {
    this.#send(connection).then(
      () => this.#hasEnded || connection.endCopyFrom(),
      (error) => {
        // The server answers this with an error of its own; what went wrong here says more.
        this.#error = error;
        if (!this.#hasEnded) connection.sendCopyFail('the source failed');
      },
    );
  }

  async #send(connection: Wire): Promise<void> {
    for await (const chunk of this.#chunks) {
      // The server may refuse a row while more are on their way.
      if (this.#hasEnded) return;
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) await drained(connection.stream);
    }
  }

  handleCommandComplete(message: { text: string }): void {
    this.#rows = Number(message.text.split(' ')[1]);
  }

  /** The last this hears: the client itself waits until the session is ready again. */
  handleError(error: unknown): void {
    this.#hasEnded = true;
    this.#failed(this.#error ?? error);
  }

  handleReadyForQuery(): void {
    this.#hasEnded = true;
    this.#done(this.#rows);
  }
}

/** A connection that ends does not drain any more. */
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

/** Copies rows into a table and answers how many. The statement is ours; data only comes in the chunks. */
export const copyIn = (client: pg.ClientBase, text: string, chunks: Chunks): Promise<number> =>
  new Promise((done, failed) => {
    client.query(new CopyIn(text, chunks, done, failed) as unknown as pg.Submittable);
  });

/** A cell in the text format of COPY; objects and lists are JSON. */
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

/** A row as a line of COPY's text format. */
export function copyLine(cells: readonly unknown[]): string {
  let line = '';
  for (let index = 0; index < cells.length; index++)
    line += index === 0 ? cellText(cells[0]) : `\t${cellText(cells[index])}`;
  return `${line}\n`;
}
