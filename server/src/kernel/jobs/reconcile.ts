import type pg from 'pg';
import { Session } from '../database/session.ts';
import { literal } from '../declare/names.ts';

/**
 * Work without input: it compares the desired with the actual state and closes the difference. Code that causes a
 * difference notifies it.
 */
export interface Reconciler<C> {
  kind: 'reconciler';
  /** Kebab-case. */
  name: string;
  doc: string;
  /** The interval in which it also runs without a notification. */
  everySeconds: number;
  secondsMax: number;
  run(run: { context: C; signal: AbortSignal }): Promise<void>;
}

const channel = 'reconcile_requested';
const checkMs = 1_000;
const retryMsMax = 60_000;
/** Commits within this time are combined into one notification. */
const gatherMs = 5;

/**
 * Returns the statement that stores one request per notified reconciler. Names come from declarations, never from
 * callers.
 */
export const reconcileRequestSql = (names: ReadonlySet<string>): string =>
  `insert into reconcile_request (reconciler) values ${[...names].map((name) => `(${literal(name)})`).join(', ')}`;

/**
 * Runs reconcilers when they are notified. One node of a cell at a time runs each of them, the one that has the
 * advisory lock of its name; the other nodes try to get the lock. A request is a row, so none is lost; a notification
 * after the commit, one for many requests, avoids the wait for the next check.
 */
