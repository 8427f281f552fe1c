import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isLostConnection, isMissingSlice, makeMissingSlice } from '../database/transaction.ts';
import { quoted } from '../names.ts';
import type { Runtime } from '../runtime.ts';
import type { Origin } from '../write/sinks.ts';
import { copyIn, copyLine } from './copy.ts';
import { logOverload } from './log-event-types.ts';

export interface LogWriterOptions {
  pool: pg.Pool;
  /** The log itself: slices are never written to, for what is copied into one is not counted. */
  table: string;
  columns: readonly string[];
  /** Told once a minute how many rows of each kind were dropped; it makes an event of that. */
  onOverload(dropped: ReadonlyMap<string, number>): Promise<void> | void;
  /** Told of what went wrong with nobody waiting for it. */
  onError(error: unknown): void;
  batchRows?: number;
  batchMs?: number;
  queueRows?: number;
  overloadMs?: number;
}

interface Waiting {
  line: string;
  written?: () => void;
  failed?: (error: unknown) => void;
}

const retryMsMax = 5_000;

/**
 * Writes rows of a log in batches, by COPY: what comes from the network, many a second. Nothing is lost silently: a row is written once,
 * or whoever sent it hears why not, or it was of a kind that may be dropped under pressure, and is counted.
 */
export class LogWriter {
  readonly #options: Required<LogWriterOptions>;
  readonly #copyText: string;
  readonly #queue: Waiting[] = [];
  readonly #dropped = new Map<string, number>();
  /** Those who wait for room, in the order they came. */
  readonly #room: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #overload: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #isClosing = false;

  constructor(options: LogWriterOptions) {
    this.#options = { batchRows: 1_000, batchMs: 50, queueRows: 10_000, overloadMs: 60_000, ...options };
    const columns = options.columns.map(quoted).join(', ');
    this.#copyText = `copy ${quoted(options.table)} (${columns}) from stdin`;
  }

  /** Rows that are waiting. */
  get length(): number {
    return this.#queue.length;
  }

