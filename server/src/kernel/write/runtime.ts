import type pg from 'pg';
import type { Viewer } from '../access/visibility.ts';
import { type VisibleTables, visibleTables } from '../access/visible-tables.ts';
import { inBackground } from '../database/shares.ts';
import { inTransaction, RolledBack, standbyMarkSql, withConnection } from '../database/transaction.ts';
import type { Origin } from '../declare/caller.ts';
import type { Declaration, RecordOf } from '../declare/declaration.ts';
import type { EventEntry } from '../declare/event-type.ts';
import type { Answer, Call } from '../declare/operation.ts';
import { Failure } from '../failure.ts';
import { reconcileRequestSql } from '../jobs/reconcile.ts';
import type { ListQuery } from '../read/list-statement.ts';
import type { Page } from '../read/reader.ts';
import { type Engine, readerOf, type Tx, visibilityOf } from './engine.ts';
import { claimKey, isClaimed, keepAnswer, underClaim } from './idempotency.ts';
import {
  ConcurrentPolicyChange,
  type ImpactCalculator,
  type Inspection,
  type RunRolledBack,
  type Work,
} from './impact.ts';
import { Records } from './records.ts';

/** A transaction that an operation or a job writes in. */
export interface WriteTx extends Tx, VisibleTables {
  records: Records;
  /** Requests a run of a reconciler after the commit. */
  notify(reconciler: string): void;
}

/** Returns the same transaction with full visibility: for consequences of a change, independent of the caller. */
export function asService(tx: WriteTx): WriteTx {
  const open: Tx = { client: tx.client, engine: tx.engine, origin: { ...tx.origin, limits: undefined }, emit: tx.emit };
  return withRecords(open, tx.notify);
}

const withRecords = (tx: Tx, notify: WriteTx['notify']): WriteTx =>
  Object.assign(tx, { records: new Records(tx), notify, ...visibleTables(visibilityOf(tx.engine, tx.origin)) });

/** Receiver of reconcile requests. */
export interface Notified {
  requireDeclared(name: string): void;
  notify(names: ReadonlySet<string>): void;
}

/** A reader with the record type of one declaration. */
interface TypedReader<R> {
  list(client: pg.PoolClient, query: ListQuery, nowMs: number): Promise<Page<R>>;
  fetch(client: pg.PoolClient, id: number): Promise<R | undefined>;
}

/** Number of attempts to compute the impact of a write while other transactions change policies. */
const attemptsMax = 3;

/** Runs operations and jobs on one node, with its pool and engine: reads, and write transactions. */
export class Runtime {
  readonly pool: pg.Pool;
  readonly engine: Engine;
  #notified: Notified | undefined;
  #impactCalculator: ImpactCalculator | undefined;

  constructor(pool: pg.Pool, engine: Engine) {
    this.pool = pool;
    this.engine = engine;
  }

  attach(notified: Notified): void {
    this.#notified = notified;
  }

  attachImpactCalculator(calculator: ImpactCalculator): void {
    this.#impactCalculator = calculator;
  }

