import { afterAll, describe, expect, test } from 'vitest';
import { Client, type Reply } from '../../test/world/client.ts';
import { openNode } from '../../test/world/open-world.ts';
import { Limiter } from '../../test/world/restricted-admins.ts';
import { tally } from '../../test/world/sign-in.ts';
import { world } from '../../test/world/world.ts';
import { container } from '../device/container/container.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import { adminProfile } from '../user/admin-profile/admin-profile.ts';
import { userAccount } from '../user/user-account/user-account.ts';

const path = '/auth/admins';
const password = 'a-password-of-somebody';

interface Account {
  id: number;
  userID: string;
  version: number;
  state: string;
  profileName: string;
  adminProfileDBID: number;
  adminProfileSource: string;
  mustChangePassword: boolean;
  failedLogins: number;
  lockedUntil: string | null;
  password: string | null;
}

const startedWorld = await world();
const { admin, service, database, caller } = startedWorld;
const otherNode = await openNode({ database });
afterAll(() => otherNode.close());
const { pool } = service.runtime;
const limiter = new Limiter(startedWorld);

const ownId = (admin as Client & { accountId: number }).accountId;
const profileNamed = async (name: string): Promise<number> =>
  (await pool.query<{ id: number }>('select id from admin_profile where name = $1', [name])).rows[0]!.id;
const everything = await profileNamed('System Administrator');
const auditor = await profileNamed('Auditor');

let names = 0;
const freeName = () => `somebody-${++names}`;

/** Creates a profile with these permissions. */
const profileOf = (permissions: Record<string, Record<string, unknown>>, overrides: Record<string, unknown> = {}) =>
  admin.create(adminProfile, { name: `profile of ${freeName()}`, permissions, ...overrides });

const singleResult = <R>({ code, body, text }: Reply<R>): R => {
  expect(body.results, `${code} ${text}`).toHaveLength(1);
  return body.results![0]!;
};

const createAccount = async (fields: Record<string, unknown> = {}, client: Client = admin) => {
  const reply = await client.post<Account>(path, {
    userID: freeName(),
    adminProfileDBID: auditor,
    password,
    ...fields,
  });
  expect(reply, reply.text).toMatchObject({ code: 201 });
  return singleResult(reply);
};

const fetchAccount = async (id: number) => singleResult(await admin.get<Account>(`${path}/${id}`));

const signIn = async (userID: string, passwordText: string, address = '198.51.100.7', node = service) => {
  const reply = await node.app.inject({
    method: 'POST',
    url: '/auth/login',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ userID, password: passwordText }),
    remoteAddress: address,
  });
  const session = reply.json().results?.[0] as { sessionKey: string; mustChangePassword: boolean } | undefined;
  return { code: reply.statusCode, session };
};

const audited = async (id: number) =>
  (
    await pool.query<{ action: string; user: string; changes: { field: string; before: unknown; after: unknown }[] }>(
      `select r.action, r."user", r.changes from audit_record r
       where r.db_table_name = 'user_account' and r.live_dbid = $1 and r.action <> 'LOGIN' order by r.id`,
      [id],
    )
  ).rows;

/** All writes of one account, with their bodies. */
const writesOf = (id: number): [string, string, unknown?][] => [
  ['POST', `${path}/${id}`, { firstName: 'Changed' }],
  ['POST', path, { id, firstName: 'Changed' }],
  ['POST', `${path}/${id}/disable`],
  ['POST', `${path}/${id}/enable`],
  ['POST', `${path}/${id}/unlock`],
  ['POST', `${path}/${id}/reset-password`, { password }],
  ['DELETE', `${path}/${id}`],
];

const rowOf = async (id: number) =>
  (
    await pool.query(
      `select a.version, a.state, a.first_name, (select w.hash from password w where w.account_id = a.id) as hash
       from user_account a where a.id = $1`,
      [id],
    )
  ).rows[0];

