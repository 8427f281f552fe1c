import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Failure, unavailable } from '../failure.ts';
import { runPacket } from './packet.ts';

const writeTimeoutMs = 30_000;
const triesMax = 4;

/** Deadlock and serialization failures: nothing happened, and the same work may well succeed now. */
const retryable = new Set(['40P01', '40001']);

const codeOf = (error: unknown): string | undefined => (error as { code?: string } | null)?.code;

/** Thrown to leave a transaction without keeping anything: the answer of a dry run. */
export class RolledBack<T> extends Error {
  readonly value: T;
  constructor(value: T) {
    super('rolled back on purpose');
    this.value = value;
  }
}

const plainEnding = { statement: () => '', committed: () => undefined };

/**
 * Runs work in one transaction; `ending` has the last word, in the packet of the commit. It is repeated when it met a deadlock, or the slice of a log that was not made yet;
 * the work therefore asks no outside part and keeps nothing in memory but its result.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  ending: { statement(): string; committed(): void } = plainEnding,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const client = await connection(pool);
    let broken: Error | undefined;
    try {
      await runPacket(client, ['begin', `set local statement_timeout = ${writeTimeoutMs}`]);
      const result = await work(client);
      const last = ending.statement();
      await runPacket(client, last === '' ? ['commit'] : [last, 'commit']);
      ending.committed();
      return result;
    } catch (error) {
      // A rollback that fails means the session is gone; the pool must not hand it out again.
      broken = await client.query('rollback').then(
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

/** A session from the pool; that there is none to be had is the service's trouble, not the caller's. */
export async function connection(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (cause) {
    throw unavailable('The database cannot be reached just now; try again in a moment.', cause);
  }
}

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

interface MissingSlice {
  code: '23514';
  table: string;
  detail: string;
}

/** A log was given a row for a time that has no slice. */
export const isMissingSlice = (error: unknown): error is MissingSlice =>
  codeOf(error) === '23514' && /^no partition of relation/.test((error as Error).message);

/** Makes the slice that a row lacked, and says whether it may have one; PostgreSQL tells the log, and the key in `(id) = (…)`. */
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

/** Whether an error means that the database went away under us. */
export function isLostConnection(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return (
    ['57P01', '57P02', '57P03', '25006', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', '53300'].includes(code) ||
    code.startsWith('08') ||
    (error instanceof Error &&
      /Connection terminated|is not queryable|timeout exceeded when trying to connect/.test(error.message))
  );
}

/** Turns what the database says into an answer of the contract, once, for everybody. */
export function databaseFailure(error: unknown, isRead: boolean): Failure | undefined {
  if (error instanceof Failure) return error;
  if (isLostConnection(error))
    return unavailable('The database cannot be reached just now; try again in a moment.', error);
  const code = codeOf(error);
  if (code === '57014' && isRead) {
    return new Failure(
      'too-expensive',
      'This read takes longer than it may; narrow it with a filter on an indexed field.',
      { cause: error },
    );
  }
  if (code === '57014' || code === '55P03' || retryable.has(code ?? '')) {
    return unavailable('Others are changing the same records just now; try again in a moment.', error);
  }
  return undefined;
}
