import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { Client, Reply } from '../../../test/world/client.ts';
import { world } from '../../../test/world/world.ts';
import { container, containerMask } from '../../device/container/container.ts';
import { systemOrigin } from '../declare/caller.ts';
import type { WriteTx } from '../write/runtime.ts';
import { type FeedEntry, purgeFeed, readPosition } from './feed.ts';

const path = '/device/container/monitor';

/** A client that follows the containers and acknowledges the entries that it has processed. */
class Follower {
  readonly #client: Client;
  readonly id: number;
  readonly seen: FeedEntry[] = [];
  position: string | undefined;

  private constructor(client: Client, id: number) {
    this.#client = client;
    this.id = id;
  }

  static async start(client: Client, filter?: string[]): Promise<Follower> {
    const { code, body, headers } = await client.post(`${path}/start`, filter && { filter });
    expect(code).toBe(201);
    const { id } = body.results![0] as { id: number };
    expect(headers.location).toBe(`/api/v2${path}/${id}`);
    return new Follower(client, id);
  }

  ask(position?: string): Promise<Reply> {
    const query = position === undefined ? '' : `?position=${encodeURIComponent(position)}`;
    return this.#client.get(`${path}/${this.id}${query}`);
  }

  /**
   * Returns the entries after a position, which this acknowledges; without one, after the last acknowledged position.
   */
  async look(position?: string): Promise<FeedEntry[]> {
    const { code, body, text } = await this.ask(position);
    expect(code, text).toBe(200);
    return body.results as unknown as FeedEntry[];
  }

  /** Processes the first entries of the next page, and acknowledges them with the page after it. */
  async poll(atMost = Number.POSITIVE_INFINITY): Promise<FeedEntry[]> {
    const page = (await this.look(this.position)).slice(0, atMost);
    this.seen.push(...page);
    this.position = page.at(-1)?.position ?? this.position;
    return page;
  }
}

const numberOf = (entry: FeedEntry): number => readPosition(entry.position).seq;
const brief = (entries: readonly FeedEntry[]) =>
  entries.map(({ change, record }) => [change, record.name ?? record.id]);

