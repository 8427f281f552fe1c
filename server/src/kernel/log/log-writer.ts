import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { UnconfirmedCommit } from '../database/session.ts';
import {
  inTransaction,
  isLostConnection,
  isMissingSlice,
  makeMissingSlice,
  standbyMarkSql,
} from '../database/transaction.ts';
import type { Origin } from '../declare/caller.ts';
import { quoted } from '../declare/names.ts';
import type { Runtime } from '../write/runtime.ts';
import { copyLine, startCopy } from './copy.ts';
import { logOverload } from './log-event-types.ts';

export interface LogWriterOptions {
  pool: pg.Pool;
  /** The log itself: slices are never written to, for what is copied into one is not counted. */
  table: string;
  columns: readonly string[];
  /** Called once a minute with the number of dropped rows of each kind; it emits an event. */
  onOverload(dropped: ReadonlyMap<string, number>): Promise<void> | void;
  /** Called with errors that no caller waits for. */
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

/** Resolves or rejects the senders of the rows of a batch. */
type Settle = () => void;

const retryMsMax = 5_000;

/** Another one after each fail-over. */
const timelineSql = `left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

/**
 * Writes rows of a log in batches, by COPY: what comes from the network, many a second. Nothing is lost silently: a row is written once,
 * or its sender gets the error, or it was of a droppable kind and is counted.
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
  #client: pg.PoolClient | undefined;
  /** Rows have waited long enough for others. */
  #isDue = false;
  #isClosing = false;

  constructor(options: LogWriterOptions) {
    this.#options = { batchRows: 1_000, batchMs: 50, queueRows: 10_000, overloadMs: 60_000, ...options };
    const columns = options.columns.map(quoted).join(', ');
    // Sent as one message, so it is one transaction, whose number is known before its first row is.
    this.#copyText = `select pg_current_xact_id() || '@' || ${timelineSql}; copy ${quoted(options.table)} (${columns}) from stdin`;
  }

  /** Rows that are waiting. */
  get length(): number {
    return this.#queue.length;
  }

  /** Writes a row, and says when it is committed. When too many wait, so does this. */
  write(cells: readonly unknown[]): Promise<void> {
    if (this.#isClosing || this.#isFull) return this.#writeWhenFree(cells);
    // One promise a row: there are tens of thousands a second.
    return new Promise((written, failed) => this.#push({ line: copyLine(cells), written, failed }));
  }

  async #writeWhenFree(cells: readonly unknown[]): Promise<void> {
    this.#refuseClosed();
    while (this.#isFull) await new Promise<void>((free) => this.#room.push(free));
    await new Promise<void>((written, failed) => this.#push({ line: copyLine(cells), written, failed }));
  }

  /** Takes a row that may be dropped under pressure, and says whether it did. `kind` is what it is counted under when it was dropped. */
  offer(cells: readonly unknown[], kind: string): boolean {
    this.#refuseClosed();
    if (this.#isFull) {
      this.#dropped.set(kind, (this.#dropped.get(kind) ?? 0) + 1);
      this.#overload ??= setTimeout(() => void this.#emitOverload(), this.#options.overloadMs).unref();
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
    await this.#emitOverload();
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
    else this.#timer ??= setTimeout(() => this.#due(), this.#options.batchMs);
  }

  #due(): void {
    this.#isDue = true;
    void this.#flush();
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
    let writing: Promise<Settle> | undefined;
    while (writing || this.#hasBatch) {
      writing ??= this.#writeNext();
      const settle = await writing;
      // The next batch starts before the senders of this one are resolved, so that neither waits for the other.
      writing = this.#hasBatch ? this.#writeNext() : undefined;
      settle();
    }
    this.#leave();
    if (this.#queue.length > 0) this.#timer ??= setTimeout(() => this.#due(), this.#options.batchMs);
  }

  /** A few rows wait for company, unless their time is over or this is the end. */
  get #hasBatch(): boolean {
    return (
      this.#queue.length >= this.#options.batchRows || (this.#queue.length > 0 && (this.#isDue || this.#isClosing))
    );
  }

  #writeNext(): Promise<Settle> {
    const batch = this.#queue.splice(0, this.#options.batchRows);
    this.#isDue = false;
    for (const free of this.#room.splice(0, batch.length)) free();
    return this.#writeBatch(batch);
  }

  /** Writes a batch as often as the database is away; a batch with a row it refuses is halved until the row is found. */
  async #writeBatch(batch: readonly Waiting[]): Promise<Settle> {
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, retryMsMax)) {
      try {
        await this.#copy(batch);
        return () => {
          for (const { written } of batch) written?.();
        };
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

  async #divide(batch: readonly Waiting[], error: unknown): Promise<Settle> {
    if (batch.length > 1) {
      const middle = Math.ceil(batch.length / 2);
      const settles = [await this.#writeBatch(batch.slice(0, middle)), await this.#writeBatch(batch.slice(middle))];
      return () => {
        for (const settle of settles) settle();
      };
    }
    // Its text is not logged: a row may hold what only readers of the log may see. Nor is the database's message, which quotes it.
    const { line, failed } = batch[0]!;
    const { code = 'unknown error' } = error as { code?: string };
    const refused = new Error(`a row of ${this.#options.table} with ${line.length} characters was refused (${code})`);
    return () => (failed ? failed(error) : this.#options.onError(refused));
  }

  /** One batch, one transaction. When the connection breaks under it, the transaction's number shows whether it committed. */
  async #copy(batch: readonly Waiting[]): Promise<void> {
    const data = Buffer.from(batch.map(({ line }) => line).join(''));
    // The session is kept from batch to batch: to ask for it each time would take longer than all else between them.
    this.#client ??= await this.#options.pool.connect();
    const copying = startCopy(this.#client, this.#copyText, data);
    try {
      await copying.done;
    } catch (error) {
      // Stored here, but not yet where it must be: to write it again would store it twice.
      if (error instanceof UnconfirmedCommit) return this.#confirm();
      if (!isLostConnection(error)) throw error;
      this.#leave(error as Error);
      // Without a number its end was not sent, so it was not kept.
      const xid = copying.cell();
      if (xid === undefined || !(await this.#wasKept(xid))) throw error;
      await this.#confirm();
    }
  }

  /** Waits until the standby has everything that is stored by now. */
  async #confirm(): Promise<void> {
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, retryMsMax)) {
      try {
        await inTransaction(this.#options.pool, async (client) => void (await client.query(standbyMarkSql)));
        return;
      } catch (error) {
        this.#options.onError(error);
        await sleep(pauseMs);
      }
    }
  }

  #leave(broken?: Error): void {
    this.#client?.release(broken);
    this.#client = undefined;
  }

