import { everyRow } from '../kernel/access/visible-tables.ts';
import type { Sql } from '../kernel/database/connect.ts';
import type { WriteTx } from '../kernel/write/runtime.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { networkLoginLocked } from './auth.events.ts';

/**
 * Limits on guessing the passwords that people log in to the network with. They are counted in the database, so all nodes share them.
 *
 * The lock of an account and a device (MAC address) cannot lock the account out elsewhere, nor another account on that device. The two
 * wider limits stop an attacker who changes the MAC address or the account with each guess; a device that the account logged in from
 * before is exempt from them.
 */
const everyUser = everyRow(userAccount, 'an account logs in to the network before there is a caller');

/** Allowed wrong passwords of an account from one device. */
const pairLimit = { failures: 10, seconds: 900 } as const;
/** Allowed wrong passwords of an account from all devices, and from one device for all accounts. */
const wideLimit = { failures: 50, seconds: 3_600 } as const;
/**
 * A login that has not ended after this time has failed. Until then the wide limits do not count it, because many devices that share an
 * account may log in at once.
 */
const undecidedSeconds = 5;
/** Maximum number of undecided attempts of an account, which bounds the passwords that are checked at the same time. */
const undecidedMax = 250;
/** Time that a device remains known to an account after a login. */
export const knownDeviceDays = 30;
/** Maximum number of known devices of an account; the least recently used one is removed. */
const knownDevicesMax = 5_000;
/** Attempts older than this do not count for any limit. */
const networkAttemptSeconds = wideLimit.seconds;

/** An attempt to log in with a password. */
export interface NetworkLogin {
  accountID: number;
  /** Empty if the request has no MAC address. */
  mac: string;
}

/** The scopes of a lock, from the narrowest to the widest: account and device, account, device. */
type LockScope = 'pair' | 'account' | 'device';

interface Lock {
  scope: LockScope;
  seconds: number;
}

/** Selects the seconds until fewer matching attempts `a` than the limit remain. */
const secondsLeft = (condition: string, { failures, seconds }: { failures: number; seconds: number }): string =>
  `(select greatest(1, ceil(extract(epoch from a.at - clock_timestamp()) + ${seconds}))::integer
    from network_login_attempt a
    where ${condition} and a.at > clock_timestamp() - make_interval(secs => ${seconds})
    order by a.at desc offset ${failures - 1} limit 1)`;

const isEnded = `a.at < clock_timestamp() - make_interval(secs => ${undecidedSeconds})`;
const stateSql = `select ${secondsLeft('a.account_id = $1 and a.mac = $2', pairLimit)} as pair,
  ${secondsLeft(`a.account_id = $1 and ${isEnded}`, wideLimit)} as account,
  ${secondsLeft('a.account_id = $1', { ...wideLimit, failures: undecidedMax })} as undecided,
  ${secondsLeft(`$2 <> '' and a.mac = $2 and ${isEnded}`, wideLimit)} as device,
  exists (select from network_login_device d where d.account_id = $1 and d.mac = $2
    and d.last_at > clock_timestamp() - make_interval(days => ${knownDeviceDays})) as "isKnown"`;

interface State {
  pair: number | null;
  account: number | null;
  undecided: number | null;
  device: number | null;
  isKnown: boolean;
}

async function lockOf(client: Sql, { accountID, mac }: NetworkLogin): Promise<Lock | undefined> {
  const { rows } = await client.query<State>({
    name: 'network-login.state',
    text: stateSql,
    values: [accountID, mac],
  });
  const { pair, account, undecided, device, isKnown } = rows[0]!;
  if (pair !== null) return { scope: 'pair', seconds: pair };
  if (isKnown) return undefined;
  if (account !== null || undecided !== null)
    return { scope: 'account', seconds: Math.max(account ?? 0, undecided ?? 0) };
  return device === null ? undefined : { scope: 'device', seconds: device };
}

/** Serialises the attempts of one account on all nodes. Commits do not wait for a flush to disk, because losing counted attempts in a crash is acceptable. */
const holdSql = `select pg_advisory_xact_lock(hashtextextended('network-login ' || $1::bigint, 0)), set_config('synchronous_commit', 'off', true)`;
const insertSql = 'insert into network_login_attempt (account_id, mac) values ($1, $2)';

/**
 * Counts an attempt before its password is checked, so that concurrent attempts cannot exceed the limit. Returns the seconds for which the
 * login is locked, or undefined. An attempt during a lock is not counted, so it does not prolong the lock.
 */
export async function claimNetworkLogin(tx: WriteTx, login: NetworkLogin): Promise<number | undefined> {
  const { accountID, mac } = login;
  await tx.client.query({ name: 'network-login.hold', text: holdSql, values: [accountID] });
  const lock = await lockOf(tx.client, login);
  if (lock) {
    await reportLock(tx, login, lock);
    return lock.seconds;
  }
  await tx.client.query({ name: 'network-login.claim', text: insertSql, values: [accountID, mac] });
  return undefined;
}

/** A login with a wrong password. */
export interface FailedNetworkLogin {
  userName: string;
  /** Empty: the request has none. */
  mac: string;
}

const countSql = (condition: string, { seconds }: { seconds: number }): string =>
  `(select count(*) from network_login_attempt a where ${condition} and a.at > clock_timestamp() - make_interval(secs => ${seconds}))`;
