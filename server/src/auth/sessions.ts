import type { EventEntry } from '../kernel/event-type.ts';
import { Failure, notFound, throttled } from '../kernel/failure.ts';
import { Parameters } from '../kernel/filter/compile.ts';
import type { Call, Operation } from '../kernel/operation.ts';
import { allows } from '../kernel/permissions.ts';
import type { Runtime, WriteTx } from '../kernel/runtime.ts';
import type { ObjectShape, Shape } from '../kernel/shape.ts';
import { integerMax } from '../kernel/shape.ts';
import { instantSql } from '../kernel/time.ts';
import type { AuditAction, Origin } from '../kernel/write/sinks.ts';
import { systemOrigin } from '../system/background-task/follow-jobs.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { setPassword } from './account.ts';
import {
  adminLocked,
  adminLoginFailed,
  adminLoginSucceeded,
  adminLogout,
  adminPasswordChanged,
  sessionRevoked,
} from './auth-event-types.ts';
import { credentialHash, issueCredential } from './credential.ts';
import { authOperation } from './operation.ts';
import { hashPassword, isOutdated, nobodysHash, passwordFits, passwordLength } from './password.ts';
import { remapAccount } from './remap.ts';

const sessionsMax = 20;
const sessionHours = 12;
const failuresPerMinute = 10;

const password: Shape = { kind: 'text', min: 1, max: passwordLength.max };

const loginShape: ObjectShape = {
  kind: 'object',
  name: 'Login',
  properties: { userID: { kind: 'text', min: 1, max: 120 }, password },
  required: ['userID', 'password'],
};

const loggedInShape: ObjectShape = {
  kind: 'object',
  name: 'LoggedIn',
  properties: {
    sessionKey: { kind: 'text', max: 80, doc: 'The bearer text of the session.' },
    securityKey: { kind: 'text', max: 80, doc: 'To be sent as X-Security-Key by pages that use the cookie.' },
    expiresIn: { kind: 'integer', min: 0, max: 86_400, doc: 'Seconds.' },
    mustChangePassword: { kind: 'flag' },
    landingPage: { kind: 'text', max: 80 },
  },
};

const sessionShape: ObjectShape = {
  kind: 'object',
  name: 'Session',
  properties: {
    id: { kind: 'integer', min: 1, max: integerMax },
    owner: { kind: 'text', max: 120 },
    address: { kind: 'address', nullable: true },
    createdAt: { kind: 'time' },
    usedAt: { kind: 'time' },
    expiresAt: { kind: 'time' },
    current: { kind: 'flag', doc: 'The session of this very call.' },
  },
};

interface AccountRow {
  id: number;
  userID: string;
  hash: string | null;
  mustChangePassword: boolean;
  landingPage: string;
  isLocked: boolean;
  /** Mappings give another profile than is written down. */
  isRemapped: boolean;
}

/** Only an enabled local account with a profile can sign in, within the hours of the profile; the lock counts failures since it began. */
const accountSql = `select a.id, a.user_id as "userID", w.hash, a.must_change_password as "mustChangePassword", p.landing_page as "landingPage",
  a.admin_profile_dbid is distinct from p.id as "isRemapped",
  p.lockout_threshold > 0 and p.lockout_threshold <= (select count(*) from login_failure f
    where f.user_id = lower($1) and f.at > now() - make_interval(secs => p.lockout_duration)) as "isLocked"
from user_account a
join admin_profile p on p.id = effective_admin_profile(a)
left join password w on w.account_id = a.id
where lower(a.user_id) = lower($1) and a.state = 'ENABLED' and (a.expiration_date is null or a.expiration_date > now())
  and weekly_schedule_holds(p.schedule)`;

/** The account of a call, as the element that an event happens to. */
const callerOf = ({ caller }: Call) => ({ id: caller.accountId, name: caller.userID });

const originOf = (call: Call, account: { id: number; userID: string }): Origin => ({
  ...call.origin,
  user: account.userID,
  accountId: account.id,
});

