import type pg from 'pg';
import { inTransaction, RolledBack, withConnection } from './database/transaction.ts';
import { Failure } from './failure.ts';
import type { Answer, Call } from './operation.ts';
import type { Seer } from './scope.ts';
import { type Engine, readerOf, sightOf, type Tx } from './write/engine.ts';
import { claimKey, keepAnswer } from './write/idempotency.ts';
import { Records } from './write/records.ts';
import type { EventEntry, Origin } from './write/sinks.ts';

/** A transaction that an operation or a job writes in. */
export interface WriteTx extends Tx {
  records: Records;
}

/** What runs operations and jobs on one node: the pool and the engine, and the two ways to use them. */
export class Runtime {
  readonly pool: pg.Pool;
  readonly engine: Engine;

  constructor(pool: pg.Pool, engine: Engine) {
    this.pool = pool;
    this.engine = engine;
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
    return inTransaction(this.pool, (client) => work(this.#open(client, origin)));
  }

  /**
   * The write of an operation: idempotency key, work and answer in one transaction. A dry run does the same work,
   * forces what PostgreSQL would check at commit, and rolls back.
   */
  write(call: Call, work: (tx: WriteTx) => Promise<Answer>): Promise<Answer> {
    return inTransaction(this.pool, async (client) => {
      const tx = this.#open(client, call.origin);
      if (call.dryRun) throw new RolledBack(await this.#rehearse(tx, work));
      if (!call.idempotency) return work(tx);
      const { key, hash } = call.idempotency;
      const owner = String(call.caller.accountId);
      const kept = await claimKey(client, owner, key, hash);
      if (kept) return kept;
      const answer = await work(tx);
      await keepAnswer(client, owner, key, answer.secret ? null : answer);
      return answer;
    });
  }

  async #rehearse(tx: WriteTx, work: (tx: WriteTx) => Promise<Answer>): Promise<Answer> {
    const answer = await work(tx);
    await tx.client.query('set constraints all immediate');
    // The audit row of a secret that was read is rolled back, so the secret must not leave.
    return { httpCode: 200, results: answer.secret ? [] : (answer.results ?? []) };
  }

  #open(client: pg.PoolClient, origin: Origin): WriteTx {
    const tx: Tx = {
      client,
      engine: this.engine,
      origin,
      emit: (event: EventEntry) => this.engine.sinks.events(client, origin, [event]),
    };
    return Object.assign(tx, { records: new Records(tx) });
  }
}

/** Refuses a list of ids that names one twice: "all or none" needs to know what "all" is. */
export function distinctIds(ids: readonly number[]): readonly number[] {
  if (new Set(ids).size !== ids.length) throw new Failure('invalid', 'id: names a record twice.');
  return ids;
}
