import type { Sql } from '../kernel/database/connect.ts';

/** Until the transaction ends nobody else stores attributes or bookmarks of the account: limits are counted, then kept. */
export async function lockOwn(sql: Sql, accountId: number): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtext('account-attributes'), hashtext($1::text))`, [accountId]);
}
