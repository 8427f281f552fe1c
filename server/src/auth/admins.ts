import { randomInt } from 'node:crypto';
import type { Condition } from '../kernel/access/visibility.ts';
import { everyRow } from '../kernel/access/visible-tables.ts';
import { inputShape } from '../kernel/declare/declaration.ts';
import { extraOperations } from '../kernel/declare/extra-operation.ts';
import type { Answer, Call, Operation } from '../kernel/declare/operation.ts';
import { allows, type Verb } from '../kernel/declare/permissions.ts';
import type { ObjectShape, Shape } from '../kernel/declare/shape.ts';
import { shapes } from '../kernel/declare/shapes.ts';
import type { ValueOf } from '../kernel/declare/value-of.ts';
import { duplicate, Failure, forbidden, invalidField, notFound, rejected } from '../kernel/failure.ts';
import { secretMask } from '../kernel/model/nested-secrets.ts';
import { fieldsParameter, listParameters, listQueryOf } from '../kernel/operations/patterns/list.ts';
import { expected, PatternContext } from '../kernel/operations/patterns/pattern.ts';
import type { RecordValue } from '../kernel/read/select.ts';
import { passwordLength } from '../kernel/values/password-rules.ts';
import type { Saved } from '../kernel/write/records.ts';
import type { Runtime, WriteTx } from '../kernel/write/runtime.ts';
import { requireNotExceeding } from '../user/admin-profile/admin-profile.service.ts';
import { revokeCredentials } from '../user/user-account/user-account.service.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { requireUsablePassword, setPassword } from './account.ts';
import { adminPasswordReset } from './auth.events.ts';
import { forgetFailures, unlockAccount } from './login-attempts.ts';
import { recordLogin } from './record-login.ts';

const everyUser = everyRow(userAccount, 'limited by visibleRow');

const path = '/auth/admins';
const noun = 'administrator account';

const chosenPassword = { kind: 'text', ...passwordLength, secret: true } as const satisfies Shape;
const oneTimePassword = {
  kind: 'text',
  max: passwordLength.max,
  nullable: true,
  doc: 'One-time password, returned only here; null if the request contained a password.',
} as const satisfies Shape;

const { networkPassword, ...input } = inputShape(userAccount).properties;

const accountInput = {
  kind: 'object',
  name: 'AccountInput',
  properties: { ...input, networkPassword: networkPassword! },
} as const satisfies ObjectShape;

const newAccount = {
  kind: 'object',
  name: 'NewAccount',
  properties: {
    ...input,
    mustChangePassword: {
      ...input.mustChangePassword!,
      doc: 'The password must be changed at the next sign-in. Default for a new account: true.',
    },
    password: {
      ...chosenPassword,
      doc: 'Password of a new account. Without it the service generates a one-time password and returns it.',
      help: 'Sign-in password. Empty: a one-time password is generated and shown once.',
    },
  },
} as const satisfies ObjectShape;

const passwordRequest = {
  kind: 'object',
  name: 'PasswordReset',
  properties: {
    password: {
      ...chosenPassword,
      doc: 'Without it the service generates a one-time password and returns it.',
      help: 'Empty: a one-time password is generated and shown once.',
    },
  },
} as const satisfies ObjectShape;

const resetShape = {
  kind: 'object',
  name: 'AccountPassword',
  properties: { id: shapes.id, userID: { kind: 'text', max: 120 }, password: oneTimePassword },
} as const satisfies ObjectShape;

/** No 0, 1, I, O, l and o, because people read these passwords aloud. */
const letters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Returns a random password of four times five characters: 100 bits. */
const generatedPassword = (): string =>
  Array.from({ length: 4 }, () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')).join(
    '-',
  );

const isAdministrator: Condition = () => 'r.admin_profile_dbid is not null';

export interface GrantedAccount {
  id: number;
  userID: string;
  source: string;
  profile: number | null;
  effective: number | null;
}

