import type pg from 'pg';
import type { AuditEntry } from '../declare/audit-entry.ts';
import type { AuditSource, Origin } from '../declare/caller.ts';
import type { EventEntry } from '../declare/event-type.ts';

/** Writes audit rows and events in the transaction of the change; the kernel calls it, and the logging resources implement it. */
export interface Sinks {
  audit(client: pg.PoolClient, source: AuditSource, entries: readonly AuditEntry[]): Promise<void>;
  /** Returns the ids of the events in their order; events of types that are not logged have none. */
  events(client: pg.PoolClient, origin: Origin, entries: readonly EventEntry[]): Promise<readonly number[]>;
}
