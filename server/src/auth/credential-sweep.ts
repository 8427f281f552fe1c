import { type Context, job } from '../context.ts';
import type { Job } from '../kernel/jobs.ts';
import type { Runtime } from '../kernel/runtime.ts';

/** Forgets failed logins once no lock and no limit looks at them any more. */
export const credentialSweep = (runtime: Runtime): Job<Context> =>
  job('credential-sweep', {
    doc: 'Forget failed logins of the days before',
    at: '41 * * * *',
    secondsMax: 60,
    repeatable: true,
    run: async () => {
      await runtime.read((client) => client.query(`delete from login_failure where at < now() - interval '1 day'`));
    },
  });
