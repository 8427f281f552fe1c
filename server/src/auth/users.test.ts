import { describe, expect, test } from 'vitest';
import { logEvents } from '../../test/world/logged-events.ts';
import { everyVerb, type LimitedClient, Limiter, macOf } from '../../test/world/restricted-admins.ts';
import { world } from '../../test/world/world.ts';
import { adapter } from '../host/adapter/adapter.ts';
import { host } from '../host/host/host.ts';
import { userAccount } from '../user/user-account/user-account.ts';

const path = '/auth/users';
const users = { path };

interface User {
  id: number;
  userID: string;
  version: number;
  state: string;
  role: string;
  roleSource: string;
  networkPasswordSet: boolean;
  adminProfileDBID: number | null;
}

const testWorld = await world();
const { admin, service } = testWorld;
const limiter = new Limiter(testWorld);
const { pool } = service.runtime;
await logEvents(testWorld, 'USER_ACCOUNT_CREATED', 'USER_ACCOUNT_MODIFIED', 'USER_ACCOUNT_DELETED');
const ownId = (admin as LimitedClient).accountId;

let count = 0;
const freeName = () => `person-${++count}`;
const createUser = async (fields: Record<string, unknown> = {}) => {
  const userID = freeName();
  return { userID, id: await admin.create(users, { userID, ...fields }) };
};
const fetchUser = async (id: number) => (await admin.fetch(users, id)) as unknown as User;

/** All writes of one user, with their bodies. */
const writesOf = (id: number): [string, string, unknown?][] => [
  ['POST', `${path}/${id}`, { firstName: 'Changed' }],
  ['POST', path, { id, firstName: 'Changed' }],
  ['POST', `${path}/${id}/disable`],
  ['POST', `${path}/${id}/enable`],
  ['DELETE', `${path}/${id}`],
];

const auditOf = async (id: number) =>
  (
    await pool.query<{ action: string; user: string; changes: { field: string; after: unknown }[] }>(
      `select r.action, r."user", r.changes from audit_record r
       where r.db_table_name = 'user_account' and r.live_dbid = $1 order by r.id`,
      [id],
    )
  ).rows;

const stateOf = async (id: number) =>
  (await pool.query('select version, state, first_name from user_account where id = $1', [id])).rows[0];

