import { describe, expect, test } from 'vitest';
import type { Reply } from '../../../test/world/client.ts';
import { everyVerb, Limiter, selecting } from '../../../test/world/restricted-admins.ts';
import { world } from '../../../test/world/world.ts';
import { adminProfile } from '../../user/admin-profile/admin-profile.ts';
import { adminProfileMapping } from '../../user/admin-profile-mapping/admin-profile-mapping.ts';
import { userAccount } from '../../user/user-account/user-account.ts';

const path = '/system/group';
const nobody = 987_654_321;

describe('groups for callers with row limits', async () => {
  const shared = await world();
  const { admin } = shared;
  const limiter = new Limiter(shared);
  const place = await limiter.device();
  const port = () => limiter.port(place);
  let groupCount = 0;

  const membersOf = async (id: number) =>
    (
      await limiter.sql<{ id: number }>('select member_id as id from group_member where group_id = $1 order by 1', [id])
    ).map((row) => row.id);
  const childrenOf = async (id: number) =>
    (
      await limiter.sql<{ id: number }>('select child_id as id from group_edge where parent_id = $1 order by 1', [id])
    ).map((row) => row.id);
  const managedBy = async (id: number) =>
    (
      await limiter.sql<{ id: number }>('select managed_id as id from group_manages where group_id = $1 order by 1', [
        id,
      ])
    ).map((row) => row.id);

  /** Loads all rows of groups and their relations. */
  const footprint = () =>
    limiter.sql(`select (select md5(string_agg(m::text, ',' order by m.group_id, m.member_id)) from group_member m) as members,
      (select md5(string_agg(e::text, ',' order by e.parent_id, e.child_id)) from group_edge e) as edges,
      (select md5(string_agg(m::text, ',' order by m.group_id, m.managed_id)) from group_manages m) as managed`);

  const alike = (reply: Reply, id: number) => ({ code: reply.code, text: reply.text.replaceAll(String(id), '#') });

  describe('limited to selected groups', async () => {
    const [visibleGroup, otherGroup, hiddenGroup] = [
      await limiter.group('PORT'),
      await limiter.group('PORT'),
      await limiter.group('PORT'),
    ];
    const administrators = await limiter.group('ADMINISTRATOR');
    const element = await port();
    const caller = await limiter.caller({
      permissions: {
        groups: selecting(visibleGroup, otherGroup, administrators),
        roles: everyVerb,
        devices: everyVerb,
      },
    });

    test.each<[string, (id: number) => Promise<Reply>]>([
      ['add-members', (id) => caller.post(`${path}/add-members`, { elemID: [element], groupID: [visibleGroup, id] })],
      [
        'remove-members',
        (id) => caller.post(`${path}/remove-members`, { elemID: [element], groupID: [visibleGroup, id] }),
      ],
      ['membership', (id) => caller.post(`${path}/membership`, { elemID: [element], groupID: [id], type: 'PORT' })],
      [
        'add-to-parents, the group',
        (id) => caller.post(`${path}/add-to-parents`, { groupID: id, parentID: [visibleGroup] }),
      ],
      [
        'add-to-parents, a parent',
        (id) => caller.post(`${path}/add-to-parents`, { groupID: visibleGroup, parentID: [otherGroup, id] }),
      ],
      [
        'remove-from-parent, the parent',
        (id) => caller.post(`${path}/remove-from-parent`, { parentID: id, id: [visibleGroup] }),
      ],
      [
        'remove-from-parent, a child',
        (id) => caller.post(`${path}/remove-from-parent`, { parentID: visibleGroup, id: [otherGroup, id] }),
      ],
      ['manages, the group', (id) => caller.post(`${path}/${id}/manages`, { id: [visibleGroup] })],
      [
        'manages, what is managed',
        (id) => caller.post(`${path}/${administrators}/manages`, { id: [visibleGroup, id] }),
      ],
      ['an update, a child', (id) => caller.post(`${path}/PORT/${visibleGroup}`, { childGroups: [id] })],
    ])('%s: responds for a hidden group as for a missing one, and changes nothing', async (_, send) => {
      const before = await footprint();
      const [reply, unknown] = [await send(hiddenGroup), await send(nobody)];
      expect(alike(reply, hiddenGroup)).toEqual(alike(unknown, nobody));
      expect(reply.code, reply.text).toBe(404);
      expect(await footprint()).toEqual(before);
      const control = await send(otherGroup);
      expect(control.code, control.text).not.toBe(404);
    });

    test('keeps hidden groups when memberships, children, parents or managed groups are replaced', async () => {
      const [below, above] = [await limiter.group('PORT'), await limiter.group('PORT')];
      const ownPort = await port();
      await limiter.join(hiddenGroup, 3, ownPort);
      await limiter.nest([visibleGroup, below], [above, otherGroup]);
      await limiter.sql('insert into group_manages (group_id, managed_id) values ($1, $2)', [
        administrators,
        hiddenGroup,
      ]);
      expect(
        (await caller.post(`${path}/membership`, { elemID: [ownPort], groupID: [visibleGroup], type: 'PORT' })).code,
      ).toBe(200);
      expect(await membersOf(hiddenGroup)).toContain(ownPort);
      expect(await membersOf(visibleGroup)).toContain(ownPort);
      expect((await caller.post(`${path}/PORT/${visibleGroup}`, { childGroups: [otherGroup] })).code).toBe(200);
      expect(await childrenOf(visibleGroup)).toEqual([otherGroup, below].sort((a, b) => a - b));
      expect((await caller.post(`${path}/add-to-parents`, { groupID: otherGroup, parentID: [] })).code).toBe(200);
      expect(await childrenOf(visibleGroup)).toEqual([below]);
      expect(await childrenOf(above)).toEqual([otherGroup]);
      const tried = await caller.post(`${path}/${administrators}/manages?dryRun=true`, { id: [visibleGroup] });
      expect(tried.body.results).toMatchObject([{ dbid: administrators }]);
      expect((await caller.post(`${path}/${administrators}/manages`, { id: [visibleGroup] })).code).toBe(200);
      expect(await managedBy(administrators)).toEqual([visibleGroup, hiddenGroup].sort((a, b) => a - b));
    });

    test('shows the name of a hidden group neither for nested members and cycles, nor in mappings and event types', async () => {
      const [top, between, low] = [
        await limiter.group('PORT'),
        await limiter.group('PORT'),
        await limiter.group('PORT'),
      ];
      await limiter.nest([top, between], [between, low]);
      const member = await port();
      await limiter.join(between, 3, member);
      const [{ name } = { name: '' }] = await limiter.sql<{ name: string }>('select name from "group" where id = $1', [
        between,
      ]);
      const some = await limiter.caller({
        permissions: {
          groups: selecting(top, low),
          devices: everyVerb,
          'admin-profiles': everyVerb,
          'events-alarms': everyVerb,
        },
      });
      const nested = await some.get(`${path}/${top}/members?nested=true`);
      expect(nested.body.results).toMatchObject([{ id: member, via: null }]);
      const circle = await some.post(`${path}/add-to-parents`, { groupID: top, parentID: [low], replace: false });
      expect(circle.code, circle.text).toBe(422);
      expect(circle.text).toContain('a hidden group');
      const [record] = (await some.get(`${path}/${low}`)).body.results!;
      expect(record!.parentIDs).toEqual([]);
      expect((await admin.get(`${path}/${low}`)).body.results![0]!.parentIDs).toEqual([between]);
      const [below] = (await some.get(`${path}/${top}/descendants`)).body.results!;
      expect(below).toMatchObject({ dbid: low, parentIDs: [] });
      const [mapping, unmapped] = [
        await some.post('/user/admin-profile-mapping', { groupDBID: between, adminProfileDBID: some.profileId }),
        await some.post('/user/admin-profile-mapping', { groupDBID: nobody, adminProfileDBID: some.profileId }),
      ];
      expect(alike(mapping, between)).toEqual(alike(unmapped, nobody));
      for (const { text } of [nested, circle, mapping]) expect(text).not.toContain(name);
    });

    test('leaves hidden groups out of the descendants', async () => {
      const [low, lower] = [await limiter.group('PORT'), await limiter.group('PORT')];
      await limiter.nest([visibleGroup, low], [low, lower]);
      const some = await limiter.caller({ permissions: { groups: selecting(visibleGroup, lower) } });
      const { body } = await some.get(`${path}/${visibleGroup}/descendants`);
      expect(body.results!.map(({ dbid }) => dbid)).toEqual([lower]);
    });

    test('refuses new hidden groups in a role, keeps the existing ones, and leaves them out of the form', async () => {
      const [mine, otherGroup] = [await limiter.group('USER'), await limiter.group('USER')];
      const author = await limiter.caller({ permissions: { groups: selecting(mine), roles: everyVerb } });
      const send = (id: number) =>
        author.post('/policy/role', { name: `of groups ${++groupCount}`, groupIDs: [mine, id] });
      const [reply, unknown] = [await send(otherGroup), await send(nobody)];
      expect(alike(reply, otherGroup)).toEqual(alike(unknown, nobody));
      expect(reply.code).toBe(422);
      const id = await admin.create(
        { path: '/policy/role' },
        { name: `of groups ${++groupCount}`, groupIDs: [otherGroup] },
      );
      expect((await author.post(`/policy/role/${id}`, { groupIDs: [otherGroup, mine], note: 'mine too' })).code).toBe(
        200,
      );
      const [form] = (await author.get('/policy/role/supporting-info')).body.results!;
      expect((form!.userGroups as { id: number }[]).map((userGroup) => userGroup.id)).toEqual([mine]);
    });
  });

  describe('limited to members of managed groups', async () => {
    const managed = await limiter.group('PORT');
    const [top, low] = [await limiter.group('PORT'), await limiter.group('PORT')];
    await limiter.nest([top, low]);
    const [a, b, c, d] = [await port(), await port(), await port(), await port()];
    await limiter.join(managed, 3, b, d);
    await limiter.join(top, 3, a, b);
    await limiter.join(low, 3, c, d);
    const caller = await limiter.caller({
      manageByGroups: true,
      permissions: { groups: everyVerb, devices: everyVerb, 'admin-profiles': { view: true } },
    });
    const administrators = await limiter.manage(caller.accountId, managed);
    const idsIn = (reply: Reply) => reply.body.results!.map((record) => (record as { id: number }).id);

    test('refuses to delete, nest, remove or claim by a role a group with hidden members', async () => {
      const [parent, child] = [await limiter.group('PORT'), await limiter.group('PORT')];
      await limiter.nest([parent, child]);
      await limiter.join(child, 3, a);
      const before = await footprint();
      const replies = [
        await caller.call('DELETE', `${path}/${child}`),
        await caller.post(`${path}/delete`, { id: [child] }),
        await caller.post(`${path}/remove-from-parent`, { parentID: parent, id: [child] }),
        await caller.post(`${path}/add-to-parents`, { groupID: child, parentID: [] }),
        await caller.post(`${path}/PORT/${parent}`, { childGroups: [] }),
      ];
      expect(replies.map(({ code, text }) => [code, text.includes(`"${a}"`)])).toEqual(replies.map(() => [409, false]));
      expect(await footprint()).toEqual(before);
      await limiter.leave(child, a);
      await limiter.join(child, 3, b);
      expect((await caller.post(`${path}/remove-from-parent`, { parentID: parent, id: [child] })).code).toBe(200);
      expect((await caller.call('DELETE', `${path}/${child}`)).code).toBe(200);
    });

    test('refuses a role that claims or releases a group with hidden hosts', async () => {
      const [mine, otherGroup] = [await limiter.group('HOST'), await limiter.group('HOST')];
      const [ownHost, hidden] = [
        await admin.create({ path: '/host' }, { hostName: `own ${++groupCount}` }),
        await admin.create({ path: '/host' }, { hostName: `hidden ${++groupCount}` }),
      ];
      await limiter.join(mine, 4, ownHost);
      await limiter.join(otherGroup, 4, hidden);
      const author = await limiter.caller({
        manageByGroups: true,
        permissions: { groups: everyVerb, hosts: everyVerb, roles: everyVerb },
      });
      await limiter.manage(author.accountId, mine);
      const id = await admin.create({ path: '/policy/role' }, { name: `claims ${++groupCount}` });
      expect((await author.post(`/policy/role/${id}`, { groupIDs: [otherGroup] })).code).toBe(422);
      const allowed = await author.post(`/policy/role/${id}`, { groupIDs: [mine] });
      expect(allowed.code, allowed.text).toBe(200);
      expect((await admin.post(`/policy/role/${id}`, { groupIDs: [mine, otherGroup] })).code).toBe(200);
      expect((await author.post(`/policy/role/${id}`, { groupIDs: [mine] })).code).toBe(422);
      expect((await author.call('DELETE', `/policy/role/${id}`)).code).toBe(409);
    });

    test('requires the right to view elements for reading and changing members', async () => {
      const narrow = await limiter.caller({ permissions: { groups: everyVerb } });
      const [record] = (await narrow.get(`${path}/${top}`)).body.results!;
      expect(record).toMatchObject({ members: [], memberCount: 2 });
      expect((await narrow.get(`${path}/${top}/members?nested=true`)).body.results).toEqual([]);
      expect((await narrow.get(`${path}/${top}/member-ids`)).body.results).toEqual([]);
      const added = await narrow.post(`${path}/add-members`, { elemID: [c], groupID: [top] });
      expect(added.code, added.text).toBe(403);
      expect(await membersOf(top)).toEqual([a, b]);
    });

    test('adds hosts to groups at registration only for callers who may change groups', async () => {
      const target = await limiter.group('HOST');
      const id = Number((await admin.get(`/adapter/${await limiter.adapter()}`)).body.results![0]!.hostID);
      const register = (verbs: object) =>
        limiter
          .caller({ permissions: { hosts: everyVerb, ...verbs } })
          .then((client) =>
            client.post('/host/register-as-device', { id: [id], deviceType: 'printer', groupIDs: [target] }),
          );
      expect((await register({})).code).toBe(403);
      expect(await membersOf(target)).toEqual([]);
      const reply = await register({ groups: everyVerb });
      expect(reply.code, reply.text).toBe(200);
      expect(await membersOf(target)).toEqual([id]);
    });

    test('shows, lists and pages only visible members, with the full member count', async () => {
      const [record] = (await caller.get(`${path}/${top}`)).body.results!;
      expect((record!.members as { id: number }[]).map(({ id }) => id)).toEqual([b]);
      expect(record!.memberCount).toBe(2);
      const [fullRecord] = (await admin.get(`${path}/${top}`)).body.results!;
      expect((fullRecord!.members as { id: number }[]).map(({ id }) => id)).toEqual([a, b]);
      expect(idsIn(await caller.get(`${path}/${top}/members`))).toEqual([b]);
      const first = await caller.get(`${path}/${top}/members?nested=true&count=1`);
      expect(idsIn(first)).toEqual([b]);
      expect(idsIn(await caller.get(/^<(.*)>/.exec(String(first.headers.link))![1]!))).toEqual([d]);
      expect((await caller.get(`${path}/${top}/member-ids`)).body.results).toEqual([b, d]);
    });

    test('responds for a hidden element as for a missing one, and changes nothing', async () => {
      for (const verb of ['add-members', 'remove-members', 'membership']) {
        const before = await footprint();
        const reply = await caller.post(`${path}/${verb}`, bodyOf(verb, [b, a], [top]));
        const unknown = await caller.post(`${path}/${verb}`, bodyOf(verb, [b, nobody], [top]));
        expect(alike(reply, a), verb).toEqual(alike(unknown, nobody));
        expect(reply.code, `${verb}: ${reply.text}`).toBe(404);
        expect(await footprint(), verb).toEqual(before);
      }
    });

    test('replaces and copies only visible members', async () => {
      expect((await caller.post(`${path}/PORT/${top}`, { members: [d] })).code).toBe(200);
      expect(await membersOf(top)).toEqual([a, d]);
      const copied = await caller.post(`${path}/copy`, { id: top, name: `copy ${++groupCount}`, children: false });
      expect(copied.code, copied.text).toBe(201);
      expect(await membersOf(Number(String(copied.headers.location).split('/').at(-1)))).toEqual([d]);
    });

    test('refuses to widen visibility by managing, joining or nesting', async () => {
      const [foreign, empty] = [await limiter.group('PORT'), await limiter.group('ADMINISTRATOR')];
      const mighty = await limiter.group('ADMINISTRATOR');
      await limiter.sql('insert into group_manages (group_id, managed_id) values ($1, $2)', [mighty, foreign]);
      const refused = [
        await caller.post(`${path}/${empty}/manages`, { id: [managed, foreign] }),
        await caller.post(`${path}/add-members`, { elemID: [caller.accountId], groupID: [mighty] }),
        await caller.post(`${path}/ADMINISTRATOR/${mighty}`, { members: [caller.accountId] }),
        await caller.post(`${path}/add-to-parents`, { groupID: administrators, parentID: [mighty], replace: false }),
        await caller.post(`${path}/add-to-parents`, { groupID: foreign, parentID: [managed] }),
        await caller.post(`${path}/PORT/${managed}`, { childGroups: [foreign] }),
      ];
      expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 403));
      expect((await caller.get(`/device/port/${a}`)).code).toBe(404);
      expect((await caller.post(`${path}/${empty}/manages`, { id: [managed] })).code).toBe(200);
      const joined = await caller.post(`${path}/add-members`, { elemID: [caller.accountId], groupID: [empty] });
      expect(joined.code, joined.text).toBe(200);
    });
  });

  describe('with admin profiles for their members', async () => {
    const profile = async (permissions: object) =>
      (
        await limiter.transact(({ records }) =>
          records.create(adminProfile, { name: `given ${++groupCount}`, permissions }),
        )
      ).id;
    const [mild, mighty] = [await limiter.group('USER'), await limiter.group('USER')];
    await admin.create(adminProfileMapping, { groupDBID: mild, adminProfileDBID: await profile({}) });
    await admin.create(adminProfileMapping, {
      groupDBID: mighty,
      adminProfileDBID: await profile({ debug: { view: true } }),
    });
    const account = await limiter.transact(({ records }) => records.create(userAccount, { userID: 'somebody' }));
    const caller = await limiter.caller({ permissions: { groups: everyVerb, 'admin-profiles': { view: true } } });

    test('refuses to give users more rights than the caller has, or to remove users from groups that limit them', async () => {
      const elemID = [account.id];
      const below = await limiter.group('USER');
      const join = (id: number) => caller.post(`${path}/add-members`, { elemID, groupID: [id] });
      expect(await join(mighty)).toMatchObject({ code: 403 });
      expect(await caller.post(`${path}/add-to-parents`, { groupID: below, parentID: [mighty] })).toMatchObject({
        code: 403,
      });
      expect((await join(mild)).code).toBe(200);
      expect(await caller.post(`${path}/remove-members`, { elemID, groupID: [mild] })).toMatchObject({ code: 403 });
      expect((await admin.post(`${path}/add-members`, { elemID, groupID: [mighty] })).code).toBe(200);
    });
  });
});

/** The requests of the three operations that change memberships. */
const bodyOf = (verb: string, elemID: number[], groupID: number[]) => ({
  elemID,
  groupID,
  ...(verb === 'membership' && { type: 'PORT' }),
});
