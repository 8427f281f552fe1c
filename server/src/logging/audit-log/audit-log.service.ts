import type pg from 'pg';
import type { AuditEntry } from '../../kernel/declare/audit-entry.ts';
import type { AuditSource } from '../../kernel/declare/caller.ts';

const insertSql = `
insert into audit_record (id, "user", action, live_dbid, yams_event_tag, audit_obj, audit_object_name, db_table_name, summary, changes,
  source_address, session_id, token_name, request_id, method, path, reason)
select coalesce(e."auditId", log_id()), $2, e.action, e."recordId", e."eventTag", left(e."recordName" || ': ' || e.text, 4000), e."recordName", e."table",
  e.summary, e.changes, $3::inet, $4, $5, $6, $7, $8, $9
from jsonb_to_recordset($1::jsonb) e("auditId" bigint, action text, "recordId" bigint, "eventTag" text, "recordName" text, "table" text,
  summary text, text text, changes jsonb)`;

/** Writes audit rows in the transaction of the change, so that no change is stored without them. */
export async function writeAudit(
  client: pg.PoolClient,
  source: AuditSource,
  entries: readonly AuditEntry[],
): Promise<void> {
  const { kind, name } = source.credential;
  const rows = entries.map((entry) => ({
    ...entry,
    text: changeText(entry),
    changes: entry.changes.map((change) => ({ ...change, changed: true })),
  }));
  await client.query({
    name: 'audit.write',
    text: insertSql,
    values: [
      JSON.stringify(rows),
      source.user,
      source.address,
      kind === 'session' ? name : null,
      kind === 'token' ? name : null,
      source.requestId,
      source.method,
      source.path.slice(0, 500),
      source.reason,
    ],
  });
}

/** Returns the text of a change, the same that the record has for its last change. */
const changeText = ({ action, changes }: AuditEntry): string => {
  if (action === 'ADD') return 'added';
  if (action === 'DELETE') return 'deleted';
  const fields = changes.map((change) => change.field).join(', ');
  return fields ? `changed ${fields}`.slice(0, 500) : action.toLowerCase().replaceAll('_', ' ');
};
