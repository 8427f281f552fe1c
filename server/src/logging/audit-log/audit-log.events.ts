import { eventType } from '../../kernel/declare/event-type.ts';

export const auditSealBroken = eventType({
  name: 'AUDIT_SEAL_BROKEN',
  description: 'A day of the audit log does not match its seal: it was altered directly in the database.',
  category: 'SECURITY',
  elementType: 0,
  format: 'The audit log of {element} does not match its seal: {counts}.',
  mandatory: true,
  syslogSeverity: 1,
});
