import { catalogue } from '../../../src/catalogue.ts';
import { tableOf } from '../../../src/kernel/declare/declaration.ts';
import { quoted } from '../../../src/kernel/declare/names.ts';
import type { ServedCell } from '../../world/cell.ts';

/** How many rows each declared collection has, and the last id of the audit log. */
export interface Ledger {
  lastAuditId: number;
  rows: ReadonlyMap<string, number>;
}

export async function ledgerOf({ sql }: ServedCell): Promise<Ledger> {
  const tables = catalogue
    .filter(({ declaration }) => declaration.kind === 'collection')
    .map(({ declaration }) => tableOf(declaration));
  const counts = tables.map((table) => `(select count(*) from ${quoted(table)})::integer as ${quoted(table)}`);
  const { rows } = await sql.query(
    `select (select coalesce(max(id), 0) from audit_record) as last, ${counts.join(', ')}`,
  );
  return { lastAuditId: Number(rows[0].last), rows: new Map(tables.map((table) => [table, rows[0][table]])) };
}

/** Returns changes without a successful request, and differences of row counts that the audit log does not explain. */
export async function unexplainedWrites(
  cell: ServedCell,
  before: Ledger,
  accepted: ReadonlySet<string>,
): Promise<string[]> {
  const { rows: changes } = await cell.sql.query<{ table: string; action: string; request: string; path: string }>(
    `select db_table_name as "table", action, request_id as request, path from audit_record where id > $1`,
    [before.lastAuditId],
  );
  const after = await ledgerOf(cell);
  // A failed login is stored on purpose: the audit log records the failure.
  const strays = changes.filter(({ action, request }) => action !== 'LOGIN_FAILED' && !accepted.has(request));
  const count = (table: string, action: string) =>
    changes.filter((change) => change.table === table && change.action === action).length;
  const off = [...after.rows]
    .map(([table, rows]) => {
      const expectedRows = before.rows.get(table)! + count(table, 'ADD') - count(table, 'DELETE');
      return { table, rows, wanted: expectedRows };
    })
    .filter(({ rows, wanted: expectedRows }) => rows !== expectedRows);
  return [
    ...strays.map(({ action, table, path }) => `${action} in ${table} by ${path}, whose response was no success`),
    ...off.map(
      ({ table, rows, wanted: expectedRows }) => `${table} has ${rows} rows; by the audit log it has ${expectedRows}`,
    ),
  ];
}
