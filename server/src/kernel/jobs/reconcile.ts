import type pg from 'pg';
import { Session } from '../database/session.ts';
import { literal } from '../declare/names.ts';

/** Work that takes no input: it compares what should be with what is, and closes the gap. Code that widens the gap notifies it. */
export interface Reconciler<C> {
  kind: 'reconciler';
  /** Kebab-case. */
  name: string;
  doc: string;
  /** It also runs this often when nobody notifies. */
  everySeconds: number;
  secondsMax: number;
  run(run: { context: C; signal: AbortSignal }): Promise<void>;
}

const channel = 'reconcile_requested';
const checkMs = 1_000;
const retryMsMax = 60_000;
/** Commits within this time are combined into one notification. */
const gatherMs = 5;

/** The row that a transaction leaves for each reconciler it notifies. Names are declared, never a caller's. */
export const reconcileRequestSql = (names: ReadonlySet<string>): string =>
  `insert into reconcile_request (reconciler) values ${[...names].map((name) => `(${literal(name)})`).join(', ')}`;

/**
 * Runs reconcilers when they are notified. In a cell one node at a time does, the one that has the advisory lock of its name; the others wait
 * for its end. A request is a row, so none is lost; the notification that makes it quick is sent after the commit, once for many.
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

  /** A name that nobody declared would be a request that nobody feels. */
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
        // The look each second finds the rows.
      }
      await new Promise((done) => setTimeout(done, gatherMs));
    }
  }

  /** Once a second: reopens a lost session, finds requests without a notification, and starts what is due by the clock. */
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

  /** Takes the lead of a reconciler that no node runs. What its last leader had begun is not known, so it runs at once. */
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
      // Before it looks: what is committed from now on leaves a row that stays.
      await this.#pool.query({
        name: 'reconcile-request.clear',
        text: 'delete from reconcile_request where reconciler = $1',
        values: [name],
      });
      await loop.reconciler.run({ context: this.#contextOf(loop.reconciler), signal });
    }, this.#onError);
  }

  /** The session that listens and holds the locks: when it is lost, so is the lead. */
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

/** One reconciler on this node: run after run, while it leads and is notified. */
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

  /** Ends a run at its next safe point. */
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
        // The requests are gone, the gap is not.
        this.#isNotified = true;
        await this.#sleep(Math.min(retryMsMax, 1_000 * 2 ** failures++));
      }
    }
  }

  /** Until somebody notifies, or the time is over; after a failure only the time counts, or the end. */
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
