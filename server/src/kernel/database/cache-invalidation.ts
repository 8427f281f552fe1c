import type pg from 'pg';
import { Session } from './session.ts';

/** Data that nodes cache in memory and that any node may change. */
export interface Subject {
  /** The notification channel of its changes. */
  channel: string;
  /** Returns a number that differs after each change, so that a lost notification is detected. */
  sql: string;
  /** Drops the cached data; may reload it, and then returns after that. */
  forget(): void | Promise<void>;
}

/** The state of a subject's cache on this node. */
export interface InvalidationState {
  /** True if cached values may be used: this node receives invalidations. */
  isTrusted(): boolean;
  /** Rises with each change of the subject: a value that was read before the change must not be cached after it. */
  generation(): number;
}

const pollMs = 500;
const trustMs = 5_000;

interface Entry extends Subject {
  seen: number | undefined;
  generation: number;
  /** The promise of the running `forget`, if any. */
  forgetting: void | Promise<void>;
}

/**
 * Invalidates the caches of a node after changes by other nodes: by notifications, received on one session for all subjects, and by
 * change numbers, read twice a second. While neither works, cached values are not used.
 */
export class CacheInvalidation {
  readonly #pool: pg.Pool;
  readonly #monotonicMs: () => number;
  readonly #entries: Entry[] = [];
  #listener: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> | undefined;
  #readMs = Number.NEGATIVE_INFINITY;
  #isListening = false;
  #isClosed = false;

  constructor(pool: pg.Pool, monotonicMs: () => number) {
    this.#pool = pool;
    this.#monotonicMs = monotonicMs;
  }

  /** Must be called before `start`: channels of later subjects would not be listened to. */
  follow(subject: Subject): InvalidationState {
    const entry: Entry = { ...subject, seen: undefined, generation: 0, forgetting: undefined };
    this.#entries.push(entry);
    return {
      isTrusted: () => this.#isListening && this.#monotonicMs() - this.#readMs < trustMs,
      generation: () => entry.generation,
    };
  }

  async start(): Promise<void> {
    await this.#listen();
    await this.#read();
    this.#timer = setInterval(() => {
      this.#ticking ??= this.#tick().finally(() => {
        this.#ticking = undefined;
      });
    }, pollMs).unref();
  }

  /** Returns after all changes committed before the call have invalidated the caches, and reloads have ended. */
  async catchUp(): Promise<void> {
    // A session delivers all pending notifications before it replies to a query.
    await this.#listener?.query('select');
    await this.#read();
    await Promise.all(this.#entries.map(({ forgetting }) => forgetting));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#ticking;
    await this.#listener?.end();
  }

  async #tick(): Promise<void> {
    try {
      if (!this.#isListening) await this.#listen();
      await this.#read();
    } catch {
      // Without current change numbers no cached value is trusted; callers query the database instead.
    }
  }

  async #read(): Promise<void> {
    const columns = this.#entries.map(({ sql }, index) => `(${sql}) as "${index}"`);
    const { rows } = await this.#pool.query<Record<string, number>>(`select ${columns.join(', ')}`);
    for (const [index, entry] of this.#entries.entries()) {
      const changeNumber = rows[0]![index]!;
      if (changeNumber !== entry.seen) forget(entry);
      entry.seen = changeNumber;
    }
    this.#readMs = this.#monotonicMs();
  }

  async #listen(): Promise<void> {
    if (this.#isClosed) return;
    const listener = new Session({ ...this.#pool.options, application_name: 'portreeve-listen' } as pg.ClientConfig);
    listener.on('error', () => this.#onLostConnection(listener));
    listener.on('end', () => this.#onLostConnection(listener));
    listener.on('notification', ({ channel }) => {
      for (const entry of this.#entries.filter((candidate) => candidate.channel === channel)) forget(entry);
    });
    await listener.connect();
    await listener.query(this.#entries.map(({ channel }) => `listen ${channel}`).join('; '));
    this.#listener = listener;
    this.#isListening = true;
    for (const entry of this.#entries) forget(entry);
  }

  #onLostConnection(listener: pg.Client): void {
    if (this.#listener !== listener) return;
    this.#isListening = false;
    for (const entry of this.#entries) forget(entry);
  }
}

function forget(entry: Entry): void {
  entry.generation += 1;
  entry.forgetting = entry.forget();
}
