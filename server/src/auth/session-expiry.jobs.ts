import { type Context, job } from '../context.ts';
import { everyRow } from '../kernel/access/visible-tables.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import type { Job } from '../kernel/jobs/jobs.ts';
import type { Runtime, WriteTx } from '../kernel/write/runtime.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { sessionExpired } from './auth.events.ts';

const everyUser = everyRow(userAccount, 'sessions of all accounts expire');
const batch = 500;

/** Locks the rows, so that a session that is used at the same time is checked again. */
const expiredSql = `select s.id, a.id as "accountId", a.user_id as "userID", s.expires_at > now() as "wasIdle"
from login_session s
join ${everyUser} a on a.id = s.account_id
left join admin_profile p on p.id = effective_admin_profile(a)
where s.revoked_at is null
  and (s.expires_at <= now() or s.used_at + make_interval(mins => p.inactivity_time) <= now())
order by s.id limit ${batch} for update of s skip locked`;

interface Expired {
  id: number;
  accountId: number;
  userID: string;
  wasIdle: boolean;
}

/** Ends a batch of expired sessions. Every UPDATE of the table clears the caches of all nodes, even if it changes no row, so none is sent without need. */
async function endExpired(tx: WriteTx): Promise<number> {
  const { rows } = await tx.client.query<Expired>(expiredSql);
  if (rows.length === 0) return 0;
  await tx.client.query('update login_session set revoked_at = now() where id = any($1::bigint[])', [
    rows.map(({ id }) => id),
  ]);
  for (const { accountId, userID, wasIdle } of rows)
    await tx.emit({
      type: sessionExpired,
      element: { id: accountId, name: userID },
      attributes: { reason: wasIdle ? 'it was idle too long' : 'it reached its maximum lifetime' },
    });
  return rows.length;
}

/** Deletes the stored values of ended sessions, for whatever reason they ended. */
const removeKeptSql = `delete from session_value v using login_session s where s.id = v.session_id and s.revoked_at is not null`;

/** Emits the events of expired sessions, which the gate already refuses, and deletes the values stored for ended sessions. */
export const sessionExpiry = (runtime: Runtime): Job<Context> =>
  job('session-expiry', {
    doc: 'End sessions that were idle too long or reached their maximum lifetime',
    at: '* * * * *',
    secondsMax: 50,
    repeatable: true,
    run: async () => {
      while ((await runtime.transact(systemOrigin('session-expiry'), endExpired)) === batch);
      await runtime.read((client) => client.query(removeKeptSql));
    },
  });
