import { type Context, job } from '../context.ts';
import type { Job } from '../kernel/jobs/jobs.ts';
import type { Runtime } from '../kernel/write/runtime.ts';
import { knownNetworkDays } from './login-attempts.ts';
import { sweepNetworkLogins } from './network-logins.ts';

/** Deletes failed logins and networks that no lock and no limit needs any more. A lock lasts a day at most. */
export const credentialSweep = (runtime: Runtime): Job<Context> =>
  job('credential-sweep', {
    doc: 'Delete old failed logins, and networks that accounts no longer sign in from',
    at: '41 * * * *',
    secondsMax: 60,
    repeatable: true,
    run: async () => {
      await runtime.read((client) => client.query(`delete from login_failure where at < now() - interval '1 day'`));
      await runtime.read((client) =>
        client.query('delete from login_network where last_at < now() - make_interval(days => $1)', [knownNetworkDays]),
      );
      await runtime.read((client) => sweepNetworkLogins(client));
    },
  });
