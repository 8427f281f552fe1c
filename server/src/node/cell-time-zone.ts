import { rejected } from '../kernel/failure.ts';
import type { WriteTx } from '../kernel/write/runtime.ts';

/** Sets the time zone of all weekly schedules, and returns the previous one. It raises the policy generation, because decisions change with it. */
export async function setCellTimeZone(tx: WriteTx, name: string): Promise<string> {
  const timeZone = await tx.client.query('select from pg_timezone_names n where n.name = $1', [name]);
  if (timeZone.rowCount === 0)
    throw rejected(`PostgreSQL has no time zone "${name}". Give a name such as Europe/Berlin, in this spelling.`);
  const { rows } = await tx.client.query<{ before: string }>(
    'update cell c set time_zone = $1 from (select b.time_zone from cell b for update) b returning b.time_zone as before',
    [name],
  );
  return rows[0]!.before;
}
