import { beforeAll, describe, expect, test } from 'vitest';
import { brewingSession, visit, visitGroup, visitScript } from '../../../test/overlay/logs.ts';
import { pastDays } from '../../../test/trials/slices.ts';
import type { Reply } from '../../../test/world/client.ts';
import { overlayWorld } from '../../../test/world/overlay-world.ts';
import { inTransaction } from '../database/transaction.ts';
import { modelOf } from '../model/model.ts';
import { logIdAt } from '../values/time.ts';

interface Visit {
  id: number;
  guest: string;
  cups: number;
  startTime: string;
  endTime: string | null;
}

describe('a log with open rows', async () => {
  const { admin, service } = await overlayWorld([visitGroup], { script: visitScript });
  const { daysAgoMs } = pastDays();
  const { pool } = service.runtime;
  const path = visit.path!;
  let visitCount = 0;

  /** Opens visits that began some days ago, in the order of their ids. */
  const open = async (count: number, days: number): Promise<number[]> => {
    const ids = Array.from({ length: count }, () => logIdAt(daysAgoMs(days)) + ++visitCount);
    await pool.query(
      `insert into visit_open_row (id, guest, cups) select i.id, 'guest ' || i.n % 5, i.n * 7 % 11 from unnest($1::bigint[]) with ordinality i(id, n)`,
      [ids],
    );
    return ids;
  };
  const end = (ids: readonly number[], days: number) =>
    inTransaction(pool, (client) =>
      client.query('select end_visits($1, $2)', [ids, new Date(daysAgoMs(days)).toISOString()]),
    );
  const endNow = (ids: readonly number[]) => pool.query('select end_visits($1, clock_timestamp())', [ids]);
  const get = (query: string) => admin.get<Visit>(`${path}?${query}`);
  const idsOf = ({ body }: { body: { results?: Visit[] } }) => body.results!.map(({ id }) => id);

  /** Reads all pages, and runs a function between them. */
  const walk = async (query: string, between: (page: number) => Promise<unknown> = async () => undefined) => {
    const visits: Visit[] = [];
    const replies: Reply<Visit>[] = [];
    let pagePath: string | undefined = `${path}?${query}`;
    while (pagePath) {
      const reply: Reply<Visit> = await admin.get<Visit>(pagePath);
      expect(reply.code, reply.text).toBe(200);
      visits.push(...reply.body.results!);
      replies.push(reply);
      pagePath = /<([^>]+)>/.exec(String(reply.headers.link ?? ''))?.[1];
      if (pagePath) await between(replies.length);
    }
    return { visits, replies };
  };
  const storedIds = async () =>
    (await pool.query<{ id: number }>('select id from visit union all select id from visit_open order by 1')).rows.map(
      ({ id }) => id,
    );

  beforeAll(async () => {
    await end(await open(8, 20), 12);
    await end(await open(8, 13), 2);
    await open(9, 3);
    await open(6, 1);
  });

  test('lists open rows before closed ones, the newest first, and counts both', async () => {
    const { body } = await get('count=1000');
    expect(body).toMatchObject({ filtered: 31, total: 31 });
    const visits = body.results!;
    const ended = visits.map(({ endTime }) => (endTime === null ? Number.POSITIVE_INFINITY : Date.parse(endTime)));
    expect(ended.filter((time) => time === Number.POSITIVE_INFINITY)).toHaveLength(15);
    const expected = visits.toSorted((a, b) => (b.endTime ?? '9').localeCompare(a.endTime ?? '9') || b.id - a.id);
    expect(visits).toEqual(expected);
    expect((await admin.get(`${path}/count`)).body).toMatchObject({ filtered: 31, total: 31 });
    expect((await admin.get(`${path}/count/all`)).body).toMatchObject({ filtered: 31, total: 31 });
  });

  test('returns both kinds of rows by their id', async () => {
    for (const id of await storedIds()) expect(await admin.fetch(visit, id)).toMatchObject({ id });
    expect((await admin.get(`${path}/${logIdAt(daysAgoMs(1))}`)).code).toBe(404);
  });

  test.each([
    ['endTime=isnull=true', 15],
    ['endTime=isnull=false', 16],
    ['reason==FULL', 16],
    ['reason!=FULL', 15],
    [`endTime=ge=${new Date(daysAgoMs(5)).toISOString()}`, 8],
    [`startTime=ge=${new Date(daysAgoMs(14)).toISOString()}`, 23],
    [`startTime=lt=${new Date(daysAgoMs(2)).toISOString()}`, 25],
    [`startTime=ge=${new Date(daysAgoMs(4)).toISOString()};startTime=lt=${new Date(daysAgoMs(2)).toISOString()}`, 9],
    ['guest==guest*;cups=ge=0', 31],
  ])('finds open and closed rows by %s', async (filter, filtered) => {
    const reply = await get(`filter=${encodeURIComponent(filter)}`);
    expect([reply.body.filtered, reply.body.results?.length, reply.body.total]).toEqual([filtered, filtered, 31]);
  });

  test.each(['id', 'startTime', 'endTime', 'guest', 'cups', 'reason'] as const)(
    'sorts open and closed rows together by %s, on all pages',
    async (sortKey) => {
      for (const sortDir of ['asc', 'desc']) {
        const sorted = idsOf(await get(`sortKey=${sortKey}&sortDir=${sortDir}`));
        const { visits } = await walk(`sortKey=${sortKey}&sortDir=${sortDir}&count=4`);
        expect(visits.map(({ id }) => id)).toEqual(sorted);
        expect(sorted.toSorted((a, b) => a - b)).toEqual(await storedIds());
        const byOffset = await Promise.all(
          [0, 1, 2, 3].map((page) => get(`sortKey=${sortKey}&sortDir=${sortDir}&start=${page * 8}&count=8`)),
        );
        expect(byOffset.flatMap(idsOf)).toEqual(sorted);
      }
    },
  );

  test('begins at a value of the end, after which only ended rows follow if the newest are first', async () => {
    const day = new Date(daysAgoMs(5)).toISOString();
    expect((await walk(`from=${day}&count=3`)).visits).toHaveLength(8);
    expect((await walk(`sortKey=endTime&sortDir=asc&from=${day}&count=3`)).visits).toHaveLength(23);
    expect((await walk('start=3&count=5')).visits).toHaveLength(28);
  });

  test('selects fields, and answers HEAD and XML', async () => {
    const { results } = (await get('fields=endTime&count=1')).body;
    expect(results).toEqual([{ id: expect.any(Number), endTime: null }]);
    const xml = await admin.get(`${path}?count=1`, { accept: 'application/xml' });
    expect(xml.text).toContain('<endTime xsi:nil="true"');
    const head = await admin.call('HEAD', `${path}?count=1`);
    expect([head.code, head.text, head.headers.link]).toEqual([200, '', expect.stringContaining('after=')]);
  });

  test.each([
    ['desc', 3],
    ['desc', 7],
    ['asc', 4],
  ])('is walked %s by pages of %i while rows end, none skipped and none twice', async (sortDir, count) => {
    const opened = await open(20, 1);
    const before = await storedIds();
    let first = 0;
    const { visits, replies } = await walk(`sortKey=endTime&sortDir=${sortDir}&count=${count}`, async (page) => {
      // Rows that the walk has passed, rows that it has not, and one whose end is reported late.
      await endNow([opened[first]!, opened[opened.length - 1 - first]!]);
      first += 1;
      if (page === 2) await end([opened[10]!], 6);
      // A row that begins meanwhile changes the counts, and may be returned.
      if (page === 3) await open(1, 0);
    });
    const ids = visits.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(before.filter((id) => !ids.includes(id))).toEqual([]);
    expect(replies.map(({ body }) => body.total)).toEqual(
      replies.map((_, page) => (page < 3 ? before.length : before.length + 1)),
    );
  });

  test('counts exactly while rows begin and end', async () => {
    let isDone = false;
    const counted = (async () => {
      while (!isDone) {
        const { body } = await get('count=0&filter=cups=ge=0');
        expect(body.filtered).toBe(body.total);
      }
    })();
    const { total } = (await get('count=0')).body;
    for (let round = 0; round < 10; round++) await endNow(await open(5, 1));
    isDone = true;
    await counted;
    expect((await get('count=0')).body.total).toBe(total! + 50);
    expect((await storedIds()).length).toBe(total! + 50);
  });

  test('refuses a position that it did not write', async () => {
    const positionOf = (key: unknown) =>
      Buffer.from(JSON.stringify(['endTime', 1, hash, key, 5])).toString('base64url');
    const { headers } = await get('count=1');
    const after = /after=([^>]+)>/.exec(String(headers.link))![1]!;
    const [, , hash, key] = JSON.parse(Buffer.from(after, 'base64url').toString()) as [string, number, string, string];
    expect((await get(`count=1&after=${positionOf(key)}`)).code).toBe(200);
    const forgedKeys = [null, '', '5:4:|', '1:5:|yesterday', '1:5:3|2026-01-31 08:15:30+00|', `${key}'`, '1:5:x|', 5];
    for (const forgedKey of forgedKeys) {
      const reply = await get(`count=1&after=${positionOf(forgedKey)}`);
      expect([forgedKey, reply.code]).toEqual([forgedKey, 400]);
    }
  });

  test('is refused if its declaration contradicts itself', () => {
    const start = (changes: object) => () => modelOf([{ ...visit, ...changes }], new Set());
    expect(start({ closedBy: undefined })).toThrow('has open rows but no end time');
    expect(start({ patterns: ['list', 'monitor'] })).toThrow('has open rows, which the operation monitor');
    expect(start({ openRows: undefined })).toThrow('is closed by endTime, which is not a time that every row has');
    expect(() => modelOf([{ ...brewingSession, openRows: 'other' }], new Set())).toThrow(
      'which is not a time that open rows lack',
    );
  });
});
