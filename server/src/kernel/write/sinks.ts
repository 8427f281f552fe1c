import type pg from 'pg';
import type { EventEntry } from '../event-type.ts';
import type { Rights } from '../permissions.ts';
import type { Limits } from '../scope.ts';

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

/** Who acts, and by which request: goes into every audit row. */
export interface Origin {
  user: string;
  /** The account, 0 for the service itself. */
  accountId: number;
  /** What they may: a rule that hands out rights asks for it. */
  rights: Rights;
  /** Which rows they see of what is limited to them; none: all. */
  limits?: Limits | undefined;
  address: string | null;
  /** The token's name, or the session's public id. */
  credential: { kind: 'token' | 'session' | 'system'; name: string };
  requestId: string;
  method: string;
  path: string;
}

/** Where changes are written down; the kernel calls, the logging groups provide. Both write in the transaction of the change. */
export interface Sinks {
  audit(client: pg.PoolClient, origin: Origin, entries: readonly AuditEntry[]): Promise<void>;
  /** Answers the ids of the events in their order; those whose type is not logged have none. */
  events(client: pg.PoolClient, origin: Origin, entries: readonly EventEntry[]): Promise<readonly number[]>;
}
