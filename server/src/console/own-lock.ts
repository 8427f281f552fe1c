import type { Sql } from '../kernel/database/connect.ts';

/** Locks the attributes and bookmarks of an account until the end of the transaction, so that the limits are enforced. */
export async function lockOwn(sql: Sql, accountId: number): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtext('account-attributes'), hashtext($1::text))`, [accountId]);
}
