import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { action } from '../../src/context.ts';
import { container } from '../../src/device/container/container.ts';
import { networkDevice } from '../../src/device/network-device/network-device.ts';
import { port } from '../../src/device/port/port.ts';
import { deviceProfilingRule } from '../../src/host/device-profiling-rule/device-profiling-rule.ts';
import type { FeedEntry } from '../../src/kernel/feed/feed.ts';
import { resource as entry } from '../../src/kernel/operations/resource.ts';
import { adminProfile } from '../../src/user/admin-profile/admin-profile.ts';
import { teaMachine } from '../overlay/tea-machine.ts';
import { Client } from '../world/client.ts';
import { overlayWorld } from '../world/overlay-world.ts';
import { everyVerb, type LimitedClient, Limiter, selecting } from '../world/restricted-admins.ts';
import { world } from '../world/world.ts';

const portType = 3;

/** Polls a monitor of a collection, and acknowledges the changes that it received. */
class Follower {
  readonly #client: Client;
  readonly #monitor: string;
  #position = '';

  constructor(client: Client, monitor: string) {
    this.#client = client;
    this.#monitor = monitor;
  }

  static async start(client: Client, path: string): Promise<Follower> {
    const { code, headers, text } = await client.post(`${path}/monitor/start`);
    expect(code, text).toBe(201);
    return new Follower(client, String(headers.location));
  }

  requestPage() {
    return this.#client.get(`${this.#monitor}${this.#position && `?position=${encodeURIComponent(this.#position)}`}`);
  }

  /** Returns the kind and the record's identity of each reported change. */
  async poll(): Promise<[change: string, id: unknown][]> {
    const { code, body, text } = await this.requestPage();
    expect(code, text).toBe(200);
    const entries = body.results as unknown as FeedEntry[];
    this.#position = entries.at(-1)?.position ?? this.#position;
    return entries.map(({ change, record }) => [change, record.dbid ?? record.id]);
  }
}