describe('an administrator account', () => {
  test('is created with a password that must be changed first, listed, fetched, updated and deleted', async () => {
    const { id, userID, password: shown } = await createAccount({ firstName: 'Bob' });
    expect(shown).toBeNull();
    expect(await fetchAccount(id)).toMatchObject({
      userID,
      profileName: 'Auditor',
      adminProfileSource: 'ASSIGNED',
      mustChangePassword: true,
      state: 'ENABLED',
      failedLogins: 0,
      lockedUntil: null,
    });
    const listed = await admin.get<Account>(
      `${path}?filter=${encodeURIComponent(`userID==${userID};profileName==Auditor`)}`,
    );
    expect(listed.body).toMatchObject({ filtered: 1, results: [{ id }] });
    const changed = await admin.post(`${path}/${id}`, { lastName: 'Builder' });
    expect(changed).toMatchObject({ code: 200, headers: { etag: expect.stringContaining('2') } });
    const { password: _none, ...record } = await fetchAccount(id);
    expect((await admin.post(`${path}/${id}`, record)).code, 'what was read can be sent back').toBe(200);
    const before = (await admin.get(`${path}?count=0`)).body.total!;
    expect((await admin.delete(`${path}/${id}`)).code).toBe(200);
    expect((await admin.get(`${path}/${id}`)).code).toBe(404);
    expect((await admin.get(`${path}?count=0`)).body.total).toBe(before - 1);
    expect((await audited(id)).map(({ action }) => action)).toEqual(['ADD', 'MODIFY', 'DELETE']);
  });

  test('is the only kind of account in the list; a user without a profile becomes an administrator by its id', async () => {
    const userID = freeName();
    const { id } = await service.runtime.transact(systemOrigin('test'), ({ records }) =>
      records.create(userAccount, { userID }),
    );
    expect((await admin.get(`${path}/${id}`)).code).toBe(404);
    expect((await admin.get(`${path}?filter=userID==${userID}`)).body).toMatchObject({ filtered: 0 });
    for (const [method, requestPath, body] of writesOf(id).filter(([, requestPath]) => requestPath !== path))
      expect((await admin.call(method, requestPath, body)).code, requestPath).toBe(404);
    const refused = await admin.post(path, { userID, adminProfileDBID: auditor });
    expect(refused).toMatchObject({ code: 409, body: { errorMessage: expect.stringContaining(`send id ${id}`) } });
    expect((await admin.post(path, { id, firstName: 'Nobody' })).code).toBe(422);
    expect((await admin.post(path, { id, adminProfileDBID: auditor })).code).toBe(200);
    expect(await fetchAccount(id)).toMatchObject({ userID, profileName: 'Auditor' });
    expect((await admin.post(`${path}/${id}`, { adminProfileDBID: null })).code).toBe(200);
    expect((await admin.get(`${path}/${id}`)).code).toBe(404);
  });

  test('requires a free name, an existing profile, a long enough password and the source LOCAL', async () => {
    const { userID } = await createAccount();
    for (const [code, body] of [
      [400, { adminProfileDBID: auditor }],
      [400, { userID: freeName() }],
      [400, { userID: freeName(), adminProfileDBID: null }],
      [400, { userID: freeName(), adminProfileDBID: auditor, password: 'short' }],
      [400, { userID: freeName(), adminProfileDBID: auditor, networkPassword: password }],
      [409, { userID: userID.toUpperCase(), adminProfileDBID: auditor }],
      [422, { userID: freeName(), adminProfileDBID: 999_999 }],
      [422, { userID: freeName(), adminProfileDBID: auditor, source: 'GUEST' }],
    ] as const)
      expect(await admin.post(path, body), JSON.stringify(body)).toMatchObject({ code });
  });

  test('refuses a password that is the user name, one repeated character or a common password', async () => {
    const userID = freeName();
    const { id } = await createAccount();
    const { userID: userName } = await fetchAccount(id);
    for (const [word, fault] of [
      ['aaaaaaaaaa', 'has fewer than 4 different characters'],
      ['Password2026', 'is a common password'],
      ['1234567890', 'is a sequence of neighbouring characters'],
    ] as const) {
      const account = { userID, adminProfileDBID: auditor, password: word };
      for (const reply of [
        await admin.post(path, account),
        await admin.post(`${path}?dryRun=true`, account),
        await admin.post(`${path}/${id}/reset-password`, { password: word }),
      ])
        expect([reply.code, reply.body.errorMessage]).toEqual([422, `password: ${fault}; choose another password.`]);
    }
    const passwordWithName = { password: `${userName}${'1'.repeat(Math.max(0, 10 - userName.length))}` };
    expect((await admin.post(`${path}/${id}/reset-password`, passwordWithName)).body.errorMessage).toContain(
      'is the user name',
    );
  });

  test('has a one-time password if none is sent: returned once, and in no list, audit row or dry run', async () => {
    const userID = freeName();
    const dry = await admin.post<Account>(`${path}?dryRun=true`, { userID, adminProfileDBID: auditor });
    expect(singleResult(dry)).toMatchObject({ userID, password: null });
    expect((await admin.get(`${path}?filter=userID==${userID}`)).body.filtered).toBe(0);
    const key = { 'idempotency-key': 'one-account' };
    const reply = await admin.post<Account>(path, { userID, adminProfileDBID: auditor }, key);
    expect(reply).toMatchObject({ code: 201, headers: { 'cache-control': 'no-store' } });
    const { id, password: oneTime } = singleResult(reply);
    expect(oneTime).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
    expect((await admin.post(path, { userID, adminProfileDBID: auditor }, key)).code).toBe(409);
    expect((await admin.get(path)).text).not.toContain(oneTime);
    expect(JSON.stringify(await audited(id))).not.toContain(oneTime);
    const { session } = await signIn(userID, oneTime!);
    expect(session).toMatchObject({ mustChangePassword: true });
    const limited = new Client(service.app, session!.sessionKey);
    expect((await limited.get(container.path!)).code).toBe(403);
    const change = { currentPassword: oneTime, newPassword: 'a-password-of-my-own' };
    expect((await limited.post('/auth/password', change)).code).toBe(200);
    expect((await fetchAccount(id)).mustChangePassword).toBe(false);
    await expect.poll(async () => (await limited.get(container.path!)).code).toBe(200);
  });

  test('respects If-Match, its version and Idempotency-Key', async () => {
    const { id, version } = await createAccount();
    const stale = { 'if-match': '"99"' };
    for (const [method, requestPath, body] of writesOf(id)) {
      const reply = await admin.call(method, requestPath, body, stale);
      expect(reply, requestPath).toMatchObject({ code: 412, body: { status: 'stale' } });
    }
    expect((await admin.post(`${path}/${id}`, { version: version + 5, firstName: 'x' })).code).toBe(409);
    const key = { 'idempotency-key': 'twice' };
    for (let twice = 0; twice < 2; twice++)
      expect((await admin.post(`${path}/${id}/disable`, undefined, key)).code).toBe(200);
    expect((await fetchAccount(id)).version).toBe(version + 1);
    expect((await admin.post(`${path}/${id}`, { firstName: 'x' }, { 'if-match': `"${version + 1}"` })).code).toBe(200);
  });

  test('is not changed by a dry run, which returns the record as it would be', async () => {
    const { id } = await createAccount();
    const before = [await rowOf(id), await audited(id)];
    for (const [method, requestPath, body] of writesOf(id))
      expect((await admin.call(method, `${requestPath}?dryRun=true`, body)).code, requestPath).toBe(200);
    expect(singleResult(await admin.post<Account>(`${path}/${id}/disable?dryRun=true`))).toMatchObject({
      state: 'DISABLED',
    });
    expect([await rowOf(id), await audited(id)]).toEqual(before);
  });
});