describe('the change feed', async () => {
  const { admin, service, database, caller } = await world();
  const { pool } = service.runtime;
  const transact = <T>(work: (tx: WriteTx) => Promise<T>) => service.runtime.transact(systemOrigin('test'), work);
  const update = async (id: number, fields: Record<string, unknown>) => {
    const { code, text } = await admin.post('/device/container', { id, ...fields });
    expect(code, text).toBe(200);
  };

  /** Runs statements as the owner of the database, like an operator, or to simulate the passing of time. */
  async function asOwner(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: database.ownerUrl });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  const rowsAfter = async (seq: number): Promise<{ seq: number; id: number; change: string; version: number }[]> =>
    (
      await pool.query(
        `select f.seq, f.record_id as id, f.change, f.version from change_feed f
         where f.table_name = 'container' and f.seq > $1 order by f.seq`,
        [seq],
      )
    ).rows;
  const lastSeq = async (): Promise<number> =>
    (await pool.query('select coalesce(max(f.seq), 0) as seq from change_feed f')).rows[0].seq;

  test('reports each change exactly once while four sessions write and a fifth commits late', async () => {
    const lockedContainer = await admin.create(container, { name: 'held' });
    const ids: number[] = [];
    for (let n = 0; n < 8; n++) ids.push(await admin.create(container, { name: `shared ${n}` }));
    const begin = await lastSeq();
    const follower = await Follower.start(admin);
    let isWriting = true;
    let polls = 0;
    const allowed = new Set([200, 201, 404]);

    async function write(writer: number): Promise<void> {
      for (let n = 0; n < 40; n++) {
        const shared = ids[(n * 7 + writer * 3) % ids.length]!;
        const reply =
          n % 8 === 0
            ? await admin.post('/device/container', { name: `made by ${writer} in ${n}` })
            : n % 8 === 5
              ? await admin.delete(`/device/container/${await youngestOf(writer)}`)
              : await admin.post('/device/container', { id: shared, notes: `${writer} ${n}` });
        expect(allowed, reply.text).toContain(reply.code);
      }
    }
    const youngestOf = async (writer: number): Promise<number> => {
      const { body } = await admin.get(
        `/device/container?filter=${encodeURIComponent(`name=="made by ${writer} *"`)}&sortKey=id&sortDir=desc&count=1`,
      );
      return Number(body.results![0]?.id ?? 999_999);
    };

    /**
     * Writes at once and commits only after several polls: its rows have lower numbers than rows that were reported
     * long before.
     */
    async function writeLate(): Promise<void> {
      for (let n = 0; n < 6; n++) {
        await transact(async ({ records }) => {
          await records.update(container, lockedContainer, { notes: `held ${n}` });
          const until = polls + 4;
          while (polls < until) await sleep(1);
          await records.update(container, lockedContainer, { description: `held ${n}` });
        });
      }
    }

    async function follow(): Promise<void> {
      for (let isDone = false; !isDone; polls++) {
        const wasWriting = isWriting;
        const page = await follower.poll(polls % 3 === 0 ? 2 : undefined);
        isDone = !wasWriting && page.length === 0;
      }
    }
    const following = follow();
    await Promise.all([write(1), write(2), write(3), write(4), writeLate()]);
    isWriting = false;
    await following;

    const rows = await rowsAfter(begin);
    expect(rows.length).toBeGreaterThan(100);
    const reported = follower.seen.map(numberOf);
    expect(reported.toSorted((a, b) => a - b)).toEqual(rows.map(({ seq }) => seq));
    // The late rows did arrive after larger numbers; otherwise this test shows nothing.
    expect(reported).not.toEqual(reported.toSorted((a, b) => a - b));

    const versionOf = new Map(rows.map(({ seq, version }) => [seq, version]));
    for (const id of new Set(rows.map((row) => row.id))) {
      const ofRecord = follower.seen.filter(({ record }) => record.id === id).map(numberOf);
      const versions = ofRecord.map((seq) => versionOf.get(seq));
      expect(versions).toEqual(versions.toSorted((a, b) => a! - b!));
      expect(ofRecord).toEqual(rows.filter((row) => row.id === id).map(({ seq }) => seq));
    }
  });

  test('answers a page again until it is acknowledged', async () => {
    const follower = await Follower.start(admin);
    const id = await admin.create(container, { name: 'again' });
    const first = await follower.look();
    expect(brief(first)).toEqual([['added', 'again']]);
    expect(brief(await follower.look())).toEqual(brief(first));
    await update(id, { notes: 'more' });
    const second = await follower.look();
    expect(brief(second)).toEqual([
      ['added', 'again'],
      ['modified', 'again'],
    ]);
    expect(brief(await follower.look(second[0]!.position))).toEqual([['modified', 'again']]);
    expect(brief(await follower.look())).toEqual([['modified', 'again']]);
    expect(await follower.look(second[1]!.position)).toEqual([]);
    expect(await follower.look()).toEqual([]);
    // A poll that acknowledges an older page late continues from there.
    expect(brief(await follower.look(first[0]!.position))).toEqual([['modified', 'again']]);
  });

  test('goes on where it was acknowledged, also when a poll gives no position', async () => {
    const follower = await Follower.start(admin);
    const ids: number[] = [];
    for (const name of ['one', 'two', 'three'])
      ids.push(await admin.create(container, { name: `acknowledged ${name}` }));
    const [, second] = await follower.look();
    await follower.look(second!.position);
    expect(brief(await follower.look())).toEqual([['added', 'acknowledged three']]);
    await admin.post('/device/container/delete', { id: ids });
  });

  test('reports at most a thousand changes per poll, and the rest in the next polls', async () => {
    const follower = await Follower.start(admin);
    const begin = await lastSeq();
    await asOwner(`insert into container (name, parent_id, status, polling_interval, last_successful_poll, attribute, last_change_mask)
      select 'bulk ' || n, c.id, 0, 600, 'epoch', '[]', 0 from generate_series(1, 2500) n, container c where c.name = 'Network'`);
    const sizes = [(await follower.poll()).length];
    await asOwner(`update container set notes = 'now' where name in ('bulk 1', 'bulk 2500')`);
    for (let page = await follower.poll(); page.length > 0; page = await follower.poll()) sizes.push(page.length);
    expect(sizes).toEqual([1_000, 1_000, 502]);
    expect(follower.seen.map(numberOf)).toEqual((await rowsAfter(begin)).map(({ seq }) => seq));
    await asOwner(`delete from container where name like 'bulk %'`);
    let removed = 0;
    for (let page = await follower.poll(); page.length > 0; page = await follower.poll())
      removed += page.filter(({ change }) => change === 'removed').length;
    expect(removed).toBe(2_500);
  });

  test('reports neither a rollback nor a dry run', async () => {
    const follower = await Follower.start(admin);
    expect(await admin.post('/device/container?dryRun=true', { name: 'never' })).toMatchObject({ code: 200 });
    expect(await admin.post('/device/container', { name: 'Network' })).toMatchObject({ code: 409 });
    expect(await follower.look()).toEqual([]);
  });

  test('reports a deleted record as removed, with only its identity', async () => {
    const follower = await Follower.start(admin);
    const id = await admin.create(container, { name: 'short life' });
    await admin.delete(`/device/container/${id}`);
    const [added, removed] = await follower.look();
    expect(added).toMatchObject({ change: 'removed', record: { id } });
    expect(removed).toEqual({ change: 'removed', position: expect.any(String), record: { id } });
  });

  test('reports a record that leaves the filter as removed, and one that returns with its values', async () => {
    const follower = await Follower.start(admin, ['name==edge*', 'pollingInterval>=100']);
    const id = await admin.create(container, { name: 'edge 1' });
    expect(brief(await follower.poll())).toEqual([['added', 'edge 1']]);
    await update(id, { name: 'core 1' });
    expect(await follower.poll()).toMatchObject([{ change: 'removed', record: { id } }]);
    expect(Object.keys(follower.seen.at(-1)!.record)).toEqual(['id']);
    await update(id, { name: 'EDGE 2' });
    expect(brief(await follower.poll())).toEqual([['modified', 'EDGE 2']]);
    await update(id, { pollingInterval: 60 });
    expect(brief(await follower.poll())).toEqual([['removed', id]]);
  });

  test('refuses a filter that does not fit when the monitor is started, not when it is polled', async () => {
    for (const filter of [['nam==x'], ['name='], ['id==x']])
      expect(await admin.post(`${path}/start`, { filter })).toMatchObject({ code: 400 });
  });

  describe('changeMask', () => {
    test('is the OR of what changed since the last poll, and lastChangeMask that of the last write', async () => {
      const id = await admin.create(container, { name: 'masked' });
      const follower = await Follower.start(admin);
      await update(id, { name: 'masked anew' });
      await update(id, { notes: 'x', suffix: '.example' });
      const both = containerMask.name | containerMask.notes | containerMask.suffix;
      for (const { record } of await follower.poll())
        expect(record).toMatchObject({
          changeMask: both,
          lastChangeMask: containerMask.notes | containerMask.suffix,
        });
      await update(id, { description: 'y' });
      expect(await follower.poll()).toMatchObject([
        { record: { changeMask: containerMask.description, lastChangeMask: containerMask.description } },
      ]);
      expect(await admin.fetch(container, id)).toMatchObject({
        changeMask: 0,
        lastChangeMask: containerMask.description,
      });
    });

    test('reports changes again that were not acknowledged', async () => {
      const id = await admin.create(container, { name: 'masked twice' });
      const follower = await Follower.start(admin);
      await update(id, { notes: 'x' });
      expect(await follower.look()).toMatchObject([{ record: { changeMask: containerMask.notes } }]);
      await update(id, { suffix: 'x' });
      const both = containerMask.notes | containerMask.suffix;
      expect(await follower.look()).toMatchObject([{ record: { changeMask: both } }, { record: { changeMask: both } }]);
    });

    test('reports a changed parent for the children of a renamed container', async () => {
      const parent = await admin.create(container, { name: 'above' });
      const child = await admin.create(container, { name: 'below', parent: 'above' });
      const follower = await Follower.start(admin);
      await update(parent, { name: 'above all' });
      const entries = await follower.poll();
      expect(entries.map(({ record }) => [record.id, record.changeMask])).toEqual([
        [parent, containerMask.name],
        [child, containerMask.parent],
      ]);
      expect(entries[1]!.record).toMatchObject({ parent: 'above all', version: 1 });
    });
  });

  describe('a position', async () => {
    const follower = await Follower.start(admin);
    const encoded = (...parts: unknown[]) => Buffer.from(parts.join('|')).toString('base64url');

    test('that is junk is refused', async () => {
      await fc.assert(
        fc.asyncProperty(fc.string({ minLength: 1, unit: 'binary-ascii' }), async (text) => {
          expect(await follower.ask(text)).toMatchObject({ code: 400, body: { status: 'invalid' } });
        }),
        { numRuns: 50 },
      );
    });

    test.each([
      ['no snapshot', encoded('', '', 0)],
      ['a number alone', encoded('5', '', 0)],
      ['a fourth part', encoded('5:5:', '', 0, 0)],
      ['an end before its begin', encoded('5:3:', '', 0)],
      ['a begin of zero', encoded('0:5:', '', 0)],
      ['a transaction outside', encoded('5:9:12', '', 0)],
      ['a transaction below', encoded('5:9:3', '', 0)],
      ['transactions out of order', encoded('5:9:8,6', '', 0)],
      ['more than 64 bits', encoded('99999999999999999999:99999999999999999999:', '', 0)],
      ['an impossible second snapshot', encoded('5:9:', '9:5:', 0)],
      ['a negative number', encoded('5:9:', '', -1)],
      ['a number that is none', encoded('5:9:', '', 'x')],
      ['a line end', encoded('5:9:\n', '', 0)],
    ])('with %s is refused', async (_what, position) => {
      const reply = await follower.ask(position);
      expect(reply, reply.text).toMatchObject({ code: 400 });
      expect(reply.text).toContain('position');
    });

    test('of any numbers is refused or answered, and is never our fault', async () => {
      const number = fc.oneof(
        fc.nat(20),
        fc.bigInt({ min: 0n, max: 2n ** 65n }),
        fc.constantFrom('', 'x', '-1', '007'),
      );
      const snapshot = fc
        .tuple(number, number, fc.array(number, { maxLength: 3 }))
        .map(([xmin, xmax, running]) => `${xmin}:${xmax}:${running.join()}`);
      await fc.assert(
        fc.asyncProperty(snapshot, fc.option(snapshot, { nil: '' }), number, async (since, upto, seq) => {
          const { code, text } = await follower.ask(encoded(since, upto, seq));
          expect([200, 400, 410], `${since}|${upto}|${seq}: ${text}`).toContain(code);
        }),
        { numRuns: 200 },
      );
    });

    test('does not move the monitor when it is refused', async () => {
      const ownFollower = await Follower.start(admin);
      await admin.create(container, { name: 'unmoved' });
      await ownFollower.ask('junk');
      expect(brief(await ownFollower.look())).toEqual([['added', 'unmoved']]);
    });
  });

  test('belongs to the token that started it, and ends when that token stops it', async () => {
    const follower = await Follower.start(admin);
    const otherCaller = await caller({ devices: ['view'] });
    expect(await otherCaller.get(`${path}/${follower.id}`)).toMatchObject({ code: 404 });
    expect(await otherCaller.post(`${path}/${follower.id}/stop`)).toMatchObject({ code: 404 });
    expect(await admin.post(`${path}/${follower.id}/stop`)).toMatchObject({ code: 200 });
    expect(await follower.ask()).toMatchObject({ code: 404 });
  });

  test('lets one token run twenty monitors at a time, and those that ended do not count', async () => {
    const busy = await caller({ devices: ['view'] });
    for (let n = 0; n < 20; n++) await Follower.start(busy);
    expect(await busy.post(`${path}/start`)).toMatchObject({ code: 422, body: { status: 'rejected' } });
    await asOwner(
      `update monitor set polled_at = now() - interval '16 minutes' where id = (select max(id) from monitor)`,
    );
    await Follower.start(busy);
  });

  test('is gone after fifteen minutes without a poll', async () => {
    const follower = await Follower.start(admin);
    await asOwner(`update monitor set polled_at = now() - interval '14 minutes' where id = ${follower.id}`);
    expect(await follower.ask()).toMatchObject({ code: 200 });
    await asOwner(`update monitor set polled_at = now() - interval '16 minutes' where id = ${follower.id}`);
    expect(await follower.ask()).toMatchObject({ code: 410, body: { status: 'gone' } });
    expect(await follower.ask(follower.position)).toMatchObject({ code: 410 });
  });

  describe('when it is purged', () => {
    const age = () => asOwner(`update change_feed set at = at - interval '25 hours'`);
    const purge = () => service.runtime.read(purgeFeed);
    /**
     * A change that is a day old is older than every running transaction; one whose time was only changed must first
     * become so.
     */
    const settled = async () => {
      for (let tries = 0; tries < 3_000; tries++) {
        const { rows } = await service.runtime.pool.query<{ past: boolean }>(
          `select coalesce(max(f.txid) < pg_snapshot_xmin(pg_current_snapshot()), true) as past
           from (select txid from change_feed union all select txid from feed_purge) f`,
        );
        if (rows[0]!.past) return;
        await sleep(20);
      }
      throw new Error('a transaction stays open in the cluster');
    };

    test('keeps what is younger than a day', async () => {
      const follower = await Follower.start(admin);
      await admin.create(container, { name: 'readOnly' });
      await asOwner(`update change_feed set at = now() - interval '23 hours'`);
      await purge();
      expect(brief(await follower.look())).toEqual([['added', 'readOnly']]);
    });

    test('returns 410 for a position whose next changes have expired, and continues for a client that received them', async () => {
      const [late, early] = [await Follower.start(admin), await Follower.start(admin)];
      await admin.create(container, { name: 'forgotten' });
      expect(brief(await early.poll())).toEqual([['added', 'forgotten']]);
      await settled();
      expect(await early.poll()).toEqual([]);
      await age();
      expect(await purge()).toBeGreaterThan(0);
      expect(await purge()).toBe(0);
      expect(await late.ask()).toMatchObject({ code: 410, body: { status: 'gone' } });
      expect(await early.poll()).toEqual([]);
      await admin.create(container, { name: 'remembered' });
      expect(brief(await early.poll())).toEqual([['added', 'remembered']]);
    });

    test('returns 410 also if the expired change was the next one', async () => {
      // The monitor starts while the transaction of the change is open, so the change is the oldest that its position
      // does not include.
      const id = await admin.create(container, { name: 'under way' });
      let follower: Follower | undefined;
      await transact(async ({ records }) => {
        await records.update(container, id, { notes: 'open' });
        follower = await Follower.start(admin);
      });
      await age();
      await purge();
      expect(await follower!.ask()).toMatchObject({ code: 410 });
    });

    test('goes on for a monitor that starts afterwards', async () => {
      await settled();
      const follower = await Follower.start(admin);
      const id = await admin.create(container, { name: 'afterwards' });
      expect(brief(await follower.poll())).toEqual([['added', 'afterwards']]);
      await update(id, { notes: 'x' });
      expect(brief(await follower.poll())).toEqual([['modified', 'afterwards']]);
    });
  });
});
