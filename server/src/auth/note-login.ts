import type { AuditAction } from '../kernel/declare/audit-entry.ts';
import type { EventEntry } from '../kernel/declare/event-type.ts';
import type { WriteTx } from '../kernel/write/runtime.ts';

/** Stores the audit row of signing in or out, and emits its event. */
export async function noteLogin<const F extends string>(
  tx: WriteTx,
  action: AuditAction,
  event: EventEntry<F>,
): Promise<void> {
  const { type, element } = event;
  const entry = {
    action,
    table: 'user_account',
    recordId: element.id,
    recordName: element.name,
    eventTag: type.name,
    summary: '',
    changes: [],
  };
  await tx.engine.sinks.audit(tx.client, tx.origin, [entry]);
  await tx.emit(event);
}
