import { describe, expect, test } from 'vitest';
import { checksum, issueCredential } from '../../src/auth/credential.ts';
import { systemOrigin } from '../../src/kernel/declare/caller.ts';
import { quoted } from '../../src/kernel/declare/names.ts';
import type { Access, Operation } from '../../src/kernel/declare/operation.ts';
import { type PermissionKey, type Verb, verbs } from '../../src/kernel/declare/permissions.ts';
import { group as userGroup } from '../../src/system/group/group.ts';
import { adminProfile } from '../../src/user/admin-profile/admin-profile.ts';
import { permissionPages } from '../../src/user/admin-profile/permission-views.ts';
import { adminProfileMapping } from '../../src/user/admin-profile-mapping/admin-profile-mapping.ts';
import { userAccount } from '../../src/user/user-account/user-account.ts';
import { Client, type Reply } from '../world/client.ts';
import { Stage } from '../world/example-fixtures.ts';
import { pathWith } from '../world/paths.ts';
import { type World, world } from '../world/world.ts';
import { runScript } from './schema-drift.ts';

/** Operations that everybody may call, without a token. A new one here shows in review. */
const openOperations = ['health.live', 'health.ready', 'session.login'];

/** Operations that every signed-in caller may call, because they concern only what is their own. */
const signedInOperations = [
  'background-task.list',
  'background-task.fetch',
  'background-task.current-user',
  'session.logout',
  'session.list',
  'session.revoke',
  'session.password',
  'token.list',
  'token.create',
  'token.rotate',
  'token.revoke',
];

/** Operations whose shape misleads about what they do. A new one here shows in review. */
const verbExceptions: Readonly<Record<string, Verb>> = {
  'logical-network.add-predefined-network-access': 'add',
  'host.create-with-adapters': 'add',
  'device-type.create-from-archive': 'add',
  'event.create': 'add',
  'group.copy': 'add',
};

/** The verb that an operation needs, by the shape of its path alone. */
function verbOfShape(method: string, path: string, isGroupsOwn: boolean): Verb | 'save' {
  if (method === 'DELETE' || /\/delete$/.test(path)) return 'delete';
  if (/\/(secret|check-password|password|get-password|validate-user-password)$/.test(path)) return 'modify';
  if (method === 'GET' || /\/usage$|\/monitor\/(start|\{id\}\/stop)$/.test(path)) return 'view';
  return isGroupsOwn ? 'save' : 'modify';
}

type Permission = Extract<Access, { kind: 'permission' }>;
type Guarded = Operation & { access: Permission };

const isGuarded = (operation: Operation): operation is Guarded => operation.access.kind === 'permission';

/** A call that gets as far as the rights let it: whatever the operation is, it does not take this parameter. */
const attempt = (client: Client, operation: Operation): Promise<Reply> =>
  client.call(operation.method, `${pathWith(operation, 999_999_999)}?noSuchParameter=1`);

/** What could have happened: every declared table as it is, and how many rows of audit, events and feed there are. */
async function footprint({ service }: World): Promise<object> {
  const { pool, engine } = service.runtime;
  const tables = engine.model.tables.filter(({ declaration }) => declaration.kind === 'collection');
  const parts = [
    ...tables.map(
      ({ name }) => `(select md5(string_agg(t::text, ',' order by t.id)) from ${quoted(name)} t) as ${quoted(name)}`,
    ),
    ...['audit_record', 'event', 'change_feed', 'monitor', 'api_token', 'login_session', 'idempotency_key'].map(
      (name) => `(select count(*) from ${name}) as ${quoted(`rows of ${name}`)}`,
    ),
  ];
  return (await pool.query(`select ${parts.join(', ')}`)).rows[0];
}