  read<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return withConnection(this.pool, work);
  }

  /** Returns the reader of a table with the visibility of a viewer. */
  reader(name: string, viewer: Viewer) {
    return readerOf(this.engine, name, visibilityOf(this.engine, viewer));
  }

  /** Returns the reader of a declaration with its record type: the reader assembles every field of it. */
  readerFor<D extends Declaration>(declaration: D, viewer: Viewer) {
    return this.reader(declaration.name, viewer) as unknown as TypedReader<RecordOf<D>>;
  }

  /**
   * Runs a transaction with all consequences of a change; for jobs, and for actions that contact other systems first.
   */
  transact<T>(origin: Origin, work: (tx: WriteTx) => Promise<T>): Promise<T> {
    return this.#inTransaction(origin, work, []);
  }

  /**
   * Runs a transaction whose result is acknowledged to a client: even if it wrote nothing, what it read is on the
   * standby at its end.
   */
  transactAcknowledged<T>(origin: Origin, work: (tx: WriteTx) => Promise<T>): Promise<T> {
    return this.#inTransaction(origin, work, [standbyMarkSql]);
  }

  /**
   * Runs the write of an operation: idempotency key, work and response in one transaction. A dry run does the same
   * work, makes PostgreSQL check the deferred constraints, and rolls back.
   */
  async write(call: Call, work: Work): Promise<Answer> {
    if (!call.operation.impact) return this.#store(call, work);
    if (call.dryRun) return this.#impactCalculator!.preview(call, this.#tryOut(call, work));
    const max = call.query.maxImpact as number | undefined;
    if (max !== undefined) return this.#storeWithin(call, max, work);
    return this.#store(call, work, (tx) => this.#impactCalculator!.begin(tx));
  }

  /**
   * Stores a write that changes at most `max` connections. Retries while policies change concurrently, and gives up
   * after 3 attempts.
   */
  async #storeWithin(call: Call, max: number, work: Work): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      // A repeated request gets its stored response: its impact would be computed after its own changes.
      const isRepeated = call.idempotency !== undefined && (await this.#isClaimed(call));
      const begin = isRepeated ? undefined : await this.#impactCalculator!.admit(call, max, this.#tryOut(call, work));
      try {
        return await this.#store(call, work, begin);
      } catch (error) {
        if (!(error instanceof ConcurrentPolicyChange)) throw error;
        if (tries === attemptsMax)
          throw new Failure(
            'stale',
            `maxImpact: policies were changed ${attemptsMax} times while the impact of this write was computed; nothing was changed. Try again.`,
          );
      }
    }
  }

  async #store(call: Call, work: Work, begin?: (tx: WriteTx) => Promise<void>): Promise<Answer> {
    const answer = await this.transactAcknowledged<Answer | Failure>(call.origin, async (tx) => {
      if (call.dryRun) throw new RolledBack(await this.#simulate(tx, work));
      const beginAndWork: Work = async () => {
        await begin?.(tx);
        return work(tx);
      };
      if (!call.idempotency) return beginAndWork(tx);
      const { key, hash } = call.idempotency;
      const owner = String(call.caller.accountId);
      const storedAnswer = await claimKey(tx.client, owner, key, hash);
      if (storedAnswer) return storedAnswer;
      const fresh = await beginAndWork(tx);
      await keepAnswer(tx.client, owner, key, fresh.secret ? null : fresh);
      return fresh;
    });
    if (answer instanceof Failure) throw answer;
    return answer;
  }

  #isClaimed({ caller, idempotency }: Call): Promise<boolean> {
    return isClaimed(this.pool, String(caller.accountId), idempotency!.key);
  }

  #tryOut(call: Call, work: Work): RunRolledBack {
    return <T>({ before, after }: Inspection<T>) =>
      this.transact(call.origin, async (tx): Promise<{ answer: Answer; seen: T }> => {
        await before(tx);
        const answer = await this.#simulate(tx, work);
        throw new RolledBack({ answer, seen: await after(tx) });
      });
  }

  /**
   * Runs a write of an operation that contacts another system: no transaction is open, and its key is claimed first.
   */
  writeOutside(call: Call, outcome: string, work: () => Promise<Answer>): Promise<Answer> {
    if (call.dryRun || !call.idempotency) return work();
    const owner = String(call.caller.accountId);
    return underClaim(this.pool, { owner, ...call.idempotency, outcome }, work);
  }

  async #simulate(tx: WriteTx, work: Work): Promise<Answer> {
    const answer = await work(tx);
    await tx.client.query('set constraints all immediate');
    // The audit row of a revealed secret is rolled back, so the secret must not be returned.
    const { secret, results = [], hasNoImpact } = answer;
    return { httpCode: 200, results: secret ? [] : results, ...(hasNoImpact && { hasNoImpact }) };
  }

  #inTransaction<T>(origin: Origin, work: (tx: WriteTx) => Promise<T>, last: readonly string[]): Promise<T> {
    let notifications = new Set<string>();
    const begin = (client: pg.PoolClient) => {
      // Emptied for each attempt: the requests of a failed attempt must not be sent.
      notifications = new Set();
      return work(this.#open(client, origin, notifications));
    };
    return inTransaction(this.pool, begin, {
      statements: () => (notifications.size > 0 ? [reconcileRequestSql(notifications), ...last] : last),
      committed: () => notifications.size > 0 && inBackground(() => this.#notified!.notify(notifications)),
    });
  }

  #open(client: pg.PoolClient, origin: Origin, notifications: Set<string>): WriteTx {
    const tx: Tx = {
      client,
      engine: this.engine,
      origin,
      emit: async <F extends string>(event: EventEntry<F>) =>
        (await this.engine.sinks.events(client, origin, [event as unknown as EventEntry]))[0],
    };
    const notify = (reconciler: string) => {
      if (!this.#notified) throw new Error('this node was started without reconcilers');
      this.#notified.requireDeclared(reconciler);
      notifications.add(reconciler);
    };
    return withRecords(tx, notify);
  }
}

/** Refuses a list that contains an id twice, so that "all or none" is unambiguous. */
export function distinctIds(ids: readonly number[]): readonly number[] {
  if (new Set(ids).size !== ids.length) throw new Failure('invalid', 'id: contains a record twice.');
  return ids;
}
