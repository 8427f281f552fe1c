import { type Context, job } from '../context.ts';
import { everyRow } from '../kernel/access/visible-tables.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import type { Job } from '../kernel/jobs/jobs.ts';
import type { Runtime, WriteTx } from '../kernel/write/runtime.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { sessionExpired } from './auth.events.ts';

const everyUser = everyRow(userAccount, 'sessions of everybody expire');
const batch = 500;

/** Locked, so that a session that is used just now is looked at again. */
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

/** Ends a batch of sessions whose time is over. To update makes every node forget whom it knows, even if nothing is updated. */
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
      attributes: { reason: wasIdle ? 'nobody used it' : 'it reached its longest time' },
    });
  return rows.length;
}

/** What was kept for sessions that are over, whoever ended them. */
const removeKeptSql = `delete from session_value v using login_session s where s.id = v.session_id and s.revoked_at is not null`;

/** The gate refuses such a session at once; this says so in the log, and removes what was kept for sessions that are over. */
export const sessionExpiry = (runtime: Runtime): Job<Context> =>
  job('session-expiry', {
    doc: 'End sessions that nobody used for the time of their profile, or that reached their longest time',
    at: '* * * * *',
    secondsMax: 50,
    repeatable: true,
    run: async () => {
      while ((await runtime.transact(systemOrigin('session-expiry'), endExpired)) === batch);
      await runtime.read((client) => client.query(removeKeptSql));
    },
  });
