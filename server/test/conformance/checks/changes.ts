import { describe, expect, test } from 'vitest';
import { type Collection, isRanked } from '../../../src/kernel/declare/declaration.ts';
import type { ConformanceOptions, TestedDeclaration, Trial } from './trial.ts';

type GetTrial = () => Trial;

/** Tests that a deleted record no longer exists, and that a list is deleted completely or not at all. */
export function testDeletion(getTrial: GetTrial, declaration: TestedDeclaration): void {
  const expectGone = async (t: Trial, id: number) => expect(await t.isThere(id)).toBe(false);
  const serves = (pattern: (typeof declaration.patterns)[number]) => declaration.patterns.includes(pattern);

  if (serves('deleteOne'))
    test('DELETE takes a record away, once', async () => {
      const t = getTrial();
      const { id } = await t.create();
      expect(await t.admin.delete(t.url('deleteOne', id))).toMatchObject({
        code: 200,
        body: { status: 'success', errorMessage: null },
      });
      await expectGone(t, id);
      await t.expectNoChange(async () => expect((await t.admin.delete(t.url('deleteOne', id))).code).toBe(404));
    });

  if (serves('deleteByPost'))
    test('POST /{id}/delete deletes a record, once', async () => {
      const t = getTrial();
      const { id } = await t.create();
      expect((await t.admin.post(t.url('deleteByPost', id))).code).toBe(200);
      await expectGone(t, id);
      await t.expectNoChange(async () => expect((await t.admin.post(t.url('deleteByPost', id))).code).toBe(404));
    });

  if (serves('deleteMany'))
    test('POST /delete deletes all of its records, or none', async () => {
      const t = getTrial();
      const ids = [(await t.create()).id, (await t.create()).id, (await t.create()).id];
      await t.expectNoChange(async () => {
        const reply = await t.admin.post(t.url('deleteMany'), { id: [ids[0], 999_999_999, ids[1]] });
        expect(reply).toMatchObject({ code: 404, body: { status: 'not-found' } });
        expect(reply.body.errorMessage).toContain('999999999');
        for (const id of [[], [ids[0], ids[0]], ['x'], [0], [-1], 5, null])
          expect((await t.admin.post(t.url('deleteMany'), { id })).code, JSON.stringify(id)).toBe(400);
        expect((await t.admin.post(t.url('deleteMany'))).code).toBe(400);
        expect((await t.admin.post(t.url('deleteMany'), { id: ids }, { 'if-match': '"1"' })).code).toBe(400);
        expect((await t.admin.post(t.url('deleteMany'), { id: Array(5_001).fill(ids[0]) })).code).toBe(400);
      });
      expect((await t.admin.post(t.url('deleteMany'), { id: ids.slice(0, 2) })).code).toBe(200);
      await expectGone(t, ids[0]!);
      await expectGone(t, ids[1]!);
      expect(await t.isThere(ids[2]!)).toBe(true);
    });
}

/** Tests that a record in use stays, and that the error names the records that use it. */
export function testReferences(getTrial: GetTrial, declaration: Collection, options: ConformanceOptions): void {
  if (declaration.patterns.some((pattern) => pattern === 'usage' || pattern === 'usageByPost'))
    test('a record without references to it has no usage', async () => {
      const t = getTrial();
      const { id } = await t.create();
      if (t.has('usageByPost')) expect((await t.admin.post(t.url('usageByPost', id), { any: 'body' })).code).toBe(200);
      expect((await t.usage(id)).body).toEqual({
        status: 'success',
        errorMessage: null,
        results: [],
      });
    });

  if (options.referrer)
    test('a record with a reference to it lists the referrer, and is not deleted', async () => {
      const t = getTrial();
      const { id, record } = await t.create();
      const { group, name } = await options.referrer!(t.world, record);
      if (t.showsUsage) expect((await t.usage(id)).body.results).toEqual([{ name: group, children: [name] }]);
      const otherRecord = await t.create();
      await t.expectNoChange(async () => {
        for (const reply of [
          await t.remove(id),
          ...(t.has('deleteByPost') ? [await t.admin.post(t.url('deleteByPost', id))] : []),
          ...(t.has('deleteMany') ? [await t.admin.post(t.url('deleteMany'), { id: [otherRecord.id, id] })] : []),
        ]) {
          expect(reply).toMatchObject({ code: 409, body: { status: 'in-use' } });
          expect(reply.body.errorMessage).toContain(`${group} ${name}`);
        }
      });
    });

  for (const [name, field] of Object.entries(declaration.fields)) {
    if (!field.reference || field.access !== 'write') continue;
    test(`${name} must name a record that exists`, async () => {
      const t = getTrial();
      const id = field.reference!.by === 'name' ? 'no such record' : 999_999_999;
      const unknown = field.shape.kind === 'object' ? { id } : id;
      const body = { ...t.sample(), [name]: unknown };
      const reply = await t.expectNoChange(() => t.admin.post(t.savePath, body));
      expect(reply).toMatchObject({ code: 422, body: { status: 'rejected' } });
      expect(reply.body.errorMessage).toContain(name);
    });
  }
}

