import { inputShape } from '../kernel/declare/declaration.ts';
import { extraOperations } from '../kernel/declare/extra-operation.ts';
import type { Answer, Call, Operation } from '../kernel/declare/operation.ts';
import { allows, type PermissionKey, type Verb } from '../kernel/declare/permissions.ts';
import type { ObjectShape } from '../kernel/declare/shape.ts';
import { Failure, forbidden, invalidField, notFound, protectedRecord, rejected } from '../kernel/failure.ts';
import { fieldsParameter, listParameters, listQueryOf } from '../kernel/operations/patterns/list.ts';
import { expected, PatternContext } from '../kernel/operations/patterns/pattern.ts';
import type { RecordValue } from '../kernel/read/select.ts';
import type { Saved } from '../kernel/write/records.ts';
import type { Runtime, WriteTx } from '../kernel/write/runtime.ts';
import { requireNotExceeding } from '../user/admin-profile/admin-profile.service.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { type GrantedAccount, lockAccount, refuseOtherSource } from './admins.ts';

/** All user accounts. Accounts with an admin profile are shown, and changed only at `/auth/admins`. */

const path = '/auth/users';
const noun = 'user';
const permission: PermissionKey = 'hosts';

const userInput = {
  kind: 'object',
  name: 'UserInput',
  properties: inputShape(userAccount).properties,
} as const satisfies ObjectShape;

/** Locks the account until the end of the transaction. Throws 409 for an administrator, whose account needs other rights. */
async function changeableUser(tx: WriteTx, id: number): Promise<GrantedAccount> {
  const account = await lockAccount(tx, id);
  if (!account) throw notFound(noun, id);
  if (account.profile !== null)
    throw protectedRecord(
      `${account.userID} is an administrator account and can only be read here; change it at /auth/admins/${id}.`,
    );
  // A group mapping may be about to make the user an administrator.
  await requireNotExceeding(tx, account);
  return account;
}

/** Throws if the request changes fields of administrators. Unchanged values are accepted, because records contain these fields. */
function refuseAdministratorFields(fields: RecordValue, stored: RecordValue): void {
  if (fields.adminProfileDBID)
    throw rejected(
      'adminProfileDBID: an admin profile is assigned at /auth/admins, which requires the right for admin-profiles.',
      '/adminProfileDBID',
    );
  if (fields.mustChangePassword !== undefined && fields.mustChangePassword !== stored.mustChangePassword)
    throw rejected(
      'mustChangePassword: applies to the password of an administrator; a user has a network password.',
      '/mustChangePassword',
    );
}

async function update(tx: WriteTx, call: Call, account: GrantedAccount, fields: RecordValue): Promise<Saved> {
  refuseOtherSource(fields, account.source);
  refuseAdministratorFields(fields, (await tx.records.fetch(userAccount, account.id)) ?? {});
  return tx.records.update(userAccount, account.id, fields, expected(call));
}

function create(tx: WriteTx, call: Call, fields: RecordValue): Promise<Saved> {
  if (fields.userID === undefined) throw invalidField('userID', 'is missing');
  if (call.ifMatch !== undefined)
    throw new Failure('stale', `There is no ${noun} ${fields.id ?? 0} any more.`, { httpCode: 412 });
  refuseOtherSource(fields, 'LOCAL');
  refuseAdministratorFields(fields, { mustChangePassword: false });
  return tx.records.create(userAccount, fields);
}

/** Creates a user, or updates the one with the given id. The required right depends on whether the user exists. */
function save(runtime: Runtime, pattern: PatternContext, call: Call<RecordValue>): Promise<Answer> {
  const fields = call.body;
  return runtime.write(call, async (tx) => {
    const exists = Boolean(fields.id) && (await lockAccount(tx, Number(fields.id))) !== undefined;
    const verb: Verb = exists ? 'modify' : 'add';
    if (!allows(call.caller.rights, permission, verb)) throw forbidden(permission, verb);
    const { id, version, created } = exists
      ? await update(tx, call, await changeableUser(tx, Number(fields.id)), fields)
      : await create(tx, call, fields);
    return {
      httpCode: created ? 201 : 200,
      version,
      ...(created && { location: `${path}/${id}` }),
      ...(await pattern.simulated(call, tx, id)),
    };
  });
}

