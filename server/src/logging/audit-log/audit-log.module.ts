import { resource } from '../../context.ts';
import { auditSealBroken } from './audit-log.events.ts';
import { sealAuditLog } from './audit-log.jobs.ts';
import { auditRecord } from './audit-log.ts';

export const auditRecordModule = resource('Audit log', auditRecord, {
  events: [auditSealBroken],
  jobs: ({ runtime }) => [sealAuditLog(runtime)],
});