/** Tests that ranks are always 1 to n. */
export function testRanks(getTrial: GetTrial, declaration: Collection): void {
  if (!isRanked(declaration)) return;

  const order = async (t: Trial): Promise<number[]> => {
    const { results } = (await t.list('')).body;
    expect(results!.map((record) => record.rank)).toEqual(results!.map((_, index) => index + 1));
    const movable = results!.slice(0, results!.length - (t.options.behind ?? 0));
    return movable.map((record) => record[t.identity] as number);
  };
  /** Moves a record by its own operation, or by an update if there is none. */
  const move = (t: Trial, id: number, rank: number) =>
    t.has('rankSet') ? t.admin.post(t.url('rankSet'), { id, rank }) : t.update(id, { rank });
  const several = async (t: Trial) => [(await t.create()).id, (await t.create()).id, (await t.create()).id];

  describe('ranks', () => {
    test('a new record comes last, or at the given rank', async () => {
      const t = getTrial();
      const [a, b, c] = await several(t);
      expect((await order(t)).slice(-3)).toEqual([a, b, c]);
      const { id: first } = await t.create({ rank: 1 });
      const { id: last } = await t.create({ rank: 0 });
      const now = await order(t);
      expect([now[0], now.at(-1)]).toEqual([first, last]);
      await t.expectNoChange(async () =>
        expect((await t.admin.post(t.savePath, { ...t.sample(), rank: now.length + 2 })).code).toBe(422),
      );
      const { id: lastId } = await t.create({ rank: now.length + 1 });
      expect((await order(t)).at(-1)).toBe(lastId);
    });

    test('a move changes the rank, and the version of the moved record only', async () => {
      const t = getTrial();
      const [a, b, c] = (await several(t)) as [number, number, number];
      const before = await order(t);
      const place = before.indexOf(a) + 1;
      const set = (id: number, rank: number) => move(t, id, rank);
      expect(await set(c, place)).toMatchObject({ code: 200, headers: { etag: '"2"' } });
      expect((await order(t)).slice(place - 1, place + 2)).toEqual([c, a, b]);
      expect([await t.etag(a), await t.etag(b)]).toEqual(['"1"', '"1"']);
      expect((await t.audit(c)).map(({ action }) => action)).toEqual(['ADD', t.has('rankSet') ? 'RANK' : 'MODIFY']);
      expect(await t.audit(a)).toHaveLength(1);
      expect((await set(c, place + 2)).code).toBe(200);
      expect(await order(t)).toEqual(before);
      expect((await t.update(b, { rank: 1 })).code).toBe(200);
      expect((await order(t))[0]).toBe(b);
      await t.expectNoChange(async () => {
        expect((await set(b, 1)).code).toBe(200);
        expect((await t.update(b, { rank: 0 })).code).toBe(200);
        expect((await set(b, before.length + 1)).code).toBe(422);
        if (!t.has('rankSet')) return;
        expect((await set(b, 0)).code).toBe(400);
        expect((await set(999_999_999, 1)).code).toBe(404);
        expect((await t.admin.post(t.url('rankSet'), { id: b })).code).toBe(400);
      });
    });

    test('every record whose rank changed is in the feed', async () => {
      const t = getTrial();
      const [a, b, c] = (await several(t)) as [number, number, number];
      const place = (await order(t)).indexOf(a) + 1;
      const [{ seq }] = (await t.sql<{ seq: number }>('select max(seq) as seq from change_feed')) as [{ seq: number }];
      await move(t, c, place);
      const reported = await t.sql<{ id: number }>(
        'select distinct record_id as id from change_feed where seq > $1 and table_name = $2 order by 1',
        [seq, t.table.name],
      );
      expect(reported.map(({ id }) => id)).toEqual([a, b, c]);
    });

    test('two records exchange their ranks', async () => {
      const t = getTrial();
      const [a, b, c] = (await several(t)) as [number, number, number];
      const before = await order(t);
      expect((await t.admin.post(t.url('rankSwap'), { id: [a, c] })).code).toBe(200);
      expect((await order(t)).slice(-3)).toEqual([c, b, a]);
      expect(await t.etag(b)).toBe('"1"');
      // One row of the audit log records both.
      expect((await t.audit(a)).map(({ action, changes }) => [action, (changes as unknown[]).length])).toEqual([
        ['ADD', expect.any(Number)],
        ['RANK', 2],
      ]);
      expect((await t.audit(c)).map(({ action }) => action)).toEqual(['ADD']);
      expect((await t.admin.post(t.url('rankSwap'), { id: [c, a] })).code).toBe(200);
      expect(await order(t)).toEqual(before);
      await t.expectNoChange(async () => {
        for (const id of [[a], [a, a], [a, b, c]])
          expect((await t.admin.post(t.url('rankSwap'), { id })).code, String(id)).toBe(400);
        expect((await t.admin.post(t.url('rankSwap'), { id: [a, 999_999_999] })).code).toBe(404);
      });
    });

    test('a deletion leaves no gap', async () => {
      const t = getTrial();
      const [a, b, c] = (await several(t)) as [number, number, number];
      await t.admin.post(t.url('deleteMany'), { id: [a, c] });
      expect((await order(t)).at(-1)).toBe(b);
    });

    test('concurrent moves leave a valid order', async () => {
      const t = getTrial();
      const ids = await several(t);
      const replies = await Promise.all([
        ...ids.map((id) => move(t, id, 1)),
        t.admin.post(t.url('rankSwap'), { id: ids.slice(0, 2) }),
        t.admin.post(t.savePath, { ...t.sample(), rank: 1 }),
      ]);
      expect(replies.map(({ code }) => code)).toEqual([200, 200, 200, 200, 201]);
      await order(t);
    });
  });
}

/** Tests that enabling is idempotent. */
export function testEnabling(getTrial: GetTrial, declaration: Collection): void {
  if (!declaration.patterns.includes('enable')) return;

  test('enabling and disabling report the change, once', async () => {
    const t = getTrial();
    const { id } = await t.create({ enabled: false });
    const set = (word: 'enable' | 'disable') => t.admin.post(t.url(word, id));
    await t.expectNoChange(async () => expect((await set('disable')).headers.etag).toBe('"1"'));
    expect(await set('enable')).toMatchObject({ code: 200, headers: { etag: '"2"' } });
    expect((await t.fetch(id)).enabled).toBe(true);
    await t.expectNoChange(async () => expect((await set('enable')).code).toBe(200));
    expect((await set('disable')).headers.etag).toBe('"3"');
    expect((await t.fetch(id)).enabled).toBe(false);
    expect((await t.audit(id)).map(({ action }) => action)).toEqual(['ADD', 'ENABLE', 'DISABLE']);
    await t.expectNoChange(async () => {
      expect((await t.admin.post(t.url('enable', 999_999_999))).code).toBe(404);
      expect((await t.admin.post(t.url('disable', id), { enabled: false })).code).toBe(400);
    });
  });
}
