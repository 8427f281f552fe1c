/** What the audit log keeps of one change. Who, from where and by which request are added from the caller. */
export interface AuditEntry {
  /** The id the record itself keeps as its last audit; absent where nothing keeps it. */
  auditId?: number;
  action: AuditAction;
  table: string;
  recordId: number;
  recordName: string;
  eventTag: string;
  summary: string;
  changes: readonly FieldChange[];
}

/** Characters of the reason that a caller gives for a write. */
export const reasonMax = 500;

export const auditActions = [
  'ADD',
  'MODIFY',
  'DELETE',
  'ENABLE',
  'DISABLE',
  'RANK',
  'EXECUTE',
  'READ_SECRET',
  'LOGIN',
  'LOGOUT',
  'LOGIN_FAILED',
  'EXPORT',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** One field of a change, both sides as text; secrets only say that they changed. */
export interface FieldChange {
  field: string;
  before: string | null;
  after: string | null;
}