/** Returns the account and locks it until the end of the transaction. Undefined if the caller does not see it. */
export async function lockAccount(tx: WriteTx, id: number): Promise<GrantedAccount | undefined> {
  const { rows } = await tx.client.query<GrantedAccount>(
    `select r.id, r.user_id as "userID", r.source, r.admin_profile_dbid as profile, effective_admin_profile(r) as effective
     from ${everyUser} r where r.id = $1${tx.visibleRow(userAccount)} for no key update`,
    [id],
  );
  return rows[0];
}

/** Locks the administrator account of the call. Throws if it has more permissions than the caller. */
async function changeableAccount(tx: WriteTx, call: Call): Promise<GrantedAccount> {
  const account = await lockAccount(tx, call.id);
  if (!account || account.profile === null) throw notFound(noun, call.id);
  await requireNotExceeding(tx, account);
  return account;
}

/** Throws for the caller's own account: a stolen session must not bypass the current password or the lock. */
function refuseOwnAccount({ caller }: Call, { id }: GrantedAccount, advice: string): void {
  if (id === caller.accountId) throw new Failure('forbidden', advice);
}

/** Throws if callers change restrictions of their own account: its expiration date, or the required password change. */
async function refuseOwnRestrictions(
  tx: WriteTx,
  { caller }: Call,
  id: number,
  requestedFields: RecordValue,
): Promise<void> {
  if (id !== caller.accountId) return;
  const before: RecordValue = (await tx.records.fetch(userAccount, id)) ?? {};
  for (const field of ['expirationDate', 'mustChangePassword'])
    if (requestedFields[field] !== undefined && requestedFields[field] !== before[field])
      throw new Failure('forbidden', `${field}: only another administrator can change this for your own account.`);
  // A stolen session must not become a lasting network login.
  if (requestedFields.networkPassword !== undefined)
    throw new Failure('forbidden', 'networkPassword: only another administrator can change this for your own account.');
}

/** Throws if the request changes the source of an account; it is set when the account is created. */
export function refuseOtherSource(requestedFields: RecordValue, source: string): void {
  if (requestedFields.source !== undefined && requestedFields.source !== source)
    throw rejected(`source: accounts that are created here are LOCAL, and ${source} cannot be changed.`, '/source');
}

async function update(tx: WriteTx, call: Call, account: GrantedAccount, requestedFields: RecordValue): Promise<Saved> {
  refuseOtherSource(requestedFields, account.source);
  await refuseOwnRestrictions(tx, call, account.id, requestedFields);
  return tx.records.update(userAccount, account.id, requestedFields, expected(call));
}

/** Throws 409 if a user without an admin profile has this name. The error has the id, with which the user can become an administrator. */
async function refuseExistingUser(tx: WriteTx, userID: unknown): Promise<void> {
  const { rows } = await tx.client.query<{ id: number; profile: number | null }>(
    `select r.id, r.admin_profile_dbid as profile from ${tx.visible(userAccount)} r where lower(r.user_id) = lower($1)`,
    [userID],
  );
  if (rows[0]?.profile === null)
    throw duplicate(
      `userID: ${JSON.stringify(userID)} has account ${rows[0].id} without an admin profile; send id ${rows[0].id} and adminProfileDBID to make it an administrator.`,
    );
}

async function createAccount(tx: WriteTx, call: Call, requestedFields: RecordValue, password: string): Promise<Saved> {
  if (requestedFields.userID === undefined) throw invalidField('userID', 'is missing');
  if (!requestedFields.adminProfileDBID)
    throw invalidField('adminProfileDBID', 'is missing; an administrator needs an admin profile');
  if (call.ifMatch !== undefined)
    throw new Failure('stale', `There is no ${noun} ${requestedFields.id ?? 0} any more.`, { httpCode: 412 });
  refuseOtherSource(requestedFields, 'LOCAL');
  await refuseExistingUser(tx, requestedFields.userID);
  const saved = await tx.records.create(userAccount, { mustChangePassword: true, ...requestedFields });
  // A dry run only checks the password: hashing is slow on purpose, and the hash would not be stored.
  await (call.dryRun ? requireUsablePassword : setPassword)(tx, saved.id, password, 'password');
  return saved;
}