describe('an account with more rights than the caller', () => {
  test('cannot be created, changed, disabled, enabled, unlocked, reset or deleted', async () => {
    const manager = await caller({ 'admin-profiles': ['view', 'add', 'modify', 'delete'], devices: ['view'] });
    const mightier = await profileOf({ devices: { view: true, modify: true } });
    const equal = await profileOf({ devices: { view: true } });
    for (const profile of [mightier, everything]) {
      const { id } = await createAccount({ adminProfileDBID: profile });
      const before = await rowOf(id);
      for (const [method, requestPath, body] of writesOf(id)) {
        const reply = await manager.call(method, requestPath, body);
        expect(reply, `${method} ${requestPath} ${reply.text}`).toMatchObject({
          code: 403,
          body: { status: 'forbidden' },
        });
      }
      expect(await rowOf(id)).toEqual(before);
      const newAccount = { userID: freeName(), adminProfileDBID: profile, password };
      expect((await manager.post(path, newAccount)).code).toBe(403);
      expect((await manager.post(`${path}/${manager.accountId}`, { adminProfileDBID: profile })).code).toBe(403);
    }
    const { id } = await createAccount({ adminProfileDBID: equal }, manager);
    for (const [method, requestPath, body] of writesOf(id))
      expect((await manager.call(method, requestPath, body)).code, requestPath).toBe(200);
  });

  test('is created with only the right to add, and updated with only the right to modify', async () => {
    const nothing = await profileOf({});
    const [adder, modifier] = [
      await caller({ 'admin-profiles': ['add'] }),
      await caller({ 'admin-profiles': ['modify'] }),
    ];
    const { id } = await createAccount({ adminProfileDBID: nothing }, adder);
    const fields = { userID: freeName(), adminProfileDBID: nothing, password };
    expect((await modifier.post(path, fields)).code).toBe(403);
    expect((await modifier.post(path, { id, firstName: 'Changed' })).code).toBe(200);
    expect((await adder.post(path, { id, firstName: 'Changed' })).code).toBe(403);
  });

  test('is also protected if a mapping gives it a profile that is not stored yet', async () => {
    const manager = await caller({ 'admin-profiles': ['view', 'modify'], devices: ['view'] });
    const weak = await profileOf({ devices: { view: true } });
    const { id } = await createAccount({ adminProfileDBID: weak });
    await limiter.sql(`update user_account set admin_profile_source = 'MAPPING' where id = $1`, [id]);
    const group = await limiter.group('ADMINISTRATOR');
    await limiter.join(group, 7, id);
    await admin.create({ path: '/user/admin-profile/mapping' }, { adminProfileDBID: everything, groupDBID: group });
    const reset = await manager.post(`${path}/${id}/reset-password`, { password });
    expect(reset, reset.text).toMatchObject({ code: 403 });
  });

  test('is also protected if it sees other containers or groups that the caller does not manage', async () => {
    const places = [
      await admin.create(container, { name: freeName() }),
      await admin.create(container, { name: freeName() }),
    ];
    const inPlaces = (...selectedIDs: number[]) => ({
      devices: { view: true, customized: true, allIDs: false, selectedIDs },
    });
    const all = { 'admin-profiles': { view: true, add: true, modify: true, delete: true } };
    const here = await limiter.caller({ permissions: { ...all, ...inPlaces(places[0]!) } });
    for (const [profile, code] of [
      [await profileOf(inPlaces(...places)), 403],
      [await profileOf({ devices: { view: true } }), 403],
      [await profileOf(inPlaces(places[0]!)), 200],
    ] as const) {
      const { id } = await createAccount({ adminProfileDBID: profile });
      expect((await here.post(`${path}/${id}/reset-password`, { password })).code).toBe(code);
      const making = await here.post(path, { userID: freeName(), adminProfileDBID: profile, password });
      expect(making.code).toBe(code === 200 ? 201 : 403);
    }

    const byGroups = await limiter.caller({ permissions: all, manageByGroups: true });
    const people = await limiter.group('USER');
    await limiter.manage(byGroups.accountId, people);
    const hidden = await createAccount({ adminProfileDBID: await profileOf(all, { manageByGroups: true }) });
    expect((await byGroups.get(`${path}/${hidden.id}`)).code).toBe(404);
    expect((await byGroups.post(`${path}/${hidden.id}/unlock`)).code).toBe(404);
    await limiter.join(people, 6, hidden.id);
    expect((await byGroups.post(`${path}/${hidden.id}/unlock`)).code).toBe(200);
    await limiter.manage(hidden.id, await limiter.group('USER'));
    const reply = await byGroups.post(`${path}/${hidden.id}/unlock`);
    expect(reply).toMatchObject({ code: 403, body: { errorMessage: expect.stringContaining('manages groups') } });
  });

  test('is also protected from a token with scopes whose owner may do everything', async () => {
    const scopes = { 'admin-profiles': ['view', 'add', 'modify', 'delete'] };
    const issued = await admin.post<{ token: string }>('/auth/tokens', { name: 'narrow', scopes });
    const narrow = new Client(service.app, singleResult(issued).token);
    const { id } = await createAccount({ adminProfileDBID: everything });
    for (const [method, requestPath, body] of [...writesOf(id), ...writesOf(ownId)])
      expect((await narrow.call(method, requestPath, body)).code, requestPath).toBe(403);
  });
});

