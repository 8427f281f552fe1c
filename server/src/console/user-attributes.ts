import { visibleTables } from '../kernel/access/visible-tables.ts';
import type { Sql } from '../kernel/database/connect.ts';
import type { Call, Operation } from '../kernel/declare/operation.ts';
import type { ObjectShape, TextShape } from '../kernel/declare/shape.ts';
import { shapes } from '../kernel/declare/shapes.ts';
import { notFound, rejected } from '../kernel/failure.ts';
import { visibilityOf } from '../kernel/write/engine.ts';
import type { Runtime, WriteTx } from '../kernel/write/runtime.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { lockOwn } from './own-lock.ts';
import { keptBytesMax, sessionOperation, simulated } from './session-operation.ts';

const attributesMax = 200;

const nameShape = {
  kind: 'text',
  min: 1,
  max: 64,
  pattern: { source: '^[A-Za-z0-9._-]{1,64}$', words: 'letters, digits, dots, dashes and underscores' },
  example: 'columns.host',
} as const satisfies TextShape;

const valueShape = {
  kind: 'json',
  max: keptBytesMax,
  nullable: true,
  doc: 'Any JSON value of at most 64 KiB; null removes the attribute.',
} as const;

const userShape = { kind: 'text', min: 1, max: 120, doc: 'User name of the account.', example: 'admin' } as const;

const attributeShape = {
  kind: 'object',
  name: 'UserAttribute',
  properties: {
    userDBID: { ...shapes.id, doc: 'Identity of the user.' },
    name: nameShape,
    value: { ...valueShape, nullable: false, doc: 'As it was stored.' },
  },
} as const satisfies ObjectShape;

interface User {
  id: number;
  name: string;
}

const readSql = 'select t.account_id as "userDBID", t.name, t.value from user_attribute t where t.account_id = $1';

const loadAttribute = async (sql: Sql, accountId: number, name: string) =>
  (await sql.query(`${readSql} and t.name = $2`, [accountId, name])).rows;

/** Stores a value, or removes the attribute. Concurrent requests of the account are serialised, so that the limit is enforced. */
async function save({ client }: WriteTx, accountId: number, name: string, value: unknown) {
  await lockOwn(client, accountId);
  if (value === null) {
    await client.query('delete from user_attribute where account_id = $1 and name = $2', [accountId, name]);
    return [];
  }
  await client.query(
    `insert into user_attribute (account_id, name, value) values ($1, $2, $3)
     on conflict (account_id, name) do update set value = excluded.value`,
    [accountId, name, JSON.stringify(value)],
  );
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::integer as count from user_attribute where account_id = $1',
    [accountId],
  );
  if (rows[0]!.count > attributesMax)
    throw rejected(`The user has ${attributesMax} attributes, which is the limit; remove one first.`);
  return loadAttribute(client, accountId, name);
}

/** Returns a user by name. Throws 404 if the caller does not see the user. */
async function findUser(sql: Sql, { engine }: Runtime, { caller }: Call, userID: string): Promise<User> {
  const { visible } = visibleTables(visibilityOf(engine, caller));
  const { rows } = await sql.query<User>(
    `select r.id, r.user_id as name from ${visible(userAccount)} r where lower(r.user_id) = lower($1)`,
    [userID],
  );
  if (!rows[0]) throw notFound('User', userID);
  return rows[0];
}

const nameOf = ({ parameters }: Call): string => String(parameters.name);

export const attributeOperations = (runtime: Runtime): Operation[] => [
  sessionOperation({
    operationId: 'session.attribute',
    method: 'GET',
    path: '/attributes/{name}',
    pathShapes: { name: nameShape },
    summary: 'Return one of your attributes',
    result: attributeShape,
    run: (call) =>
      runtime.read(async (client) => ({ results: await loadAttribute(client, call.caller.accountId, nameOf(call)) })),
  }),
  sessionOperation({
    operationId: 'session.save-attribute',
    method: 'POST',
    path: '/attributes/{name}',
    pathShapes: { name: nameShape },
    summary: 'Store or remove one of your attributes',
    body: { kind: 'object', name: 'AttributeValue', properties: { value: valueShape }, required: ['value'] },
    example: { value: { order: ['hostName', 'ipaddress'], widths: { hostName: 220 } } },
    dryRunResult: attributeShape,
    errors: ['rejected'],
    run: (call) =>
      runtime.write(call, async (tx) => {
        const { value } = call.body;
        return simulated(call, await save(tx, call.caller.accountId, nameOf(call), value));
      }),
  }),
  sessionOperation({
    operationId: 'session.user-attribute',
    method: 'GET',
    path: '/attributes/user/{name}',
    pathShapes: { name: nameShape },
    summary: 'Return an attribute of another user',
    access: { kind: 'permission', key: 'admin-profiles', verb: 'view' },
    query: { userID: { shape: userShape, required: true } },
    result: attributeShape,
    errors: ['not-found'],
    run: (call) =>
      runtime.read(async (client) => {
        const { id } = await findUser(client, runtime, call, call.query.userID);
        return { results: await loadAttribute(client, id, nameOf(call)) };
      }),
  }),
  sessionOperation({
    operationId: 'session.save-user-attribute',
    method: 'POST',
    path: '/attributes/user/{name}',
    pathShapes: { name: nameShape },
    summary: 'Store or remove an attribute of another user',
    access: { kind: 'permission', key: 'admin-profiles', verb: 'modify' },
    body: {
      kind: 'object',
      name: 'UserAttributeValue',
      properties: { userID: userShape, value: valueShape },
      required: ['userID', 'value'],
    },
    example: { userID: 'admin', value: { order: ['hostName'] } },
    dryRunResult: attributeShape,
    errors: ['not-found', 'rejected'],
    run: (call) =>
      runtime.write(call, async (tx) => {
        const { userID, value } = call.body;
        const { id, name } = await findUser(tx.client, runtime, call, userID);
        const results = await save(tx, id, nameOf(call), value);
        await tx.engine.sinks.audit(tx.client, tx.origin, [
          {
            action: 'MODIFY',
            table: 'user_attribute',
            recordId: id,
            recordName: name,
            eventTag: '',
            summary: `attribute ${nameOf(call)} ${value === null ? 'removed' : 'stored'}`,
            changes: [],
          },
        ]);
        return simulated(call, results);
      }),
  }),
];

/** Returns the values of attributes of a user, by name. */
export async function attributesOf(
  sql: Sql,
  accountId: number,
  names: readonly string[],
): Promise<Map<string, unknown>> {
  const { rows } = await sql.query<{ name: string; value: unknown }>(`${readSql} and t.name = any($2)`, [
    accountId,
    names,
  ]);
  return new Map(rows.map(({ name, value }) => [name, value]));
}