describe('a user', () => {
  test('is created, listed, fetched, updated, disabled, enabled and deleted, with the caller in the audit log', async () => {
    const { id, userID } = await createUser({ networkPassword: 'violet-harbour-41', firstName: 'Alice' });
    expect(await fetchUser(id)).toMatchObject({ userID, state: 'ENABLED', networkPasswordSet: true, source: 'LOCAL' });
    const filter = encodeURIComponent(`userID==${userID};state==ENABLED`);
    expect((await admin.get(`${path}?filter=${filter}`)).body).toMatchObject({ filtered: 1, results: [{ id }] });
    expect((await admin.post(`${path}/${id}`, { lastName: 'Liddell' })).code).toBe(200);
    expect((await admin.post(`${path}/${id}/disable`)).code).toBe(200);
    expect((await fetchUser(id)).state).toBe('DISABLED');
    expect((await admin.post(`${path}/${id}/enable`)).code).toBe(200);
    expect((await admin.post(`${path}/${id}`, await fetchUser(id))).code, 'a record that was read').toBe(200);
    expect((await admin.delete(`${path}/${id}`)).code).toBe(200);
    expect((await admin.get(`${path}/${id}`)).code).toBe(404);

    const rows = await auditOf(id);
    expect(rows.map(({ action }) => action)).toEqual(['ADD', 'MODIFY', 'DISABLE', 'ENABLE', 'DELETE']);
    const { rows: caller } = await pool.query<{ name: string }>(
      'select user_id as name from user_account where id = $1',
      [ownId],
    );
    expect(new Set(rows.map(({ user }) => user))).toEqual(new Set([caller[0]!.name]));
    const events = await admin.get<{ name: string }>(
      `/logging/event?filter=${encodeURIComponent(`elementType==6;elementID==${id}`)}&sortKey=id`,
    );
    expect(events.body.results!.map(({ name }) => name)).toEqual([
      'USER_ACCOUNT_CREATED',
      'USER_ACCOUNT_MODIFIED',
      'USER_ACCOUNT_MODIFIED',
      'USER_ACCOUNT_MODIFIED',
      'USER_ACCOUNT_DELETED',
    ]);
  });

  test('has a network password that no response and no audit row contains', async () => {
    const networkPassword = 'violet-harbour-42';
    const { id } = await createUser({ networkPassword });
    expect((await admin.get(`${path}/${id}`)).text).not.toContain(networkPassword);
    expect((await admin.get(path)).text).not.toContain(networkPassword);
    expect(JSON.stringify(await auditOf(id))).not.toContain(networkPassword);
    for (const [value, code] of [
      ['', 400],
      ['line\nbreak', 422],
      ['üöäß'.repeat(17), 422],
      ['üöäß'.repeat(16), 200],
    ] as const)
      expect((await admin.post(`${path}/${id}`, { networkPassword: value })).code, value).toBe(code);
  });

  test('is refused without a free name, with another source, and with the fields of an administrator', async () => {
    const { id, userID } = await createUser();
    for (const [code, body] of [
      [400, { firstName: 'Nobody' }],
      [409, { userID: userID.toUpperCase() }],
      [422, { userID: freeName(), source: 'DIRECTORY' }],
      [422, { userID: freeName(), adminProfileDBID: 1 }],
      [422, { userID: freeName(), mustChangePassword: true }],
      [422, { userID: freeName(), role: 'no such role' }],
      [422, { id, adminProfileDBID: 1 }],
    ] as const)
      expect(await admin.post(path, body), JSON.stringify(body)).toMatchObject({ code });
    expect((await admin.post(`${path}/${id}`, { adminProfileDBID: 1 })).code).toBe(422);
    expect((await fetchUser(id)).adminProfileDBID).toBeNull();
  });

  test('keeps a role that is sent until it is sent empty', async () => {
    const role = freeName();
    await admin.create({ path: '/policy/role' }, { name: role });
    const { id } = await createUser({ role });
    expect(await fetchUser(id)).toMatchObject({ role, roleSource: 'ADMIN' });
    expect((await admin.post(`${path}/${id}`, { role: '' })).code).toBe(200);
    expect(await fetchUser(id)).toMatchObject({ role: 'NAC-Default', roleSource: 'DEFAULT' });
  });

  test('is not changed by a dry run, a stale version or a stale If-Match, and only once by a repeated key', async () => {
    const { id } = await createUser();
    const before = [await stateOf(id), await auditOf(id)];
    for (const [method, url, body] of writesOf(id)) {
      expect((await admin.call(method, `${url}?dryRun=true`, body)).code, url).toBe(200);
      const stale = await admin.call(method, url, body, { 'if-match': '"99"' });
      expect(stale, url).toMatchObject({ code: 412, body: { status: 'stale' } });
    }
    const dry = await admin.post<User>(`${path}/${id}/disable?dryRun=true`);
    expect(dry.body.results).toMatchObject([{ id, state: 'DISABLED' }]);
    expect((await admin.post(`${path}/${id}`, { version: 5, firstName: 'x' })).code).toBe(409);
    const name = freeName();
    expect((await admin.post<User>(`${path}?dryRun=true`, { userID: name })).body.results).toMatchObject([
      { userID: name },
    ]);
    expect((await admin.get(`${path}?filter=userID==${name}`)).body.filtered).toBe(0);
    expect([await stateOf(id), await auditOf(id)]).toEqual(before);
    const key = { 'idempotency-key': freeName() };
    for (let twice = 0; twice < 2; twice++)
      expect((await admin.post(`${path}/${id}/disable`, undefined, key)).code).toBe(200);
    expect((await fetchUser(id)).version).toBe(2);
  });

  test('can be written and read as XML', async () => {
    const userID = freeName();
    const xml = { 'content-type': 'application/xml', accept: 'application/xml' };
    const reply = await admin.call('POST', path, `<request><userID>${userID}</userID></request>`, xml);
    expect(reply, reply.text).toMatchObject({ code: 201 });
    const answer = await admin.get(String(reply.headers.location), { accept: 'application/xml' });
    expect(answer.text).toContain(`<userID>${userID}</userID>`);
  });

  test('leaves no owner, logged-on user or membership behind after its deletion', async () => {
    const { id, userID } = await createUser();
    const [owned, loggedOn] = [
      await admin.create(host, { hostName: freeName() }),
      await admin.create(host, { hostName: freeName() }),
    ];
    await admin.create(adapter, { physicalAddress: macOf(0x31_00_00 + count), hostID: loggedOn });
    await limiter.sql('update host set owner_id = $1 where id = $2', [id, owned]);
    await limiter.sql(
      'update host set authenticated = true, authenticated_user_id = $1, logged_on_user_id = $2 where id = $3',
      [id, userID.toUpperCase(), loggedOn],
    );
    const group = await limiter.group('USER');
    await limiter.join(group, 6, id);
    expect((await admin.delete(`${path}/${id}`)).code).toBe(200);
    expect(await admin.fetch(host, owned)).toMatchObject({ ownerID: null });
    expect(await admin.fetch(host, loggedOn)).toMatchObject({
      loggedOnUserID: null,
      authenticated: false,
      authenticatedUserID: null,
    });
    expect(await limiter.sql('select from group_member where element_type = 6 and member_id = $1', [id])).toEqual([]);
    // A new user with the same name is not logged on to any host.
    await admin.create(users, { userID });
    expect(await admin.fetch(host, loggedOn)).toMatchObject({ loggedOnUserID: null });
  });
});

