import { everyRow } from '../kernel/access/visible-tables.ts';
import { type Origin, systemOrigin } from '../kernel/declare/caller.ts';
import type { Call, Operation } from '../kernel/declare/operation.ts';
import { allows, type Rights } from '../kernel/declare/permissions.ts';
import { integerMax, type ObjectShape, type Shape } from '../kernel/declare/shape.ts';
import type { ValueOf } from '../kernel/declare/value-of.ts';
import { Failure, notFound, rejected, throttled } from '../kernel/failure.ts';
import { passwordLength } from '../kernel/values/password-rules.ts';
import { instantSql } from '../kernel/values/time.ts';
import type { Runtime, WriteTx } from '../kernel/write/runtime.ts';
import { remapAccount } from '../user/admin-profile-mapping/admin-profile-mapping.service.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { setPassword } from './account.ts';
import { adminLoginSucceeded, adminLogout, adminPasswordChanged, sessionRevoked } from './auth.events.ts';
import { credentialHash, issueCredential, securityKeyOf } from './credential.ts';
import { lockCredentials, requireUnlimitedCredential } from './credential-limits.ts';
import { rightsOfOwner } from './gate.ts';
import { type Attempt, claimAttempt, clearAttempts, reportFailure } from './login-attempts.ts';
import { authOperation } from './operation.ts';
import { dummyPasswordHash, hashPassword, isOutdated, passwordFits } from './password.ts';
import { recordLogin } from './record-login.ts';

const everyUser = everyRow(userAccount, 'the session of the caller, or one that visibleRow limits');

const sessionsMax = 20;
const sessionHours = 12;

const password = { kind: 'text', min: 1, max: passwordLength.max } as const satisfies Shape;

const loginShape = {
  kind: 'object',
  name: 'Login',
  properties: { userID: { kind: 'text', min: 1, max: 120 }, password },
  required: ['userID', 'password'],
} as const satisfies ObjectShape;

const passwordChange = {
  kind: 'object',
  name: 'PasswordChange',
  properties: { currentPassword: password, newPassword: password },
  required: ['currentPassword', 'newPassword'],
} as const satisfies ObjectShape;

const loggedInShape = {
  kind: 'object',
  name: 'LoggedIn',
  properties: {
    sessionKey: { kind: 'text', max: 80, doc: 'Bearer token of the session.' },
    securityKey: { kind: 'text', max: 80, doc: 'Send it as X-Security-Key with each write that uses the cookie.' },
    expiresIn: { kind: 'integer', min: 0, max: 86_400, doc: 'Seconds.' },
    mustChangePassword: { kind: 'flag' },
    landingPage: { kind: 'text', max: 80, nullable: true, doc: 'Page shown first; null: no page is open to you.' },
  },
} as const satisfies ObjectShape;

const sessionShape = {
  kind: 'object',
  name: 'Session',
  properties: {
    id: { kind: 'integer', min: 1, max: integerMax },
    owner: { kind: 'text', max: 120 },
    address: { kind: 'address', nullable: true },
    createdAt: { kind: 'time' },
    usedAt: { kind: 'time' },
    expiresAt: { kind: 'time' },
    current: { kind: 'flag', doc: 'True for the session of this request.' },
  },
} as const satisfies ObjectShape;

interface AccountRow {
  id: number;
  userID: string;
  hash: string | null;
  mustChangePassword: boolean;
  administrator: boolean;
  permissions: Parameters<typeof rightsOfOwner>[0]['permissions'];
  landingPage: string;
  /** True if a group mapping gives another profile than the stored one. */
  isRemapped: boolean;
}

/** Only an enabled local account with a profile can sign in, within the hours of the profile. */
const accountSql = `select a.id, a.user_id as "userID", w.hash, a.must_change_password as "mustChangePassword", p.landing_page as "landingPage", p.administrator, p.permissions,
  a.admin_profile_dbid is distinct from p.id as "isRemapped"
from ${everyUser} a
join admin_profile p on p.id = effective_admin_profile(a)
left join password w on w.account_id = a.id
where lower(a.user_id) = lower($1) and a.state = 'ENABLED' and (a.expiration_date is null or a.expiration_date > now())
  and weekly_schedule_holds(p.schedule)`;

/** Returns the account of the caller as the element of an event. */
const callerOf = ({ caller }: Call) => ({ id: caller.accountId, name: caller.userID });

const originOf = (call: Call, account: { id: number; userID: string }): Origin => ({
  ...call.origin,
  user: account.userID,
  accountId: account.id,
});

/** Returns the page that the console shows first to a caller with these rights, for the page of their profile. */
type LandingPage = (rights: Rights, page: string) => string | null;

