import { type Context, type Job, job, type Runtime } from '../../context.ts';
import { sealAudit, sealJob } from './seal-audit.ts';

/** Detects changes of the audit log made directly in the database. */
export const sealAuditLog = (runtime: Runtime): Job<Context> =>
  job(sealJob, {
    doc: 'Seal completed days of the audit log, and verify sealed days in turn',
    at: '12 * * * *',
    secondsMax: 600,
    repeatable: true,
    run: async () => void (await sealAudit(runtime, Date.now())),
  });