describe('the rights matrix', async () => {
  const shared = await world();
  const { admin, service, database } = shared;
  const client = (token: string) => new Client(service.app, token);
  const { operations } = service;

  /** A token of the administrator's, with its row's id. */
  const issue = async (desired: object = {}) => {
    const reply = await admin.post('/auth/tokens', { name: 'test', ...desired });
    expect(reply, reply.text).toMatchObject({ code: 201 });
    const { id, token } = reply.body.results![0] as { id: number; token: string };
    return { id, client: client(token), token, end: () => admin.delete(`/auth/tokens/${id}`) };
  };

  test('every operation asks for a permission, or stands in a list of exceptions', () => {
    const ids = (kind: Access['kind']) =>
      operations.filter(({ access }) => access.kind === kind).map((each) => each.operationId);
    expect(ids('open').sort()).toEqual([...openOperations].sort());
    expect(ids('signed-in').sort()).toEqual([...signedInOperations].sort());
    expect(operations.filter(isGuarded).length).toBe(
      operations.length - openOperations.length - signedInOperations.length,
    );
  });

  test('the key of every operation is that of its group, and its verb that of its shape', () => {
    const keyOf = new Map(
      Object.entries(permissionPages).flatMap(([key, { views }]) =>
        views.flatMap((view) => view.groups.map((group) => [group, key] as const)),
      ),
    );
    const wrong = operations.filter(isGuarded).filter(({ group, access, operationId, method, path }) => {
      const verb = verbExceptions[operationId] ?? verbOfShape(method, path, /\.create(-\w+)?$/.test(operationId));
      return access.key !== keyOf.get(group) || access.verb !== verb;
    });
    expect(wrong.map(({ operationId, access }) => [operationId, access])).toEqual([]);
  });

  test('without a valid token no operation answers anything but 401', async () => {
    const [revoked, expired] = [await issue(), await issue()];
    expect((await attempt(revoked.client, operations.find(isGuarded)!)).code).toBe(400);
    await revoked.end();
    await runScript(database, `update api_token set expires_at = now() - interval '1 second' where id = ${expired.id}`);
    const strangers = {
      none: client(''),
      malformed: client('prt_nonsense'),
      'with a wrong checksum': client(`${issueCredential('token').text.slice(0, -1)}!`),
      wrong: client(issueCredential('token').text),
      'with the public id of another': client(forged(admin.token)),
      'a session nobody opened': client(issueCredential('session').text),
      revoked: revoked.client,
      expired: expired.client,
    };
    const [probe] = operations.filter(isGuarded);
    // Every node forgets what it remembered of a token within a second; here within a moment.
    for (const stranger of [revoked.client, expired.client])
      await expect.poll(async () => (await attempt(stranger, probe!)).code).toBe(401);
    // Refused tokens are told of once a minute, behind the answer.
    for (const stranger of Object.values(strangers)) await attempt(stranger, probe!);
    await expect
      .poll(() => reasonsOf(shared), { timeout: 60_000 })
      .toEqual(['it has expired', 'it was revoked', 'its secret is wrong']);
    const before = await footprint(shared);
    const texts = new Set<string>();
    for (const operation of operations.filter(({ access }) => access.kind !== 'open')) {
      for (const [who, stranger] of Object.entries(strangers)) {
        const reply = await attempt(stranger, operation);
        expect(reply, `${who} at ${operation.operationId}`).toMatchObject({
          code: 401,
          body: { status: 'unauthenticated' },
        });
        texts.add(reply.text);
      }
    }
    expect(texts.size, 'one text for all').toBe(1);
    expect(await footprint(shared)).toEqual(before);
  });

  test('without rights every operation is 403 and names the right, whatever else is wrong with the call', async () => {
    const stranger = await shared.caller({});
    const before = await footprint(shared);
    for (const operation of operations.filter(isGuarded)) {
      const { key, verb } = operation.access;
      const path = pathWith(operation, 1);
      const words = `${verb === 'save' ? 'add or modify' : verb} ${key}`;
      for (const reply of [
        await attempt(stranger, operation),
        await stranger.call(operation.method, path, operation.example),
        await stranger.call(operation.method, path, 'nonsense', { 'content-type': 'text/plain', accept: 'image/png' }),
      ]) {
        expect(reply, operation.operationId).toMatchObject({ code: 403, body: { status: 'forbidden' } });
        expect(reply.body.errorMessage).toContain(words);
      }
    }
    expect(await footprint(shared)).toEqual(before);
  });

  test('the exceptions let a signed-in caller pass, and change nothing that is not their own', async () => {
    const stranger = await shared.caller({});
    const before = await footprint(shared);
    for (const operation of operations.filter(({ access }) => access.kind === 'signed-in'))
      expect((await attempt(stranger, operation)).code, operation.operationId).toBe(400);
    for (const path of ['/auth/tokens/1', '/auth/sessions/1', `/auth/tokens/${999_999_999}`])
      expect((await stranger.delete(path)).code, path).toBe(404);
    expect((await stranger.post('/auth/tokens/1/rotate')).code).toBe(404);
    expect((await stranger.get('/auth/tokens?all=true')).code).toBe(403);
    expect((await stranger.get('/auth/tokens')).body.results).toMatchObject([{ state: 'ACTIVE' }]);
    expect(await footprint(shared)).toEqual(before);
  });

  test('one verb on one key opens the operations of that key and verb, and no other', async () => {
    const guarded = operations.filter(isGuarded);
    const keys = [...new Set(guarded.map(({ access }) => access.key))];
    for (const key of keys) {
      const own = guarded.filter(({ access }) => access.key === key);
      // Of other keys one operation each will do: the test above tried them all without any right.
      const others = keys
        .filter((other) => other !== key)
        .map((other) => guarded.find(({ access }) => access.key === other)!);
      for (const verb of verbs) {
        const holder = await issue({ scopes: { [key]: [verb] } });
        for (const operation of [...own, ...others]) {
          const expected = opens(key, verb, operation.access) ? 400 : 403;
          expect((await attempt(holder.client, operation)).code, `${verb} ${key} at ${operation.operationId}`).toBe(
            expected,
          );
        }
        await holder.end();
      }
    }
  });

  /** A profile that gives nothing, for a group that has none: what everybody may map. */
  const harmlessMapping = () =>
    service.runtime.transact(systemOrigin('test'), async ({ records }) => {
      const name = `harmless ${++mappings}`;
      const [group, profile] = [
        await records.create(userGroup, { name, type: 'USER' }),
        await records.create(adminProfile, { name }),
      ];
      return { groupDBID: group.id, adminProfileDBID: profile.id };
    });
  let mappings = 0;

  test('POST on the path of a group creates with add alone, and updates with modify alone', async () => {
    const saves = operations.filter(isGuarded).filter(({ access, example }) => access.verb === 'save' && example);
    expect(saves.length).toBeGreaterThan(0);
    const stage = await Stage.open(shared);
    for (const operation of saves) {
      const { access, operationId } = operation;
      const path = pathWith(operation, 1);
      const [noun, verb] = operationId.split('.') as [string, string];
      const { identity } = service.runtime.engine.model.byName(noun).declaration;
      const update = { [identity]: await stage.record(noun, undefined, verb) };
      const harmless = noun === adminProfileMapping.name ? await harmlessMapping() : {};
      const twin = { ...(await stage.fresh(noun, undefined, verb)), ...harmless };
      const adder = await issue({ scopes: { [access.key]: ['add'] } });
      const modifier = await issue({ scopes: { [access.key]: ['modify'] } });
      expect((await adder.client.post(`${path}?dryRun=true`, twin)).code, operationId).toBe(200);
      expect(await adder.client.post(path, update)).toMatchObject({ code: 403 });
      expect((await modifier.client.post(path, update)).code, operationId).toBe(200);
      expect(await modifier.client.post(path, twin)).toMatchObject({ code: 403 });
      await Promise.all([adder.end(), modifier.end()]);
    }
  });
});

