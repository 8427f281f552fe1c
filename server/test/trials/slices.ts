import pg from 'pg';
import { logIdAt } from '../../src/kernel/values/time.ts';
import type { TestDatabase } from '../world/databases.ts';

const dayMs = 86_400_000;

/** Functions for past days, all counted from one midnight UTC: the next midnight may pass while a test runs. */
export function pastDays() {
  const todayMs = Math.floor(Date.now() / dayMs) * dayMs;
  /** Returns the start of the day this many days ago. */
  const daysAgoMs = (days: number): number => todayMs - days * dayMs;
  /** Creates the slices of past days, as a service that ran for long would have. */
  const makePastSlices = (
    database: Pick<TestDatabase, 'ownerUrl'>,
    log: string,
    days: readonly number[],
  ): Promise<void> =>
    asOwner(database, async (client) => {
      for (const day of days)
        await client.query('select make_log_slice(t, $2::date) from log_table t where t.table_name = $1', [
          log,
          sliceDate(daysAgoMs(day)),
        ]);
    });
  return { daysAgoMs, makePastSlices };
}

/** Returns the name of a slice for a day. */
export const sliceDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns an id within that day, of 8,192 possible ones per millisecond. */
export const idOnDay = (ms: number, n: number): number => logIdAt(ms + n) + (n % 8192);

/** Runs work as the owner of the tables. */
export async function asOwner<T>(
  database: Pick<TestDatabase, 'ownerUrl'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
