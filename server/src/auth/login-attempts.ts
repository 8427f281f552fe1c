import { everyRow } from '../kernel/access/visible-tables.ts';
import type { Origin } from '../kernel/declare/caller.ts';
import type { Call } from '../kernel/declare/operation.ts';
import { notFound, throttled } from '../kernel/failure.ts';
import type { Runtime, WriteTx } from '../kernel/write/runtime.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { adminLocked, adminLoginFailed, adminUnlocked } from './auth.events.ts';
import { forgetNetworkFailures } from './network-logins.ts';
import { recordLogin } from './record-login.ts';

const everyUser = everyRow(userAccount, 'accounts are loaded for authentication, before there is a caller');

/** Allowed failures from one address within a minute, for all accounts together. */
const failuresPerMinute = 10;
/** Allowed failures of an account within an hour from all networks; above it, only known networks can sign in. */
const failuresPerHour = 50;
/** Days that a network remains known after the last sign-in of the account from it. */
export const knownNetworkDays = 30;

/** A sign-in attempt. It counts as a failure until its password is found to be correct. */
export interface Attempt {
  id: number;
  userID: string;
  network: string;
  /** The account is locked for this network; the password is not checked. */
  isLocked: boolean;
  /** If this attempt fails, it locks the account. */
  locks: boolean;
}

/**
 * Locks apply only to accounts that can sign in. For other names only the address is counted, and the response is the same. Attempts that a
 * lock refused do not prolong it.
 */
const stateSql = `select h.network::text as network,
  (select count(*) from login_failure f where f.address = $2::inet and f.at > now() - interval '1 minute')::integer as "ofAddress",
  (select count(*) from login_failure f
    where f.user_id = lower($1) and f.network = h.network and f.judged and f.at > now() - make_interval(secs => p.lockout_duration))::integer as "ofNetwork",
  (select count(*) from login_failure f where f.user_id = lower($1) and f.judged and f.at > now() - interval '1 hour')::integer as "ofAccount",
  exists (select from login_network n
    where n.account_id = a.id and n.network = h.network and n.last_at > now() - make_interval(days => ${knownNetworkDays})) as "isKnown",
  p.lockout_threshold as threshold
from (select login_network_of($2::inet) as network) h
left join ${everyUser} a on lower(a.user_id) = lower($1)
left join admin_profile p on p.id = effective_admin_profile(a)`;

interface AttemptState {
  network: string;
  ofAddress: number;
  ofNetwork: number;
  ofAccount: number;
  isKnown: boolean;
  /** Null if there is no such account, or if it has no profile. */
  threshold: number | null;
}

/**
 * Counts an attempt before its password is checked, so that concurrent attempts cannot exceed the limit. The advisory locks serialise the
 * attempts on all nodes; the lock of the account is always taken before that of the address.
 */
export const claimAttempt = (runtime: Runtime, origin: Origin, userID: string): Promise<Attempt> =>
  runtime.transact(origin, async ({ client }) => {
    await client.query(`select pg_advisory_xact_lock(hashtext('login-account'), hashtext(lower($1)))`, [userID]);
    await client.query(`select pg_advisory_xact_lock(hashtext('login-address'), hashtext($1))`, [origin.address]);
    const { rows } = await client.query<AttemptState>(stateSql, [userID, origin.address]);
    const state = rows[0]!;
    if (state.ofAddress >= failuresPerMinute) throw throttled('Too many failed logins; try again in a minute.', 60);
    const threshold = state.threshold ?? 0;
    const isLocked =
      (threshold > 0 && state.ofNetwork >= threshold) || (state.ofAccount >= failuresPerHour && !state.isKnown);
    const { rows: claimed } = await client.query<{ id: number }>(
      'insert into login_failure (user_id, address, judged) values (lower($1), $2, $3) returning id',
      [userID, origin.address, !isLocked],
    );
    const reaches = state.ofNetwork + 1 === threshold || state.ofAccount + 1 === failuresPerHour;
    return {
      id: claimed[0]!.id,
      userID,
      network: state.network,
      isLocked,
      locks: !isLocked && state.threshold !== null && reaches,
    };
  });

/** Deletes the failures of a network after a correct password. Failures from other networks stay, because an attacker may be guessing there. */
export async function clearAttempts({ client }: WriteTx, { id, userID, network }: Attempt): Promise<void> {
  await client.query('delete from login_failure where user_id = lower($1) and network = $2::cidr and id <= $3', [
    userID,
    network,
    id,
  ]);
}

/** Writes the audit row and the events of a failed attempt, whether its password was wrong or was not checked. */
export const reportFailure = (
  runtime: Runtime,
  { origin }: Pick<Call, 'origin'>,
  { userID, locks }: Attempt,
): Promise<void> =>
  runtime.transact({ ...origin, user: userID, accountId: 0 }, async (tx) => {
    const attempt = { ip: origin.address, attributes: { address: origin.address ?? '' } };
    await recordLogin(tx, 'LOGIN_FAILED', { type: adminLoginFailed, element: { id: 0, name: userID }, ...attempt });
    if (!locks) return;
    const account = await accountOf(tx, userID);
    if (account) await tx.emit({ type: adminLocked, element: account, ...attempt });
  });

/** Deletes the failures of an account, which unlocks it everywhere. Returns their number. */
export async function unlockAccount(tx: WriteTx, userID: string): Promise<number> {
  const account = await accountOf(tx, userID);
  if (!account) throw notFound('account', userID);
  const failures = await forgetFailures(tx, userID);
  await forgetNetworkFailures(tx, account.id);
  await recordLogin(tx, 'MODIFY', { type: adminUnlocked, element: account }, [
    { field: 'failedLogins', before: String(failures), after: '0' },
  ]);
  return failures;
}

/** Deletes the failures of an account. Returns their number without those that a lock refused. */
export async function forgetFailures({ client }: WriteTx, userID: string): Promise<number> {
  const { rows } = await client.query<{ judged: boolean }>(
    'delete from login_failure where user_id = lower($1) returning judged',
    [userID],
  );
  return rows.filter(({ judged }) => judged).length;
}

async function accountOf(tx: WriteTx, userID: string): Promise<{ id: number; name: string } | undefined> {
  const { rows } = await tx.client.query<{ id: number; name: string }>(
    `select a.id, a.user_id as name from ${everyUser} a where lower(a.user_id) = lower($1)`,
    [userID],
  );
  return rows[0];
}
