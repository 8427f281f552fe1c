import pg from 'pg';

/** Something that nodes keep in memory and that any of them may change. */
export interface Subject {
  /** Notified when it changed. */
  channel: string;
  /** Answers one number that is another one after each change: what is heard even if a notification is lost. */
  sql: string;
  /** Drops what is remembered. */
  forget(): void;
}

/** What a node knows about the state of a subject. */
export interface Followed {
  /** Whether what is remembered may be used: this node hears of changes. */
  isTrusted(): boolean;
  /** Changes whenever the subject has: what was read before that must not be remembered after it. */
  generation(): number;
}

const pollMs = 500;
const trustMs = 5_000;

interface Entry extends Subject {
  seen: number | undefined;
  generation: number;
}

/**
 * Tells a node when what it remembers has changed elsewhere: by notification, on one session for all subjects, and by numbers that it
 * reads twice a second. While it can hear neither, nothing remembered is trusted.
 */
export class Generations {
  readonly #pool: pg.Pool;
  readonly #clock: () => number;
  readonly #entries: Entry[] = [];
  #listener: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> | undefined;
  #readMs = 0;
  #isListening = false;
  #isClosed = false;

  constructor(pool: pg.Pool, clock: () => number = Date.now) {
    this.#pool = pool;
    this.#clock = clock;
  }

  /** Before `start`: what is added later would not be listened to. */
  follow(subject: Subject): Followed {
    const entry: Entry = { ...subject, seen: undefined, generation: 0 };
    this.#entries.push(entry);
    return {
      isTrusted: () => this.#isListening && this.#clock() - this.#readMs < trustMs,
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
      // Without fresh numbers nothing remembered is trusted; whoever needs it asks the database.
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
    this.#readMs = this.#clock();
  }

  async #listen(): Promise<void> {
    if (this.#isClosed) return;
    const listener = new pg.Client({ ...this.#pool.options, application_name: 'portreeve-listen' } as pg.ClientConfig);
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
  entry.forget();
}
