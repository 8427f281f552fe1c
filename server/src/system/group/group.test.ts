import { beforeAll, describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import type { Reply } from '../../../test/world/client.ts';
import { world } from '../../../test/world/world.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { observePorts } from '../../device/port/observe-ports.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { foldCounters } from '../../kernel/operations/maintenance-jobs.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import { group } from './group.ts';

describe('group', () => {
  testCollection(group, {
    refused: [
      'enforcement',
      'tag',
      'rank',
      'userGroup',
      'source',
      'directoryID',
      'directoryKey',
      'dn',
      'parentIDs',
      'managesGroupIDs',
    ],
    type: 'HOST',
    sample: (n) => ({ name: `group-${n}`, type: 'HOST', description: 'made by a law' }),
    change: (n) => ({ name: `changed-${n}` }),
    async referrer({ admin }, { name }) {
      await admin.create({ path: '/settings/agent/directory-agent' }, { name: 'refers', addToGroupNames: [name] });
      return { group: 'Directory agent config', name: 'refers' };
    },
  });
});

describe('groups', async () => {
  const { admin, service, caller } = await world();
  const { runtime } = service;
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);
  const path = group.path!;
  let ports: number[] = [];
  const users: number[] = [];
  let device = 0;
  let groupCount = 0;

  beforeAll(async () => {
    await transact(async ({ records, client }) => {
      device = (await records.create(networkDevice, { name: 'edge-1', containerID: 1 })).id;
      await observePorts(
        client,
        Array.from({ length: 6 }, (_, n) => ({ deviceID: device, name: `Gi1/0/${n + 1}`, ifindex: String(n + 1) })),
      );
      ports = (await client.query<{ id: number }>('select p.id from port p order by p.id')).rows.map(({ id }) => id);
      for (const userID of ['ada', 'bob']) users.push((await records.create(userAccount, { userID })).id);
    });
  });

  const create = (type: string, body: object = {}) =>
    admin.create({ path: `${path}/${type}` }, { name: `own-${++groupCount}`, ...body });
  const fetch = (id: number) => admin.fetch(group, id);
  const post = (verb: string, body: object) => admin.post(`${path}/${verb}`, body);
  const done = async (verb: string, body: object) => {
    const reply = await post(verb, body);
    expect(reply, reply.text).toMatchObject({ code: 200, body: { status: 'success', errorMessage: null } });
    return reply;
  };
  const refused = async (code: number, reply: Promise<Reply>, ...words: string[]) => {
    const { code: answered, text, body } = await reply;
    expect([answered, text]).toEqual([code, expect.any(String)]);
    for (const word of words) expect(body.errorMessage).toContain(word);
  };
  const memberIds = async (id: number, nested = true) =>
    (await admin.get<number>(`${path}/${id}/member-ids?nested=${nested}`)).body.results!;
  const rows = async <R extends object>(text: string, values: unknown[] = []) =>
    (await runtime.pool.query<R>(text, values)).rows;
  const tagged = async (tag: string) => (await admin.get(`${path}?filter=tag==${tag}`)).body.results![0]!;
  const auditOf = (id: number) =>
    rows<{ action: string; yams_event_tag: string; summary: string; changes: object[] }>(
      `select action, yams_event_tag, summary, changes from audit_record where db_table_name = 'group' and live_dbid = $1 order by id`,
      [id],
    );
  const generation = async () =>
    (await rows<{ generation: number }>('select generation from policy_generation'))[0]!.generation;

  test('refuses other values in fields of built-in groups, and accepts the stored values', async () => {
    const id = await create('PORT');
    for (const [field, value] of [
      ['enforcement', 'DEAD_END'],
      ['tag', 'enforce-dead-end'],
      ['rank', 1],
      ['userGroup', false],
      ['source', 'SYSTEM'],
      ['managesGroupIDs', [id]],
      ['parentIDs', [id]],
    ] as const) {
      await refused(422, admin.post(`${path}/PORT/${id}`, { [field]: value }), field);
      await refused(422, admin.post(`${path}/PORT`, { name: 'x', [field]: value }), field);
    }
    const builtIn = await tagged('enforce-registration');
    expect((await admin.post(`${path}/PORT/${builtIn.dbid}`, builtIn)).code).toBe(200);
  });

  describe('types', () => {
    test('takes the type from the path, and refuses another type in the body', async () => {
      const id = await create('PORT');
      expect(await fetch(id)).toMatchObject({
        type: 'PORT',
        elementClass: 3,
        userGroup: true,
        source: 'LOCAL',
        tag: null,
      });
      await refused(400, admin.post(`${path}/PORT`, { name: 'x', type: 'HOST' }), 'type', 'HOST', 'PORT');
    });

    test('refuses a change of the type in the path or in the body', async () => {
      const id = await create('PORT');
      await refused(422, admin.post(`${path}/HOST/${id}`, { name: 'moved' }), 'type');
      await refused(422, admin.post(`${path}/HOST`, { dbid: id, name: 'moved' }), 'type');
    });

    test('refuses types in place of ids and ids in place of types in a path', async () => {
      const id = await create('PORT');
      for (const groupPath of ['/port', '/Port', '/GROUP', '/PORT/x', '/PORT/1x', `/${id}/${id}`, `/x/manages`])
        await refused(404, admin.post(`${path}${groupPath}`, { name: 'x' }));
      const { code, headers } = await admin.post(`${path}/${id}`, { name: 'x' });
      expect([code, headers.allow]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS']);
    });

    test('allows the same name for groups of different types', async () => {
      await create('PORT', { name: 'Twins' });
      await create('DEVICE', { name: 'twins' });
      await refused(409, admin.post(`${path}/PORT`, { name: 'TWINS' }));
    });

    test('allows expiration only for groups of hosts and users', async () => {
      await refused(
        422,
        admin.post(`${path}/USER`, { name: 'x', daysValid: 30 }),
        'daysValid: not supported yet for users',
      );
      await create('HOST', { daysValid: 30 });
      await refused(422, admin.post(`${path}/PORT`, { name: 'x', daysValid: 30 }), 'daysValid');
      await refused(422, admin.post(`${path}/ADAPTER`, { name: 'x', daysInactive: 1 }), 'daysInactive');
    });
  });

  describe('members', () => {
    test('shows the first members in a fetch, and only their number in a list', async () => {
      const id = await create('PORT', { members: ports.slice(0, 2) });
      expect(await fetch(id)).toMatchObject({
        memberCount: 2,
        members: [
          { id: ports[0], name: 'edge-1 Gi1/0/1', img: '/icons/ethernet-port.svg' },
          { id: ports[1], name: 'edge-1 Gi1/0/2', img: '/icons/ethernet-port.svg' },
        ],
      });
      const [listed] = (await admin.get(`${path}?filter=dbid==${id}`)).body.results!;
      expect(listed).toMatchObject({ memberCount: 2, members: [] });
      await refused(400, admin.get(`${path}?filter=members.id==1`), 'members');
    });

    test('replaces members that are sent as ids, and ignores members that are sent as a fetch or list returned them', async () => {
      const id = await create('PORT', { members: ports.slice(0, 2) });
      const record = await fetch(id);
      await done('add-members', { elemID: [ports[3]], groupID: [id] });
      expect(await admin.post(`${path}/PORT/${id}`, record)).toMatchObject({ code: 200, headers: { etag: '"1"' } });
      expect(await memberIds(id)).toEqual([ports[0], ports[1], ports[3]]);
      expect((await admin.post(`${path}/PORT/${id}`, { members: [ports[1], ports[2]] })).headers.etag).toBe('"1"');
      expect(await memberIds(id)).toEqual([ports[1], ports[2]]);
      const [listed] = (await admin.get(`${path}?filter=dbid==${id}`)).body.results!;
      expect(await admin.post(`${path}/PORT/${id}`, listed)).toMatchObject({ code: 200, headers: { etag: '"1"' } });
      expect((await fetch(id)).memberCount).toBe(2);
      await refused(400, admin.post(`${path}/PORT/${id}`, { members: [ports[1], ports[1]] }), 'members');
      await refused(400, admin.post(`${path}/PORT/${id}`, { members: [ports[1], { id: 1 }] }), 'members[1]');
      await refused(404, admin.post(`${path}/PORT`, { name: 'x', members: [999_999_999] }), 'Port 999999999');
    });

    test('accepts plain ids in XML', async () => {
      const body = `<request><name>by xml</name><members><item>${ports[0]}</item><item> ${ports[2]} </item></members></request>`;
      const reply = await admin.post(`${path}/PORT`, body, { 'content-type': 'application/xml' });
      expect(reply.code, reply.text).toBe(201);
      expect(await memberIds(Number(String(reply.headers.location).split('/').at(-1)))).toEqual([ports[0], ports[2]]);
      const mixed = `<request><name>y</name><members><item>1<id>2</id></item></members></request>`;
      expect((await admin.post(`${path}/PORT`, mixed, { 'content-type': 'application/xml' })).code).toBe(400);
    });

    test('adds and removes each pair once, however often it is sent, with one event per group', async () => {
      const [a, b] = [await create('PORT'), await create('PORT')];
      const both = { elemID: ports.slice(0, 3), groupID: [b, a] };
      await done('add-members', both);
      await done('add-members', both);
      await done('add-members', { elemID: ports.slice(0, 4), groupID: [a] });
      await done('remove-members', { elemID: ports, groupID: [a] });
      await done('remove-members', { elemID: ports, groupID: [a] });
      expect([await memberIds(a), await memberIds(b)]).toEqual([[], ports.slice(0, 3)]);
      const reported = (await auditOf(a)).slice(1);
      expect(reported.map(({ summary }) => summary)).toEqual(['+3 −0 members', '+1 −0 members', '+0 −4 members']);
      expect(reported[1]).toMatchObject({
        action: 'MODIFY',
        yams_event_tag: 'GROUP_MEMBERSHIP_CHANGED',
        changes: [{ field: 'members', before: null, after: `[${ports[3]}]` }],
      });
      const events = await rows<{ text: string }>(
        `select event_format_string as text from event where name = 'GROUP_MEMBERSHIP_CHANGED' and element_type = 8 and element_id = $1 order by id`,
        [a],
      );
      expect(events.map(({ text }) => text)).toEqual(
        ['+3 −0', '+1 −0', '+0 −4'].map((change) =>
          expect.stringContaining(`: ${change} members by system-administrator-1`),
        ),
      );
      expect((await admin.get(`${path}/${a}`)).headers.etag).toBe('"1"');
    });

    test('changes nothing if one id is unknown or of another type', async () => {
      const [mine, devices, hosts] = [await create('PORT'), await create('DEVICE'), await create('HOST')];
      await refused(404, post('add-members', { elemID: [ports[0], 999_999_999], groupID: [mine] }), '999999999');
      await refused(404, post('add-members', { elemID: [ports[0]], groupID: [mine, 999_999_999] }), 'Group 999999999');
      await refused(422, post('add-members', { elemID: [ports[0]], groupID: [mine, devices] }), 'PORT', 'DEVICE');
      await refused(404, post('add-members', { elemID: [ports[0]], groupID: [hosts] }), `Host ${ports[0]}`);
      await refused(400, post('add-members', { elemID: [ports[0], ports[0]], groupID: [mine] }), 'elemID');
      await refused(400, post('add-members', { elemID: [], groupID: [mine] }), 'elemID');
      await refused(400, post('remove-members', { elemID: Array(5_001).fill(1), groupID: [mine] }), 'elemID');
      expect(await memberIds(mine)).toEqual([]);
    });

    test('replaces the groups of one type by membership', async () => {
      const [a, b, c] = [await create('USER'), await create('USER'), await create('USER')];
      const admins = await create('ADMINISTRATOR', { members: users });
      await done('add-members', { elemID: users, groupID: [a, b] });
      await done('membership', { elemID: [users[0]], groupID: [b, c], type: 'USER' });
      expect(await Promise.all([a, b, c, admins].map((id) => memberIds(id)))).toEqual([
        [users[1]],
        users,
        [users[0]],
        users,
      ]);
      await done('membership', { elemID: users, groupID: [], type: 'USER' });
      expect(await Promise.all([a, b, c, admins].map((id) => memberIds(id)))).toEqual([[], [], [], users]);
      await refused(422, post('membership', { elemID: users, groupID: [admins], type: 'USER' }), 'ADMINISTRATOR');
      await refused(
        422,
        post('membership', { elemID: users, groupID: [], type: 'USER', serverIP: '192.0.2.1' }),
        'serverIP',
      );
    });

    test('removes deleted elements from their groups, also those deleted with their device', async () => {
      const deletedIds = await transact(async ({ records, client }) => {
        const { id } = await records.create(networkDevice, { name: 'short-lived', containerID: 1 });
        await observePorts(client, [{ deviceID: id, name: 'Gi1/0/1', ifindex: '1' }]);
        const { rows: portRows } = await client.query<{ id: number }>(
          'select p.id from port p where p.device_id = $1',
          [id],
        );
        return { device: id, port: portRows[0]!.id };
      });
      const portGroup = await create('PORT', { members: [ports[0], deletedIds.port] });
      const devices = await create('DEVICE', { members: [deletedIds.device, device] });
      await transact(({ records }) => records.remove(networkDevice, [deletedIds.device]));
      expect([await memberIds(portGroup), await memberIds(devices)]).toEqual([[ports[0]], [device]]);
      expect([(await fetch(portGroup)).memberCount, (await fetch(devices)).memberCount]).toEqual([1, 1]);
    });

    test('counts members exactly while deltas are merged, and deletes the count with the group', async () => {
      const id = await create('PORT', { members: ports.slice(0, 4) });
      await foldCounters(runtime);
      await done('remove-members', { elemID: [ports[0]], groupID: [id] });
      expect((await fetch(id)).memberCount).toBe(3);
      await foldCounters(runtime);
      expect((await fetch(id)).memberCount).toBe(3);
      expect((await admin.delete(`${path}/${id}`)).code).toBe(200);
      await foldCounters(runtime);
      expect(await rows('select from row_count where table_name = $1', [`group_member:${id}`])).toEqual([]);
    });

    test('refuses more than 250,000 memberships in one call', async () => {
      const ids = (length: number) => Array.from({ length }, (_, n) => 900_000_000 + n);
      for (const verb of ['add-members', 'remove-members'])
        await refused(400, post(verb, { elemID: ids(5_000), groupID: ids(51) }), '255000', '250000');
      await refused(404, post('add-members', { elemID: ids(5_000), groupID: ids(50) }), 'Group 900000000');
    });
  });

  describe('nesting', () => {
    test('includes members of nested groups on request, each once with the nearest group', async () => {
      const bottom = await create('PORT', { name: 'bottom', members: ports.slice(1, 4) });
      const middle = await create('PORT', { name: 'middle', members: [ports[4]], childGroups: [bottom] });
      const top = await create('PORT', { name: 'top', members: [ports[1]], childGroups: [middle] });
      expect([await memberIds(top, false), await memberIds(top)]).toEqual([[ports[1]], ports.slice(1, 5)]);
      const listed = (await admin.get(`${path}/${top}/members?nested=true`)).body.results!;
      expect(listed.map(({ id, via }) => [id, (via as { name: string } | null)?.name])).toEqual([
        [ports[1], undefined],
        [ports[2], 'bottom'],
        [ports[3], 'bottom'],
        [ports[4], 'middle'],
      ]);
      expect((await admin.get(`${path}/${top}/members`)).body.results).toMatchObject([{ id: ports[1], via: null }]);
      expect((await admin.get(`${path}/${top}/descendants`)).body.results).toMatchObject([
        { dbid: middle, depth: 1, path: 'top/middle', parentIDs: [top], memberCount: 1, childCount: 1 },
        { dbid: bottom, depth: 2, path: 'top/middle/bottom', memberCount: 3 },
      ]);
      expect(await fetch(middle)).toMatchObject({ childCount: 1, parentIDs: [top] });
    });

    test('returns all members in pages, by position and by offset', async () => {
      const low = await create('PORT', { members: ports.slice(0, 4) });
      const id = await create('PORT', { members: ports.slice(2), childGroups: [low] });
      const idsOf = ({ body }: Reply) => body.results!.map((member) => member.id as number);
      const walked: number[] = [];
      let url: string | undefined = `${path}/${id}/members?nested=true&count=2`;
      while (url) {
        const reply: Reply = await admin.get(url);
        walked.push(...idsOf(reply));
        url = /^<(.*)>; rel="next"$/.exec(String(reply.headers.link ?? ''))?.[1];
      }
      expect(walked).toEqual(ports);
      expect(idsOf(await admin.get(`${path}/${id}/members?nested=true&start=4&count=3`))).toEqual(ports.slice(4));
      expect(idsOf(await admin.get(`${path}/${id}/members?count=0`))).toEqual([]);
      await refused(400, admin.get(`${path}/${id}/members?start=1&after=1`), 'not both');
      await refused(400, admin.get(`${path}/${id}/members?count=1001`), 'count');
      await refused(404, admin.get(`${path}/999999999/members`));
      await refused(404, admin.get(`${path}/999999999/member-ids`));
      await refused(404, admin.get(`${path}/999999999/descendants`));
    });

    test('replaces or adds parents, and reports each change for the child', async () => {
      const [a, b, c, child] = [await create('HOST'), await create('HOST'), await create('HOST'), await create('HOST')];
      await done('add-to-parents', { groupID: child, parentID: [a, b] });
      await done('add-to-parents', { groupID: child, parentID: [c], replace: false });
      expect((await fetch(child)).parentIDs).toEqual([a, b, c]);
      await done('add-to-parents', { groupID: child, parentID: [c, a] });
      await done('add-to-parents', { groupID: child, parentID: [c, a] });
      expect((await fetch(child)).parentIDs).toEqual([a, c]);
      await done('remove-from-parent', { parentID: a, id: [child, b] });
      await done('add-to-parents', { groupID: child, parentID: [] });
      expect((await fetch(child)).parentIDs).toEqual([]);
      expect((await auditOf(child)).slice(1).map(({ summary }) => summary)).toEqual([
        `parentIDs: [] → [${a}, ${b}]`,
        `parentIDs: [${a}, ${b}] → [${a}, ${b}, ${c}]`,
        `parentIDs: [${a}, ${b}, ${c}] → [${a}, ${c}]`,
        `parentIDs: [${a}, ${c}] → [${c}]`,
        `parentIDs: [${c}] → []`,
      ]);
    });

    test('refuses cycles with their path, and groups of another type', async () => {
      const low = await create('HOST', { name: 'low' });
      const high = await create('HOST', { name: 'high', childGroups: [low] });
      await refused(422, post('add-to-parents', { groupID: high, parentID: [low] }), '"high" → "low" → "high"');
      await refused(422, admin.post(`${path}/HOST/${low}`, { childGroups: [high] }), '"high" → "low" → "high"');
      await refused(400, post('add-to-parents', { groupID: low, parentID: [low] }), 'own parent');
      await refused(422, post('add-to-parents', { groupID: await create('PORT'), parentID: [low] }), 'PORT', 'HOST');
      await refused(404, post('add-to-parents', { groupID: low, parentID: [999_999_999] }), '999999999');
      await refused(404, post('remove-from-parent', { parentID: high, id: [999_999_999] }), '999999999');
      expect((await fetch(low)).parentIDs).toEqual([high]);
    });

    test('separates groups that only a deleted group connected', async () => {
      const leaf = await create('PORT', { members: [ports[0]] });
      const twin = await create('PORT', { members: [ports[1]] });
      const between = await create('PORT', { childGroups: [leaf, twin] });
      const top = await create('PORT', { childGroups: [between, twin] });
      expect(await memberIds(top)).toEqual(ports.slice(0, 2));
      expect((await admin.delete(`${path}/${between}`)).code).toBe(200);
      expect(await memberIds(top)).toEqual([ports[1]]);
      expect((await fetch(twin)).parentIDs).toEqual([top]);
    });

    test('lets one of several concurrent changes succeed that together would close a cycle', async () => {
      const [a, b] = [await create('HOST'), await create('HOST')];
      const replies = await Promise.all([
        post('add-to-parents', { groupID: a, parentID: [b] }),
        post('add-to-parents', { groupID: b, parentID: [a] }),
      ]);
      expect(replies.map(({ code }) => code).sort()).toEqual([200, 422]);
    });
  });

  describe('protected groups', () => {
    test('creates the built-in groups in a new cell, by tag', async () => {
      const builtInGroups = await rows<{ tag: string; type: string; enforcement: string; rank: number | null }>(
        `select tag, type, enforcement from "group" where not user_group order by type, tag`,
      );
      expect(builtInGroups.map(({ tag }) => tag)).toEqual([
        'all-administrators',
        'authorized-dhcp-servers',
        'enforce-dead-end-device',
        'l2-wired-devices',
        'l2-wireless-devices',
        'l3-ip-to-mac',
        'forced-remediation-exceptions',
        'forced-scan-exceptions',
        'global-agent-update-exceptions',
        'access-point-management',
        'authorized-access-points',
        'enforce-authentication',
        'enforce-dead-end',
        'enforce-registration',
        'enforce-remediation',
        'enforce-role',
        'reset-forced-default',
        'reset-forced-registration',
        'system-dhcp-port',
      ]);
      const enforcing = (await admin.get(`${path}?filter=rank=isnull=false&sortKey=rank`)).body.results!;
      expect(enforcing.map(({ enforcement }) => enforcement)).toEqual([
        'DEAD_END',
        'REMEDIATION',
        'REGISTRATION',
        'AUTHENTICATION',
        'ROLE',
      ]);
    });

    test('refuses to rename, delete or nest a built-in group, but allows members, children and descriptions', async () => {
      const builtIn = Number((await tagged('enforce-registration')).dbid);
      const child = await create('PORT');
      await refused(409, admin.post(`${path}/PORT/${builtIn}`, { name: 'Mine' }), 'built in');
      await refused(409, admin.delete(`${path}/${builtIn}`), 'built in');
      await refused(409, post('delete', { id: [child, builtIn] }), 'built in');
      await refused(409, post('add-to-parents', { groupID: builtIn, parentID: [child] }), 'built in');
      await refused(409, admin.post(`${path}/PORT`, { name: 'x', childGroups: [builtIn] }), 'built in');
      expect((await admin.post(`${path}/PORT/${builtIn}`, { description: 'Building A first' })).code).toBe(200);
      await done('add-members', { elemID: [ports[0]], groupID: [builtIn] });
      await done('add-to-parents', { groupID: child, parentID: [builtIn] });
      expect(await fetch(builtIn)).toMatchObject({
        memberCount: 1,
        childCount: 1,
        enforcement: 'REGISTRATION',
        rank: 3,
      });
    });

    test('refuses changes of the name and members of a directory group, but allows child groups', async () => {
      const id = await create('USER');
      const child = await create('USER');
      await rows(`update "group" set source = 'DIRECTORY' where id = $1`, [id]);
      await refused(409, admin.post(`${path}/USER/${id}`, { name: 'x' }), 'directory');
      await refused(409, admin.post(`${path}/USER/${id}`, { members: users }), 'directory');
      await refused(409, post('add-members', { elemID: users, groupID: [id] }), 'directory');
      await refused(409, post('membership', { elemID: users, groupID: [id], type: 'USER' }), 'directory');
      await refused(409, admin.delete(`${path}/${id}`), 'directory');
      await done('add-to-parents', { groupID: child, parentID: [id] });
      expect((await admin.post(`${path}/USER/${id}`, { description: 'From the directory' })).code).toBe(200);
      await rows(`insert into group_member (group_id, element_type, member_id) values ($1, 6, $2)`, [id, users[0]]);
      await done('membership', { elemID: [users[0]], groupID: [child], type: 'USER' });
      expect([await memberIds(id, false), await memberIds(child)]).toEqual([[users[0]], [users[0]]]);
      // The directory synchronisation runs as the service.
      await transact(({ records }) => records.update(group, id, { name: 'Renamed there' }));
    });
  });

  test('copies a group to a local one of the same type, with its members and children', async () => {
    const child = await create('PORT');
    const builtIn = Number((await tagged('enforce-role')).dbid);
    await done('add-members', { elemID: ports.slice(0, 3), groupID: [builtIn] });
    await done('add-to-parents', { groupID: child, parentID: [builtIn] });
    const reply = await post('copy', { id: builtIn, name: 'A copy', description: 'of it' });
    expect(reply, reply.text).toMatchObject({ code: 201, headers: { etag: '"1"' } });
    const id = Number(String(reply.headers.location).split('/').at(-1));
    expect(await fetch(id)).toMatchObject({
      name: 'A copy',
      description: 'of it',
      type: 'PORT',
      source: 'LOCAL',
      userGroup: true,
      tag: null,
      enforcement: 'NONE',
      memberCount: 3,
      childCount: 1,
    });
    expect((await fetch(child)).parentIDs).toEqual([builtIn, id]);
    const bare = await post('copy', { id: builtIn, name: 'Without', members: false, children: false });
    expect(await fetch(Number(String(bare.headers.location).split('/').at(-1)))).toMatchObject({
      memberCount: 0,
      childCount: 0,
    });
    await refused(409, post('copy', { id: builtIn, name: 'a COPY' }));
    await refused(404, post('copy', { id: 999_999_999, name: 'x' }), '999999999');
    const simulated = await post('copy?dryRun=true', { id: builtIn, name: 'Rehearsed' });
    expect(simulated.body.results).toMatchObject([{ name: 'Rehearsed', memberCount: 3 }]);
    await refused(403, (await caller({ groups: ['modify'] })).post(`${path}/copy`, { id: builtIn, name: 'y' }), 'add');
  });

  test('stores the expiration of all requested groups, or of none', async () => {
    const [a, b] = [await create('HOST'), await create('HOST')];
    await refused(422, post('aging', { id: [a], daysValid: 1, daysInactive: 1, apply: false }), 'apply');
    await done('aging', { id: [a, b], daysValid: 90, daysInactive: 7 });
    expect([await fetch(a), await fetch(b)]).toMatchObject([
      { daysValid: 90, daysInactive: 7, version: 2 },
      { daysValid: 90, daysInactive: 7, version: 2 },
    ]);
    await refused(422, post('aging', { id: [a, await create('PORT')], daysValid: 1, daysInactive: 1 }), 'PORT');
    await refused(404, post('aging', { id: [a, 999_999_999], daysValid: 1, daysInactive: 1 }), '999999999');
    expect((await fetch(a)).daysValid).toBe(90);
  });

  test('lets administrator groups manage groups of hosts, adapters, ports and users', async () => {
    const admins = await create('ADMINISTRATOR');
    const [hosts, portGroup] = [await create('HOST'), await create('PORT')];
    await done(`${admins}/manages`, { id: [portGroup, hosts] });
    await done(`${admins}/manages`, { id: [portGroup, hosts] });
    expect((await fetch(admins)).managesGroupIDs).toEqual([hosts, portGroup]);
    await done(`${admins}/manages`, { id: [] });
    expect((await fetch(admins)).managesGroupIDs).toEqual([]);
    expect((await auditOf(admins)).slice(1).map(({ summary }) => summary)).toEqual([
      `managesGroupIDs: [] → [${hosts}, ${portGroup}]`,
      `managesGroupIDs: [${hosts}, ${portGroup}] → []`,
    ]);
    await refused(422, post(`${admins}/manages`, { id: [await create('DEVICE')] }), 'DEVICE');
    await refused(422, post(`${admins}/manages`, { id: [admins] }), 'ADMINISTRATOR');
    await refused(422, post(`${hosts}/manages`, { id: [portGroup] }), 'only administrator groups');
    await refused(404, post(`${admins}/manages`, { id: [999_999_999] }), '999999999');
    await refused(404, post('999999999/manages', { id: [portGroup] }), '999999999');
  });

  test('keeps every account with an admin profile in the group of all administrators', async () => {
    const all = Number((await tagged('all-administrators')).dbid);
    const { accountId } = await caller({ devices: ['view'] });
    expect(await memberIds(all)).toContain(accountId);
    await transact(({ records }) => records.update(userAccount, accountId, { adminProfileDBID: null }));
    expect(await memberIds(all)).not.toContain(accountId);
  });

  test('raises the policy generation for nesting and for members that are ports or devices, but not for users', async () => {
    const [portGroup, accounts] = [await create('PORT'), await create('USER')];
    const raised = async (verb: string, body: object) => {
      const before = await generation();
      await done(verb, body);
      return (await generation()) > before;
    };
    expect(await raised('add-members', { elemID: users, groupID: [accounts] })).toBe(false);
    expect(await raised('add-members', { elemID: ports, groupID: [portGroup] })).toBe(true);
    expect(await raised('add-members', { elemID: ports, groupID: [portGroup] })).toBe(false);
    expect(await raised('remove-members', { elemID: ports, groupID: [portGroup] })).toBe(true);
    const parent = await create('USER');
    expect(await raised('add-to-parents', { groupID: accounts, parentID: [parent] })).toBe(true);
    expect(await raised('remove-from-parent', { parentID: parent, id: [accounts] })).toBe(true);
    expect(await raised('add-members?dryRun=true', { elemID: ports, groupID: [portGroup] })).toBe(false);
    expect(await rows('select from policy_change')).toEqual([]);
  });
});
