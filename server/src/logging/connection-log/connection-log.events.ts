import type { WriteTx } from '../../context.ts';
import { anyEvent, eventType } from '../../kernel/declare/event-type.ts';

export const accountingStaleSessionsClosed = eventType({
  category: 'DEVICE',
  elementType: 2,
  name: 'ACCOUNTING_STALE_SESSIONS_CLOSED',
  description:
    'Sessions of an access device were closed without an Accounting-Stop, because the device restarted or stopped sending interim updates.',
  format: '{count} sessions of {element} were closed without an Accounting-Stop: {why}.',
  syslogSeverity: 5,
});

/** Sessions of one access device that were closed without a Stop. */
export interface StaleSessions {
  id: number;
  name: string;
  count: number;
  why: string;
}

export async function emitStaleSessions(tx: WriteTx, devices: readonly StaleSessions[]): Promise<void> {
  const events = devices.map(({ id, name, count, why }) =>
    anyEvent({ type: accountingStaleSessionsClosed, element: { id, name }, attributes: { count: String(count), why } }),
  );
  if (events.length > 0) await tx.engine.sinks.events(tx.client, tx.origin, events);
}
