/** The content of an audit row about one change. The account, address and request are added from the caller. */
export interface AuditEntry {
  /** The id that the record stores as its last audit; absent for records without such a field. */
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

/** One field of a change, both values as text. For a secret, only the fact that it changed is recorded. */
export interface FieldChange {
  field: string;
  before: string | null;
  after: string | null;
}
