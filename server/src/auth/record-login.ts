import type { AuditAction, FieldChange } from '../kernel/declare/audit-entry.ts';
import type { EventEntry } from '../kernel/declare/event-type.ts';
import { summaryOf } from '../kernel/write/changes.ts';
import type { WriteTx } from '../kernel/write/runtime.ts';

/** Stores the audit row of a sign-in, a sign-out or a change of credentials, and emits its event. */
export async function recordLogin<const F extends string>(
  tx: WriteTx,
  action: AuditAction,
  event: EventEntry<F>,
  changes: readonly FieldChange[] = [],
): Promise<void> {
  const { type, element } = event;
  const entry = {
    action,
    table: 'user_account',
    recordId: element.id,
    recordName: element.name,
    eventTag: type.name,
    summary: summaryOf(changes),
    changes,
  };
  await tx.engine.sinks.audit(tx.client, tx.origin, [entry]);
  await tx.emit(event);
}
