import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import type { Reply } from '../../../test/world/client.ts';
import { world } from '../../../test/world/world.ts';
import { container } from '../../device/container/container.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { group } from '../../system/group/group.ts';
import { roleSources, userAccount } from '../../user/user-account/user-account.ts';
import { assignDueRoles } from './role.service.ts';
import { role } from './role.ts';

describe('role', () => {
  testCollection(role, {
    behind: 1,
    sample: (n) => ({ name: `role-${n}` }),
    async referrer({ admin }, { name }) {
      await admin.create(container, { name: 'refers', role: name });
      return { group: 'Container', name: 'refers' };
    },
  });
});

describe('roles', async () => {
  const { admin, service } = await world();
  const { runtime } = service;
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);
  const path = role.path!;
  let createdRecords = 0;
  let ada = 0;
  let bob = 0;

  beforeAll(async () => {
    await transact(async ({ records }) => {
      ada = (await records.create(userAccount, { userID: 'ada' })).id;
      bob = (await records.create(userAccount, { userID: 'bob' })).id;
    });
  });

  const create = (body: object = {}) => admin.create(role, { name: `own-${++createdRecords}`, ...body });
  const groupOf = (type: string, body: object = {}) =>
    admin.create({ path: `${group.path}/${type}` }, { name: `group-${++createdRecords}`, ...body });
  const post = (requestPath: string, body: object) => admin.post(requestPath, body);
  const done = async (reply: Promise<Reply>) => expect(await reply).toMatchObject({ code: 200 });
  const refused = async (code: number, reply: Promise<Reply>, ...words: string[]) => {
    const { code: answered, text, body } = await reply;
    expect([answered, text]).toEqual([code, expect.any(String)]);
    for (const word of words) expect(body.errorMessage).toContain(word);
  };
  /** Runs the job until nothing is due. */
  const runJob = async () => {
    while (await transact(assignDueRoles));
  };
  const roleOf = async (id: number) => {
    const { role: name, roleSource } = (await transact(({ records }) => records.fetch(userAccount, id)))!;
    return [name, roleSource];
  };
  /** Returns the roles of ada and bob. */
  const both = async () => [(await roleOf(ada))[0], (await roleOf(bob))[0]];
  const nameOf = async (id: number) => (await admin.fetch(role, id)).name;
  const due = async () => (await runtime.pool.query('select from role_due')).rowCount;

  beforeEach(async () => {
    await done(post(`${group.path}/membership`, { elemID: [ada, bob], groupID: [], type: 'USER' }));
  });

  test('a new cell has three roles, the default last', async () => {
    const { results } = (await admin.get(`${path}?filter=builtIn==true`)).body;
    expect(results!.map(({ name }) => name)).toEqual(['Guest', 'Contractor', 'NAC-Default']);
    expect((await admin.get(`${path}/simple`)).body.results).toEqual(results!.map(({ id, name }) => ({ id, name })));
  });

  test('built-in roles cannot be deleted, and the default role keeps its name and rank', async () => {
    const [guest, , last] = (await admin.get<{ id: number }>(`${path}/simple`)).body.results!;
    for (const { id } of [guest!, last!]) await refused(409, admin.delete(`${path}/${id}`), 'built in');
    await refused(409, post(`${path}/${last!.id}`, { name: 'Other' }), 'renamed');
    await refused(409, post(`${path}/rank/set`, { id: last!.id, rank: 1 }), 'last');
    await refused(409, post(`${path}/rank/swap`, { id: [last!.id, guest!.id] }), 'last');
    await refused(422, post(`${path}/rank/set`, { id: guest!.id, rank: 3 }), 'highest rank allowed is 2');
    expect((await post(`${path}/${last!.id}`, { note: 'For the rest' })).code).toBe(200);
    expect((await post(`${path}/${guest!.id}`, { name: 'Visitor' })).code).toBe(200);
    await done(post(`${path}/${guest!.id}`, { name: 'Guest' }));
  });

  test('only host and user groups are accepted, each once, and a deleted group leaves the list', async () => {
    const [hosts, users] = [await groupOf('HOST'), await groupOf('USER')];
    const id = await create({ groupIDs: [hosts, users] });
    await refused(422, post(`${path}/${id}`, { groupIDs: [await groupOf('PORT')] }), 'PORT');
    await refused(400, post(`${path}/${id}`, { groupIDs: [hosts, hosts] }), 'twice');
    await refused(422, post(`${path}/${id}`, { groupIDs: [999_999_999] }), '999999999');
    expect((await admin.delete(`${group.path}/${hosts}`)).code).toBe(200);
    expect(await admin.fetch(role, id)).toMatchObject({ groupIDs: [users], version: 2 });
  });

  test('joining a group assigns its role at once, leaving it assigns the default, and each change emits an event', async () => {
    const users = await groupOf('USER');
    const id = await create({ groupIDs: [users] });
    const name = await nameOf(id);
    await done(post(`${group.path}/add-members`, { elemID: [ada], groupID: [users] }));
    expect([await roleOf(ada), await roleOf(bob)]).toEqual([
      [name, 'GROUP'],
      ['NAC-Default', 'DEFAULT'],
    ]);
    expect(await admin.fetch(role, id)).toMatchObject({ users: 1, hosts: 0 });
    expect((await admin.post(`${path}/${id}/usage`)).body.results).toEqual([
      { name: 'User account', children: ['1 record'] },
    ]);
    await refused(409, admin.delete(`${path}/${id}`), '1 User account record');
    await done(post(`${group.path}/remove-members`, { elemID: [ada], groupID: [users] }));
    expect(await roleOf(ada)).toEqual(['NAC-Default', 'DEFAULT']);
    const { rows } = await runtime.pool.query(
      `select event_format_string as text from event where name = 'USER_ROLE_CHANGED' and element_type = 6 and element_id = $1 order by id`,
      [ada],
    );
    expect(rows.map(({ text }) => text)).toEqual([
      `ada: NAC-Default → ${name}, source GROUP`,
      `ada: ${name} → NAC-Default, source DEFAULT`,
    ]);
  });

  test('the highest of several roles applies, and moving a role reassigns its members', async () => {
    const [a, b] = [await groupOf('USER'), await groupOf('USER')];
    const [high, low] = [await create({ groupIDs: [a] }), await create({ groupIDs: [b] })];
    await done(post(`${group.path}/add-members`, { elemID: [ada], groupID: [a, b] }));
    await done(post(`${group.path}/add-members`, { elemID: [bob], groupID: [b] }));
    expect(await both()).toEqual([await nameOf(high), await nameOf(low)]);
    await done(post(`${path}/rank/set`, { id: low, rank: 1 }));
    await runJob();
    expect(await roleOf(ada)).toEqual([await nameOf(low), 'GROUP']);
    await done(post(`${path}/rank/swap`, { id: [low, high] }));
    await runJob();
    expect(await roleOf(ada)).toEqual([await nameOf(high), 'GROUP']);
    await done(post(`${path}/${high}`, { groupIDs: [] }));
    await runJob();
    expect(await roleOf(ada)).toEqual([await nameOf(low), 'GROUP']);
    await done(post(`${group.path}/membership`, { elemID: [ada, bob], groupID: [], type: 'USER' }));
    expect(await both()).toEqual(['NAC-Default', 'NAC-Default']);
  });

  test('nesting groups assigns roles to the members below, and removing the nesting removes them', async () => {
    const bottom = await groupOf('USER', { members: [ada] });
    const middle = await groupOf('USER', { childGroups: [bottom], members: [bob] });
    const top = await groupOf('USER');
    const name = await nameOf(await create({ groupIDs: [top] }));
    await runJob();
    await done(post(`${group.path}/add-to-parents`, { groupID: middle, parentID: [top] }));
    await runJob();
    expect(await both()).toEqual([name, name]);
    expect((await admin.delete(`${group.path}/${middle}`)).code).toBe(200);
    await runJob();
    expect(await both()).toEqual(['NAC-Default', 'NAC-Default']);
    await done(post(`${group.path}/add-to-parents`, { groupID: bottom, parentID: [top] }));
    await runJob();
    expect(await roleOf(ada)).toEqual([name, 'GROUP']);
    await done(post(`${group.path}/remove-from-parent`, { parentID: top, id: [bottom] }));
    await runJob();
    expect(await roleOf(ada)).toEqual(['NAC-Default', 'DEFAULT']);
    expect(await due()).toBe(0);
  });

  test('a change of a group that no role claims marks nothing as due', async () => {
    const [a, b] = [await groupOf('USER', { members: [ada] }), await groupOf('USER')];
    await done(post(`${group.path}/add-to-parents`, { groupID: a, parentID: [b] }));
    await done(post(`${path}/${await create()}`, { note: 'nothing more' }));
    expect((await admin.delete(`${group.path}/${a}`)).code).toBe(200);
    expect(await due()).toBe(0);
  });

  test('a role that an administrator chose stays until the role is set to empty', async () => {
    const users = await groupOf('USER', { members: [bob] });
    const [groupRole, chosen] = [await nameOf(await create({ groupIDs: [users] })), await nameOf(await create())];
    await runJob();
    expect(await roleOf(bob)).toEqual([groupRole, 'GROUP']);
    await transact(({ records }) => records.update(userAccount, bob, { role: chosen }));
    await done(post(`${group.path}/remove-members`, { elemID: [bob], groupID: [users] }));
    await done(post(`${group.path}/add-members`, { elemID: [bob], groupID: [users] }));
    expect(await roleOf(bob)).toEqual([chosen, 'ADMIN']);
    await transact(({ records }) => records.update(userAccount, bob, { role: '' }));
    expect(await roleOf(bob)).toEqual([groupRole, 'GROUP']);
  });

  test('an account that joins two groups concurrently gets the higher role', async () => {
    const [a, b] = [await groupOf('USER'), await groupOf('USER')];
    const high = await nameOf(await create({ groupIDs: [a], rank: 1 }));
    await create({ groupIDs: [b], rank: 2 });
    await runJob();
    for (let n = 0; n < 5; n++) {
      await done(post(`${group.path}/membership`, { elemID: [ada], groupID: [], type: 'USER' }));
      await Promise.all([a, b].map((id) => post(`${group.path}/add-members`, { elemID: [ada], groupID: [id] })));
      expect(await roleOf(ada)).toEqual([high, 'GROUP']);
    }
  });

  test('supporting-info lists groups, sources and counts', async () => {
    const { results } = (await admin.get(`${path}/supporting-info`)).body;
    expect(results).toHaveLength(1);
    const { hostGroups, userGroups, sources, counts } = results![0] as Record<string, Record<string, unknown>[]>;
    expect(hostGroups!.map(({ name }) => name)).toContain('Forced Scan Exceptions');
    expect(userGroups!.map(({ name }) => name)).not.toContain('Forced Scan Exceptions');
    expect(sources).toEqual(roleSources);
    const roles = (await admin.get(path)).body.results!;
    expect(counts).toEqual(roles.map(({ id, hosts, users }) => ({ roleID: id, hosts, users })));
  });
});
