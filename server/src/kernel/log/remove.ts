import type { AuditEntry, FieldChange } from '../declare/audit-entry.ts';
import { notFound } from '../failure.ts';
import type { Table } from '../model/model.ts';
import type { RecordValue } from '../read/select.ts';
import { readerOf, type Tx, visibilityOf } from '../write/engine.ts';

const textMax = 4_000;

/**
 * Deletes rows of a log that allows it, all or none. Each gets an audit row with all its fields, and is recorded as
 * deleted, so that importing an archive does not restore it.
 */
export async function removeLogRows(tx: Tx, table: Table, ids: readonly number[]): Promise<void> {
  const { client, engine } = tx;
  const { title, identity, label, name } = table.declaration;
  const records = await readerOf(engine, name, visibilityOf(engine, tx.origin)).fetchMany(client, ids, [], Date.now());
  const visibleIds = new Set(records.map((record) => record[identity] as number));
  const missing = ids.find((id) => !visibleIds.has(id));
  if (missing !== undefined) throw notFound(title, missing);
  const rules = engine.rules.get(name);
  for (const record of records) await rules?.beforeDelete?.(record, tx);
  const entries = records.map(
    (record): AuditEntry => ({
      action: 'DELETE',
      table: table.name,
      recordId: record[identity] as number,
      recordName: String(record[label] ?? '').slice(0, 300),
      eventTag: '',
      summary: '',
      changes: everythingOf(record),
    }),
  );
  await engine.sinks.audit(client, tx.origin, entries);
  await client.query('select remove_log_rows($1, $2)', [table.name, ids]);
}

const everythingOf = (record: RecordValue): FieldChange[] =>
  Object.entries(record).map(([field, value]) => ({ field, before: textOf(value), after: null }));

const textOf = (value: unknown): string | null =>
  value === null || value === undefined
    ? null
    : (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, textMax);
