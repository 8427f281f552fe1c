import { auditActions, type FieldChange, reasonMax } from '../../kernel/declare/audit-entry.ts';
import { log } from '../../kernel/declare/declaration.ts';
import { choice, computed, embedded, field, landscape, list, text } from '../../kernel/declare/field.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { instantSql } from '../../kernel/values/time.ts';

const id = shapes.count;
const longText = { kind: 'text', max: 4_000 } as const;

const change = {
  kind: 'object',
  name: 'AuditChange',
  properties: {
    field: { kind: 'text', max: 200 },
    before: { kind: 'text', max: 4_000, nullable: true },
    after: { kind: 'text', max: 4_000, nullable: true, doc: 'Value after the change; secrets are masked.' },
    changed: { kind: 'flag' },
  },
} as const;

/** A column of the latest change of the record; empty once it is deleted. */
const newestSql = (column: string) => `coalesce((select case when n.action = 'DELETE' then '' else n.${column} end
  from audit_record n where n.db_table_name = r.db_table_name and n.live_dbid = r.live_dbid order by n.id desc limit 1), '')`;

/** The import of a row from an archive. Imported rows have the transaction id 0, which no role of the service can change. */
const importedSql = `case when r.txid = '0' then (select jsonb_build_object('by', coalesce(max(a.imported_by), ''), 'at', ${instantSql('max(a.imported_at)')})
  from log_archive a where a.log = 'audit_record' and a.landscape = r.landscape and a.slice = date_trunc('month', r.at at time zone 'UTC')::date) end`;

/** The log of changes, with user, time and address. Rows are never changed or deleted: the serving role has no right to. */
export const auditRecord = log({
  name: 'audit-record',
  title: 'Audit record',
  path: '/logging/audit',
  permission: 'audit-log',
  doc: 'Log of changes with user, time and address, written in the transaction of the change.',
  columns: ['timestamp', 'user', 'action', 'auditObj', 'sourceAddress', 'auditDBID'],
  patterns: ['list', 'count'],
  slice: 'month',
  age: { setting: 'auditDays', days: 730 },
  alwaysArchived: true,
  added: { 2: ['reason'] },
  identity: 'auditDBID',
  label: 'auditObjectName',
  timeField: 'timestamp',
  indexes: [['dbTableName', 'liveDBID'], ['user']],
  sections: {
    Change: ['user', 'action', 'timestamp', 'reason', 'summary', 'changes'],
    Record: ['auditObjectName', 'auditObjectType', 'liveDBID', 'liveObj', 'auditObj', 'yamsEventTag'],
    Request: ['sourceAddress', 'sessionID', 'tokenName', 'requestID', 'method', 'path'],
  },
  fields: {
    user: text({ max: 120, search: true }),
    action: choice(auditActions, { doc: 'Kind of the change.' }),
    timestamp: computed<string>({ kind: 'time' }, 'r.at'),
    liveObj: embedded(
      'computed',
      'NewestChange',
      {
        yamsEventTag: computed<string>({ kind: 'text', max: 80 }, newestSql('yams_event_tag')),
        auditObj: computed<string>(longText, newestSql('audit_obj')),
      },
      'Latest change of the same record; empty once the record is deleted.',
    ),
    auditDBID: computed<number>(id, 'r.id', { doc: 'Identity of this record.' }),
    liveDBID: field<number>(id, { doc: 'Identity of the changed record.' }),
    yamsEventTag: text({ max: 80, doc: 'Event type of the change.' }),
    auditObj: text({ max: 4_000, search: true, doc: 'Name of the changed record and summary of the change.' }),
    auditObjectName: text({ max: 300, search: true }),
    auditObjectType: embedded('computed', 'AuditedType', {
      auditTableName: computed<string>({ kind: 'text', max: 100 }, `r.db_table_name || '_audit'`),
      dbTableName: text({ max: 80 }),
      idnameQuery: computed<string>({ kind: 'text', max: 40 }, `'name'`),
    }),
    summary: text({ max: 4_000, doc: 'Summary of at most four lines, each with a field, its old and its new value.' }),
    changes: list<FieldChange>({ item: change, max: 500 }, { doc: 'Every field that changed.' }),
    sourceAddress: field<string | null>(
      { kind: 'address', nullable: true },
      { doc: 'Client address of the request; null for the service itself.' },
    ),
    sessionID: text({ max: 80, nullable: true, doc: 'Public id of the session, if the request used one.' }),
    tokenName: text({ max: 120, nullable: true, doc: 'Name of the API token, if the request used one.' }),
    requestID: text({ max: 80 }),
    method: text({ max: 10 }),
    path: text({ max: 500 }),
    reason: text({
      max: reasonMax,
      nullable: true,
      doc: 'Reason of the change, from the header X-Reason; null: not given.',
    }),
    imported: computed<{ by: string; at: string | null } | null>(
      {
        kind: 'object',
        name: 'AuditImport',
        nullable: true,
        properties: {
          by: { kind: 'text', max: 120, doc: 'User who imported the row.' },
          at: { kind: 'time', nullable: true },
        },
      },
      importedSql,
      {
        doc: 'Set if the row was imported from an archive, because the change was made in another cell or its row had been deleted. Null: recorded by this cell.',
      },
    ),
    landscape,
  },
});