describe("the caller's own account", () => {
  test('cannot reset its password, unlock itself, extend its expiration or avoid a required password change', async () => {
    const { id } = await createAccount({ adminProfileDBID: everything, mustChangePassword: false });
    await admin.post(`${path}/${id}`, { expirationDate: '2036-01-31T00:00:00.000Z' });
    const { userID } = await fetchAccount(id);
    const self = new Client(service.app, (await signIn(userID, password)).session!.sessionKey);
    expect((await self.post(`${path}/${id}/reset-password`, {})).body.errorMessage).toContain('/auth/password');
    for (const [requestPath, body] of [
      [`${path}/${id}/reset-password`, { password }],
      [`${path}/${id}/unlock`, undefined],
      [`${path}/${id}`, { expirationDate: null }],
      [`${path}/${id}`, { expirationDate: '2037-01-31T00:00:00.000Z' }],
      [`${path}/${id}`, { mustChangePassword: true }],
      [path, { id, expirationDate: null }],
    ] as const)
      expect((await self.post(requestPath, body)).code, JSON.stringify(body)).toBe(403);
    expect((await self.post(`${path}/${id}`, { firstName: 'Me', mustChangePassword: false })).code).toBe(200);
  });
});

describe('resetting a password', () => {
  test('ends sessions and tokens, removes the lock, requires a password change, and is audited without the password', async () => {
    const { id, userID } = await createAccount({ mustChangePassword: false });
    const { session } = await signIn(userID, password);
    const bySession = new Client(service.app, session!.sessionKey);
    const issued = await bySession.post<{ token: string }>('/auth/tokens', { name: 'a token' });
    const byToken = new Client(otherNode.app, singleResult(issued).token);
    expect((await byToken.get('/auth/tokens')).code).toBe(200);
    for (let guess = 0; guess < 5; guess++) await signIn(userID, 'wrong-password', '203.0.113.9');
    expect((await signIn(userID, password, '203.0.113.9')).code).toBe(401);
    expect(await fetchAccount(id)).toMatchObject({ failedLogins: 5, lockedUntil: expect.any(String) });

    const chosenPassword = 'chosen-by-somebody-else';
    const reset = await admin.post<Account>(`${path}/${id}/reset-password`, { password: chosenPassword });
    expect(singleResult(reset)).toEqual({ id, userID, password: null });
    await expect.poll(async () => (await bySession.get('/auth/sessions')).code).toBe(401);
    await expect.poll(async () => (await byToken.get('/auth/tokens')).code).toBe(401);
    expect((await signIn(userID, password)).code).toBe(401);
    expect((await signIn(userID, chosenPassword, '203.0.113.9')).session).toMatchObject({ mustChangePassword: true });

    const { password: generated } = singleResult(await admin.post<Account>(`${path}/${id}/reset-password`));
    expect((await signIn(userID, generated!)).session).toMatchObject({ mustChangePassword: true });
    const rows = await audited(id);
    for (const word of [chosenPassword, generated!, password]) expect(JSON.stringify(rows)).not.toContain(word);
    expect(rows.flatMap(({ changes }) => changes)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: 'password', before: '•••', after: '•••' }),
        expect.objectContaining({ field: 'mustChangePassword', before: 'false', after: 'true' }),
      ]),
    );
  });

  test('is refused for an account with an external password', async () => {
    const { id } = await createAccount();
    await limiter.sql(`update user_account set source = 'DIRECTORY' where id = $1`, [id]);
    expect(await admin.post(`${path}/${id}/reset-password`)).toMatchObject({
      code: 422,
      body: { errorMessage: expect.stringContaining('DIRECTORY') },
    });
  });
});

