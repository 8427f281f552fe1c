import pg from 'pg';
import { logIdAt } from '../../src/kernel/values/time.ts';
import type { TestDatabase } from '../world/databases.ts';

const dayMs = 86_400_000;

/** Days that are gone, all counted from one midnight UTC: the next one may pass while a test runs. */
export function pastDays() {
  const todayMs = Math.floor(Date.now() / dayMs) * dayMs;
  /** When the day this many days ago began. */
  const daysAgoMs = (days: number): number => todayMs - days * dayMs;
  /** Makes their slices, as a service that ran for long has them. */
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

/** A day as the name of a slice. */
export const sliceDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** An id within that day, `n` of them a millisecond apart. */
export const idOnDay = (ms: number, n: number): number => logIdAt(ms + n) + (n % 8192);

/** Does what only the owner of the tables may. */
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
