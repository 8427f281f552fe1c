import type pg from 'pg';
import type { JobWithMetadata, PgBoss } from 'pg-boss';

/** Runs a statement: a session of the queue, or the transaction of the code that writes for an attempt. */
export type QueueSql = Pick<pg.ClientBase, 'query'>;

/**
 * Writes an attempt's own changes to the queue, before other writes; returns false if the job belongs to another
 * attempt.
 */
export type WhileOwn = (client: QueueSql) => Promise<boolean>;

export const sessionOf = (client: QueueSql) => ({
  executeSql: async (text: string, values?: unknown[]) => client.query(text, values),
});

/** A job keeps its id over all its attempts; the number of retries identifies the attempt. */
const ownJobSql = `j.name = $1 and j.id = $2 and j.state = 'active' and j.retry_count = $3`;

/**
 * One attempt at a job. A job whose worker does not report for too long is given to another worker, while the first one
 * may still be running. Therefore everything that an attempt stores about itself is stored only while the queue has it
 * as the current one.
 */
export class Attempt {
  readonly name: string;
  readonly id: string;
  /** The first is 1. */
  readonly number: number;
  readonly willRetry: boolean;
  readonly #boss: PgBoss;
  readonly #key: readonly unknown[];

  constructor(boss: PgBoss, { name, id, retryCount, retryLimit }: Omit<JobWithMetadata<unknown>, 'data'>) {
    this.#boss = boss;
    this.name = name;
    this.id = id;
    this.number = retryCount + 1;
    this.willRetry = retryCount < retryLimit;
    this.#key = [name, id, retryCount];
  }

  /** Locks the job until the transaction ends, so that no other worker takes it over meanwhile. */
  readonly isOwn: WhileOwn = (client) =>
    this.#runForOwnJob(client, `select from pgboss.job j where ${ownJobSql} for update`);

  /** Reports that the worker is alive. */
  readonly touch: WhileOwn = (client) =>
    this.#runForOwnJob(client, `update pgboss.job j set heartbeat_on = now() where ${ownJobSql}`);

  readonly complete: WhileOwn = (client) =>
    this.#runForOwnJob(
      client,
      `update pgboss.job j set state = 'completed', completed_on = now(), output = null where ${ownJobSql}`,
    );

  /** Ends the attempt with an error: the queue retries the job later, or stores it as failed. */
  fail(error: Error): WhileOwn {
    return async (client) => {
      if (!(await this.isOwn(client))) return false;
      await this.#boss.fail(this.name, this.id, error, { db: sessionOf(client) });
      return true;
    };
  }

  async #runForOwnJob(client: QueueSql, text: string): Promise<boolean> {
    const { rowCount } = await client.query(text, [...this.#key]);
    return rowCount === 1;
  }
}