describe('an administrator in the list of users', () => {
  test('is listed, but can be neither changed nor deleted there', async () => {
    const { id } = await limiter.transact(({ records }) =>
      records.create(userAccount, { userID: freeName(), adminProfileDBID: 1 }),
    );
    expect((await fetchUser(id)).adminProfileDBID).toBe(1);
    const before = await stateOf(id);
    for (const [method, url, body] of writesOf(id))
      expect(await admin.call(method, url, body), `${method} ${url}`).toMatchObject({
        code: 409,
        body: { status: 'protected', errorMessage: expect.stringContaining(`/auth/admins/${id}`) },
      });
    expect(await stateOf(id)).toEqual(before);
  });

  test('can get a network password only from another administrator', async () => {
    const { id } = await limiter.transact(({ records }) =>
      records.create(userAccount, { userID: freeName(), adminProfileDBID: 1 }),
    );
    expect((await admin.post(`/auth/admins/${id}`, { networkPassword: 'violet-harbour-43' })).code).toBe(200);
    expect((await fetchUser(id)).networkPasswordSet).toBe(true);
    expect((await admin.post(`/auth/admins/${ownId}`, { networkPassword: 'violet-harbour-43' })).code).toBe(403);
  });
});

describe('the right to manage users', () => {
  test('is the right for hosts, by verb', async () => {
    const { id } = await createUser();
    const withVerbs = (verbs: Record<string, boolean>) => limiter.caller({ permissions: { hosts: verbs } });
    const [viewer, adder, modifier, profileManager] = [
      await withVerbs({ view: true }),
      await withVerbs({ view: true, add: true }),
      await withVerbs({ view: true, modify: true }),
      await limiter.caller({ permissions: { 'admin-profiles': everyVerb } }),
    ];
    expect((await viewer.get(`${path}/${id}`)).code).toBe(200);
    for (const [method, url, body] of writesOf(id)) {
      expect((await viewer.call(method, url, body)).code, url).toBe(403);
      expect((await profileManager.call(method, url, body)).code, url).toBe(403);
    }
    expect((await profileManager.get(path)).code).toBe(403);
    expect((await adder.post(path, { userID: freeName() })).code).toBe(201);
    expect((await adder.post(path, { id, firstName: 'Changed' })).code).toBe(403);
    expect((await modifier.post(path, { userID: freeName() })).code).toBe(403);
    expect((await modifier.post(path, { id, firstName: 'Changed' })).code).toBe(200);
    expect((await modifier.delete(`${path}/${id}`)).code).toBe(403);
  });

  test('applies only to users that are visible to the caller', async () => {
    const [visible, hidden] = [await createUser(), await createUser()];
    const group = await limiter.group('USER');
    await limiter.join(group, 6, visible.id);
    const limited = await limiter.caller({ permissions: { hosts: everyVerb }, manageByGroups: true });
    await limiter.manage(limited.accountId, group);
    const { results } = (await limited.get<User>(path)).body;
    expect(results!.map(({ id }) => id).sort()).toEqual([visible.id, limited.accountId].sort());
    expect((await limited.get(`${path}/${hidden.id}`)).code).toBe(404);
    const before = await stateOf(hidden.id);
    for (const [method, url, body] of writesOf(hidden.id).filter(([, url]) => url !== path))
      expect((await limited.call(method, url, body)).code, url).toBe(404);
    expect(await stateOf(hidden.id)).toEqual(before);
    expect((await limited.post(`${path}/${visible.id}/disable`)).code).toBe(200);
  });

  test("does not apply to a user who exceeds the caller's permissions by a group mapping", async () => {
    const { id } = await createUser();
    const group = await limiter.group('USER');
    const manager = await limiter.caller({ permissions: { hosts: everyVerb } });
    await limiter.sql('insert into admin_profile_mapping (rank, admin_profile_dbid, group_dbid) values (999, 1, $1)', [
      group,
    ]);
    await limiter.join(group, 6, id);
    const reply = await manager.post(`${path}/${id}`, { networkPassword: 'violet-harbour-44' });
    expect(reply, reply.text).toMatchObject({ code: 403 });
  });
});