/** Every refused login takes the same path, the same time and the same words. */
async function logIn(runtime: Runtime, call: Call) {
  const { userID, password: given } = call.body as { userID: string; password: string };
  await refuseFlood(runtime, call, userID);
  const account = await runtime.read(async (client) => (await client.query<AccountRow>(accountSql, [userID])).rows[0]);
  const fits = await passwordFits(given, account?.hash ?? (await nobodysHash()));
  if (!account?.hash || !fits || account.isLocked) {
    await noteFailure(runtime, call, userID);
    throw refusedLogin();
  }
  if (account.isRemapped) await runtime.transact(systemOrigin('admin-remap'), (tx) => remapAccount(tx, account.id));
  return openSession(runtime, call, account, given);
}

/** One text for every cause: who guesses learns nothing from it. */
const refusedLogin = () =>
  new Failure(
    'unauthenticated',
    'This user name and password do not sign in: one of them is wrong, or the account is locked or has ended.',
  );

async function refuseFlood(runtime: Runtime, call: Call, userID: string): Promise<void> {
  const { rows } = await runtime.read((client) =>
    client.query<{ failures: number }>(
      `select greatest(
         (select count(*) from login_failure f where f.address = $1::inet and f.at > now() - interval '1 minute'),
         (select count(*) from login_failure f where f.user_id = lower($2) and f.at > now() - interval '1 minute'))::integer as failures`,
      [call.origin.address, userID],
    ),
  );
  if (rows[0]!.failures >= failuresPerMinute) throw throttled('Too many failed logins; wait a minute.', 60);
}

async function noteFailure(runtime: Runtime, call: Call, userID: string): Promise<void> {
  const origin = originOf(call, { id: 0, userID });
  const attempt = { element: { id: 0, name: userID }, ...cameFrom(call) };
  await runtime.transact(origin, async (tx) => {
    await tx.client.query('insert into login_failure (user_id, address) values (lower($1), $2)', [
      userID,
      call.origin.address,
    ]);
    await noteLogin(tx, 'LOGIN_FAILED', { type: adminLoginFailed, ...attempt });
    // The failure that reaches the threshold is the one that locks; those after it change nothing.
    const { rows } = await tx.client.query<{ id: number }>(
      `select a.id from user_account a join admin_profile p on p.id = a.admin_profile_dbid
       where lower(a.user_id) = lower($1) and p.lockout_threshold = (select count(*) from login_failure f
         where f.user_id = lower($1) and f.at > now() - make_interval(secs => p.lockout_duration))`,
      [userID],
    );
    if (rows[0]) await tx.emit({ type: adminLocked, ...attempt, element: { id: rows[0].id, name: userID } });
  });
}

/** Where a login comes from, for those who read of it. */
const cameFrom = ({ origin }: Call) => ({ ip: origin.address, attributes: { address: origin.address ?? '' } });

/** The audit row and the event of signing in or out. */
async function noteLogin<const F extends string>(
  tx: WriteTx,
  action: AuditAction,
  event: EventEntry<F>,
): Promise<void> {
  const { type, element } = event;
  const entry = {
    action,
    table: 'user_account',
    recordId: element.id,
    recordName: element.name,
    eventTag: type.name,
    summary: '',
    changes: [],
  };
  await tx.engine.sinks.audit(tx.client, tx.origin, [entry]);
  await tx.emit(event);
}

/** The oldest sessions give way to the newest. To delete makes every node forget whom it knows, even if nothing is deleted. */
async function dropOldest({ client }: WriteTx, accountId: number): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    'select s.id from login_session s where s.account_id = $1 order by s.id desc limit 1000 offset $2',
    [accountId, sessionsMax - 1],
  );
  if (rows.length > 0)
    await client.query('delete from login_session where id = any($1::bigint[])', [rows.map(({ id }) => id)]);
}

