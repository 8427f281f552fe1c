import { describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { Client } from '../../../test/world/client.ts';
import { everyVerb, Limiter, selecting } from '../../../test/world/restricted-admins.ts';
import { world } from '../../../test/world/world.ts';
import { createAdministrator } from '../../auth/account.ts';
import { issueToken } from '../../auth/tokens.ts';
import { type Origin, systemOrigin } from '../../kernel/declare/caller.ts';
import { rightsOf, verbs } from '../../kernel/declare/permissions.ts';
import { group } from '../../system/group/group.ts';
import { requireMembersNotExceeding } from '../admin-profile/admin-profile.service.ts';
import { adminProfile } from '../admin-profile/admin-profile.ts';
import { userAccount } from '../user-account/user-account.ts';
import { adminRemap } from './admin-profile-mapping.jobs.ts';
import { accountsToRemap } from './admin-profile-mapping.service.ts';
import { adminProfileMapping } from './admin-profile-mapping.ts';

const path = '/user/admin-profile/mapping';
const password = 'correct-horse-battery';

describe('admin profile mapping', async () => {
  const shared = await world();
  const { service } = shared;
  const { groups, harmless } = await service.runtime.transact(systemOrigin('test'), async ({ records }) => {
    const ids: number[] = [];
    for (let n = 0; n < 400; n++)
      ids.push((await records.create(group, { name: `of the laws ${n}`, type: 'USER' })).id);
    // A profile without rights can be mapped by every caller who may create mappings.
    return { groups: ids, harmless: (await records.create(adminProfile, { name: 'harmless' })).id };
  });

  testCollection(adminProfileMapping, {
    world: shared,
    sample: (n) => ({ adminProfileDBID: harmless, groupDBID: groups[n]! }),
    change: (n) => ({ groupDBID: groups[n]! }),
  });
});

describe('mapped administrators', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const limiter = new Limiter(shared);
  let profileCount = 0;

  const profile = (permissions: object = { devices: { view: true } }) =>
    admin.create(adminProfile, { name: `mapped ${++profileCount}`, permissions });
  const map = (adminProfileDBID: number, groupDBID: number, overrides: object = {}) =>
    admin.create(adminProfileMapping, { adminProfileDBID, groupDBID, ...overrides });
  /** Creates an account with a password and without a profile, as a member of groups. */
  const person = async (...groups: number[]) => {
    const userID = `person-${++profileCount}`;
    const id = await limiter.transact(async (tx) => {
      const account = await createAdministrator(tx, { userID, password, profile: 'Auditor' });
      await tx.records.update(userAccount, account, { adminProfileDBID: null });
      return account;
    });
    for (const groupID of groups) await limiter.join(groupID, 7, id);
    return { id, userID };
  };
  /** Runs the reconciler. */
  const remap = () =>
    adminRemap.run({
      context: { write: (work: never) => service.runtime.transact(systemOrigin('admin-remap'), work) } as never,
      signal: new AbortController().signal,
    });
  const profileOfAccount = async (id: number) =>
    (
      await limiter.sql(
        'select admin_profile_dbid as profile, admin_profile_source as source from user_account where id = $1',
        [id],
      )
    )[0];
  const logIn = async (userID: string) => {
    const reply = await new Client(service.app, '').post('/auth/login', { userID, password });
    return { ...reply, client: new Client(service.app, String(reply.body.results?.[0]?.sessionKey ?? '')) };
  };

  test('applies the first mapping by rank whose group contains the account, directly or nested', async () => {
    const [outer, inner, users] = [
      await limiter.group('ADMINISTRATOR'),
      await limiter.group('ADMINISTRATOR'),
      await limiter.group('USER'),
    ];
    await limiter.nest([outer, inner]);
    const [first, second] = [await profile(), await profile()];
    const a = await map(first, outer);
    const b = await map(second, users);
    const { id } = await person(inner);
    await limiter.join(users, 6, id);
    await remap();
    expect(await profileOfAccount(id)).toEqual({ profile: first, source: 'MAPPING' });
    expect((await admin.post(`${path}/rank/swap`, { id: [a, b] })).code).toBe(200);
    await remap();
    expect(await profileOfAccount(id)).toEqual({ profile: second, source: 'MAPPING' });
    await limiter.leave(users, id);
    await remap();
    expect(await profileOfAccount(id)).toEqual({ profile: first, source: 'MAPPING' });
    const events = await limiter.sql<{ text: string }>(
      `select event_format_string as text from event where name = 'ADMIN_PRIVILEGE_CHANGED' and element_id = $1 order by id`,
      [id],
    );
    expect(events).toHaveLength(3);
    expect(events[0]!.text).toMatch(/^admin person-\d+: profile none → mapped \d+, by mapping \d+\.$/);
  });

  test('is evaluated at sign-in, and rights change with the next request, before any job runs', async () => {
    const mappedGroup = await limiter.group('ADMINISTRATOR');
    const { id, userID } = await person(mappedGroup);
    expect((await logIn(userID)).code).toBe(401);
    const weak = await profile({ devices: { view: true } });
    const mapping = await map(weak, mappedGroup);
    const { code, client } = await logIn(userID);
    expect(code).toBe(200);
    expect(await profileOfAccount(id)).toEqual({ profile: weak, source: 'MAPPING' });
    const ask = async () => (await client.get('/device/container')).code;
    expect(await ask()).toBe(200);
    await admin.post(`${path}/${mapping}`, { adminProfileDBID: await profile({}) });
    await expect.poll(ask).toBe(403);
    await admin.post(`${path}/${mapping}`, { adminProfileDBID: weak });
    await expect.poll(ask).toBe(200);
    // Removing the account from the group suffices.
    await limiter.leave(mappedGroup, id);
    await expect.poll(ask).toBe(401);
  });

  test('removes the profile, the sessions and the tokens of an account with its last mapping', async () => {
    const mappedGroup = await limiter.group('ADMINISTRATOR');
    const weak = await profile();
    await map(weak, mappedGroup);
    const { id, userID } = await person(mappedGroup);
    const { client } = await logIn(userID);
    const token = await limiter.transact(async (tx) => String((await issueToken(tx, id, { name: 'x' })).token));
    await limiter.leave(mappedGroup, id);
    await remap();
    expect(await profileOfAccount(id)).toEqual({ profile: null, source: null });
    const live = await limiter.sql(
      `select from api_token where account_id = $1 and revoked_at is null union all select from login_session where account_id = $1 and revoked_at is null`,
      [id],
    );
    expect(live).toEqual([]);
    for (const signedInClient of [client, new Client(service.app, token)])
      await expect.poll(async () => (await signedInClient.get('/device/container')).code).toBe(401);
    // Back in the group, the account can sign in again, but its old sessions and tokens stay invalid.
    await limiter.join(mappedGroup, 7, id);
    expect((await logIn(userID)).code).toBe(200);
    expect((await new Client(service.app, token).get('/device/container')).code).toBe(401);
  });

  test('does not change a profile that was assigned by hand', async () => {
    const mappedGroup = await limiter.group('ADMINISTRATOR');
    await map(await profile(), mappedGroup);
    const ownProfile = await profile();
    const { id } = await person(mappedGroup);
    await limiter.transact(({ records }) => records.update(userAccount, id, { adminProfileDBID: ownProfile }));
    await remap();
    expect(await profileOfAccount(id)).toEqual({ profile: ownProfile, source: 'ASSIGNED' });
    // Only the service can set the source MAPPING.
    await limiter.transact(async (tx) => {
      const origin: Origin = { ...tx.origin, credential: { kind: 'token', name: 'x' } };
      Object.assign(tx, { origin });
      await tx.records.update(userAccount, id, { adminProfileDBID: null });
      await tx.records.update(userAccount, id, { adminProfileDBID: ownProfile, adminProfileSource: 'MAPPING' });
    });
    expect(await profileOfAccount(id)).toEqual({ profile: ownProfile, source: 'ASSIGNED' });
  });

  test('deletes a mapping with its group, with an audit row and an event, and closes the gap in the ranks', async () => {
    const [mappedGroup, otherGroup] = [await limiter.group('ADMINISTRATOR'), await limiter.group('USER')];
    const weak = await profile();
    const [a, b] = [await map(weak, mappedGroup), await map(weak, otherGroup)];
    const rank = async (id: number) => (await admin.fetch(adminProfileMapping, id)).rank as number;
    const before = await rank(b);
    expect((await admin.get(`/user/admin-profile/${weak}/usage`)).body.results).toEqual([
      { name: 'Admin profile mapping', children: expect.any(Array) },
    ]);
    await limiter.transact(({ records }) => records.remove(group, [mappedGroup]));
    expect((await admin.get(`${path}/${a}`)).code).toBe(404);
    expect(await rank(b)).toBe(before - 1);
    const audit = await admin.get(
      `/logging/audit?filter=${encodeURIComponent(`auditObjectType.dbTableName==admin_profile_mapping;liveDBID==${a};action==DELETE`)}`,
    );
    expect(audit.body.results).toMatchObject([{ yamsEventTag: 'ADMIN_PROFILE_MAPPING_DELETED' }]);
    expect((await admin.delete(`/user/admin-profile/${weak}`)).body).toMatchObject({ status: 'in-use' });
  });

  test('maps groups of administrators and of users, each once', async () => {
    const weak = await profile();
    const ports = await limiter.group('PORT');
    const refused = await admin.post(path, { adminProfileDBID: weak, groupDBID: ports });
    expect(refused).toMatchObject({ code: 422, body: { errorMessage: expect.stringContaining('of type PORT') } });
    const people = await limiter.group('USER');
    await map(weak, people);
    expect((await admin.post(path, { adminProfileDBID: weak, groupDBID: people })).code).toBe(409);
    expect((await admin.get(path)).body.results!.at(-1)).toMatchObject({
      groupDBID: people,
      profileName: expect.stringContaining('mapped'),
      group: { dbid: people, type: 'USER', source: 'LOCAL' },
    });
  });

  test('lists the profiles, and the groups of accounts that the caller sees', async () => {
    const people = await limiter.group('USER');
    await limiter.group('PORT');
    const [info] = (await admin.get(`${path}/supporting-info`)).body.results as [
      { profiles: object[]; groups: { id: number; type: string }[] },
    ];
    expect(info.profiles).toContainEqual({ id: 1, name: 'System Administrator' });
    expect(info.groups).toContainEqual(expect.objectContaining({ id: people, type: 'USER' }));
    expect(info.groups.every(({ type }) => type !== 'PORT')).toBe(true);
    const groupsOf = async (permissions: object) => {
      const caller = await limiter.caller({ permissions: { 'admin-profiles': { view: true }, ...permissions } });
      return (await caller.get(`${path}/supporting-info`)).body.results![0]!.groups;
    };
    expect(await groupsOf({})).toEqual([]);
    expect(await groupsOf({ groups: selecting(people) })).toMatchObject([{ id: people }]);
  });

  describe("refuses mappings that exceed the caller's permissions", () => {
    const ownPermissions = { 'admin-profiles': everyVerb, devices: everyVerb };

    test('by a new mapping, by another group or profile, or by the order', async () => {
      await limiter.sql('delete from admin_profile_mapping');
      const [weak, strong] = [await profile(ownPermissions), await profile({ debug: { view: true } })];
      const mappedGroups = [];
      for (let n = 0; n < 4; n++) mappedGroups.push(await limiter.group('ADMINISTRATOR'));
      const caller = await limiter.caller({ permissions: ownPermissions });
      const make = (adminProfileDBID: number, groupDBID: number) => caller.post(path, { adminProfileDBID, groupDBID });
      const mightier = { code: 403, body: { errorMessage: expect.stringContaining('view debug') } };
      expect(await make(strong, mappedGroups[0]!)).toMatchObject(mightier);
      expect((await make(1, mappedGroups[0]!)).code).toBe(403);
      const mine = Number(
        String((await make(weak, mappedGroups[0]!)).headers.location)
          .split('/')
          .at(-1),
      );
      const theirs = await map(strong, mappedGroups[1]!);
      const last = await map(weak, mappedGroups[2]!);
      expect(await caller.post(`${path}/${mine}`, { adminProfileDBID: strong })).toMatchObject(mightier);
      // Members of both groups would get the profile of the lower ranked mapping.
      for (const reply of [
        await caller.post(`${path}/${mine}`, { groupDBID: mappedGroups[3]! }),
        await caller.delete(`${path}/${mine}`),
        await caller.post(`${path}/delete`, { id: [mine] }),
        await caller.post(`${path}/rank/set`, { id: mine, rank: 2 }),
        await caller.post(`${path}/rank/set`, { id: theirs, rank: 1 }),
        await caller.post(`${path}/rank/swap`, { id: [mine, last] }),
        await caller.post(`${path}/rank/swap`, { id: [mine, theirs] }),
      ])
        expect(reply, reply.text).toMatchObject(mightier);
      expect((await caller.post(`${path}/rank/set`, { id: last, rank: 1 })).code).toBe(200);
      expect((await caller.post(`${path}/rank/set`, { id: theirs, rank: 3 })).code).toBe(200);
      expect((await caller.delete(`${path}/${theirs}`)).code).toBe(200);
    });

    test('by adding users to a mapped group, or to a group below one', async () => {
      const [outer, inner] = [await limiter.group('ADMINISTRATOR'), await limiter.group('ADMINISTRATOR')];
      await limiter.nest([outer, inner]);
      await map(await profile({ debug: { view: true } }), outer);
      const add = (rights: Origin['rights']) =>
        service.runtime.transact({ ...systemOrigin('test'), rights }, (tx) => requireMembersNotExceeding(tx, [inner]));
      await expect(add(rightsOf({ groups: [...verbs] }))).rejects.toThrow('view debug');
      await expect(add(rightsOf({ debug: ['view'] }))).resolves.toBeUndefined();
      await expect(add('everything')).resolves.toBeUndefined();
    });
  });

  test('keeps the profile of the last administrator without delaying other accounts', async () => {
    const separateWorld = await world();
    const there = new Limiter(separateWorld);
    const mappedGroup = await there.group('ADMINISTRATOR');
    const account = () =>
      there.transact(async ({ records, client }) => {
        const { id } = await records.create(userAccount, { userID: `mapped ${++profileCount}` });
        await client.query(`insert into password (account_id, hash) values ($1, '')`, [id]);
        return id;
      });
    const [boss, otherAccount] = [await account(), await account()];
    await there.join(mappedGroup, 7, boss, otherAccount);
    await separateWorld.admin.create(adminProfileMapping, { adminProfileDBID: 1, groupDBID: mappedGroup });
    const run = () =>
      adminRemap.run({
        context: {
          write: (work: never) => separateWorld.service.runtime.transact(systemOrigin('admin-remap'), work),
        } as never,
        signal: new AbortController().signal,
      });
    await run();
    await there.sql(`update user_account set state = 'DISABLED' where admin_profile_source = 'ASSIGNED'`);
    await there.leave(mappedGroup, boss, otherAccount);
    await run();
    const rows = await there.sql(
      'select id from user_account where admin_profile_dbid = 1 and admin_profile_source = $1',
      ['MAPPING'],
    );
    expect(rows).toEqual([{ id: otherAccount }]);
    expect(await there.transact((tx) => accountsToRemap(tx, 0))).toEqual([otherAccount]);
  });

  test('notifies the reconciler in the transaction of a change', async () => {
    const separateWorld = await world({ jobs: 'enqueue' });
    const people = (await new Limiter(separateWorld).group('USER')) as number;
    const queued = async () =>
      (await separateWorld.service.runtime.pool.query(`select from reconcile_request where reconciler = 'admin-remap'`))
        .rowCount!;
    const before = await queued();
    expect(
      (await separateWorld.admin.post(`${path}?dryRun=true`, { adminProfileDBID: 2, groupDBID: people })).code,
    ).toBe(200);
    expect(await queued()).toBe(before);
    const id = await separateWorld.admin.create(adminProfileMapping, { adminProfileDBID: 2, groupDBID: people });
    expect(await queued()).toBe(before + 1);
    expect((await separateWorld.admin.delete(`${path}/${id}`)).code).toBe(200);
    expect(await queued()).toBe(before + 2);
  });
});
