import type pg from 'pg';
import { Session } from './session.ts';

/** Something that nodes keep in memory and that any of them may change. */
export interface Subject {
  /** Notified when it changed. */
  channel: string;
  /** Returns a number that differs after each change, so that a lost notification is detected. */
  sql: string;
  /** Drops what is remembered; may read it again, and returns when it has. */
  forget(): void | Promise<void>;
}

/** What a node knows about the state of a subject. */
export interface Followed {
  /** Whether cached values may be used: this node receives invalidations. */
  isTrusted(): boolean;
  /** Changes whenever the subject has: what was read before that must not be remembered after it. */
  generation(): number;
}

const pollMs = 500;
const trustMs = 5_000;

interface Entry extends Subject {
  seen: number | undefined;
  generation: number;
  /** What `forget` began. */
  forgetting: void | Promise<void>;
}

/**
 * Invalidates the caches of a node after changes elsewhere: by notification, on one session for all subjects, and by numbers that it
 * reads twice a second. While neither works, cached values are not used.
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

  /** Before `start`: what is added later would not be listened to. */
  follow(subject: Subject): Followed {
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

  /** Returns when what was committed before is known here, and what is read again after it has been read. */
  async catchUp(): Promise<void> {
    // A session reports all it was notified of before it answers.
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
      // Without fresh numbers nothing remembered is trusted; callers ask the database instead.
    }
  }

  async #read(): Promise<void> {
    const columns = this.#entries.map(({ sql }, index) => `(${sql}) as "${index}"`);
    const { rows } = await this.#pool.query<Record<string, number>>(`select ${columns.join(', ')}`);
    for (const [index, entry] of this.#entries.entries()) {
      const seen = rows[0]![index]!;
      if (seen !== entry.seen) forget(entry);
      entry.seen = seen;
    }
    this.#readMs = this.#monotonicMs();
  }

  async #listen(): Promise<void> {
    if (this.#isClosed) return;
    const listener = new Session({ ...this.#pool.options, application_name: 'portreeve-listen' } as pg.ClientConfig);
    listener.on('error', () => this.#deaf(listener));
    listener.on('end', () => this.#deaf(listener));
    listener.on('notification', ({ channel }) => {
      for (const entry of this.#entries.filter((each) => each.channel === channel)) forget(entry);
    });
    await listener.connect();
    await listener.query(this.#entries.map(({ channel }) => `listen ${channel}`).join('; '));
    this.#listener = listener;
    this.#isListening = true;
    for (const entry of this.#entries) forget(entry);
  }

  #deaf(listener: pg.Client): void {
    if (this.#listener !== listener) return;
    this.#isListening = false;
    for (const entry of this.#entries) forget(entry);
  }
}

function forget(entry: Entry): void {
  entry.generation += 1;
  entry.forgetting = entry.forget();
}
