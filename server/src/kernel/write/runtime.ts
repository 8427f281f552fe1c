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
  /** Has a reconciler look once this is committed. */
  notify(reconciler: string): void;
}

/** The same transaction with full visibility: for consequences of a change, independent of the caller. */
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

/** What a reader answers to who knows the declaration. */
interface TypedReader<R> {
  list(client: pg.PoolClient, query: ListQuery, nowMs: number): Promise<Page<R>>;
  fetch(client: pg.PoolClient, id: number): Promise<R | undefined>;
}

/** How often a write is judged before it is given up. */
const attemptsMax = 3;

/** What runs operations and jobs on one node: the pool and the engine, and the two ways to use them. */
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

  /** Reads a table with the visibility of a viewer. */
  reader(name: string, viewer: Viewer) {
    return readerOf(this.engine, name, visibilityOf(this.engine, viewer));
  }

  /** Reads the records of a declaration with their types: the reader assembles every field of it. */
  readerFor<D extends Declaration>(declaration: D, viewer: Viewer) {
    return this.reader(declaration.name, viewer) as unknown as TypedReader<RecordOf<D>>;
  }

  /** One transaction with everything a change causes; for jobs, and for actions that asked a part before. */
  transact<T>(origin: Origin, work: (tx: WriteTx) => Promise<T>): Promise<T> {
    return this.#inTransaction(origin, work, []);
  }

  /** The same for what is acknowledged to the outside: also what was found stored already is on the standby then. */
  transactAcknowledged<T>(origin: Origin, work: (tx: WriteTx) => Promise<T>): Promise<T> {
    return this.#inTransaction(origin, work, [standbyMarkSql]);
  }

  /**
   * The write of an operation: idempotency key, work and answer in one transaction. A dry run does the same work,
   * forces what PostgreSQL would check at commit, and rolls back.
   */
  async write(call: Call, work: Work): Promise<Answer> {
    if (!call.operation.impact) return this.#store(call, work);
    if (call.dryRun) return this.#impactCalculator!.preview(call, this.#tryOut(call, work));
    const max = call.query.maxImpact as number | undefined;
    if (max !== undefined) return this.#storeWithin(call, max, work);
    return this.#store(call, work, (tx) => this.#impactCalculator!.begin(tx));
  }

  /** Stores a write that changes at most `max`; what is judged again and again because others write too is given up. */
  async #storeWithin(call: Call, max: number, work: Work): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      // What was carried out already is answered, and not judged by what it has changed itself.
      const isRepeated = call.idempotency !== undefined && (await this.#isClaimed(call));
      const begin = isRepeated ? undefined : await this.#impactCalculator!.admit(call, max, this.#tryOut(call, work));
      try {
        return await this.#store(call, work, begin);
      } catch (error) {
        if (!(error instanceof ConcurrentPolicyChange)) throw error;
        if (tries === attemptsMax)
          throw new Failure(
            'stale',
            `maxImpact: policies were changed ${attemptsMax} times while this write was judged; nothing was changed. Try again.`,
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

  /** The write of an operation that contacts an outside system: no transaction is held, and its key is claimed before. */
  writeOutside(call: Call, outcome: string, work: () => Promise<Answer>): Promise<Answer> {
    if (call.dryRun || !call.idempotency) return work();
    const owner = String(call.caller.accountId);
    return underClaim(this.pool, { owner, ...call.idempotency, outcome }, work);
  }

  async #simulate(tx: WriteTx, work: Work): Promise<Answer> {
    const answer = await work(tx);
    await tx.client.query('set constraints all immediate');
    // The audit row of a secret that was read is rolled back, so the secret must not leave.
    const { secret, results = [], hasNoImpact } = answer;
    return { httpCode: 200, results: secret ? [] : results, ...(hasNoImpact && { hasNoImpact }) };
  }

  #inTransaction<T>(origin: Origin, work: (tx: WriteTx) => Promise<T>, last: readonly string[]): Promise<T> {
    let notifications = new Set<string>();
    const begin = (client: pg.PoolClient) => {
      // New for each attempt: a failed one must not notify anybody.
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

/** Refuses a list of ids that names one twice: "all or none" needs to know what "all" is. */
export function distinctIds(ids: readonly number[]): readonly number[] {
  if (new Set(ids).size !== ids.length) throw new Failure('invalid', 'id: contains a record twice.');
  return ids;
}
