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

/** Follows a collection, and acknowledges what it was told. */
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

  ask() {
    return this.#client.get(`${this.#monitor}${this.#position && `?position=${encodeURIComponent(this.#position)}`}`);
  }

  /** What is told, briefly: the change and the record's identity. */
  async poll(): Promise<[change: string, id: unknown][]> {
    const { code, body, text } = await this.ask();
    expect(code, text).toBe(200);
    const entries = body.results as unknown as FeedEntry[];
    this.#position = entries.at(-1)?.position ?? this.#position;
    return entries.map(({ change, record }) => [change, record.dbid ?? record.id]);
  }
}

describe('what is limited by groups', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const limiter = new Limiter(shared);
  const device = await limiter.device();
  const byGroups = { manageByGroups: true, permissions: { devices: everyVerb } };
  const ids = async (client: Client, query = '') =>
    (await client.get(`/device/port?${query}`)).body.results!.map(({ dbid }) => dbid as number);
  const label = (id: number, text: string) =>
    limiter.transact(({ records }) => records.update(port, id, { label: text }));

  test('a membership acts at once, on every page, and goes with the element', async () => {
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

  test('who manages nothing sees nothing, and the flag acts on the next request', async () => {
    const caller = await limiter.caller(byGroups);
    expect((await caller.get('/device/port')).body).toMatchObject({ filtered: 0, total: 0, results: [] });
    expect((await caller.get('/device/container?count=0')).body.total).toBeGreaterThan(0);
    await limiter.transact(({ records }) => records.update(adminProfile, caller.profileId, { manageByGroups: false }));
    await expect.poll(async () => (await ids(caller)).length).toBeGreaterThan(0);
    await limiter.transact(({ records }) => records.update(adminProfile, caller.profileId, { manageByGroups: true }));
    await expect.poll(async () => ids(caller)).toEqual([]);
  });

  test('members of groups of another type, or of a group that manages something else, are not meant', async () => {
    const [caller, other] = [await limiter.caller(byGroups), await limiter.caller(byGroups)];
    const id = await limiter.port(device);
    const devices = await limiter.group('DEVICE');
    // A device may have the id of the port.
    await limiter.join(devices, 2, id);
    await limiter.manage(caller.accountId, devices);
    expect(await ids(caller)).toEqual([]);
    const managed = await limiter.group('PORT');
    await limiter.join(managed, portType, id);
    await limiter.manage(other.accountId, managed);
    expect([await ids(caller), await ids(other)]).toEqual([[], [id]]);
  });

  test('the ports of a device are those that the caller sees', async () => {
    const caller = await limiter.caller(byGroups);
    const own = await limiter.device();
    const [a] = [await limiter.port(own), await limiter.port(own)];
    const managed = await limiter.group('PORT');
    await limiter.join(managed, portType, a);
    await limiter.manage(caller.accountId, managed);
    expect((await caller.get(`/device/port/by-device?deviceID=${own}`)).body).toMatchObject({
      filtered: 1,
      total: 1,
      results: [{ dbid: a }],
    });
  });

  test('an administrator is never limited, whatever groups say, nor is a narrow token of theirs', async () => {
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
      const [seen, hidden] = [await limiter.port(device), await limiter.port(device)];
      await limiter.join(managed, portType, seen);
      return { caller, managed, seen, hidden };
    };

    test('tells what happens to visible records, and of a hidden one nothing, not even that it is there', async () => {
      const { caller, managed, seen, hidden } = await scene();
      const [follower, whole] = [
        await Follower.start(caller, '/device/port'),
        await Follower.start(admin, '/device/port'),
      ];
      await label(hidden, 'hidden');
      await label(seen, 'seen');
      expect(await whole.poll()).toEqual([
        ['modified', hidden],
        ['modified', seen],
      ]);
      expect(await follower.poll()).toEqual([['modified', seen]]);
      await limiter.join(managed, portType, hidden);
      expect(await follower.poll()).toEqual([['modified', hidden]]);
      await limiter.leave(managed, hidden);
      expect(await follower.poll()).toEqual([['removed', hidden]]);
      // It was told once; what happens to it since is not.
      await label(hidden, 'again');
      await limiter.transact(({ records }) => records.remove(port, [hidden]));
      expect(await follower.poll()).toEqual([]);
      // Who sees everything is not told of memberships.
      expect(await whole.poll()).toEqual([
        ['removed', hidden],
        ['removed', hidden],
      ]);
      const [never] = [await limiter.port(device)];
      await limiter.transact(({ records }) => records.remove(port, [never]));
      expect(await follower.poll()).toEqual([]);
    });

    test('tells a deletion once, and a departure once although several groups were left', async () => {
      const { caller, managed, seen } = await scene();
      const second = await limiter.group('PORT');
      await limiter.manage(caller.accountId, second);
      const other = await limiter.port(device);
      await limiter.join(second, portType, seen, other);
      await limiter.join(managed, portType, other);
      const follower = await Follower.start(caller, '/device/port');
      await limiter.leave(managed, seen);
      expect(await follower.poll()).toEqual([['modified', seen]]);
      await limiter.join(managed, portType, seen);
      expect(await follower.poll()).toEqual([['modified', seen]]);
      await limiter.leave(managed, seen);
      await limiter.leave(second, seen);
      expect(await follower.poll()).toEqual([['removed', seen]]);
      await limiter.transact(({ records }) => records.remove(port, [other]));
      expect(await follower.poll()).toEqual([['removed', other]]);
      expect(await follower.poll()).toEqual([]);
    });

    test('answers an unacknowledged page again, departures included', async () => {
      const { caller, managed, seen } = await scene();
      const follower = await Follower.start(caller, '/device/port');
      await limiter.leave(managed, seen);
      const reported = async () => (await follower.ask()).body.results;
      const departure = [expect.objectContaining({ change: 'removed', record: { dbid: seen } })];
      expect(await reported()).toEqual(departure);
      expect(await reported()).toEqual(departure);
    });

    test('gets past thousands of changes that are hidden', async () => {
      const { caller, seen } = await scene();
      const follower = await Follower.start(caller, '/device/port');
      const ports = await limiter.sql<{ id: number }>(
        `insert into port (port_type, name, port_id, device_id, status, ip, phys_addr, label, connection_state, default_vlan, current_vlan, current_cli,
           notes, last_change_summary, ifname, ifindex, ifspeed, ifdescr, ifadmin_status, ifoper_status, uplink_disabled, yams_event_tag)
         select 0, 'h' || n, '', $1, 0, '', '', '', 0, '', '', '', '', '', 'h' || n, '', '', '', 0, 0, false, '' from generate_series(1, 2500) n returning id`,
        [device],
      );
      await label(seen, 'behind them all');
      expect(await follower.poll()).toEqual([['modified', seen]]);
      await limiter.sql('update port set notes = $2 where id = any($1)', [ports.map(({ id }) => id), 'x']);
      expect(await follower.poll()).toEqual([]);
      await label(seen, 'behind them again');
      expect(await follower.poll()).toEqual([['modified', seen]]);
      await limiter.sql('delete from port where id = any($1)', [ports.map(({ id }) => id)]);
      expect(await follower.poll()).toEqual([]);
    });

    test('ends when what the caller may see is made of something else, and says so', async () => {
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
        expect(await follower.ask(), what).toMatchObject({ code: 410, body: { status: 'gone' } });
      }
    });

    test('as a stream tells no more of what is hidden while it is open', async () => {
      const { caller, managed, seen } = await scene();
      const started = await caller.post('/device/port/monitor/start');
      await service.app.listen({ port: 0, host: '127.0.0.1' });
      const { port: at } = service.app.server.address() as AddressInfo;
      const chunks: string[] = [];
      const request = get({
        port: at,
        path: String(started.headers.location),
        headers: { authorization: `Bearer ${caller.token}`, accept: 'text/event-stream' },
      });
      request.on('response', (response) => response.on('data', (chunk) => chunks.push(String(chunk))));
      request.on('error', () => undefined);
      const reported = () => chunks.join('');
      await label(seen, 'while visible');
      await expect.poll(reported, { timeout: 60_000 }).toContain('while visible');
      await limiter.leave(managed, seen);
      await expect.poll(reported, { timeout: 60_000 }).toContain('removed');
      await label(seen, 'while hidden');
      // The profile itself is changed too: the stream must not go on with the eyes it began with.
      await limiter.transact(({ records }) =>
        records.update(adminProfile, caller.profileId, { permissions: { devices: selecting() } }),
      );
      await expect.poll(reported, { timeout: 60_000 }).toContain('event: failure');
      expect(reported()).toContain('"status":"gone"');
      expect(reported()).not.toContain('while hidden');
      request.destroy();
    });
  });

  test('random nesting and membership show what a model of them says', async () => {
    const caller = await limiter.caller(byGroups);
    const groups: number[] = [];
    for (let n = 0; n < 5; n++) groups.push(await limiter.group('PORT'));
    const admins = [await limiter.group('ADMINISTRATOR'), await limiter.group('ADMINISTRATOR')];
    const ports: number[] = [];
    for (let n = 0; n < 6; n++) ports.push(await limiter.port(device));
    const some = <T>(of: readonly T[]) => fc.subarray([...of]);
    /** Children come later in the list than their parents, so nothing lies in itself. */
    const below = (of: readonly number[]) =>
      some(of.flatMap((parent, place) => of.slice(place + 1).map((child): [number, number] => [parent, child])));
    const pairs = <A, B>(as: readonly A[], bs: readonly B[]) => some(as.flatMap((a) => bs.map((b): [A, B] => [a, b])));
    const within = (edges: readonly [number, number][], top: number): Set<number> => {
      const found = new Set([top]);
      for (const each of found) for (const [parent, child] of edges) if (parent === each) found.add(child);
      return found;
    };
    await fc.assert(
      fc.asyncProperty(
        below(groups),
        below(admins),
        pairs(groups, ports),
        pairs(admins, groups),
        some(admins),
        async (edges, adminEdges, members, manages, own) => {
          const mine = [...groups, ...admins];
          for (const table of [
            'group_member where group_id',
            'group_edge where parent_id',
            'group_manages where group_id',
          ])
            await limiter.sql(`delete from ${table} = any($1::bigint[])`, [mine]);
          await limiter.nest(...edges, ...adminEdges);
          for (const [to, id] of members) await limiter.join(to, portType, id);
          for (const to of own) await limiter.join(to, 7, caller.accountId);
          for (const pair of manages)
            await limiter.sql('insert into group_manages (group_id, managed_id) values ($1, $2)', pair);
          const holding = admins.filter((each) => [...within(adminEdges, each)].some((lower) => own.includes(lower)));
          const managed = manages.filter(([by]) => holding.includes(by)).flatMap(([, to]) => [...within(edges, to)]);
          const expected = ports.filter((id) => members.some(([to, member]) => member === id && managed.includes(to)));
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

describe('what is limited by selection', async () => {
  const shared = await world();
  const { admin } = shared;
  const limiter = new Limiter(shared);
  const devices = (...ids: number[]) => limiter.caller({ permissions: { devices: selecting(...ids) } });
  const rule = (name: string, more: object = {}) =>
    admin.create(deviceProfilingRule, { name, type: { tag: 'printer' }, ...more });
  const profiler = (...ids: number[]) =>
    limiter.caller({ permissions: { 'device-profiling': selecting(...ids), ...viewAll } });
  const viewAll = { devices: { view: true }, groups: { view: true }, roles: { view: true } };
  const names = async (client: Client, path: string, filter: string) => {
    const reply = await client.get(`${path}?filter=${encodeURIComponent(filter)}`);
    expect(reply.code, reply.text).toBe(200);
    return reply.body.results!.map(({ name }) => name);
  };

  test('a container is seen with all that lies beneath it, and devices and ports with their container', async () => {
    const top = await limiter.container();
    const low = await limiter.container(top.name);
    const caller = await devices(top.id);
    const port1 = await limiter.port(await limiter.device(low.name));
    const elsewhere = await limiter.device();
    const port2 = await limiter.port(elsewhere);
    expect((await caller.get('/device/container')).body.results!.map(({ id }) => id)).toEqual([top.id, low.id]);
    expect((await caller.get('/device/port')).body).toMatchObject({ total: 1, results: [{ dbid: port1 }] });
    expect((await caller.get(`/device/port/${port2}`)).code).toBe(404);
    const unknown = await caller.get('/device/port/by-device?deviceID=987654321');
    const hidden = await caller.get(`/device/port/by-device?deviceID=${elsewhere}`);
    expect(hidden).toMatchObject({ code: 404, text: unknown.text.replace('987654321', String(elsewhere)) });
  });

  test('records are made, moved and named only where they are seen', async () => {
    const [top, other] = [await limiter.container(), await limiter.container()];
    const caller = await devices(top.id);
    const make = (body: object) => caller.post('/device/container', body);
    expect((await make({ name: 'beneath', parent: top.name })).code).toBe(201);
    const nameless = await make({ name: 'nowhere', parent: 'No such place' });
    const hidden = await make({ name: 'nowhere', parent: other.name });
    expect(hidden).toMatchObject({ code: 422, text: nameless.text.replace('No such place', other.name) });
    expect((await make({ name: 'at the root' })).code).toBe(422);
    expect((await make({ id: top.id, parent: other.name })).code).toBe(422);
    // What a record refers to already can be sent back, also where it is not seen.
    const record = await caller.fetch(container, top.id);
    expect(record.parent).toBe('Network');
    expect((await make({ ...record, notes: 'sent back' })).code).toBe(200);
    const rows = await limiter.sql('select name from container where name in ($1, $2)', ['nowhere', 'at the root']);
    expect(rows).toEqual([]);
  });

  test('what is moved out of sight, or into it, is told as such, with all that lies in it', async () => {
    const [top, other] = [await limiter.container(), await limiter.container()];
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
    await move(low.id, other.name);
    const gone = [
      ['removed', low.id],
      ['removed', lower.id],
    ];
    expect((await places.poll()).toSorted()).toEqual(gone.toSorted());
    expect(await ports.poll()).toEqual([['removed', id]]);
    await limiter.transact(({ records }) => records.update(container, low.id, { notes: 'unseen' }));
    expect([await places.poll(), await ports.poll()]).toEqual([[], []]);
    await move(low.id, top.name);
    expect(new Set((await places.poll()).map(([change, each]) => `${change} ${each}`))).toEqual(
      new Set([`modified ${low.id}`, `modified ${lower.id}`]),
    );
    expect(await ports.poll()).toEqual([['modified', id]]);
    await limiter.transact(({ records }) => records.update(networkDevice, device, { containerID: other.id }));
    expect(await ports.poll()).toEqual([['removed', id]]);
    await limiter.transact(({ records }) => records.update(networkDevice, device, { containerID: low.id }));
    expect(await ports.poll()).toEqual([['modified', id]]);
    await limiter.transact(({ records }) => records.remove(networkDevice, [device]));
    expect(await ports.poll()).toEqual([['removed', id]]);
    await limiter.transact(({ records }) => records.remove(container, [lower.id, low.id]));
    expect((await places.poll()).toSorted()).toEqual(gone.toSorted());
    await limiter.transact(({ records }) => records.remove(container, [other.id]));
    expect(await places.poll()).toEqual([]);
  });

  test('both limits together show what both let through, also in a monitor', async () => {
    const [top, other] = [await limiter.container(), await limiter.container()];
    const inside = await limiter.device(top.name);
    const [both, onlyPlace] = [await limiter.port(inside), await limiter.port(inside)];
    const onlyGroup = await limiter.port(await limiter.device(other.name));
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

  test('a filter asks nothing of a hidden record, nor of a group that the caller may not view', async () => {
    const [seen, hidden] = [await limiter.group('HOST'), await limiter.group('HOST')];
    const [, byHidden] = [
      await rule('with a seen group', { groupId: seen }),
      await rule('with a hidden group', { groupId: hidden }),
    ];
    await limiter.sql(`update "group" set description = 'a secret plan' where id = any($1)`, [[seen, hidden]]);
    const caller = await limiter.caller({
      permissions: { 'device-profiling': { view: true }, groups: selecting(seen) },
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

  test('usage and refusals name what the caller sees, and count the rest', async () => {
    const place = await limiter.container();
    const one = await rule('names the place', { addToDomain: true, domainId: place.id });
    await rule('names it too', { addToDomain: true, domainId: place.id });
    const caller = await limiter.caller({
      permissions: { devices: everyVerb, 'device-profiling': selecting(one) },
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

  test('a deletion changes nothing that the caller does not see', async () => {
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

  test('in an order, no hidden record gives way', async () => {
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

  test('no spelling of a list lets a hidden group in, and one that is in it already stays', async () => {
    const [seen, hidden] = [await limiter.group('HOST'), await limiter.group('HOST')];
    const hiddenName = String(
      (await limiter.sql<{ name: string }>('select name from "group" where id = $1', [hidden]))[0]!.name,
    );
    const path = '/settings/agent/directory-agent';
    const caller = await limiter.caller({ permissions: { agents: everyVerb, groups: selecting(seen) } });
    const make = (more: object) => caller.post(path, { name: `agents ${Math.random()}`, ...more });
    for (const [field, named, unknown] of [
      ['addToGroupIDs', hidden, 987_654_321],
      ['addToGroupNames', hiddenName, 'no such group'],
    ] as const) {
      const [reply, other] = [await make({ [field]: [named] }), await make({ [field]: [unknown] })];
      expect(reply).toMatchObject({ code: 422, text: other.text.replace(String(unknown), String(named)) });
    }
    expect((await make({ addToGroupIDs: [seen] })).code).toBe(201);
    const id = await admin.create({ path }, { name: 'by another', addToGroupIDs: [hidden] });
    const record = await caller.fetch({ path }, id);
    expect((await caller.post(`${path}/${id}`, { ...record, name: 'renamed' })).code).toBe(200);
    expect((await caller.post(`${path}/${id}`, { addToGroupIDs: [hidden, seen] })).code).toBe(200);
  });
});

describe('who is limited hands out no more', async () => {
  const shared = await world();
  const limiter = new Limiter(shared);
  const path = '/user/admin-profile';
  const own = { 'admin-profiles': everyVerb, devices: selecting(1), hosts: everyVerb };
  const caller: LimitedClient = await limiter.caller({ manageByGroups: true, permissions: own });
  let made = 0;
  const make = (body: object) => caller.post(path, { name: `made ${++made}`, ...body });

  test('by a profile that sees more rows, of its own or of others', async () => {
    expect((await make({ manageByGroups: true, permissions: own })).code).toBe(201);
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
    for (const change of [{ manageByGroups: false }, { permissions: { ...own, devices: selecting(1, 2) } }])
      expect((await caller.post(`${path}/${caller.profileId}`, change)).code, JSON.stringify(change)).toBe(403);
    // What another granted may stay, be noted, and be taken away.
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

  test('are limited too: tokens and sessions of those whom the caller does not see are not there', async () => {
    const permissions = { 'admin-profiles': everyVerb };
    const caller = await limiter.caller({ manageByGroups: true, permissions });
    const [seen, hidden] = [await limiter.caller({ permissions }), await limiter.caller({ permissions })];
    const managed = await limiter.group('USER');
    await limiter.join(managed, 6, seen.accountId);
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
    expect((await caller.delete(`/auth/tokens/${await tokenOf(seen)}`)).code).toBe(200);
    const sessions = await limiter.sql<{ id: number }>(
      `insert into login_session (public_id, hash, account_id, expires_at)
       select 'of ' || a, '', a, now() + interval '1 hour' from unnest($1::bigint[]) a returning id`,
      [[seen.accountId, hidden.accountId]],
    );
    expect((await caller.delete(`/auth/sessions/${sessions[1]!.id}`)).code).toBe(404);
    expect((await caller.delete(`/auth/sessions/${sessions[0]!.id}`)).code).toBe(200);
  });
});

describe('tasks of a limited administrator', async () => {
  const shared = await world();
  const limiter = new Limiter(shared);

  test('are their own: nobody is hidden from themselves, and those who are hidden get none', async () => {
    const caller = await limiter.caller({ manageByGroups: true, permissions: { scheduler: everyVerb } });
    const other = await limiter.caller({ permissions: {} });
    const give = (assignee: number) => caller.post('/system/background-task', { message: 'count the ports', assignee });
    expect((await give(caller.accountId)).code).toBe(201);
    const [hidden, unknown] = [await give(other.accountId), await give(987_654_321)];
    expect(hidden).toMatchObject({ code: 422, text: unknown.text.replace('987654321', String(other.accountId)) });
    const managed = await limiter.group('USER');
    await limiter.join(managed, 6, other.accountId);
    await limiter.manage(caller.accountId, managed);
    expect((await give(other.accountId)).code).toBe(201);
  });
});

describe('what actions read', async () => {
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
      const read = [plain, aliased, joined, nested].map((rows) => ({ ids: rows.map(({ id }) => Number(id ?? 0)) }));
      return [...read, { ids: listed.records.map(({ dbid }) => dbid as number) }];
    },
  });
  const writing = action(teaMachine, {
    name: 'touch',
    method: 'POST',
    path: '/touch/{id}',
    doc: 'Write what a poll saw of a port',
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

  test('is what the caller sees, by Kysely in every clause, by list and by records', async () => {
    const device = await limiter.device();
    const [a, b] = [await limiter.port(device), await limiter.port(device)];
    const caller = await limiter.caller({ manageByGroups: true, permissions: { 'system-settings': everyVerb } });
    const managed = await limiter.group('PORT');
    await limiter.manage(caller.accountId, managed);
    await limiter.join(managed, portType, a);
    const read = async (client: Client) => (await client.get(`${path}/ports`)).body.results!.map(({ ids }) => ids);
    expect(await read(caller)).toEqual([[a], [a], [a], [a], [a]]);
    expect(await read(shared.admin)).toEqual([[a, b], [a, b], [a, b], [b], [a, b]]);
    const touch = async (id: number) => (await caller.post(`${path}/touch/${id}`)).body.results![0]!.ids;
    expect(await touch(a)).toEqual([1, 1, 1]);
    expect(await touch(b)).toEqual([0, 0, 0]);
    expect(await shared.admin.fetch(port, b)).toMatchObject({ status: 0 });
  });
});