/** Creates an account, or updates the one with the given id. A user without an admin profile becomes an administrator by it. */
async function save(runtime: Runtime, call: Call<RecordValue>): Promise<Answer> {
  const { password, ...requestedFields } = call.body;
  const chosenPassword = password === undefined ? undefined : String(password);
  return runtime.write(call, async (tx) => {
    const account = requestedFields.id ? await lockAccount(tx, Number(requestedFields.id)) : undefined;
    const verb: Verb = account ? 'modify' : 'add';
    if (!allows(call.caller.rights, userAccount.permission, verb)) throw forbidden(userAccount.permission, verb);
    if (!account) {
      const first = chosenPassword ?? generatedPassword();
      return savedResponse(
        tx,
        call,
        await createAccount(tx, call, requestedFields, first),
        chosenPassword === undefined ? first : null,
      );
    }
    if (chosenPassword !== undefined)
      throw rejected(`password: account ${account.id} exists; use ${path}/${account.id}/reset-password.`, '/password');
    await requireNotExceeding(tx, account);
    if (account.profile === null && !requestedFields.adminProfileDBID)
      throw rejected(`adminProfileDBID: required, because ${account.userID} is not an administrator.`);
    return savedResponse(tx, call, await update(tx, call, account, requestedFields), null);
  });
}

async function savedResponse(tx: WriteTx, call: Call, { id, version, created }: Saved, password: string | null) {
  // A dry run returns no password, because the write generates another one.
  const shown = call.dryRun ? null : password;
  return {
    httpCode: created ? 201 : 200,
    version,
    ...(created && { location: `${path}/${id}` }),
    results: [{ ...(await tx.records.fetch(userAccount, id)), password: shown }],
    secret: shown !== null,
  };
}

async function resetPassword(tx: WriteTx, call: Call<ValueOf<typeof passwordRequest> | undefined>): Promise<Answer> {
  const { password: chosenPassword } = call.body ?? {};
  const account = await changeableAccount(tx, call);
  refuseOwnAccount(call, account, 'Change your own password with POST /auth/password, which requires the current one.');
  if (account.source !== 'LOCAL')
    throw rejected(`${account.userID} has no local password: the source of the account is ${account.source}.`);
  const { version } = await tx.records.update(userAccount, account.id, { mustChangePassword: true }, expected(call));
  const password = chosenPassword ?? generatedPassword();
  const hadPassword = await setPassword(tx, account.id, password, 'password');
  await revokeCredentials(tx, account.id);
  await forgetFailures(tx, account.userID);
  await recordLogin(tx, 'MODIFY', { type: adminPasswordReset, element: { id: account.id, name: account.userID } }, [
    { field: 'password', before: hadPassword ? secretMask : null, after: secretMask },
  ]);
  const shown = chosenPassword === undefined && !call.dryRun ? password : null;
  return {
    version,
    results: [{ id: account.id, userID: account.userID, password: shown }],
    secret: shown !== null,
  };
}

/** The records behind operations that are outside the catalogue. */
export const recordsOutside = { account: userAccount.name, user: userAccount.name } as const;

const accountOperation = extraOperations('Administrator account');