const userOperation = extraOperations('Network user');

export function userOperations(runtime: Runtime): Operation[] {
  const pattern = new PatternContext(userAccount, runtime, undefined);
  const may = (verb: Verb | 'save') => ({ kind: 'permission', key: permission, verb }) as const;

  const switching = (word: 'enable' | 'disable', state: 'ENABLED' | 'DISABLED', summary: string): Operation =>
    userOperation({
      access: may('modify'),
      operationId: `user.${word}`,
      method: 'POST',
      path: `${path}/{id}/${word}`,
      summary,
      dryRunResult: pattern.record,
      errors: ['not-found', 'stale', 'protected', 'rejected'],
      run: (call) =>
        runtime.write(call, async (tx) => {
          const { id } = await changeableUser(tx, call.id);
          const action = state === 'ENABLED' ? 'ENABLE' : 'DISABLE';
          const { version } = await tx.records.update(userAccount, id, { state }, expected(call), action);
          return { version, ...(await pattern.simulated(call, tx, id)) };
        }),
    });

  return [
    userOperation({
      access: may('view'),
      operationId: 'user.list',
      method: 'GET',
      path,
      summary: 'List users that match a filter, administrators included',
      query: listParameters,
      listed: true,
      identity: userAccount.identity,
      result: pattern.record,
      counted: true,
      writes: false,
      errors: ['too-expensive'],
      run: (call) =>
        runtime.read((client) => pattern.reader(call).page(client, listQueryOf(call), call.nowMs)) as Promise<Answer>,
    }),
    userOperation({
      access: may('view'),
      operationId: 'user.fetch',
      method: 'GET',
      path: `${path}/{id}`,
      summary: 'Fetch one user',
      query: { fields: fieldsParameter },
      identity: userAccount.identity,
      result: pattern.record,
      writes: false,
      errors: ['not-found'],
      run: async (call) => {
        const record = await pattern.reader(call).fetchRow((work) => runtime.read(work), call.id);
        if (!record) throw notFound(noun, call.id);
        return record;
      },
    }),
    userOperation({
      access: may('save'),
      operationId: 'user.create',
      method: 'POST',
      path,
      summary: 'Create a user, or update it by its id',
      body: userInput,
      example: { userID: 'alice', firstName: 'Alice', role: 'NAC-Default', networkPassword: 'violet-harbour-41' },
      success: 201,
      dryRunResult: pattern.record,
      errors: ['not-found', 'stale', 'duplicate', 'protected', 'rejected'],
      run: (call) => save(runtime, pattern, call),
    }),
    userOperation({
      access: may('modify'),
      operationId: 'user.update',
      method: 'POST',
      path: `${path}/{id}`,
      summary: 'Update a user',
      body: userInput,
      example: { role: 'NAC-Default', expirationDate: '2036-01-31T00:00:00.000Z' },
      dryRunResult: pattern.record,
      errors: ['not-found', 'stale', 'duplicate', 'protected', 'rejected'],
      run: (call) =>
        runtime.write(call, async (tx) => {
          const account = await changeableUser(tx, call.id);
          const { version } = await update(tx, call, account, call.body);
          return { version, ...(await pattern.simulated(call, tx, account.id)) };
        }),
    }),
    switching('disable', 'DISABLED', 'Disable a user, whose next RADIUS login is rejected'),
    switching('enable', 'ENABLED', 'Enable a user'),
    userOperation({
      access: may('delete'),
      operationId: 'user.delete-one',
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: 'Delete a user, and clear it as owner of hosts',
      errors: ['not-found', 'stale', 'in-use', 'protected', 'rejected'],
      run: (call) =>
        runtime.write(call, async (tx) => {
          const { id } = await changeableUser(tx, call.id);
          await tx.records.remove(userAccount, [id], expected(call));
          return {};
        }),
    }),
  ];
}
