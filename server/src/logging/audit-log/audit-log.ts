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

/** The record's newest change, as long as it lives. */
const newestSql = (column: string) => `coalesce((select case when n.action = 'DELETE' then '' else n.${column} end
  from audit_record n where n.db_table_name = r.db_table_name and n.live_dbid = r.live_dbid order by n.id desc limit 1), '')`;

/** Of rows that came from an archive: a transaction number of 0 shows it, and no role of the service can change that. */
const importedSql = `case when r.txid = '0' then (select jsonb_build_object('by', coalesce(max(a.imported_by), ''), 'at', ${instantSql('max(a.imported_at)')})
  from log_archive a where a.log = 'audit_record' and a.landscape = r.landscape and a.slice = date_trunc('month', r.at at time zone 'UTC')::date) end`;

/** Who changed what, when and from where. Nothing changes or deletes a row: the serving role has no right to. */
export const auditRecord = log({
  name: 'audit-record',
  title: 'Audit record',
  path: '/logging/audit',
  permission: 'audit-log',
  doc: 'Who changed what, when and from where; written in the transaction of the change.',
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
    action: choice(auditActions, { doc: 'What was done.' }),
    timestamp: computed<string>({ kind: 'time' }, 'r.at'),
    liveObj: embedded(
      'computed',
      'NewestChange',
      {
        yamsEventTag: computed<string>({ kind: 'text', max: 80 }, newestSql('yams_event_tag')),
        auditObj: computed<string>(longText, newestSql('audit_obj')),
      },
      'The latest change of the same record; empty once it is deleted.',
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
    summary: text({ max: 4_000, doc: 'At most four lines: field: old → new.' }),
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
    reason: text({ max: reasonMax, nullable: true, doc: 'Why, from the header X-Reason; null: not given.' }),
    imported: computed<{ by: string; at: string | null } | null>(
      {
        kind: 'object',
        name: 'AuditImport',
        nullable: true,
        properties: {
          by: { kind: 'text', max: 120, doc: 'Who imported it.' },
          at: { kind: 'time', nullable: true },
        },
      },
      importedSql,
      {
        doc: 'Set where the row was imported from an archive: this cell has not seen the change itself, or not kept it.',
      },
    ),
    landscape,
  },
});