async function openSession(runtime: Runtime, call: Call, account: AccountRow, given: string) {
  const credential = issueCredential('session');
  const securityKey = issueCredential('session').text.slice(-30);
  const renewed = isOutdated(account.hash!) ? await hashPassword(given) : undefined;
  await runtime.transact(originOf(call, account), async (tx) => {
    await tx.client.query('delete from login_failure where user_id = lower($1)', [account.userID]);
    await tx.client.query('update user_account set last_login_date = now() where id = $1', [account.id]);
    if (renewed) await tx.client.query('update password set hash = $2 where account_id = $1', [account.id, renewed]);
    await dropOldest(tx, account.id);
    await tx.client.query(
      `insert into login_session (public_id, hash, security_key, account_id, address, expires_at)
       values ($1, $2, $3, $4, $5, now() + make_interval(hours => $6))`,
      [
        credential.publicId,
        credentialHash(credential.text),
        credentialHash(securityKey).toString('hex'),
        account.id,
        call.origin.address,
        sessionHours,
      ],
    );
    await noteLogin(tx, 'LOGIN', {
      type: adminLoginSucceeded,
      element: { id: account.id, name: account.userID },
      ...cameFrom(call),
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

async function changePassword(runtime: Runtime, call: Call) {
  const { currentPassword, newPassword } = call.body as { currentPassword: string; newPassword: string };
  const { rows } = await runtime.read((client) =>
    client.query<{ hash: string }>('select hash from password where account_id = $1', [call.caller.accountId]),
  );
  if (!(await passwordFits(currentPassword, rows[0]?.hash ?? (await nobodysHash()))))
    throw new Failure('rejected', 'currentPassword: this is not the current password.');
  return runtime.write(call, async (tx) => {
    await setPassword(tx, call.caller.accountId, newPassword);
    await tx.client.query(
      'update user_account set must_change_password = false where id = $1 and must_change_password',
      [call.caller.accountId],
    );
    await tx.client.query(
      'update login_session set revoked_at = now() where account_id = $1 and public_id <> $2 and revoked_at is null',
      [call.caller.accountId, call.caller.credential.publicId],
    );
    await noteLogin(tx, 'MODIFY', { type: adminPasswordChanged, element: callerOf(call) });
    return {};
  });
}

export const sessionOperations = (runtime: Runtime): Operation[] => [
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
    run: (call) => logIn(runtime, call),
  }),
  authOperation({
    operationId: 'session.logout',
    method: 'POST',
    path: '/auth/logout',
    summary: 'End the session of this call',
    errors: ['rejected'],
    run: (call) => {
      if (call.caller.credential.kind !== 'session')
        throw new Failure('rejected', 'An API token is not a session; revoke it with DELETE /auth/tokens/{id}.');
      return runtime.write(call, async (tx) => {
        await tx.client.query('update login_session set revoked_at = now() where public_id = $1', [
          call.caller.credential.publicId,
        ]);
        await noteLogin(tx, 'LOGOUT', { type: adminLogout, element: callerOf(call) });
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
           from login_session s join user_account a on a.id = s.account_id
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
    summary: 'End a session: your own, or with admin-profiles modify that of another',
    errors: ['not-found'],
    run: (call) =>
      runtime.write(call, async (tx) => {
        const seesOthers = allows(call.caller.rights, 'admin-profiles', 'modify');
        const parameters = new Parameters([call.id, call.caller.accountId, seesOthers]);
        const { rows } = await tx.client.query<{ id: number; name: string }>(
          `update login_session s set revoked_at = now() from user_account r
           where s.id = $1 and r.id = s.account_id and s.revoked_at is null
             and (s.account_id = $2 or ($3${tx.records.andSeen(userAccount, parameters)})) returning r.id, r.user_id as name`,
          parameters.values,
        );
        if (!rows[0]) throw notFound('session', call.id);
        await noteLogin(tx, 'LOGOUT', { type: sessionRevoked, element: rows[0], userName: rows[0].name });
        return {};
      }),
  }),
  authOperation({
    operationId: 'session.password',
    method: 'POST',
    path: '/auth/password',
    summary: 'Change your own password; your other sessions end',
    body: {
      kind: 'object',
      name: 'PasswordChange',
      properties: { currentPassword: password, newPassword: password },
      required: ['currentPassword', 'newPassword'],
    },
    example: { currentPassword: 'not-the-password', newPassword: 'correct-horse-battery' },
    errors: ['rejected'],
    run: (call) => changePassword(runtime, call),
  }),
];