export function adminOperations(runtime: Runtime): Operation[] {
  const pattern = new PatternContext(userAccount, runtime, undefined);
  const withPassword: ObjectShape = {
    kind: 'object',
    name: 'CreatedAccount',
    properties: { ...pattern.record.properties, password: oneTimePassword },
  };
  const may = (verb: Verb | 'save') => ({ kind: 'permission', key: userAccount.permission, verb }) as const;

  const switching = (word: 'enable' | 'disable', state: 'ENABLED' | 'DISABLED', summary: string): Operation =>
    accountOperation({
      access: may('modify'),
      operationId: `account.${word}`,
      method: 'POST',
      path: `${path}/{id}/${word}`,
      summary,
      dryRunResult: pattern.record,
      errors: ['not-found', 'stale', 'rejected'],
      run: (call) =>
        runtime.write(call, async (tx) => {
          const { id } = await changeableAccount(tx, call);
          const action = state === 'ENABLED' ? 'ENABLE' : 'DISABLE';
          const { version } = await tx.records.update(userAccount, id, { state }, expected(call), action);
          return { version, ...(await pattern.simulated(call, tx, id)) };
        }),
    });

  return [
    accountOperation({
      access: may('view'),
      operationId: 'account.list',
      method: 'GET',
      path,
      summary: 'List administrator accounts that match a filter',
      query: listParameters,
      listed: true,
      identity: userAccount.identity,
      result: pattern.record,
      counted: true,
      writes: false,
      errors: ['too-expensive'],
      run: (call) =>
        runtime.read((client) =>
          pattern.reader(call).page(client, listQueryOf(call, isAdministrator), call.nowMs),
        ) as Promise<Answer>,
    }),
    accountOperation({
      access: may('view'),
      operationId: 'account.fetch',
      method: 'GET',
      path: `${path}/{id}`,
      summary: 'Fetch one administrator account',
      query: { fields: fieldsParameter },
      identity: userAccount.identity,
      result: pattern.record,
      writes: false,
      errors: ['not-found'],
      run: async (call) => {
        const record = await pattern.reader(call).fetchRow((work) => runtime.read(work), call.id, isAdministrator);
        if (!record) throw notFound(noun, call.id);
        return record;
      },
    }),
    accountOperation({
      access: may('save'),
      operationId: 'account.create',
      method: 'POST',
      path,
      summary: 'Create an administrator account, or update it by its id',
      body: newAccount,
      example: { userID: 'bob', firstName: 'Bob', adminProfileDBID: 2, password: 'changed-at-first-sign-in' },
      result: withPassword,
      success: 201,
      errors: ['not-found', 'stale', 'duplicate', 'rejected'],
      run: (call) => save(runtime, call),
    }),
    accountOperation({
      access: may('modify'),
      operationId: 'account.update',
      method: 'POST',
      path: `${path}/{id}`,
      summary: 'Update an administrator account',
      body: accountInput,
      example: { firstName: 'Robert', expirationDate: '2036-01-31T00:00:00.000Z' },
      dryRunResult: pattern.record,
      errors: ['not-found', 'stale', 'duplicate', 'rejected'],
      run: (call) =>
        runtime.write(call, async (tx) => {
          const account = await changeableAccount(tx, call);
          const { version } = await update(tx, call, account, call.body);
          return { version, ...(await pattern.simulated(call, tx, account.id)) };
        }),
    }),
    switching('disable', 'DISABLED', 'Disable an administrator account and end its sessions'),
    switching('enable', 'ENABLED', 'Enable an administrator account'),
    accountOperation({
      access: may('modify'),
      operationId: 'account.unlock',
      method: 'POST',
      path: `${path}/{id}/unlock`,
      summary: 'Unlock an administrator account after failed logins',
      dryRunResult: pattern.record,
      errors: ['not-found', 'stale'],
      run: (call) =>
        runtime.write(call, async (tx) => {
          const account = await changeableAccount(tx, call);
          refuseOwnAccount(
            call,
            account,
            'Only another administrator can unlock your account, or `account unlock` on a node.',
          );
          const { version } = await tx.records.update(userAccount, account.id, {}, expected(call));
          await unlockAccount(tx, account.userID);
          return { version, ...(await pattern.simulated(call, tx, account.id)) };
        }),
    }),
    accountOperation({
      access: may('modify'),
      operationId: 'account.reset-password',
      method: 'POST',
      path: `${path}/{id}/reset-password`,
      summary: 'Reset the password of an administrator account',
      body: passwordRequest,
      bodyOptional: true,
      example: { password: 'changed-at-next-sign-in' },
      result: resetShape,
      errors: ['not-found', 'stale', 'duplicate', 'rejected'],
      run: (call) => runtime.write(call, (tx) => resetPassword(tx, call)),
    }),
    accountOperation({
      access: may('delete'),
      operationId: 'account.delete-one',
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: 'Delete an administrator account and end its sessions',
      errors: ['not-found', 'stale', 'in-use', 'rejected'],
      run: (call) =>
        runtime.write(call, async (tx) => {
          const { id } = await changeableAccount(tx, call);
          await tx.records.remove(userAccount, [id], expected(call));
          return {};
        }),
    }),
  ];
}
