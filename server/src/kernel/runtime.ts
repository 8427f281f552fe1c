import type pg from 'pg';
import { inTransaction, RolledBack, withConnection } from './database/transaction.ts';
import type { EventEntry } from './event-type.ts';
import { Failure } from './failure.ts';
import type { Archives } from './log/archives.ts';
import type { Answer, Call } from './operation.ts';
import { pokeSql } from './reconcile.ts';
import type { Seer } from './scope.ts';
import { type Engine, readerOf, sightOf, type Tx } from './write/engine.ts';
import { claimKey, keepAnswer } from './write/idempotency.ts';
import { Records } from './write/records.ts';
import type { Origin } from './write/sinks.ts';

/** A transaction that an operation or a job writes in. */
export interface WriteTx extends Tx {
  records: Records;
  /** Has a reconciler look once this is committed. */
  poke(reconciler: string): void;
}

/** The same transaction with the eyes of the service: for what follows from a change, whoever made it. */
export function seeingAll(tx: WriteTx): WriteTx {
  const open: Tx = { client: tx.client, engine: tx.engine, origin: { ...tx.origin, limits: undefined }, emit: tx.emit };
  return Object.assign(open, { records: new Records(open), poke: tx.poke });
}

/** Who is told of pokes. */
export interface Poked {
  refuseUnknown(name: string): void;
  tell(names: ReadonlySet<string>): void;
}

/** What runs operations and jobs on one node: the pool and the engine, and the two ways to use them. */
export class Runtime {
  readonly pool: pg.Pool;
  readonly engine: Engine;
  #poked: Poked | undefined;

  constructor(pool: pg.Pool, engine: Engine) {
    this.pool = pool;
    this.engine = engine;
  }

  #archives: Archives | undefined;

  /** The store of archived logs, on a node that has one. */
  get archives(): Archives {
    if (!this.#archives) throw new Error('this node was started without a store of archives');
    return this.#archives;
  }

  set archives(archives: Archives) {
    this.#archives = archives;
  }

  attach(poked: Poked): void {
    this.#poked = poked;
  }

  read<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return withConnection(this.pool, work);
  }

  /** Reads a table with the eyes of somebody. */
  reader(name: string, seer: Seer) {
    return readerOf(this.engine, name, sightOf(this.engine, seer));
  }

  /** One transaction with everything a change causes; for jobs, and for actions that asked a part before. */
  transact<T>(origin: Origin, work: (tx: WriteTx) => Promise<T>): Promise<T> {
    return this.#inTransaction(origin, work);
  }

  /**
   * The write of an operation: idempotency key, work and answer in one transaction. A dry run does the same work,
   * forces what PostgreSQL would check at commit, and rolls back.
   */
  write(call: Call, work: (tx: WriteTx) => Promise<Answer>): Promise<Answer> {
    return this.#inTransaction(call.origin, async (tx) => {
      if (call.dryRun) throw new RolledBack(await this.#rehearse(tx, work));
      if (!call.idempotency) return work(tx);
      const { key, hash } = call.idempotency;
      const owner = String(call.caller.accountId);
      const kept = await claimKey(tx.client, owner, key, hash);
      if (kept) return kept;
      const answer = await work(tx);
      await keepAnswer(tx.client, owner, key, answer.secret ? null : answer);
      return answer;
    });
  }

  async #rehearse(tx: WriteTx, work: (tx: WriteTx) => Promise<Answer>): Promise<Answer> {
    const answer = await work(tx);
    await tx.client.query('set constraints all immediate');
    // The audit row of a secret that was read is rolled back, so the secret must not leave.
    return { httpCode: 200, results: answer.secret ? [] : (answer.results ?? []) };
  }

  #inTransaction<T>(origin: Origin, work: (tx: WriteTx) => Promise<T>): Promise<T> {
    let pokes = new Set<string>();
    const begin = (client: pg.PoolClient) => {
      // Anew for each try: one that failed has poked nobody.
      pokes = new Set();
      return work(this.#open(client, origin, pokes));
    };
    return inTransaction(this.pool, begin, {
      statement: () => (pokes.size > 0 ? pokeSql(pokes) : ''),
      committed: () => pokes.size > 0 && this.#poked!.tell(pokes),
    });
  }

  #open(client: pg.PoolClient, origin: Origin, pokes: Set<string>): WriteTx {
    const tx: Tx = {
      client,
      engine: this.engine,
      origin,
      emit: async <F extends string>(event: EventEntry<F>) =>
        (await this.engine.sinks.events(client, origin, [event as unknown as EventEntry]))[0],
    };
    const poke = (reconciler: string) => {
      if (!this.#poked) throw new Error('this node was started without reconcilers');
      this.#poked.refuseUnknown(reconciler);
      pokes.add(reconciler);
    };
    return Object.assign(tx, { records: new Records(tx), poke });
  }
}

/** Refuses a list of ids that names one twice: "all or none" needs to know what "all" is. */
export function distinctIds(ids: readonly number[]): readonly number[] {
  if (new Set(ids).size !== ids.length) throw new Failure('invalid', 'id: names a record twice.');
  return ids;
}