export class Reconcilers<C> {
  readonly #pool: pg.Pool;
  readonly #loops: ReadonlyMap<string, Loop<C>>;
  readonly #contextOf: (reconciler: Reconciler<C>) => C;
  readonly #onError: (error: Error) => void;
  readonly #unreported = new Set<string>();
  #notifying: Promise<void> | undefined;
  #session: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: {
    pool: pg.Pool;
    reconcilers: readonly Reconciler<C>[];
    contextOf: (reconciler: Reconciler<C>) => C;
    onError: (error: Error) => void;
  }) {
    this.#pool = options.pool;
    this.#contextOf = options.contextOf;
    this.#onError = options.onError;
    this.#loops = new Map(options.reconcilers.map((reconciler) => [reconciler.name, new Loop(reconciler)]));
  }

  /** Throws if no reconciler has this name: no node would handle its requests. */
  requireDeclared(name: string): void {
    if (!this.#loops.has(name)) throw new Error(`no reconciler is called ${name}`);
  }

  async start(): Promise<void> {
    if (this.#loops.size === 0) return;
    await this.#check();
    this.#timer = setInterval(() => {
      this.#checking ??= this.#check()
        .catch(this.#onError)
        .finally(() => {
          this.#checking = undefined;
        });
    }, checkMs).unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#checking;
    await Promise.all([...this.#loops.values()].map((loop) => loop.leave()));
    await this.#notifying;
    await this.#session?.end();
  }

  /** Notifies every node of committed requests; not awaited, because the rows are stored. */
  notify(names: ReadonlySet<string>): void {
    for (const name of names) this.#unreported.add(name);
    this.#notifying ??= this.#emitAll().finally(() => {
      this.#notifying = undefined;
    });
  }

  async #emitAll(): Promise<void> {
    while (this.#unreported.size > 0 && !this.#isStopped) {
      const names = [...this.#unreported];
      this.#unreported.clear();
      try {
        await this.#pool.query({
          name: 'reconcile-request.tell',
          text: `select pg_notify('${channel}', n) from unnest($1::text[]) n`,
          values: [names],
        });
      } catch {
        // The check each second finds the rows.
      }
      await new Promise((done) => setTimeout(done, gatherMs));
    }
  }

  /**
   * Once a second: reopens a lost session, finds requests without a notification, and starts reconcilers that are due.
   */
  async #check(): Promise<void> {
    this.#session ??= await this.#open();
    for (const loop of this.#loops.values()) await this.#lead(loop);
    const { rows } = await this.#session.query<{ name: string }>({
      name: 'reconcile-request.look',
      text: 'select distinct reconciler as name from reconcile_request limit 1000',
    });
    for (const { name } of rows) this.#loops.get(name)?.notify();
    for (const loop of this.#loops.values()) loop.notifyIfDue();
  }

  /** Takes over a reconciler that no node runs. It runs at once, because its last run may be incomplete. */
  async #lead(loop: Loop<C>): Promise<void> {
    if (loop.isLed) return;
    const { name } = loop.reconciler;
    const { rows } = await this.#session!.query<{ mine: boolean }>({
      name: 'reconcile-request.lead',
      text: `select pg_try_advisory_lock(hashtext('portreeve-reconciler'), hashtext($1)) as mine`,
      values: [name],
    });
    if (!rows[0]!.mine) return;
    loop.lead(async (signal) => {
      // Deletes the requests before the run: a request that is committed from now on stays for the next run.
      await this.#pool.query({
        name: 'reconcile-request.clear',
        text: 'delete from reconcile_request where reconciler = $1',
        values: [name],
      });
      await loop.reconciler.run({ context: this.#contextOf(loop.reconciler), signal });
    }, this.#onError);
  }

  /** Opens the session that listens and has the locks: if it is lost, this node stops running reconcilers. */
  async #open(): Promise<pg.Client> {
    const session = new Session({
      ...this.#pool.options,
      application_name: 'portreeve-reconcile',
    } as pg.ClientConfig);
    const lost = () => {
      if (this.#session !== session) return;
      this.#session = undefined;
      for (const loop of this.#loops.values()) void loop.leave();
    };
    session.on('error', lost).on('end', lost);
    session.on('notification', ({ payload }) => this.#loops.get(payload ?? '')?.notify());
    await session.connect();
    await session.query(`listen ${channel}`);
    return session;
  }
}

/** Runs one reconciler on this node each time it is notified, while this node has its lock. */
class Loop<C> {
  readonly reconciler: Reconciler<C>;
  #isNotified = false;
  #startedMs = 0;
  #wake: (() => void) | undefined;
  #leading: { ending: AbortController; done: Promise<void> } | undefined;

  constructor(reconciler: Reconciler<C>) {
    this.reconciler = reconciler;
  }

  get isLed(): boolean {
    return this.#leading !== undefined;
  }

  notify(): void {
    this.#isNotified = true;
    this.#wake?.();
  }

  notifyIfDue(): void {
    if (performance.now() - this.#startedMs >= this.reconciler.everySeconds * 1_000) this.notify();
  }

  lead(run: (signal: AbortSignal) => Promise<void>, onError: (error: Error) => void): void {
    const ending = new AbortController();
    ending.signal.addEventListener('abort', () => this.#wake?.());
    this.#isNotified = true;
    this.#leading = { ending, done: this.#runWhileLeading(run, ending.signal, onError) };
  }

  /** Stops the current run at its next safe point. */
  async leave(): Promise<void> {
    const { ending, done } = this.#leading ?? {};
    ending?.abort();
    await done;
    this.#leading = undefined;
  }

  async #runWhileLeading(
    run: (signal: AbortSignal) => Promise<void>,
    ending: AbortSignal,
    onError: (error: Error) => void,
  ): Promise<void> {
    for (let failures = 0; !ending.aborted; ) {
      if (!this.#isNotified) await this.#sleep();
      if (ending.aborted) return;
      this.#isNotified = false;
      this.#startedMs = performance.now();
      try {
        await run(AbortSignal.any([ending, AbortSignal.timeout(this.reconciler.secondsMax * 1_000)]));
        failures = 0;
      } catch (cause) {
        if (ending.aborted) return;
        onError(new Error(`the reconciler ${this.reconciler.name} failed`, { cause }));
        // The requests are deleted, but the difference remains.
        this.#isNotified = true;
        await this.#sleep(Math.min(retryMsMax, 1_000 * 2 ** failures++));
      }
    }
  }

  /**
   * Waits for a notification. With `ms`, waits for that time after a failure, and only the end of the lead ends it
   * earlier.
   */
  async #sleep(ms?: number): Promise<void> {
    await new Promise<void>((done) => {
      const timer = ms === undefined ? undefined : setTimeout(done, ms);
      this.#wake = () => {
        if (ms !== undefined && !this.#leading?.ending.signal.aborted) return;
        clearTimeout(timer);
        done();
      };
    });
    this.#wake = undefined;
  }
}