/** Why tokens were refused, as events tell it. */
async function reasonsOf({ service }: World): Promise<string[]> {
  const { rows } = await service.runtime.pool.query<{ reason: string }>(
    `select e.attributes ->> 'reason' as reason from event e where e.name = 'API_TOKEN_REJECTED' order by 1`,
  );
  return rows.map(({ reason }) => reason);
}

/** The public id is right, and the secret behind it is not. */
function forged(token: string): string {
  const [kind, publicId] = token.split('_');
  const body = `${kind}_${publicId}_${'A'.repeat(43)}`;
  return body + checksum(body);
}

/** Whether a right opens an operation: add, modify and delete imply view. */
function opens(key: PermissionKey, verb: Verb, access: Permission): boolean {
  if (access.key !== key) return false;
  if (access.verb === 'save') return verb === 'add' || verb === 'modify';
  return access.verb === verb || access.verb === 'view';
}

describe('who one is', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const { runtime, app } = service;
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);
  const password = 'correct-horse-battery';
  let addresses = 0;
  const freshAddress = () => `198.51.100.${++addresses}`;

  interface LoggedIn {
    sessionKey: string;
    securityKey: string;
  }

  const send = async (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    options: { headers?: Record<string, string>; body?: unknown; from?: string } = {},
  ) => {
    const reply = await app.inject({
      method,
      url: url.startsWith('/auth') ? url : `/api/v2${url}`,
      headers: { ...options.headers, ...(options.body !== undefined && { 'content-type': 'application/json' }) },
      ...(options.body !== undefined && { payload: JSON.stringify(options.body) }),
      ...(options.from && { remoteAddress: options.from }),
    });
    return { code: reply.statusCode, headers: reply.headers, body: reply.json() as Reply['body'], text: reply.body };
  };
  const logIn = (userID: string, word = password, from = freshAddress()) =>
    send('POST', '/auth/login', { body: { userID, password: word }, from });
  const session = async (userID: string): Promise<LoggedIn & { cookie: string }> => {
    const reply = await logIn(userID);
    expect(reply, reply.text).toMatchObject({ code: 200 });
    const answered = reply.body.results![0] as unknown as LoggedIn;
    return { ...answered, cookie: `__Host-session=${answered.sessionKey}` };
  };
  const account = async (rights: Record<string, string[]>) => {
    const caller = await shared.caller(rights);
    const { rows } = await runtime.pool.query<{ userID: string }>(
      'select user_id as "userID" from user_account where id = $1',
      [caller.accountId],
    );
    return { ...caller, caller, userID: rows[0]!.userID };
  };
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` });

  describe('sessions', () => {
    test('a login answers a session and a strict cookie, and is audited', async () => {
      const { userID } = await account({ devices: ['view'] });
      const reply = await logIn(userID.toUpperCase());
      expect(reply.code).toBe(200);
      expect(reply.headers['set-cookie']).toMatch(
        /^__Host-session=prs_\S+; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      );
      expect(reply.headers['cache-control']).toBe('no-store');
      const audit = await admin.get(`/logging/audit?filter=requestID=="${reply.headers['x-request-id']}"`);
      expect(audit.body.results).toMatchObject([{ action: 'LOGIN', user: userID }]);
      const { sessionKey } = reply.body.results![0] as unknown as LoggedIn;
      const listed = await send('GET', '/auth/sessions', { headers: bearer(sessionKey) });
      expect(listed.body.results).toMatchObject([{ owner: userID, current: true }]);
      expect(listed.text).not.toContain(sessionKey);
    });

    test('a login makes no node forget whom it knows, unless an older session gives way to it', async () => {
      const { userID, accountId } = await account({});
      const epoch = async () => (await runtime.pool.query('select e.epoch from auth_epoch e')).rows[0].epoch;
      const before = await epoch();
      await session(userID);
      expect(await epoch()).toBe(before);
      await runtime.pool.query(
        `insert into login_session (public_id, hash, security_key, account_id, expires_at)
         select 'older-' || n, '', '', $1, now() + interval '1 hour' from generate_series(1, 25) n`,
        [accountId],
      );
      await session(userID);
      expect(await epoch()).toBeGreaterThan(before);
      const { rows } = await runtime.pool.query(
        'select s.public_id as id from login_session s where s.account_id = $1 order by s.id',
        [accountId],
      );
      expect(rows.map(({ id }) => id).slice(0, -1)).toEqual(Array.from({ length: 19 }, (_, n) => `older-${n + 7}`));
    });

    test('with the cookie a write needs the security key, and a read does not', async () => {
      const { userID } = await account({ devices: ['view', 'add'], 'authentication-servers': ['modify'] });
      const { cookie, securityKey, sessionKey } = await session(userID);
      const body = { name: 'made with a cookie' };
      expect((await send('GET', '/device/container', { headers: { cookie } })).code).toBe(200);
      for (const key of [{}, { 'x-security-key': 'x'.repeat(securityKey.length) }, { 'x-security-key': '' }] as Record<
        string,
        string
      >[])
        expect(await send('POST', '/device/container', { headers: { cookie, ...key }, body })).toMatchObject({
          code: 403,
          body: { status: 'forbidden' },
        });
      // A GET that changes something, here the audit log, is a write.
      expect((await send('GET', '/settings/integration/aaa/1/secret', { headers: { cookie } })).code).toBe(403);
      const withKey = { cookie, 'x-security-key': securityKey };
      expect((await send('GET', '/settings/integration/aaa/1/secret', { headers: withKey })).code).toBe(404);
      expect((await send('POST', '/device/container', { headers: withKey, body })).code).toBe(201);
      const asBearer = await send('POST', '/device/container', {
        headers: bearer(sessionKey),
        body: { name: 'as a bearer' },
      });
      expect(asBearer.code).toBe(201);
    });

    test('a session ends with its logout, and others with a new password', async () => {
      const { userID } = await account({ devices: ['view'] });
      const [first, second, third] = [await session(userID), await session(userID), await session(userID)];
      const isIn = async ({ sessionKey }: LoggedIn) =>
        (await send('GET', '/auth/sessions', { headers: bearer(sessionKey) })).code;
      expect((await send('POST', '/auth/logout', { headers: bearer(first.sessionKey) })).code).toBe(200);
      await expect.poll(() => isIn(first)).toBe(401);
      const change = (currentPassword: string, newPassword: string) =>
        send('POST', '/auth/password', { headers: bearer(second.sessionKey), body: { currentPassword, newPassword } });
      expect((await change('wrong', 'a-new-long-password')).code).toBe(422);
      expect((await change(password, 'short')).code).toBe(422);
      expect((await change(password, 'a-new-long-password')).code).toBe(200);
      await expect.poll(() => isIn(third)).toBe(401);
      expect(await isIn(second)).toBe(200);
      expect((await logIn(userID, password)).code).toBe(401);
      expect((await logIn(userID, 'a-new-long-password')).code).toBe(200);
    });

    test('a session that nobody used for its idle time is over', async () => {
      const { userID } = await account({});
      const { sessionKey } = await session(userID);
      await runtime.pool.query(
        `update login_session set used_at = now() - interval '16 minutes', expires_at = expires_at where public_id = $1`,
        [sessionKey.split('_')[1]],
      );
      await expect
        .poll(async () => (await send('GET', '/auth/sessions', { headers: bearer(sessionKey) })).code)
        .toBe(401);
    });

    test('who must change the password first can do nothing else, not by a token either', async () => {
      const { userID, accountId } = await account({ devices: ['view'] });
      await transact(({ records }) => records.update(userAccount, accountId, { mustChangePassword: true }));
      const { sessionKey } = await session(userID);
      const headers = bearer(sessionKey);
      expect((await send('GET', '/device/container', { headers })).code).toBe(403);
      const minted = await send('POST', '/auth/tokens', { headers, body: { name: 'a way around' } });
      const { token } = minted.body.results![0] as { token: string };
      expect((await send('GET', '/device/container', { headers: bearer(token) })).code).toBe(403);
      const change = { currentPassword: password, newPassword: 'a-new-long-password' };
      expect((await send('POST', '/auth/password', { headers, body: change })).code).toBe(200);
      const again = await logIn(userID, change.newPassword);
      const { sessionKey: free } = again.body.results![0] as unknown as LoggedIn;
      expect((await send('GET', '/device/container', { headers: bearer(free) })).code).toBe(200);
    });

    test('an API token cannot log out', async () => {
      expect((await admin.post('/auth/logout')).code).toBe(422);
    });
  });

  describe('refused logins', () => {
    test('all sound alike: a wrong password, an unknown name, a disabled account', async () => {
      const [known, disabled] = [await account({}), await account({})];
      await transact(({ records }) => records.update(userAccount, disabled.accountId, { state: 'DISABLED' }));
      const replies = [
        await logIn(known.userID, 'wrong-password'),
        await logIn('nobody at all'),
        await logIn(disabled.userID),
      ];
      for (const reply of replies) expect(reply).toMatchObject({ code: 401, text: replies[0]!.text });
      const { rows } = await runtime.pool.query(
        `select from event where name = 'ADMIN_LOGIN_FAILED' and event_format_string like $1`,
        [`%${known.userID}%`],
      );
      expect(rows).toHaveLength(1);
    });

    test('five of them lock the account, even for the right password, but end no session', async () => {
      const { userID } = await account({});
      const running = await session(userID);
      for (let n = 0; n < 5; n++) expect((await logIn(userID, 'wrong-password')).code).toBe(401);
      expect((await logIn(userID)).code).toBe(401);
      expect((await send('GET', '/auth/sessions', { headers: bearer(running.sessionKey) })).code).toBe(200);
      const { rows } = await runtime.pool.query(`select from event where name = 'ADMIN_LOCKED' and element_name = $1`, [
        userID,
      ]);
      expect(rows).toHaveLength(1);
      await runtime.pool.query(`update login_failure set at = at - interval '6 minutes' where user_id = lower($1)`, [
        userID,
      ]);
      expect((await logIn(userID)).code).toBe(200);
    });

    test('ten of them a minute from one address stop the address, and no other', async () => {
      const from = freshAddress();
      const { userID } = await account({});
      for (let n = 0; n < 10; n++) expect((await logIn(`guess ${n}`, 'wrong-password', from)).code).toBe(401);
      const stopped = await logIn(userID, password, from);
      expect(stopped).toMatchObject({ code: 429, body: { status: 'throttled' }, headers: { 'retry-after': '60' } });
      expect((await logIn(userID)).code).toBe(200);
    });
  });

  describe('tokens', () => {
    const issue = async (by: Client, desired: object) => {
      const reply = await by.post('/auth/tokens', { name: 'narrow', ...desired });
      const issued = reply.body.results?.[0] as
        | { id: number; token: string; scopes: unknown; allowedNetworks: unknown }
        | undefined;
      return { code: reply.code, text: reply.text, ...issued!, client: new Client(app, issued?.token ?? '') };
    };

    test('a token is answered once and stored nowhere', async () => {
      const { token } = await issue(admin, {});
      expect((await admin.get('/auth/tokens')).text).not.toContain(token);
      const rows = await runtime.pool.query<{ row: string }>(
        'select t::text as row from api_token t union all select a::text from audit_record a union all select e::text from event e',
      );
      expect(rows.rows.some(({ row }) => row.includes(token.slice('prt_'.length + 13)))).toBe(false);
      expect(shared.logged.join('')).not.toContain(token);
    });

    test('a dry run issues nothing and shows nothing', async () => {
      const count = async () => (await admin.get('/auth/tokens')).body.results!.length;
      const before = await count();
      const reply = await admin.post('/auth/tokens?dryRun=true', { name: 'rehearsed' });
      expect(reply).toMatchObject({ code: 200, body: { results: [] } });
      expect(await count()).toBe(before);
    });

    test('a scope narrows what its owner may, and never widens it', async () => {
      const { caller } = await account({ devices: ['view', 'add'] });
      const { client } = await issue(caller, { scopes: { devices: ['view'] } });
      expect((await client.get('/device/container')).code).toBe(200);
      expect((await client.post('/device/container', { name: 'x' })).code).toBe(403);
      expect((await issue(caller, { scopes: { devices: ['delete'] } })).code).toBe(403);
      expect((await issue(caller, { scopes: { hosts: ['view'] } })).code).toBe(403);
      expect((await issue(caller, { scopes: { 'no-such-key': ['view'] } })).code).toBe(400);
      expect((await issue(caller, { scopes: { devices: ['fly'] } })).code).toBe(400);
    });

    test('a narrow token cannot make a wide one', async () => {
      const narrow = await issue(admin, { scopes: { devices: ['view'] } });
      expect((await issue(narrow.client, { scopes: { devices: ['view', 'modify'] } })).code).toBe(403);
      for (const scopes of [undefined, null]) {
        const child = await issue(narrow.client, { scopes });
        expect(child.scopes).toEqual({ devices: ['view'] });
        expect((await child.client.get('/settings/integration/aaa')).code).toBe(403);
      }
      const none = await issue(narrow.client, { scopes: {} });
      expect((await none.client.get('/device/container')).code).toBe(403);
      const wide = await issue(admin, {});
      expect((await narrow.client.post(`/auth/tokens/${wide.id}/rotate`)).code).toBe(403);
    });

    test('a token works from its networks only, and gives no more than these', async () => {
      const here = await issue(admin, { allowedNetworks: ['192.0.2.0/24', '2001:db8::/32'] });
      const from = (address: string) =>
        send('GET', '/device/container', { headers: bearer(here.token), from: address });
      expect((await from('192.0.2.7')).code).toBe(200);
      expect((await from('::ffff:192.0.2.7')).code).toBe(200);
      expect((await from('2001:db8::7')).code).toBe(200);
      for (const address of ['127.0.0.1', '192.0.3.7', '2001:db9::7'])
        expect((await from(address)).code, address).toBe(401);
      const mint = (body: object) =>
        send('POST', '/auth/tokens', {
          headers: bearer(here.token),
          body: { name: 'child', ...body },
          from: '192.0.2.7',
        });
      expect((await mint({})).body.results).toMatchObject([{ allowedNetworks: ['192.0.2.0/24', '2001:db8::/32'] }]);
      expect((await mint({ allowedNetworks: ['192.0.2.128/25'] })).code).toBe(201);
      expect((await mint({ allowedNetworks: ['192.0.0.0/16'] })).code).toBe(403);
      const rotated = await send('POST', `/auth/tokens/${here.id}/rotate`, {
        headers: bearer(here.token),
        from: '192.0.2.7',
      });
      expect(rotated.body.results).toMatchObject([{ allowedNetworks: ['192.0.2.0/24', '2001:db8::/32'] }]);
      for (const network of ['10.0.0.1/8', '10.0.0.0/33', '10.0.0.0', 'fe80::1%eth0/128', '2001:db8::1/32'])
        expect((await issue(admin, { allowedNetworks: [network] })).code, network).toBe(400);
    });

    test('rotating ends the old token, at once or after its grace', async () => {
      const [abrupt, graceful] = [await issue(admin, {}), await issue(admin, {})];
      expect((await admin.post(`/auth/tokens/${abrupt.id}/rotate`)).code).toBe(201);
      expect((await admin.post(`/auth/tokens/${graceful.id}/rotate`, { graceMinutes: 5 })).code).toBe(201);
      await expect.poll(async () => (await abrupt.client.get('/device/container')).code).toBe(401);
      expect((await graceful.client.get('/device/container')).code).toBe(200);
    });

    test('a right that is taken away is gone with the next request, and an account that is disabled with all of it', async () => {
      const { caller, accountId } = await account({ devices: ['view'] });
      expect((await caller.get('/device/container')).code).toBe(200);
      const { rows } = await runtime.pool.query<{ profile: number }>(
        'select admin_profile_dbid as profile from user_account where id = $1',
        [accountId],
      );
      await transact(({ records }) => records.update(adminProfile, rows[0]!.profile, { permissions: {} }));
      await expect.poll(async () => (await caller.get('/device/container')).code).toBe(403);
      await transact(({ records }) => records.update(userAccount, accountId, { state: 'DISABLED' }));
      await expect.poll(async () => (await caller.get('/device/container')).code).toBe(401);
      await transact(({ records }) => records.update(userAccount, accountId, { state: 'ENABLED' }));
      await expect.poll(async () => (await caller.get('/device/container')).code).toBe(401);
    });
  });
});

describe('the throttle', async () => {
  let now = 1_000;
  const { admin, caller } = await world({
    limits: { requestsPerSecond: 2, burst: 3, testsPerMinute: 10 },
    monotonicMs: () => now,
  });

  test('one token that asks too much waits, and no other does', async () => {
    const other = await caller({ devices: ['view'] });
    for (let n = 0; n < 3; n++) expect((await admin.get('/device/container')).code).toBe(200);
    const stopped = await admin.get('/device/container');
    expect(stopped).toMatchObject({ code: 429, body: { status: 'throttled' }, headers: { 'retry-after': '1' } });
    expect(stopped.headers.ratelimit).toBeTruthy();
    expect((await other.get('/device/container')).code).toBe(200);
    now += 500;
    expect((await admin.get('/device/container')).code).toBe(200);
    expect((await admin.get('/device/container')).code).toBe(429);
  });
});