test('unlocking deletes the failed logins and writes their number to the audit log', async () => {
  const { id, userID } = await createAccount({ mustChangePassword: false });
  for (let guess = 0; guess < 5; guess++) await signIn(userID, 'wrong-password', '203.0.113.20');
  expect((await signIn(userID, password, '203.0.113.20')).code).toBe(401);
  expect((await admin.post(`${path}/${id}/unlock?dryRun=true`)).body.results).toMatchObject([{ id }]);
  expect((await admin.post(`${path}/${id}/unlock`)).code).toBe(200);
  expect((await signIn(userID, password, '203.0.113.20')).code).toBe(200);
  expect((await audited(id)).at(-1)).toMatchObject({
    action: 'MODIFY',
    changes: [{ field: 'failedLogins', before: '5', after: '0' }],
  });
});

describe('disabling and deleting', () => {
  test.each(['disable', 'delete'])('%s ends sessions and tokens at once, on every node', async (word) => {
    const { id, userID } = await createAccount({ mustChangePassword: false });
    const { session } = await signIn(userID, password);
    const issued = await new Client(service.app, session!.sessionKey).post<{ token: string }>('/auth/tokens', {
      name: 'a token',
    });
    const holders = [service, otherNode].flatMap(({ app }) => [
      new Client(app, session!.sessionKey),
      new Client(app, singleResult(issued).token),
    ]);
    const codes = async () =>
      tally(await Promise.all(holders.map(async (client) => (await client.get('/auth/tokens')).code)));
    expect(await codes()).toEqual({ 200: 4 });
    const ended = word === 'delete' ? await admin.delete(`${path}/${id}`) : await admin.post(`${path}/${id}/disable`);
    expect(ended.code).toBe(200);
    await expect.poll(codes).toEqual({ 401: 4 });
    expect((await signIn(userID, password)).code).toBe(401);
    if (word === 'delete') return;
    expect((await admin.post(`${path}/${id}/enable`)).code).toBe(200);
    expect(await codes(), 'what ended stays ended').toEqual({ 401: 4 });
    expect((await signIn(userID, password)).code).toBe(200);
    expect((await audited(id)).map(({ action }) => action)).toEqual(['ADD', 'DISABLE', 'ENABLE']);
  });
});