describe('limits by groups', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const limiter = new Limiter(shared);
  const device = await limiter.device();
  const byGroups = { manageByGroups: true, permissions: { devices: everyVerb } };
  const ids = async (client: Client, query = '') =>
    (await client.get(`/device/port?${query}`)).body.results!.map(({ dbid }) => dbid as number);
  const label = (id: number, text: string) =>
    limiter.transact(({ records }) => records.update(port, id, { label: text }));

  test('a membership takes effect at once, on every page, and is deleted with the element', async () => {
    const caller = await limiter.caller(byGroups);
    const managed = await limiter.group('PORT');
    await limiter.manage(caller.accountId, managed);
    const [a, b] = [await limiter.port(device), await limiter.port(device)];
    expect(await ids(caller)).toEqual([]);
    await limiter.join(managed, portType, a, b);
    expect(await ids(caller)).toEqual([a, b]);
    await limiter.leave(managed, a);
    expect(await ids(caller)).toEqual([b]);
    await limiter.transact(({ records }) => records.remove(port, [b]));
    expect(await limiter.sql('select from group_member where group_id = $1', [managed])).toEqual([]);
  });

  test('a caller who manages no group sees no row, and the flag takes effect with the next request', async () => {
    const caller = await limiter.caller(byGroups);
    expect((await caller.get('/device/port')).body).toMatchObject({ filtered: 0, total: 0, results: [] });
    expect((await caller.get('/device/container?count=0')).body.total).toBeGreaterThan(0);
    await limiter.transact(({ records }) => records.update(adminProfile, caller.profileId, { manageByGroups: false }));
    await expect.poll(async () => (await ids(caller)).length).toBeGreaterThan(0);
    await limiter.transact(({ records }) => records.update(adminProfile, caller.profileId, { manageByGroups: true }));
    await expect.poll(async () => ids(caller)).toEqual([]);
  });

  test('members of groups of another type, or of a group that manages something else, are not visible', async () => {
    const [caller, otherCaller] = [await limiter.caller(byGroups), await limiter.caller(byGroups)];
    const id = await limiter.port(device);
    const devices = await limiter.group('DEVICE');
    // A device may have the same id as the port.
    await limiter.join(devices, 2, id);
    await limiter.manage(caller.accountId, devices);
    expect(await ids(caller)).toEqual([]);
    const managed = await limiter.group('PORT');
    await limiter.join(managed, portType, id);
    await limiter.manage(otherCaller.accountId, managed);
    expect([await ids(caller), await ids(otherCaller)]).toEqual([[], [id]]);
  });

  test('the ports of a device are those that the caller sees', async () => {
    const caller = await limiter.caller(byGroups);
    const newDevice = await limiter.device();
    const [a] = [await limiter.port(newDevice), await limiter.port(newDevice)];
    const managed = await limiter.group('PORT');
    await limiter.join(managed, portType, a);
    await limiter.manage(caller.accountId, managed);
    expect((await caller.get(`/device/port/by-device?deviceID=${newDevice}`)).body).toMatchObject({
      filtered: 1,
      total: 1,
      results: [{ dbid: a }],
    });
  });

  test('an administrator without limits sees all rows despite groups, also with a narrow token', async () => {
    const issued = await admin.post('/auth/tokens', { name: 'narrow', scopes: { devices: ['view'] } });
    const narrow = new Client(service.app, String(issued.body.results![0]!.token));
    const total = (await admin.get('/device/port?count=0')).body.total;
    expect((await narrow.get('/device/port?count=0')).body.total).toBe(total);
  });

  describe('a monitor', () => {
    const scene = async () => {
      const caller = await limiter.caller(byGroups);
      const managed = await limiter.group('PORT');
      await limiter.manage(caller.accountId, managed);
      const [visible, hidden] = [await limiter.port(device), await limiter.port(device)];
      await limiter.join(managed, portType, visible);
      return { caller, managed, seen: visible, hidden };
    };

    test('reports changes of visible records, and nothing about hidden ones', async () => {
      const { caller, managed, seen: visible, hidden } = await scene();
      const [follower, unlimitedFollower] = [
        await Follower.start(caller, '/device/port'),
        await Follower.start(admin, '/device/port'),
      ];
      await label(hidden, 'hidden');
      await label(visible, 'seen');
      expect(await unlimitedFollower.poll()).toEqual([
        ['modified', hidden],
        ['modified', visible],
      ]);
      expect(await follower.poll()).toEqual([['modified', visible]]);
      await limiter.join(managed, portType, hidden);
      expect(await follower.poll()).toEqual([['modified', hidden]]);
      await limiter.leave(managed, hidden);
      expect(await follower.poll()).toEqual([['removed', hidden]]);
      // The removal was reported once; later changes of the record are not.
      await label(hidden, 'again');
      await limiter.transact(({ records }) => records.remove(port, [hidden]));
      expect(await follower.poll()).toEqual([]);
      // Memberships do not appear in the monitor of a caller without limits.
      expect(await unlimitedFollower.poll()).toEqual([
        ['removed', hidden],
        ['removed', hidden],
      ]);
      const [never] = [await limiter.port(device)];
      await limiter.transact(({ records }) => records.remove(port, [never]));
      expect(await follower.poll()).toEqual([]);
    });

    test('reports a deletion once, and a removal once although the record left several groups', async () => {
      const { caller, managed, seen: visible } = await scene();
      const second = await limiter.group('PORT');
      await limiter.manage(caller.accountId, second);
      const other = await limiter.port(device);
      await limiter.join(second, portType, visible, other);
      await limiter.join(managed, portType, other);
      const follower = await Follower.start(caller, '/device/port');
      await limiter.leave(managed, visible);
      expect(await follower.poll()).toEqual([['modified', visible]]);
      await limiter.join(managed, portType, visible);
      expect(await follower.poll()).toEqual([['modified', visible]]);
      await limiter.leave(managed, visible);
      await limiter.leave(second, visible);
      expect(await follower.poll()).toEqual([['removed', visible]]);
      await limiter.transact(({ records }) => records.remove(port, [other]));
      expect(await follower.poll()).toEqual([['removed', other]]);
      expect(await follower.poll()).toEqual([]);
    });

    test('returns an unacknowledged page again, removals included', async () => {
      const { caller, managed, seen: visible } = await scene();
      const follower = await Follower.start(caller, '/device/port');
      await limiter.leave(managed, visible);
      const reported = async () => (await follower.requestPage()).body.results;
      const departure = [expect.objectContaining({ change: 'removed', record: { dbid: visible } })];
      expect(await reported()).toEqual(departure);
      expect(await reported()).toEqual(departure);
    });

    test('skips thousands of hidden changes', async () => {
      const { caller, seen: visible } = await scene();
      const follower = await Follower.start(caller, '/device/port');
      const ports = await limiter.sql<{ id: number }>(
        `insert into port (port_type, name, port_id, device_id, status, ip, phys_addr, label, connection_state, default_vlan, current_vlan, current_cli,
           notes, last_change_summary, ifname, ifindex, ifspeed, ifdescr, ifadmin_status, ifoper_status, uplink_disabled, yams_event_tag)
         select 0, 'h' || n, '', $1, 0, '', '', '', 0, '', '', '', '', '', 'h' || n, '', '', '', 0, 0, false, '' from generate_series(1, 2500) n returning id`,
        [device],
      );
      await label(visible, 'after all of them');
      expect(await follower.poll()).toEqual([['modified', visible]]);
      await limiter.sql('update port set notes = $2 where id = any($1)', [ports.map(({ id }) => id), 'x']);
      expect(await follower.poll()).toEqual([]);
      await label(visible, 'after all of them again');
      expect(await follower.poll()).toEqual([['modified', visible]]);
      await limiter.sql('delete from port where id = any($1)', [ports.map(({ id }) => id)]);
      expect(await follower.poll()).toEqual([]);
    });

    test("ends with an error if the caller's limits change", async () => {
      const { caller, managed } = await scene();
      const child = await limiter.group('PORT');
      const changes: [string, () => Promise<unknown>][] = [
        ['nesting', () => limiter.nest([managed, child])],
        ['managing', async () => limiter.manage(caller.accountId, await limiter.group('PORT'))],
        [
          'the profile',
          async () => {
            await limiter.transact(({ records }) =>
              records.update(adminProfile, caller.profileId, { manageByGroups: false }),
            );
            await expect.poll(async () => (await caller.get('/device/port?count=0')).body.total).toBeGreaterThan(1);
          },
        ],
      ];
      for (const [what, change] of changes) {
        const follower = await Follower.start(caller, '/device/port');
        expect(await follower.poll(), what).toEqual([]);
        await change();
        expect(await follower.requestPage(), what).toMatchObject({ code: 410, body: { status: 'gone' } });
      }
    });

    test('as a stream reports nothing more about a record that becomes hidden while it is open', async () => {
      const { caller, managed, seen: visible } = await scene();
      const started = await caller.post('/device/port/monitor/start');
      await service.app.listen({ port: 0, host: '127.0.0.1' });
      const { port: portNumber } = service.app.server.address() as AddressInfo;
      const chunks: string[] = [];
      const request = get({
        port: portNumber,
        path: String(started.headers.location),
        headers: { authorization: `Bearer ${caller.token}`, accept: 'text/event-stream' },
      });
      request.on('response', (response) => response.on('data', (chunk) => chunks.push(String(chunk))));
      request.on('error', () => undefined);
      const reported = () => chunks.join('');
      await label(visible, 'while visible');
      await expect.poll(reported, { timeout: 60_000 }).toContain('while visible');
      await limiter.leave(managed, visible);
      await expect.poll(reported, { timeout: 60_000 }).toContain('removed');
      await label(visible, 'while hidden');
      // The profile itself is changed too: the stream must not continue with the limits that it started with.
      await limiter.transact(({ records }) =>
        records.update(adminProfile, caller.profileId, { permissions: { devices: selecting() } }),
      );
      await expect.poll(reported, { timeout: 60_000 }).toContain('event: failure');
      expect(reported()).toContain('"status":"gone"');
      expect(reported()).not.toContain('while hidden');
      request.destroy();
    });
  });

  test('random nesting and membership show the same ports as a model', async () => {
    const caller = await limiter.caller(byGroups);
    const groups: number[] = [];
    for (let n = 0; n < 5; n++) groups.push(await limiter.group('PORT'));
    const admins = [await limiter.group('ADMINISTRATOR'), await limiter.group('ADMINISTRATOR')];
    const ports: number[] = [];
    for (let n = 0; n < 6; n++) ports.push(await limiter.port(device));
    const some = <T>(items: readonly T[]) => fc.subarray([...items]);
    /** Returns pairs of parent and child. Children come later in the list than their parents, so there is no cycle. */
    const below = (groupIds: readonly number[]) =>
      some(
        groupIds.flatMap((parent, place) =>
          groupIds.slice(place + 1).map((child): [number, number] => [parent, child]),
        ),
      );
    const pairs = <A, B>(as: readonly A[], bs: readonly B[]) => some(as.flatMap((a) => bs.map((b): [A, B] => [a, b])));
    const descendantsOf = (edges: readonly [number, number][], top: number): Set<number> => {
      const descendants = new Set([top]);
      for (const descendant of descendants)
        for (const [parent, child] of edges) if (parent === descendant) descendants.add(child);
      return descendants;
    };
    await fc.assert(
      fc.asyncProperty(
        below(groups),
        below(admins),
        pairs(groups, ports),
        pairs(admins, groups),
        some(admins),
        async (edges, adminEdges, members, manages, ownGroups) => {
          const mine = [...groups, ...admins];
          for (const table of [
            'group_member where group_id',
            'group_edge where parent_id',
            'group_manages where group_id',
          ])
            await limiter.sql(`delete from ${table} = any($1::bigint[])`, [mine]);
          await limiter.nest(...edges, ...adminEdges);
          for (const [group, id] of members) await limiter.join(group, portType, id);
          for (const group of ownGroups) await limiter.join(group, 7, caller.accountId);
          for (const pair of manages)
            await limiter.sql('insert into group_manages (group_id, managed_id) values ($1, $2)', pair);
          const holding = admins.filter((adminGroup) =>
            [...descendantsOf(adminEdges, adminGroup)].some((lower) => ownGroups.includes(lower)),
          );
          const managed = manages
            .filter(([adminGroup]) => holding.includes(adminGroup))
            .flatMap(([, group]) => [...descendantsOf(edges, group)]);
          const expected = ports.filter((id) =>
            members.some(([group, member]) => member === id && managed.includes(group)),
          );
          const { body } = await caller.get('/device/port');
          expect(body).toMatchObject({ filtered: expected.length, total: expected.length });
          expect(body.results!.map(({ dbid }) => dbid)).toEqual(expected);
          for (const id of ports)
            expect((await caller.get(`/device/port/${id}`)).code).toBe(expected.includes(id) ? 200 : 404);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('limits by selection', async () => {
  const shared = await world();
  const { admin } = shared;
  const limiter = new Limiter(shared);
  const devices = (...ids: number[]) => limiter.caller({ permissions: { devices: selecting(...ids) } });
  const rule = (name: string, extraFields: object = {}) =>
    admin.create(deviceProfilingRule, { name, type: { tag: 'printer' }, ...extraFields });
  const profiler = (...ids: number[]) =>
    limiter.caller({ permissions: { 'device-profiling': selecting(...ids), ...viewAll } });
  const viewAll = { devices: { view: true }, groups: { view: true }, roles: { view: true } };
  const names = async (client: Client, path: string, filter: string) => {
    const reply = await client.get(`${path}?filter=${encodeURIComponent(filter)}`);
    expect(reply.code, reply.text).toBe(200);
    return reply.body.results!.map(({ name }) => name);
  };

  test('a container is visible with all its descendants, and devices and ports with their container', async () => {
    const top = await limiter.container();
    const low = await limiter.container(top.name);
    const caller = await devices(top.id);
    const port1 = await limiter.port(await limiter.device(low.name));
    const hiddenDevice = await limiter.device();
    const port2 = await limiter.port(hiddenDevice);
    expect((await caller.get('/device/container')).body.results!.map(({ id }) => id)).toEqual([top.id, low.id]);
    expect((await caller.get('/device/port')).body).toMatchObject({ total: 1, results: [{ dbid: port1 }] });
    expect((await caller.get(`/device/port/${port2}`)).code).toBe(404);
    const unknown = await caller.get('/device/port/by-device?deviceID=987654321');
    const hidden = await caller.get(`/device/port/by-device?deviceID=${hiddenDevice}`);
    expect(hidden).toMatchObject({ code: 404, text: unknown.text.replace('987654321', String(hiddenDevice)) });
  });

  test('records can only be created, moved and referred to in visible containers', async () => {
    const [top, otherContainer] = [await limiter.container(), await limiter.container()];
    const caller = await devices(top.id);
    const make = (body: object) => caller.post('/device/container', body);
    expect((await make({ name: 'beneath', parent: top.name })).code).toBe(201);
    const nameless = await make({ name: 'nowhere', parent: 'No such place' });
    const hidden = await make({ name: 'nowhere', parent: otherContainer.name });
    expect(hidden).toMatchObject({ code: 422, text: nameless.text.replace('No such place', otherContainer.name) });
    expect((await make({ name: 'at the root' })).code).toBe(422);
    expect((await make({ id: top.id, parent: otherContainer.name })).code).toBe(422);
    // A record can be sent back with the references that it already has, also if they are hidden.
    const record = await caller.fetch(container, top.id);
    expect(record.parent).toBe('Network');
    expect((await make({ ...record, notes: 'sent back' })).code).toBe(200);
    const rows = await limiter.sql('select name from container where name in ($1, $2)', ['nowhere', 'at the root']);
    expect(rows).toEqual([]);
  });

  test('a container that is moved out of the visible ones, or back, is reported as removed or modified, with all its content', async () => {
    const [top, otherContainer] = [await limiter.container(), await limiter.container()];
    const low = await limiter.container(top.name);
    const lower = await limiter.container(low.name);
    const device = await limiter.device(lower.name);
    const id = await limiter.port(device);
    const caller = await devices(top.id);
    const [places, ports] = [
      await Follower.start(caller, '/device/container'),
      await Follower.start(caller, '/device/port'),
    ];
    const move = (place: number, parent: string) =>
      limiter.transact(({ records }) => records.update(container, place, { parent }));
    await move(low.id, otherContainer.name);
    const removals = [
      ['removed', low.id],
      ['removed', lower.id],
    ];
    expect((await places.poll()).toSorted()).toEqual(removals.toSorted());
    expect(await ports.poll()).toEqual([['removed', id]]);
    await limiter.transact(({ records }) => records.update(container, low.id, { notes: 'unseen' }));
    expect([await places.poll(), await ports.poll()]).toEqual([[], []]);
    await move(low.id, top.name);
    expect(new Set((await places.poll()).map(([change, id]) => `${change} ${id}`))).toEqual(
      new Set([`modified ${low.id}`, `modified ${lower.id}`]),
    );
    expect(await ports.poll()).toEqual([['modified', id]]);
    await limiter.transact(({ records }) => records.update(networkDevice, device, { containerID: otherContainer.id }));
    expect(await ports.poll()).toEqual([['removed', id]]);
    await limiter.transact(({ records }) => records.update(networkDevice, device, { containerID: low.id }));
    expect(await ports.poll()).toEqual([['modified', id]]);
    await limiter.transact(({ records }) => records.remove(networkDevice, [device]));
    expect(await ports.poll()).toEqual([['removed', id]]);
    await limiter.transact(({ records }) => records.remove(container, [lower.id, low.id]));
    expect((await places.poll()).toSorted()).toEqual(removals.toSorted());
    await limiter.transact(({ records }) => records.remove(container, [otherContainer.id]));
    expect(await places.poll()).toEqual([]);
  });

  test('two limits together show the rows that both allow, also in a monitor', async () => {
    const [top, otherContainer] = [await limiter.container(), await limiter.container()];
    const inside = await limiter.device(top.name);
    const [both, onlyPlace] = [await limiter.port(inside), await limiter.port(inside)];
    const onlyGroup = await limiter.port(await limiter.device(otherContainer.name));
    const caller = await limiter.caller({ manageByGroups: true, permissions: { devices: selecting(top.id) } });
    const managed = await limiter.group('PORT');
    await limiter.manage(caller.accountId, managed);
    await limiter.join(managed, portType, both, onlyGroup);
    expect((await caller.get('/device/port')).body).toMatchObject({ total: 1, results: [{ dbid: both }] });
    for (const id of [onlyPlace, onlyGroup]) expect((await caller.get(`/device/port/${id}`)).code).toBe(404);
    const follower = await Follower.start(caller, '/device/port');
    await limiter.leave(managed, onlyGroup, both);
    expect(await follower.poll()).toEqual([['removed', both]]);
    await limiter.join(managed, portType, both, onlyGroup);
    expect(await follower.poll()).toEqual([['modified', both]]);
    await limiter.transact(({ records }) => records.remove(port, [both, onlyGroup, onlyPlace]));
    expect(await follower.poll()).toEqual([['removed', both]]);
  });

  test('a filter does not match fields of a hidden record, nor of a resource that the caller may not view', async () => {
    const [visible, hidden] = [await limiter.group('HOST'), await limiter.group('HOST')];
    const [, byHidden] = [
      await rule('with a seen group', { groupId: visible }),
      await rule('with a hidden group', { groupId: hidden }),
    ];
    await limiter.sql(`update "group" set description = 'a secret plan' where id = any($1)`, [[visible, hidden]]);
    const caller = await limiter.caller({
      permissions: { 'device-profiling': { view: true }, groups: selecting(visible) },
    });
    const path = deviceProfilingRule.path!;
    expect(await names(admin, path, 'groupId.description=="a secret*"')).toHaveLength(2);
    expect(await names(caller, path, 'groupId.description=="a secret*"')).toEqual(['with a seen group']);
    expect(await names(caller, path, `groupId.description=isnull=true;id==${byHidden}`)).toEqual([
      'with a hidden group',
    ]);
    const blind = await shared.caller({ 'device-profiling': ['view'] });
    expect(await blind.get(`${path}?filter=${encodeURIComponent('groupId.description==a*')}`)).toMatchObject({
      code: 403,
      body: { errorMessage: expect.stringContaining('view groups') },
    });
    expect((await caller.get(`${path}?filter=role.name==x`)).code).toBe(403);
  });

  test('usage and error messages name the records that the caller sees, and count the others', async () => {
    const place = await limiter.container();
    const visibleRule = await rule('names the place', { addToDomain: true, domainId: place.id });
    await rule('names it too', { addToDomain: true, domainId: place.id });
    const caller = await limiter.caller({
      permissions: { devices: everyVerb, 'device-profiling': selecting(visibleRule) },
    });
    expect((await caller.get(`/device/container/${place.id}/usage`)).body.results).toEqual([
      { name: 'Device profiling rule', children: ['names the place', '1 hidden'] },
    ]);
    const refused = await caller.delete(`/device/container/${place.id}`);
    expect(refused).toMatchObject({ code: 409, body: { status: 'in-use' } });
    expect(refused.body.errorMessage).toBe(
      'Still in use by Device profiling rule names the place and 1 that you may not see; remove those references first.',
    );
    const blind = await shared.caller({ devices: ['delete'] });
    expect((await blind.delete(`/device/container/${place.id}`)).body.errorMessage).toBe(
      'Still in use by 2 that you may not see; remove those references first.',
    );
  });

  test('a deletion changes no record that the caller does not see', async () => {
    const place = await limiter.container();
    const methods = [{ methodType: { shortName: 'LOC' }, data: { containerIDs: [place.id] } }];
    const id = await rule('looks at the place', { methods });
    const caller = await limiter.caller({ permissions: { devices: everyVerb, 'device-profiling': selecting() } });
    expect((await caller.delete(`/device/container/${place.id}`)).body).toMatchObject({
      status: 'in-use',
      errorMessage: expect.stringContaining('1 that you may not see'),
    });
    const version = async () => (await admin.fetch(deviceProfilingRule, id)).version;
    expect(await version()).toBe(1);
    expect((await admin.delete(`/device/container/${place.id}`)).code).toBe(200);
    expect(await version()).toBe(2);
  });

  test('a change of rank does not move a hidden record', async () => {
    const ids = [await rule('first'), await rule('second'), await rule('third')] as [number, number, number];
    const caller = await profiler(ids[0], ids[2]);
    const ranks = async () =>
      Promise.all(ids.map(async (id) => (await admin.fetch(deviceProfilingRule, id)).rank as number));
    const [a, b, c] = (await ranks()) as [number, number, number];
    const move = await caller.post(`/host/device-profiling-rule/${ids[2]}`, { rank: a });
    expect(move).toMatchObject({ code: 422, body: { errorMessage: expect.stringContaining('may not see') } });
    expect(await ranks()).toEqual([a, b, c]);
    const added = await caller.post('/host/device-profiling-rule', { name: 'unseen', type: { tag: 'printer' } });
    expect(added).toMatchObject({
      code: 403,
      body: { errorMessage: expect.stringContaining('would not be visible to the caller') },
    });
    expect((await caller.post('/host/device-profiling-rule/swap-rule-ranks', { id: [ids[0], ids[2]] })).code).toBe(200);
    expect(await ranks()).toEqual([c, b, a]);
    expect((await caller.post('/host/device-profiling-rule/swap-rule-ranks', { id: [ids[0], ids[1]] })).code).toBe(404);
  });

  test('a list cannot add a hidden group in any notation, but keeps one that it already has', async () => {
    const [visible, hidden] = [await limiter.group('HOST'), await limiter.group('HOST')];
    const hiddenName = String(
      (await limiter.sql<{ name: string }>('select name from "group" where id = $1', [hidden]))[0]!.name,
    );
    const path = '/settings/agent/directory-agent';
    const caller = await limiter.caller({ permissions: { agents: everyVerb, groups: selecting(visible) } });
    const make = (extraFields: object) => caller.post(path, { name: `agents ${Math.random()}`, ...extraFields });
    for (const [field, hiddenValue, unknown] of [
      ['addToGroupIDs', hidden, 987_654_321],
      ['addToGroupNames', hiddenName, 'no such group'],
    ] as const) {
      const [reply, unknownReply] = [await make({ [field]: [hiddenValue] }), await make({ [field]: [unknown] })];
      expect(reply).toMatchObject({ code: 422, text: unknownReply.text.replace(String(unknown), String(hiddenValue)) });
    }
    expect((await make({ addToGroupIDs: [visible] })).code).toBe(201);
    const id = await admin.create({ path }, { name: 'by another', addToGroupIDs: [hidden] });
    const record = await caller.fetch({ path }, id);
    expect((await caller.post(`${path}/${id}`, { ...record, name: 'renamed' })).code).toBe(200);
    expect((await caller.post(`${path}/${id}`, { addToGroupIDs: [hidden, visible] })).code).toBe(200);
  });
});

describe('a limited caller cannot grant more than its own rights', async () => {
  const shared = await world();
  const limiter = new Limiter(shared);
  const path = '/user/admin-profile';
  const ownPermissions = { 'admin-profiles': everyVerb, devices: selecting(1), hosts: everyVerb };
  const caller: LimitedClient = await limiter.caller({ manageByGroups: true, permissions: ownPermissions });
  let profileCount = 0;
  const make = (body: object) => caller.post(path, { name: `made ${++profileCount}`, ...body });

  test('by a profile that sees more rows, a new one or its own', async () => {
    expect((await make({ manageByGroups: true, permissions: ownPermissions })).code).toBe(201);
    expect((await make({ manageByGroups: true, permissions: { devices: selecting() } })).code).toBe(201);
    expect((await make({ permissions: {} })).code).toBe(201);
    const wider: [object, string][] = [
      [{ permissions: { hosts: everyVerb } }, 'manageByGroups'],
      [{ manageByGroups: true, permissions: { devices: { view: true } } }, 'permissions.devices'],
      [{ manageByGroups: true, permissions: { devices: { ...selecting(1), allIDs: true } } }, 'permissions.devices'],
      [{ manageByGroups: true, permissions: { devices: selecting(1, 2) } }, 'not 2'],
    ];
    for (const [body, words] of wider) {
      const reply = await make(body);
      expect(reply, reply.text).toMatchObject({ code: 403, body: { errorMessage: expect.stringContaining(words) } });
    }
    for (const change of [{ manageByGroups: false }, { permissions: { ...ownPermissions, devices: selecting(1, 2) } }])
      expect((await caller.post(`${path}/${caller.profileId}`, change)).code, JSON.stringify(change)).toBe(403);
    // A wider profile that another administrator granted may stay, get a note, and be removed.
    const wide = await shared.admin.create(adminProfile, {
      name: 'wide',
      permissions: { hosts: everyVerb, devices: everyVerb },
    });
    expect((await caller.post(`${path}/${wide}`, { note: 'seen' })).code).toBe(200);
    expect((await caller.post(`${path}/${wide}`, { permissions: { devices: everyVerb } })).code).toBe(200);
  });
});

describe('people', async () => {
  const shared = await world();
  const limiter = new Limiter(shared);

  test('are limited too: tokens and sessions of accounts that the caller does not see are not visible', async () => {
    const permissions = { 'admin-profiles': everyVerb };
    const caller = await limiter.caller({ manageByGroups: true, permissions });
    const [visible, hidden] = [await limiter.caller({ permissions }), await limiter.caller({ permissions })];
    const managed = await limiter.group('USER');
    await limiter.join(managed, 6, visible.accountId);
    await limiter.manage(caller.accountId, managed);
    const tokens = (await caller.get('/auth/tokens?all=true')).body.results!;
    expect(tokens).toHaveLength(2);
    const tokenOf = async ({ accountId }: LimitedClient) =>
      (await limiter.sql<{ id: number }>('select id from api_token where account_id = $1', [accountId]))[0]!.id;
    const unknown = await caller.delete('/auth/tokens/987654321');
    const id = await tokenOf(hidden);
    expect(await caller.delete(`/auth/tokens/${id}`)).toMatchObject({
      code: 404,
      text: unknown.text.replace('987654321', String(id)),
    });
    expect((await caller.delete(`/auth/tokens/${await tokenOf(visible)}`)).code).toBe(200);
    const sessions = await limiter.sql<{ id: number }>(
      `insert into login_session (public_id, hash, account_id, expires_at)
       select 'of ' || a, '', a, now() + interval '1 hour' from unnest($1::bigint[]) a returning id`,
      [[visible.accountId, hidden.accountId]],
    );
    expect((await caller.delete(`/auth/sessions/${sessions[1]!.id}`)).code).toBe(404);
    expect((await caller.delete(`/auth/sessions/${sessions[0]!.id}`)).code).toBe(200);
  });
});

describe('tasks of a limited administrator', async () => {
  const shared = await world();
  const limiter = new Limiter(shared);

  test('can be assigned to the administrator itself, and not to hidden accounts', async () => {
    const caller = await limiter.caller({ manageByGroups: true, permissions: { scheduler: everyVerb } });
    const otherCaller = await limiter.caller({ permissions: {} });
    const give = (assignee: number) => caller.post('/system/background-task', { message: 'count the ports', assignee });
    expect((await give(caller.accountId)).code).toBe(201);
    const [hidden, unknown] = [await give(otherCaller.accountId), await give(987_654_321)];
    expect(hidden).toMatchObject({ code: 422, text: unknown.text.replace('987654321', String(otherCaller.accountId)) });
    const managed = await limiter.group('USER');
    await limiter.join(managed, 6, otherCaller.accountId);
    await limiter.manage(caller.accountId, managed);
    expect((await give(otherCaller.accountId)).code).toBe(201);
  });
});

describe('the rows that actions read', async () => {
  const answer = {
    kind: 'object',
    name: 'Seen',
    properties: { ids: { kind: 'list', item: { kind: 'integer', min: 0, max: 1e9 }, max: 1_000 } },
  } as const;
  const reading = action(teaMachine, {
    name: 'ports',
    method: 'GET',
    path: '/ports',
    doc: 'Ports by every way to read them',
    result: answer,
    async run(_call, { db, list }) {
      const plain = await db.selectFrom('port').select('port.id').orderBy('port.id').execute();
      const aliased = await db.selectFrom('port as p').select('p.id').orderBy('p.id').execute();
      const joined = await db
        .selectFrom('network_device as d')
        .innerJoin('port', 'port.deviceID', 'd.id')
        .select('port.id')
        .orderBy('port.id')
        .execute();
      const nested = await db
        .selectFrom('network_device as d')
        .select((eb) =>
          eb
            .selectFrom('port as q')
            .select((e) => e.fn.max('q.id').as('id'))
            .as('id'),
        )
        .limit(1)
        .execute();
      const listed = await list(port, { filter: [], start: 0, count: 1_000 });
      const lists = [plain, aliased, joined, nested].map((rows) => ({ ids: rows.map(({ id }) => Number(id ?? 0)) }));
      return [...lists, { ids: listed.records.map(({ dbid }) => dbid as number) }];
    },
  });
  const writing = action(teaMachine, {
    name: 'touch',
    method: 'POST',
    path: '/touch/{id}',
    doc: 'Write a polled value of a port',
    result: answer,
    async run({ id }, { tx }) {
      const isSeen = [await tx.records.exists(port, id), (await tx.records.fetch(port, id)) !== undefined];
      const isChanged = await tx.records.observe(port, id, { status: 2 });
      return [{ ids: [...isSeen, isChanged].map(Number) }];
    },
  });
  const shared = await overlayWorld([entry('Tea machine', teaMachine, { actions: [reading, writing] })]);
  const limiter = new Limiter(shared);
  const path = teaMachine.path!;

  test('are the visible ones, by Kysely in every clause, by list and by records', async () => {
    const device = await limiter.device();
    const [a, b] = [await limiter.port(device), await limiter.port(device)];
    const caller = await limiter.caller({ manageByGroups: true, permissions: { 'system-settings': everyVerb } });
    const managed = await limiter.group('PORT');
    await limiter.manage(caller.accountId, managed);
    await limiter.join(managed, portType, a);
    const readIds = async (client: Client) => (await client.get(`${path}/ports`)).body.results!.map(({ ids }) => ids);
    expect(await readIds(caller)).toEqual([[a], [a], [a], [a], [a]]);
    expect(await readIds(shared.admin)).toEqual([[a, b], [a, b], [a, b], [b], [a, b]]);
    const touch = async (id: number) => (await caller.post(`${path}/touch/${id}`)).body.results![0]!.ids;
    expect(await touch(a)).toEqual([1, 1, 1]);
    expect(await touch(b)).toEqual([0, 0, 0]);
    expect(await shared.admin.fetch(port, b)).toMatchObject({ status: 0 });
  });
});