/**
 * Signs in. Every refused login takes the same path and the same time, and has the same text: for unknown and locked accounts, the password
 * is compared with a dummy hash.
 */
async function logIn(runtime: Runtime, landingPageOf: LandingPage, call: Call<ValueOf<typeof loginShape>>) {
  const { userID, password } = call.body;
  const attempt = await claimAttempt(runtime, call.origin, userID);
  const account = await runtime.read(async (client) => (await client.query<AccountRow>(accountSql, [userID])).rows[0]);
  const hash = attempt.isLocked ? undefined : account?.hash;
  const fits = await passwordFits(password, hash ?? (await dummyPasswordHash()));
  if (!account || !hash || !fits) {
    await reportFailure(runtime, call, attempt);
    throw refusedLogin();
  }
  if (account.isRemapped) await runtime.transact(systemOrigin('admin-remap'), (tx) => remapAccount(tx, account.id));
  const landingPage = landingPageOf(rightsOfOwner(account), account.landingPage);
  return openSession(runtime, call, { ...account, hash, landingPage }, attempt, password);
}

/** The same text for every cause, so that it reveals nothing to an attacker. */
const refusedLogin = () =>
  new Failure('unauthenticated', 'Sign-in failed: wrong user name or password, or the account is locked or expired.');

/** Returns the address of the caller for an event. */
const addressOf = ({ origin }: Call) => ({ ip: origin.address, attributes: { address: origin.address ?? '' } });

/** Deletes the oldest sessions above the limit. Every DELETE clears the caches of all nodes, even if it deletes no row, so none is sent without need. */
async function dropOldest({ client }: WriteTx, accountId: number): Promise<void> {
  await lockCredentials(client, accountId);
  const { rows } = await client.query<{ id: number }>(
    'select s.id from login_session s where s.account_id = $1 order by s.id desc limit 1000 offset $2',
    [accountId, sessionsMax - 1],
  );
  if (rows.length > 0)
    await client.query('delete from login_session where id = any($1::bigint[])', [rows.map(({ id }) => id)]);
}

async function openSession(
  runtime: Runtime,
  call: Call,
  account: Omit<AccountRow, 'landingPage'> & { hash: string; landingPage: string | null },
  attempt: Attempt,
  password: string,
) {
  const credential = issueCredential('session');
  const securityKey = securityKeyOf(credential.text);
  const renewed = isOutdated(account.hash) ? await hashPassword(password) : undefined;
  await runtime.transact(originOf(call, account), async (tx) => {
    await clearAttempts(tx, attempt);
    await tx.client.query(
      `insert into login_network (account_id, network) values ($1, $2)
       on conflict (account_id, network) do update set last_at = now()`,
      [account.id, attempt.network],
    );
    await tx.client.query(`update ${everyUser} set last_login_date = now() where id = $1`, [account.id]);
    if (renewed) await tx.client.query('update password set hash = $2 where account_id = $1', [account.id, renewed]);
    await dropOldest(tx, account.id);
    await tx.client.query(
      `insert into login_session (public_id, hash, account_id, address, expires_at)
       values ($1, $2, $3, $4, now() + make_interval(hours => $5))`,
      [credential.publicId, credentialHash(credential.text), account.id, call.origin.address, sessionHours],
    );
    await recordLogin(tx, 'LOGIN', {
      type: adminLoginSucceeded,
      element: { id: account.id, name: account.userID },
      ...addressOf(call),
    });
  });
  const { mustChangePassword, landingPage } = account;
  return {
    results: [
      { sessionKey: credential.text, securityKey, expiresIn: sessionHours * 3_600, mustChangePassword, landingPage },
    ],
    headers: { 'set-cookie': `__Host-session=${credential.text}; Path=/; Secure; HttpOnly; SameSite=Strict` },
    secret: true,
  };
}

