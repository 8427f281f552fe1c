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
  /** The log itself, never one of its slices: rows that are copied into a slice are not counted. */
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

/** Changes with each fail-over. */
const timelineSql = `left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

/**
 * Writes rows of a log in batches, by COPY: rows from the network, many a second. No row is lost silently: it is
 * written once, or its sender gets the error, or it may be dropped and is counted.
 */
export class LogWriter {
  readonly #options: Required<LogWriterOptions>;
  readonly #copyText: string;
  readonly #queue: Waiting[] = [];
  readonly #dropped = new Map<string, number>();
  /** Callers that wait for room in the queue, in the order of their calls. */
  readonly #waitingForRoom: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #overload: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #client: pg.PoolClient | undefined;
  /** True if rows have waited long enough for a full batch. */
  #isDue = false;
  #isClosing = false;

  constructor(options: LogWriterOptions) {
    this.#options = { batchRows: 1_000, batchMs: 50, queueRows: 10_000, overloadMs: 60_000, ...options };
    const columns = options.columns.map(quoted).join(', ');
    // Sent as one message, so it is one transaction, whose number arrives before the end of the data is sent.
    this.#copyText = `select pg_current_xact_id() || '@' || ${timelineSql}; copy ${quoted(options.table)} (${columns}) from stdin`;
  }

  /** The number of waiting rows. */
  get length(): number {
    return this.#queue.length;
  }

  /** Writes a row; resolves when it is committed. Waits first while the queue is full. */
  write(cells: readonly unknown[]): Promise<void> {
    if (this.#isClosing || this.#isFull) return this.#writeWhenFree(cells);
    // Creates one promise per row: there are tens of thousands a second.
    return new Promise((resolve, failed) => this.#push({ line: copyLine(cells), written: resolve, failed }));
  }

  async #writeWhenFree(cells: readonly unknown[]): Promise<void> {
    this.#refuseClosed();
    while (this.#isFull) await new Promise<void>((free) => this.#waitingForRoom.push(free));
    await new Promise<void>((resolve, failed) => this.#push({ line: copyLine(cells), written: resolve, failed }));
  }

  /**
   * Queues a row that may be dropped; returns false if it was dropped because the queue is full. `kind` is what it is
   * counted under.
   */
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

  /** Writes the waiting rows, and accepts no more. */
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
    else this.#timer ??= setTimeout(() => this.#onDue(), this.#options.batchMs);
  }

  #onDue(): void {
    this.#isDue = true;
    void this.#flush();
  }

  /** Writes one batch at a time; the next one fills meanwhile. */
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
    this.#releaseClient();
    if (this.#queue.length > 0) this.#timer ??= setTimeout(() => this.#onDue(), this.#options.batchMs);
  }

  /** A few rows wait for more, unless they have waited long enough or the writer is closing. */
  get #hasBatch(): boolean {
    return (
      this.#queue.length >= this.#options.batchRows || (this.#queue.length > 0 && (this.#isDue || this.#isClosing))
    );
  }

  #writeNext(): Promise<Settle> {
    const batch = this.#queue.splice(0, this.#options.batchRows);
    this.#isDue = false;
    for (const free of this.#waitingForRoom.splice(0, batch.length)) free();
    return this.#writeBatch(batch);
  }

  /**
   * Writes a batch, and repeats it while the database is unavailable. A batch with an invalid row is halved until that
   * row is found.
   */
  async #writeBatch(batch: readonly Waiting[]): Promise<Settle> {
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, retryMsMax)) {
      try {
        await this.#copy(batch);
        return () => {
          for (const { written: resolve } of batch) resolve?.();
        };
      } catch (error) {
        if (isMissingSlice(error) && (await this.#makeSlice(error))) continue;
        if (isTransient(error)) {
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
    // The row is not logged, because only readers of the log may see it; neither is the database's message, which
    // quotes the row.
    const { line, failed } = batch[0]!;
    const { code = 'unknown error' } = error as { code?: string };
    const refused = new Error(`a row of ${this.#options.table} with ${line.length} characters was refused (${code})`);
    return () => (failed ? failed(error) : this.#options.onError(refused));
  }

  /**
   * Writes one batch in one transaction. If the connection is lost, the transaction's number shows whether it was
   * committed.
   */
  async #copy(batch: readonly Waiting[]): Promise<void> {
    const data = Buffer.from(batch.map(({ line }) => line).join(''));
    // The session is kept from batch to batch: acquiring one each time would take longer than everything else between
    // them.
    this.#client ??= await this.#options.pool.connect();
    const copying = startCopy(this.#client, this.#copyText, data);
    try {
      await copying.done;
    } catch (error) {
      // Stored on the primary, but not confirmed by the standby: writing it again would store it twice.
      if (error instanceof UnconfirmedCommit) return this.#confirm();
      if (!isLostConnection(error)) throw error;
      this.#releaseClient(error as Error);
      // Without a number the end of the data was not sent, so nothing was committed.
      const xid = copying.cell();
      if (xid === undefined || !(await this.#wasCommitted(xid))) throw error;
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

  #releaseClient(broken?: Error): void {
    this.#client?.release(broken);
    this.#client = undefined;
  }

  /**
   * Repeats until the database returns the final status of a transaction. After a fail-over its number may be that of
   * another transaction, so the batch is written again: a row may then exist twice, but none is lost.
   */
  async #wasCommitted(mark: string): Promise<boolean> {
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
      // The counts are added to those of the next report.
      for (const [kind, count] of dropped) this.#dropped.set(kind, (this.#dropped.get(kind) ?? 0) + count);
      this.#options.onError(error);
    }
  }
}

/** Emits an event about dropped rows, with their number by kind. */
export const reportOverload =
  (runtime: Runtime, origin: Origin, table: string) =>
  async (dropped: ReadonlyMap<string, number>): Promise<void> => {
    const counts = [...dropped].map(([kind, count]) => `${count} of ${kind}`).join(', ');
    await runtime.transact(origin, (tx) =>
      tx.emit({ type: logOverload, element: { id: 0, name: table }, attributes: { counts } }),
    );
  };

/** True if the database is unavailable or busy, so that the same batch may be written later. */
function isTransient(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  return isLostConnection(error) || /^(40|53|55|57)/.test(code);
}
