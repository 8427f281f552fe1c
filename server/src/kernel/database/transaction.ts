import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Failure, unavailable } from '../failure.ts';
import { runPacket } from './packet.ts';
import { UnconfirmedCommit } from './session.ts';

const writeTimeoutMs = 30_000;
const triesMax = 4;

/** Deadlock and serialization failures: nothing was written, and a retry may succeed. */
const retryable = new Set(['40P01', '40001']);

const codeOf = (error: unknown): string | undefined => (error as { code?: string } | null)?.code;

/** Thrown to roll a transaction back and return a value: the result of a dry run. */
export class RolledBack<T> extends Error {
  readonly value: T;
  constructor(value: T) {
    super('rolled back on purpose');
    this.value = value;
  }
}

const plainEnding = { statements: () => [], committed: () => undefined };

/**
 * A commit without writes does not wait for a standby. If its response depends on rows that another session wrote, this writes a mark,
 * so that the commit waits until the standby has everything before it.
 */
export const standbyMarkSql = `select pg_logical_emit_message(true, 'portreeve', '') where pg_current_xact_id_if_assigned() is null`;

/** Limit for a commit whose standby is down: it would wait without end. */
const commitMsMax = 20_000;

/** Ends the wait by closing the session: after a cancel, PostgreSQL would report success. */
async function commit(client: pg.PoolClient, statements: readonly string[]): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new UnconfirmedCommit(`the commit was not confirmed within ${commitMsMax} ms`)),
    commitMsMax,
  );
  try {
    await Promise.race([runPacket(client, [...statements, 'commit']), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs work in one transaction; `ending` adds the last statements, in the packet of the commit. The work runs again after a deadlock or
 * a missing slice of a log, so it must not contact other systems and must not change state in memory.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  ending: { statements(): readonly string[]; committed(): void } = plainEnding,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const client = await connection(pool);
    let broken: Error | undefined;
    try {
      await runPacket(client, ['begin', `set local statement_timeout = ${writeTimeoutMs}`]);
      const result = await work(client);
      await commit(client, ending.statements());
      ending.committed();
      return result;
    } catch (error) {
      // A failed rollback means a broken session; the pool must not reuse it, nor a session of a standby.
      broken =
        error instanceof UnconfirmedCommit || isLostConnection(error)
          ? (error as Error)
          : await client.query('rollback').then(
              () => undefined,
              (fault: Error) => fault,
            );
      if (error instanceof RolledBack) return error.value as T;
      if (tries === triesMax) throw error;
      if (isMissingSlice(error) && (await makeMissingSlice(pool, error))) continue;
      if (!retryable.has(codeOf(error) ?? '')) throw error;
      await sleep(Math.random() * 20 * tries);
    } finally {
      client.release(broken);
    }
  }
}

/** Returns a session of the pool. 429 if the caller's share is used up; every other reason for not getting one is 503. */
export async function connection(pool: pg.Pool): Promise<pg.PoolClient> {
  for (const begunMs = performance.now(); ; ) {
    try {
      return await pool.connect();
    } catch (cause) {
      if (cause instanceof Failure) throw cause;
      // The server has no free session, but sessions of this node will be released.
      const canWait = codeOf(cause) === '53300' && pool.totalCount > 0 && performance.now() - begunMs < waitMsMax;
      if (!canWait) throw unavailable(troubleOf(cause) ?? unreachable, cause);
      await sleep(50);
    }
  }
}

const waitMsMax = 5_000;
const unreachable = 'The database cannot be reached at the moment; try again shortly.';

/** Runs reads on one session. */
export async function withConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await connection(pool);
  let broken: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    if (isLostConnection(error)) broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Runs a read with a time limit; returns undefined if it was exceeded. */
export async function readWithin<T>(client: pg.PoolClient, ms: number, work: () => Promise<T>): Promise<T | undefined> {
  await runPacket(client, ['begin read only', `set local statement_timeout = ${ms}`]);
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) !== '57014') throw error;
    return undefined;
  } finally {
    await client.query('rollback');
  }
}

interface MissingSlice {
  code: '23514';
  table: string;
  detail: string;
}

/** True if a row was written to a log for a time without a slice. */
export const isMissingSlice = (error: unknown): error is MissingSlice =>
  codeOf(error) === '23514' && /^no partition of relation/.test((error as Error).message);

/**
 * Creates the partition that a row lacks, and returns false if the row's time allows none. PostgreSQL reports the log, and the key in
 * `(id) = (…)`.
 */
export async function makeMissingSlice(
  pool: Pick<pg.Pool, 'query'>,
  { table, detail }: MissingSlice,
): Promise<boolean> {
  const key = /= \((.+)\)\.?$/.exec(detail)?.[1];
  const { rows } = await pool.query<{ possible: boolean }>('select make_log_slice_for($1, $2) as possible', [
    table,
    key,
  ]);
  return rows[0]!.possible;
}

const lostCodes = new Set(['25006', '53300', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH']);

/** Causes in words for the operator, by complete SQLSTATE or class. */
const reasons: readonly (readonly [code: RegExp, words: string])[] = [
  [/^53100$/, 'The database has no space left on its disk; an administrator must free some.'],
  [/^53200$/, 'The database has no memory left at the moment; try again shortly.'],
  [/^53/, 'The database takes no further session at the moment; try again shortly.'],
  [/^25006$/, 'The database is read-only at the moment: it is a standby, or was set so; try again shortly.'],
  [/^57P01$/, 'The database has ended the session, to stop or to fail over; try again shortly.'],
  [/^57P0[23]$/, 'The database is starting, stopping or recovering; try again shortly.'],
  [/^58/, 'The database cannot read or write its files; an administrator must look at it.'],
];

/** The pool's error if no session was released in time; a server that cannot be reached has another error. */
const poolIsEmpty = /^timeout exceeded when trying to connect$/;

/** Returns the known reason why the database cannot be used, if any. */
export const troubleOf = (error: unknown): string | undefined =>
  error instanceof Error && poolIsEmpty.test(error.message)
    ? 'All database sessions of this node are in use; try again shortly.'
    : reasons.find(([code]) => code.test(codeOf(error) ?? ''))?.[1];

/** True if the error means that the connection to the database was lost. */
export function isLostConnection(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return (
    lostCodes.has(code) ||
    /^(08|57P0)/.test(code) ||
    (error instanceof Error &&
      (/Connection terminated|is not queryable/.test(error.message) || poolIsEmpty.test(error.message)))
  );
}

/** Converts an error of the database to a failure of the contract, for all operations. */
export function databaseFailure(error: unknown, isRead: boolean): Failure | undefined {
  if (error instanceof Failure) return error;
  if (error instanceof UnconfirmedCommit) {
    return unavailable(
      'It is not known whether this is stored: the database did not confirm it on its standby. Repeat the request with the same Idempotency-Key.',
      error,
    );
  }
  const trouble = troubleOf(error);
  if (trouble) return unavailable(trouble, error);
  if (isLostConnection(error)) return unavailable(unreachable, error);
  if (/conflict with recovery/.test((error as Error).message))
    return unavailable('The database has ended this statement for its recovery; try again shortly.', error);
  const code = codeOf(error);
  if (code === '57014' && isRead) {
    return new Failure(
      'too-expensive',
      'This read exceeds the time limit; narrow it with a filter on an indexed field.',
      { cause: error },
    );
  }
  if (code === '57014' || code === '55P03' || retryable.has(code ?? '')) {
    return unavailable('Other requests are changing the same records; try again in a moment.', error);
  }
  return undefined;
}