/** Selects the failed logins that may have caused a lock. Only these few are checked one by one. */
const suspectedSql = `select distinct u.id as "accountID", l.mac
from jsonb_to_recordset($1::jsonb) l("userName" text, mac text)
join ${everyUser} u on lower(u.user_id) = lower(l."userName")
where ${countSql('a.account_id = u.id and a.mac = l.mac', pairLimit)} >= ${pairLimit.failures}
  or ${countSql('a.account_id = u.id', wideLimit)} >= ${wideLimit.failures}
  or ${countSql(`l.mac <> '' and a.mac = l.mac`, wideLimit)} >= ${wideLimit.failures}
order by 1, 2
limit 100`;

/** Emits the events of locks that failed logins caused. */
export async function reportFailedNetworkLogins(tx: WriteTx, failed: readonly FailedNetworkLogin[]): Promise<void> {
  const { rows } = await tx.client.query<NetworkLogin>({
    name: 'network-login.suspected',
    text: suspectedSql,
    values: [JSON.stringify(failed)],
  });
  for (const login of rows) {
    const lock = await lockOf(tx.client, login);
    if (lock) await reportLock(tx, login, lock);
  }
}

const lockName = ({ accountID, mac }: NetworkLogin): Record<LockScope, string> => ({
  pair: `pair ${accountID} ${mac}`,
  account: `account ${accountID}`,
  device: `device ${mac}`,
});

const reportedSql = `insert into network_login_lock as l (name, until) values ($1, clock_timestamp() + make_interval(secs => $2))
on conflict (name) do update set until = excluded.until where l.until < clock_timestamp()`;
const accountSql = `select a.id, a.user_id as name from ${everyUser} a where a.id = $1`;

const scopeText: Record<LockScope, string> = {
  pair: 'from this device',
  account: 'from devices that it has not logged in from',
  device: 'from this device, as every account that has not logged in from it',
};

/** Emits at most one event per lock and window: attempts leave the window one by one, and each new failure locks again. */
async function reportLock(tx: WriteTx, login: NetworkLogin, { scope, seconds }: Lock): Promise<void> {
  const window = scope === 'pair' ? pairLimit.seconds : wideLimit.seconds;
  const reported = await tx.client.query(reportedSql, [lockName(login)[scope], window]);
  if (reported.rowCount === 0) return;
  const { rows } = await tx.client.query<{ id: number; name: string }>(accountSql, [login.accountID]);
  if (!rows[0]) return;
  await tx.emit({
    type: networkLoginLocked,
    element: rows[0],
    userName: rows[0].name,
    ...(login.mac !== '' && { mac: login.mac }),
    attributes: { scope: scopeText[scope], mac: login.mac === '' ? 'none' : login.mac, seconds },
  });
}

const clearSql = `with login as (
  select l."accountID" as account_id, l.mac from jsonb_to_recordset($1::jsonb) l("accountID" bigint, mac text)
), ended as (
  delete from network_login_lock k using login l where k.name = 'pair ' || l.account_id || ' ' || l.mac
)
delete from network_login_attempt a using login l where a.account_id = l.account_id and a.mac = l.mac`;
/** Updates a known device at most once a day, to save writes; that is exact enough for a period of 30 days. */
const knownSql = `with login as (
  select l."accountID" as account_id, l.mac from jsonb_to_recordset($1::jsonb) l("accountID" bigint, mac text)
), account as (
  -- Locked, so that an account that is being deleted is left out rather than failing the batch.
  select u.id from ${everyUser} u where u.id in (select login.account_id from login) order by u.id for key share of u
)
insert into network_login_device as d (account_id, mac)
select distinct login.account_id, login.mac
from login join account on account.id = login.account_id
where login.mac <> ''
order by 1, 2
on conflict (account_id, mac) do update set last_at = excluded.last_at where d.last_at < excluded.last_at - interval '1 day'
returning d.account_id as id`;
const boundSql = `delete from network_login_device d where (d.account_id, d.mac) in (
  select k.account_id, k.mac from network_login_device k where k.account_id = $1 order by k.last_at desc offset ${knownDevicesMax})`;

/** Deletes the attempts of successful logins and stores the devices as known to their accounts. */
export async function clearNetworkLogins({ client }: WriteTx, logins: readonly NetworkLogin[]): Promise<void> {
  const values = [JSON.stringify(logins)];
  await client.query({ name: 'network-login.clear', text: clearSql, values });
  const { rows } = await client.query<{ id: number }>({ name: 'network-login.known', text: knownSql, values });
  for (const id of new Set(rows.map((row) => row.id))) await client.query(boundSql, [id]);
}

/** Deletes the wrong passwords of an account from all devices, which ends its locks. */
export async function forgetNetworkFailures({ client }: Pick<WriteTx, 'client'>, accountID: number): Promise<void> {
  await client.query('delete from network_login_attempt where account_id = $1', [accountID]);
  // A range, because an index cannot be used for LIKE with the collation of the database; "!" is the character after the space.
  await client.query('delete from network_login_lock where name = $1 or (name > $2 and name < $3)', [
    `account ${accountID}`,
    `pair ${accountID} `,
    `pair ${accountID}!`,
  ]);
}

/** Deletes attempts, known devices and locks that no limit needs any more. */
export async function sweepNetworkLogins(client: Sql): Promise<void> {
  await client.query('delete from network_login_attempt where at < clock_timestamp() - make_interval(secs => $1)', [
    networkAttemptSeconds,
  ]);
  await client.query('delete from network_login_device where last_at < clock_timestamp() - make_interval(days => $1)', [
    knownDeviceDays,
  ]);
  await client.query('delete from network_login_lock where until < clock_timestamp()');
}
