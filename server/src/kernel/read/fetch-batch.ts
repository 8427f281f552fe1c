import type pg from 'pg';
import { preparedBytes } from '../database/connect.ts';
import type { RowBytes } from '../database/row-bytes.ts';
import { onBehalfOf } from '../database/shares.ts';

/** A row of a batch. */
export interface FetchedRow {
  rows: RowBytes;
  row: number;
}

interface Waiting {
  resolve(found: FetchedRow | undefined): void;
  reject(error: unknown): void;
}

/** More statements at once would not be faster: requests that arrive meanwhile share the next statement. */
const runningMax = 2;
const idsMax = 100;

/**
 * Fetches records by id, with one statement for all ids that are requested at the same time. The statement starts after
 * the requests that it serves, so each caller reads the database as with a statement of its own. Most of the cost of a
 * small read, in PostgreSQL and in the node, is per statement.
 */
export class FetchBatch {
  readonly #name: string;
  readonly #text: string;
  readonly #idColumn: number;
  readonly #onSession: <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;
  #waiting = new Map<number, Waiting[]>();
  #running = 0;
  #isDue = false;

  /** The statement takes an array of ids; `idColumn` is the index of the column with the id of each row. */
  constructor(
    statement: { name: string; text: string; idColumn: number },
    onSession: <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>,
  ) {
    this.#name = statement.name;
    this.#text = statement.text;
    this.#idColumn = statement.idColumn;
    this.#onSession = onSession;
  }

  fetch(id: number): Promise<FetchedRow | undefined> {
    return new Promise((resolve, reject) => {
      const waitingForId = this.#waiting.get(id);
      if (waitingForId) waitingForId.push({ resolve, reject });
      else this.#waiting.set(id, [{ resolve, reject }]);
      this.#schedule();
    });
  }

  /** Runs a batch after this turn of the event loop has read all sockets, so that their requests are included. */
  #schedule(): void {
    if (this.#isDue || this.#running >= runningMax || this.#waiting.size === 0) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    const batch = this.#takeBatch();
    this.#running++;
    try {
      // A batch serves several callers, so its session counts for none of them.
      const rows = await onBehalfOf({ lane: 'read', subject: this.#name }, () =>
        this.#onSession((client) => preparedBytes(client, this.#name, this.#text, [[...batch.keys()]])),
      );
      for (let row = 0; row < rows.length; row++) {
        const id = rows.number(row, this.#idColumn);
        for (const { resolve } of batch.get(id)!) resolve({ rows, row });
        batch.delete(id);
      }
      for (const waiting of batch.values()) for (const { resolve } of waiting) resolve(undefined);
    } catch (error) {
      for (const waiting of batch.values()) for (const { reject } of waiting) reject(error);
    } finally {
      this.#running--;
      this.#schedule();
    }
  }

  #takeBatch(): Map<number, Waiting[]> {
    if (this.#waiting.size <= idsMax) {
      const all = this.#waiting;
      this.#waiting = new Map();
      return all;
    }
    const batch = new Map([...this.#waiting].slice(0, idsMax));
    for (const id of batch.keys()) this.#waiting.delete(id);
    return batch;
  }
}