  /**
   * Asks until the database says what became of a transaction: both answers are final. After a fail-over its number may be
   * another transaction's, so the batch is written again: a row may then be there twice, but none is lost.
   */
  async #wasKept(mark: string): Promise<boolean> {
    const [xid, timeline] = mark.split('@');
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, retryMsMax)) {
      try {
        const { rows } = await this.#options.pool.query<{ status: string }>(
          `select case when ${timelineSql} = $2 then pg_xact_status($1::xid8) else 'unknown' end as status`,
          [xid, timeline],
        );
        if (rows[0]!.status !== 'in progress') return rows[0]!.status === 'committed';
      } catch (error) {
        this.#options.onError(error);
      }
      await sleep(pauseMs);
    }
  }

  async #emitOverload(): Promise<void> {
    clearTimeout(this.#overload);
    this.#overload = undefined;
    if (this.#dropped.size === 0) return;
    const dropped = new Map(this.#dropped);
    this.#dropped.clear();
    try {
      await this.#options.onOverload(dropped);
    } catch (error) {
      // They are reported with the next ones.
      for (const [kind, count] of dropped) this.#dropped.set(kind, (this.#dropped.get(kind) ?? 0) + count);
      this.#options.onError(error);
    }
  }
}

/** Makes an event of what was dropped, with the counts by kind. */
export const reportOverload =
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
