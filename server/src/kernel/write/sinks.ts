import type pg from 'pg';
import type { AuditEntry } from '../declare/audit-entry.ts';
import type { AuditSource, Origin } from '../declare/caller.ts';
import type { EventEntry } from '../declare/event-type.ts';

/** Where changes are written down; the kernel calls, the logging groups provide. Both write in the transaction of the change. */
export interface Sinks {
  audit(client: pg.PoolClient, source: AuditSource, entries: readonly AuditEntry[]): Promise<void>;
  /** Answers the ids of the events in their order; those whose type is not logged have none. */
  events(client: pg.PoolClient, origin: Origin, entries: readonly EventEntry[]): Promise<readonly number[]>;
}