/** Changes the password. Attempts are checked and counted like sign-ins, also in a dry run, so that a stolen session cannot guess the password. */
async function changePassword(runtime: Runtime, call: Call<ValueOf<typeof passwordChange>>) {
  const { currentPassword, newPassword } = call.body;
  const { accountId, userID, credential } = call.caller;
  if (credential.kind === 'token' && credential.scopes !== null)
    throw new Failure(
      'forbidden',
      'A token with scopes cannot change the password; sign in, or use one without scopes.',
    );
  const attempt = await claimAttempt(runtime, call.origin, userID);
  if (attempt.isLocked) throw throttled('Too many wrong passwords from this network; wait until the lock ends.', 60);
  const { rows } = await runtime.read((client) =>
    client.query<{ hash: string }>('select hash from password where account_id = $1', [accountId]),
  );
  const hash = rows[0]?.hash;
  if (!(await passwordFits(currentPassword, hash ?? (await dummyPasswordHash()))) || !hash) {
    await reportFailure(runtime, call, attempt);
    throw rejected('currentPassword: does not match the current password.', '/currentPassword');
  }
  await runtime.transact(call.origin, (tx) => clearAttempts(tx, attempt));
  if (newPassword === currentPassword)
    throw rejected('newPassword: this is the current password; choose another.', '/newPassword');
  return runtime.write(call, async (tx) => {
    // The password may have been changed meanwhile, so the hash that was checked must still be stored.
    const { rowCount } = await tx.client.query('select from password where account_id = $1 and hash = $2 for update', [
      accountId,
      hash,
    ]);
    if (rowCount === 0) throw rejected('currentPassword: the password was changed meanwhile.', '/currentPassword');
    await setPassword(tx, accountId, newPassword);
    await tx.client.query(
      `update ${everyUser} set must_change_password = false where id = $1 and must_change_password`,
      [accountId],
    );
    await tx.client.query(
      'update login_session set revoked_at = now() where account_id = $1 and public_id <> $2 and revoked_at is null',
      [accountId, credential.publicId],
    );
    await recordLogin(tx, 'MODIFY', { type: adminPasswordChanged, element: callerOf(call) });
    return {};
  });
}

export const sessionOperations = (runtime: Runtime, landingPageOf: LandingPage): Operation[] => [
  authOperation({
    operationId: 'session.login',
    method: 'POST',
    path: '/auth/login',
    summary: 'Sign in with user name and password',
    access: { kind: 'open' },
    body: loginShape,
    example: { userID: 'admin', password: 'not-the-password' },
    result: loggedInShape,
    writes: false,
    run: (call) => logIn(runtime, landingPageOf, call),
  }),
  authOperation({
    operationId: 'session.logout',
    method: 'POST',
    path: '/auth/logout',
    summary: 'End your current session',
    errors: ['rejected'],
    run: (call) => {
      if (call.caller.credential.kind !== 'session')
        throw new Failure('rejected', 'An API token is not a session; revoke it with DELETE /auth/tokens/{id}.');
      return runtime.write(call, async (tx) => {
        await tx.client.query('update login_session set revoked_at = now() where public_id = $1', [
          call.caller.credential.publicId,
        ]);
        await recordLogin(tx, 'LOGOUT', { type: adminLogout, element: callerOf(call) });
        return { headers: { 'set-cookie': '__Host-session=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0' } };
      });
    },
  }),
  authOperation({
    operationId: 'session.list',
    method: 'GET',
    path: '/auth/sessions',
    summary: 'List your sessions',
    result: sessionShape,
    writes: false,
    run: (call) =>
      runtime.read(async (client) => {
        const { rows } = await client.query<Record<string, unknown>>(
          `select s.id, a.user_id as owner, host(s.address) as address, ${instantSql('s.created_at')} as "createdAt", ${instantSql('s.used_at')} as "usedAt",
             ${instantSql('s.expires_at')} as "expiresAt", s.public_id = $2 as current
           from login_session s join ${everyUser} a on a.id = s.account_id
           where s.account_id = $1 and s.revoked_at is null and s.expires_at > now() order by s.id`,
          [call.caller.accountId, call.caller.credential.publicId],
        );
        return { results: rows };
      }),
  }),
  authOperation({
    operationId: 'session.revoke',
    method: 'DELETE',
    path: '/auth/sessions/{id}',
    summary: 'End a session of yours or of another user',
    errors: ['not-found'],
    run: (call) =>
      runtime.write(call, async (tx) => {
        const seesOthers = allows(call.caller.rights, 'admin-profiles', 'modify');
        const { rows } = await tx.client.query<{ id: number; name: string; publicId: string }>(
          `update login_session s set revoked_at = now() from ${everyUser} r
           where s.id = $1 and r.id = s.account_id and s.revoked_at is null
             and (s.account_id = $2 or ($3${tx.visibleRow(userAccount)})) returning r.id, r.user_id as name, s.public_id as "publicId"`,
          [call.id, call.caller.accountId, seesOthers],
        );
        if (!rows[0]) throw notFound('session', call.id);
        const { publicId, ...element } = rows[0];
        requireUnlimitedCredential(call, publicId);
        await recordLogin(tx, 'LOGOUT', { type: sessionRevoked, element, userName: element.name });
        return {};
      }),
  }),
  authOperation({
    operationId: 'session.password',
    method: 'POST',
    path: '/auth/password',
    summary: 'Change your own password and end your other sessions',
    body: passwordChange,
    example: { currentPassword: 'not-the-password', newPassword: 'correct-horse-battery' },
    errors: ['rejected'],
    run: (call) => changePassword(runtime, call),
  }),
];
