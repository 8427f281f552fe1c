import { describe, expect, test } from 'vitest';
import type { Client } from '../../test/world/client.ts';
import { everyVerb, Limiter } from '../../test/world/restricted-admins.ts';
import { world } from '../../test/world/world.ts';
import { container } from '../device/container/container.ts';
import { adapter } from '../host/adapter/adapter.ts';
import { host } from '../host/host/host.ts';
import type { Runtime } from '../kernel/write/runtime.ts';
import { ConsoleFeed, type FeedCall } from './feed.ts';

interface Entry {
  position: string;
  changes: { topic: string; ids: number[]; many: boolean; added: number }[];
}

describe('the feed of the console', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const { runtime } = service;
  const limiter = new Limiter(shared);

  const ask = async (client: Client, topics: readonly string[], position?: string): Promise<Entry[]> => {
    const query = [...topics.map((topic) => `topic=${topic}`), ...(position ? [`position=${position}`] : [])].join('&');
    const { code, body, text } = await client.get<Entry>(`/console/api/feed?${query}`);
    expect({ code }, text).toEqual({ code: 200 });
    return body.results!;
  };

  /** Follows topics, and polls until there are changes. */
  class Follower {
    readonly #by: Client;
    readonly #topics: readonly string[];
    position: string;
    private constructor(client: Client, topics: readonly string[], position: string) {
      this.#by = client;
      this.#topics = topics;
      this.position = position;
    }
    static async start(client: Client, ...topics: string[]): Promise<Follower> {
      return new Follower(client, topics, (await ask(client, topics))[0]!.position);
    }
    async next(): Promise<Entry['changes']> {
      let changes: Entry['changes'] = [];
      await expect
        .poll(
          async () => {
            const [entry] = await ask(this.#by, this.#topics, this.position);
            if (entry) this.position = entry.position;
            changes = entry?.changes ?? [];
            return changes.length;
          },
          { timeout: 30_000, interval: 100 },
        )
        .toBeGreaterThan(0);
      return changes;
    }
  }

  /** Makes a visible change after changes that may be hidden. */
  const mark = () => admin.create(container, { name: `mark ${Math.random()}` });

  test('reports which records were added, changed and removed, without their content', async () => {
    const follower = await Follower.start(admin, 'container', 'role');
    const id = await admin.create(container, { name: 'followed' });
    expect(await follower.next()).toEqual([{ topic: 'container', ids: [id], many: false, added: 0 }]);
    await limiter.transact(({ records }) => records.update(container, id, { name: 'renamed' }));
    expect(await follower.next()).toMatchObject([{ topic: 'container', ids: [id] }]);
    await limiter.transact(({ records }) => records.remove(container, [id]));
    expect(await follower.next()).toMatchObject([{ topic: 'container', ids: [id] }]);
  });

  test('counts the new rows of a log', async () => {
    const follower = await Follower.start(admin, 'audit-record');
    for (let n = 0; n < 3; n++) await mark();
    let added = 0;
    while (added < 3) added += (await follower.next())[0]!.added;
    expect(added).toBe(3);
  });

  test('reports a flag instead of a thousand ids', async () => {
    const follower = await Follower.start(admin, 'container');
    await limiter.transact(async ({ records }) => {
      for (let n = 0; n < 501; n++) await records.create(container, { name: `crowd ${n}` });
    });
    expect(await follower.next()).toEqual([{ topic: 'container', ids: [], many: true, added: 0 }]);
  });

  test('reports when an adapter connects, moves and disconnects, with its host, but not that it is still connected', async () => {
    const device = await limiter.device();
    const [first, second] = [await limiter.port(device), await limiter.port(device)];
    const hostID = await admin.create(host, { hostName: 'wanderer' });
    const mac = '00:50:C2:AA:00:01';
    const id = await admin.create(adapter, { physicalAddress: mac, hostID });
    const follower = await Follower.start(admin, 'adapter', 'host', 'container');
    const both = [
      { topic: 'adapter', ids: [id], many: false, added: 0 },
      { topic: 'host', ids: [hostID], many: false, added: 0 },
    ];
    await limiter.sql('insert into connection_active (mac, device_id, port_id) values ($1, $2, $3)', [
      mac,
      device,
      first,
    ]);
    expect(await follower.next()).toEqual(both);
    await limiter.sql('update connection_active set last_seen = now(), misses = 1 where mac = $1', [mac]);
    const marked = await mark();
    expect(await follower.next()).toMatchObject([{ topic: 'container', ids: [marked] }]);
    await limiter.sql('update connection_active set port_id = $2 where mac = $1', [mac, second]);
    expect(await follower.next()).toEqual(both);
    await limiter.sql('delete from connection_active where mac = $1', [mac]);
    expect(await follower.next()).toEqual(both);
  });

  test('reports when the health of a host changes', async () => {
    const id = await admin.create(host, { hostName: 'ill' });
    const follower = await Follower.start(admin, 'host');
    for (const health of ['AT_RISK', 'SAFE']) {
      await admin.post(`${host.path}/${id}/set-health`, { health });
      expect(await follower.next()).toEqual([{ topic: 'host', ids: [id], many: false, added: 0 }]);
    }
  });

  test('reports only visible hosts to a caller with row limits', async () => {
    const caller = await limiter.caller({
      manageByGroups: true,
      permissions: { hosts: everyVerb, devices: everyVerb },
    });
    const managed = await limiter.group('HOST');
    await limiter.manage(caller.accountId, managed);
    const [visibleHost, hidden] = [
      await admin.create(host, { hostName: 'seen' }),
      await admin.create(host, { hostName: 'hidden' }),
    ];
    await limiter.join(managed, 4, visibleHost);
    const follower = await Follower.start(caller, 'host', 'container');
    await admin.post(`${host.path}/${hidden}`, { serialNumber: 'h1' });
    await admin.post(`${host.path}/${visibleHost}`, { serialNumber: 's1' });
    expect(await follower.next()).toEqual([{ topic: 'host', ids: [visibleHost], many: false, added: 0 }]);
    await limiter.leave(managed, visibleHost);
    expect(await follower.next()).toMatchObject([{ topic: 'host', ids: [visibleHost] }]);
    await admin.post(`${host.path}/${visibleHost}`, { serialNumber: 's2' });
    await admin.post('/host/delete', { id: [hidden] });
    const marked = await mark();
    expect(await follower.next()).toEqual([{ topic: 'container', ids: [marked], many: false, added: 0 }]);
  });

  test('requires an existing topic and the right to view it', async () => {
    const caller = await shared.caller({ roles: ['view'] });
    expect((await caller.get('/console/api/feed?topic=role')).code).toBe(200);
    expect((await caller.get('/console/api/feed?topic=role&topic=host')).code).toBe(403);
    for (const query of ['', '?topic=nothing', '?topic=role&position=x'])
      expect((await admin.get(`/console/api/feed${query}`)).code, query).toBe(400);
  });

  test('continues on another node from the position', async () => {
    const follower = await Follower.start(admin, 'container');
    const id = await mark();
    const otherFeed = new ConsoleFeed(runtime, () => performance.now());
    const { operations } = service;
    const call = {
      operation: operations.find(({ operationId }) => operationId === 'console.feed')!,
      caller: { accountId: 0, userID: '', rights: 'everything' },
      query: { topic: ['container'], position: follower.position },
      nowMs: Date.now(),
    } as unknown as FeedCall;
    expect((await otherFeed.changes(call)).results).toMatchObject([{ changes: [{ topic: 'container', ids: [id] }] }]);
  });

  test('reads the changes once for fifty simultaneous requests', async () => {
    let reads = 0;
    const counting = {
      reader: (...args: Parameters<Runtime['reader']>) => runtime.reader(...args),
      read: (...args: Parameters<Runtime['read']>) => {
        reads += 1;
        return runtime.read(...args);
      },
    } as unknown as Runtime;
    let nowMs = 0;
    const feed = new ConsoleFeed(counting, () => nowMs);
    const call = (position?: string) =>
      ({
        caller: { accountId: 0, userID: '', rights: 'everything' },
        query: { topic: ['container'], position },
        nowMs: Date.now(),
      }) as unknown as FeedCall;
    const [{ position }] = (await feed.changes(call())).results as [Entry];
    await mark();
    nowMs += 1_000;
    reads = 0;
    const answers = await Promise.all(Array.from({ length: 50 }, () => feed.changes(call(position))));
    expect(new Set(answers.map(({ results }) => JSON.stringify(results))).size).toBe(1);
    expect(answers[0]!.results).toHaveLength(1);
    expect(reads).toBe(2);
  });

  test('returns a new position to a client without changes for a long time', async () => {
    let nowMs = 0;
    const feed = new ConsoleFeed(runtime, () => nowMs);
    const caller = { accountId: 0, userID: '', rights: 'everything' };
    const changes = (position?: string) =>
      feed.changes({ caller, query: { topic: ['role'], position }, nowMs: Date.now() } as unknown as FeedCall);
    const [{ position }] = (await changes()).results as [Entry];
    const empty: number[] = [];
    let moved: Entry | undefined;
    for (let n = 0; n < 40 && !moved; n++) {
      await limiter.sql('select pg_current_xact_id()');
      nowMs += 1_000;
      [moved] = (await changes(position)).results as [Entry?];
      if (!moved) empty.push(n);
    }
    expect(moved).toMatchObject({ changes: [] });
    expect(empty.length).toBeGreaterThan(20);
    expect(moved!.position).not.toBe(position);
  });

  test('returns 410 for a position that is too old', async () => {
    await limiter.sql(
      `insert into feed_purge (table_name, txid, seq) select 'container', pg_current_xact_id(), max(seq) from change_feed`,
    );
    const { code, body } = await admin.get(
      `/console/api/feed?topic=container&position=${Buffer.from('3:3:|0').toString('base64url')}`,
    );
    expect({ code, status: body.status }).toEqual({ code: 410, status: 'gone' });
  });
});