  /** Writes a row, and says when it is committed. When too many wait, so does this. */
  async write(cells: readonly unknown[]): Promise<void> {
    this.#refuseClosed();
    while (this.#isFull) await new Promise<void>((free) => this.#room.push(free));
    await new Promise<void>((written, failed) => this.#push({ line: copyLine(cells), written, failed }));
  }

  /** Takes a row that may be dropped under pressure, and says whether it did. `kind` is what it is counted under when it was dropped. */
  offer(cells: readonly unknown[], kind: string): boolean {
    this.#refuseClosed();
    if (this.#isFull) {
      this.#dropped.set(kind, (this.#dropped.get(kind) ?? 0) + 1);
      this.#overload ??= setTimeout(() => void this.#tellOverload(), this.#options.overloadMs).unref();
      return false;
    }
    this.#push({ line: copyLine(cells) });
    return true;
  }

  /** Writes what waits, and takes nothing any more. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#overload);
    while (this.#queue.length > 0 || this.#writing) await (this.#writing ?? this.#flush());
    await this.#tellOverload();
  }

  #refuseClosed(): void {
    if (this.#isClosing) throw new Error(`the writer of ${this.#options.table} is closed`);
  }

  get #isFull(): boolean {
    return this.#queue.length >= this.#options.queueRows;
  }

  #push(row: Waiting): void {
    this.#queue.push(row);
    if (this.#queue.length >= this.#options.batchRows) void this.#flush();
    else this.#timer ??= setTimeout(() => void this.#flush(), this.#options.batchMs);
  }

  /** One batch at a time: the next one gathers meanwhile. */
  #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, this.#options.batchRows);
      for (const free of this.#room.splice(0, batch.length)) free();
      await this.#writeBatch(batch);
      // A few that came meanwhile wait for company, unless this is the end.
      if (this.#queue.length < this.#options.batchRows && !this.#isClosing) break;
    }
    if (this.#queue.length > 0) this.#timer ??= setTimeout(() => void this.#flush(), this.#options.batchMs);
  }

  /** Writes a batch as often as the database is away; a batch with a row it refuses is halved until the row is found. */
  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, retryMsMax)) {
      try {
        await this.#copy(batch);
        for (const { written } of batch) written?.();
        return;
      } catch (error) {
        if (isMissingSlice(error) && (await this.#makeSlice(error))) continue;
        if (isPassing(error)) {
          this.#options.onError(error);
          await sleep(pauseMs);
          continue;
        }
        return this.#divide(batch, error);
      }
    }
  }

  async #makeSlice(error: Parameters<typeof makeMissingSlice>[1]): Promise<boolean> {
    try {
      return await makeMissingSlice(this.#options.pool, error);
    } catch (cause) {
      this.#options.onError(cause);
      return false;
    }
  }

  async #divide(batch: readonly Waiting[], error: unknown): Promise<void> {
    if (batch.length > 1) {
      const middle = Math.ceil(batch.length / 2);
      await this.#writeBatch(batch.slice(0, middle));
      return this.#writeBatch(batch.slice(middle));
    }
    const [row] = batch;
    if (row!.failed) row!.failed(error);
    else
      this.#options.onError(new Error(`a row of ${this.#options.table} was refused: ${row!.line}`, { cause: error }));
  }

  /** One batch, one transaction. When the connection breaks at the commit, the transaction's number tells whether it was kept. */
  async #copy(batch: readonly Waiting[]): Promise<void> {
    const { pool } = this.#options;
    const data = Buffer.from(batch.map(({ line }) => line).join(''));
    const client = await pool.connect();
    let xid: string | undefined;
    let broken: Error | undefined;
    try {
      const begun = (await client.query(
        'begin; select pg_current_xact_id()::text as xid',
      )) as unknown as pg.QueryResult[];
      await copyIn(client, this.#copyText, [data]);
      xid = begun[1]!.rows[0].xid as string;
      await client.query('commit');
    } catch (error) {
      broken = isLostConnection(error) ? (error as Error) : undefined;
      if (!broken) await client.query('rollback').catch((fault: Error) => (broken = fault));
      if (!broken || xid === undefined || !(await this.#wasKept(xid))) throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Asks until the database says what became of a transaction: both answers are final. */
  async #wasKept(xid: string): Promise<boolean> {
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, retryMsMax)) {
      try {
        const { rows } = await this.#options.pool.query<{ status: string }>(
          'select pg_xact_status($1::xid8) as status',
          [xid],
        );
        if (rows[0]!.status !== 'in progress') return rows[0]!.status === 'committed';
      } catch (error) {
        this.#options.onError(error);
      }
      await sleep(pauseMs);
    }
  }

  async #tellOverload(): Promise<void> {
    clearTimeout(this.#overload);
    this.#overload = undefined;
    if (this.#dropped.size === 0) return;
    const dropped = new Map(this.#dropped);
    this.#dropped.clear();
    try {
      await this.#options.onOverload(dropped);
    } catch (error) {
      // They are told with the next ones.
      for (const [kind, count] of dropped) this.#dropped.set(kind, (this.#dropped.get(kind) ?? 0) + count);
      this.#options.onError(error);
    }
  }
}

/** Makes an event of what was dropped, with the counts by kind. */
export const overloadTeller =
  (runtime: Runtime, origin: Origin, table: string) =>
  async (dropped: ReadonlyMap<string, number>): Promise<void> => {
    const counts = [...dropped].map(([kind, count]) => `${count} of ${kind}`).join(', ');
    await runtime.transact(origin, (tx) =>
      tx.emit({ type: logOverload, element: { id: 0, name: table }, attributes: { counts } }),
    );
  };

/** The database is away, or busy: the same batch may be written later. */
function isPassing(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  return isLostConnection(error) || /^(40|53|55|57)/.test(code);
}
