import { expect, test } from 'vitest';
import type { Shape } from '../../../src/kernel/declare/shape.ts';
import type { Selectable } from '../../../src/kernel/model/selectable.ts';
import type { Reply } from '../../world/client.ts';
import { type Body, fieldsOf, type TestedDeclaration, type Trial } from './trial.ts';
import { filterLiteral, fitting } from './values.ts';

type GetTrial = () => Trial;

const isScalar = ({ kind }: Shape): boolean => !['list', 'map', 'object'].includes(kind);

const valueAt = (record: Body, path: string): unknown =>
  path.split('.').reduce<unknown>((value, step) => (value as Body | null)?.[step] ?? null, record);

const seven = new WeakMap<Trial, Promise<number[]>>();

/** Returns seven records that no test changes. */
function sevenRecords(t: Trial): Promise<number[]> {
  const created = seven.get(t) ?? makeSeven(t);
  seven.set(t, created);
  return created;
}

/** Creates seven records, every second one with its nullable texts filled in. */
async function makeSeven(t: Trial): Promise<number[]> {
  const nullable = fieldsOf(
    t.declaration,
    ({ access, stored, shape, reference, unique, notYet }) =>
      t.isWritable &&
      access === 'write' &&
      !notYet &&
      stored &&
      shape.kind === 'text' &&
      shape.nullable === true &&
      !reference &&
      !unique,
  );
  const ids: number[] = [];
  for (let n = 0; n < 7; n++) {
    const filled = nullable.map(([name, { shape }]) => [name, fitting(shape, n % 4)]);
    const extraFields = n % 2 === 0 ? Object.fromEntries(filled) : {};
    ids.push(await t.admin.create({ path: t.savePath }, { ...t.sample(), ...extraFields }));
  }
  return ids;
}

/** Returns one field of every kind that can be sorted by, with and without nulls. */
function sortKeys(t: Trial): Selectable[] {
  const selectableByKind = new Map<string, Selectable>();
  for (const selectable of t.table.selectables.values()) {
    const { kind, nullable } = selectable.shape;
    if (isScalar(selectable.shape) && !selectableByKind.has(`${kind} ${nullable}`))
      selectableByKind.set(`${kind} ${nullable}`, selectable);
  }
  const label = t.table.selectables.get(t.declaration.label)!;
  return [...new Set([...selectableByKind.values(), label])];
}

/** Follows the Link header to the end. */
async function walk(t: Trial, query: string): Promise<number[]> {
  const ids: number[] = [];
  let url: string | undefined = `${t.path}${query}`;
  for (let pages = 0; url; pages++) {
    expect(pages, 'the pages do not end').toBeLessThan(20);
    const { code, body, headers, text }: Reply = await t.admin.get(url);
    expect(code, `${url} → ${text}`).toBe(200);
    ids.push(...body.results!.map((record) => record[t.identity] as number));
    url = /^<(.*)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1];
  }
  return ids;
}

/** Returns the names of the fields of the first record in an XML response. */
function topLevelNames(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  for (const [, slash, name, end] of text.slice(text.indexOf('<item>')).matchAll(/<(\/?)(\w+)[^<>]*?(\/?)>/g)) {
    if (slash) depth--;
    else {
      if (depth === 1) names.push(name!);
      if (!end) depth++;
    }
    if (depth === 0) break;
  }
  return names;
}

const comparable = (value: unknown): string | number =>
  typeof value === 'string' ? value.toLowerCase() : Number(value);

/** True if the records are sorted: nulls last, text without case, ties by identity. */
const inOrder = (records: readonly Body[], path: string, identity: string): boolean =>
  records.slice(1).every((record, index) => {
    const [a, b] = [valueAt(records[index]!, path), valueAt(record, path)];
    if (a === null || b === null)
      return b === null && (a !== null || idOf(records[index]!, identity) < idOf(record, identity));
    if (comparable(a) === comparable(b)) return idOf(records[index]!, identity) < idOf(record, identity);
    return comparable(a) < comparable(b);
  });

const idOf = (record: Body, identity: string): number => record[identity] as number;

/** Tests that the pages together are the list. */
export function testPaging(getTrial: GetTrial): void {
  test('pages of two, in any order, together are the complete list', async () => {
    const t = getTrial();
    const ids = await sevenRecords(t);
    // Cursors and offsets alternate in both directions: each key has one of both, the kernel's own tests have all four.
    for (const [index, { path }] of sortKeys(t).entries()) {
      const ascending = (await t.list(`?${t.among(ids)}&sortKey=${path}`)).body.results!;
      expect(ascending).toHaveLength(7);
      expect(inOrder(ascending, path, t.identity), `sorted by ${path}`).toBe(true);
      const sortedIds = ascending.map((record) => idOf(record, t.identity));
      const ways = [
        { direction: 'asc', expected: sortedIds },
        { direction: 'DESC', expected: sortedIds.toReversed() },
      ];
      const [byCursor, byOffset] = index % 2 === 0 ? ways : ways.toReversed();
      const cursorQuery = `?${t.among(ids)}&count=2&sortKey=${path}&sortDir=${byCursor!.direction}`;
      expect(await walk(t, cursorQuery), cursorQuery).toEqual(byCursor!.expected);
      const offsetQuery = `?${t.among(ids)}&count=3&sortKey=${path}&sortDir=${byOffset!.direction}`;
      const pagedIds: number[] = [];
      for (let start = 0; start < 8; start += 3) pagedIds.push(...(await t.ids(`${offsetQuery}&start=${start}`)));
      expect(pagedIds, offsetQuery).toEqual(byOffset!.expected);
    }
  });

  test('a page begins at a value of the sort key, and its link continues after it', async () => {
    const t = getTrial();
    const ids = await sevenRecords(t);
    for (const [index, { path }] of sortKeys(t).entries()) {
      const ascending = (await t.list(`?${t.among(ids)}&sortKey=${path}`)).body.results!;
      const value = valueAt(ascending[3]!, path);
      if (value === null || value === '') continue;
      const isValue = (record: Body) => comparable(valueAt(record, path) ?? '') === comparable(value);
      for (const [direction, records] of [
        ['asc', ascending],
        ['desc', ascending.toReversed()],
      ] as const) {
        const expected = records.slice(records.findIndex(isValue)).map((record) => idOf(record, t.identity));
        const query = `?${t.among(ids)}&sortKey=${path}&sortDir=${direction}&from=${encodeURIComponent(String(value))}`;
        expect(await t.ids(query), query).toEqual(expected);
        if (index === 0) expect(await walk(t, `${query}&count=2`), query).toEqual(expected);
      }
    }
    for (const parameter of ['start=1', 'after=x'])
      expect((await t.admin.get(`${t.path}?from=1&${parameter}`)).body.errorMessage).toContain('Send only one of');
  });

  test('lists and fetches return selected fields and the identity, in both formats, and refuse unknown ones', async () => {
    const t = getTrial();
    const [id] = await sevenRecords(t);
    const all = (await t.list(`?${t.among([id!])}`)).body.results![0]!;
    const name = Object.keys(all).findLast((field) => field !== t.identity)!;
    const listed = `${t.path}?${t.among([id!])}`;
    const paths = [listed, ...(t.has('fetch') ? [`${t.one(id!)}?`] : [])];
    for (const path of paths) {
      const url = `${path}&fields=${name}`.replace('?&', '?');
      const reply = await t.admin.get(url);
      expect(reply.code, reply.text).toBe(200);
      const [record] = reply.body.results!;
      expect(reply.body.results).toEqual([{ [t.identity]: id, [name]: record![name] }]);
      if (path === listed) expect(record![name]).toEqual(all[name]);
      const xml = await t.admin.get(url, { accept: 'application/xml' });
      expect(topLevelNames(xml.text)).toEqual(Object.keys(record!));
    }
    for (const wrong of [`${name}x`, `${name},${name}`, '', `${name},`, 'constructor']) {
      const { code, body } = await t.admin.get(`${listed}&fields=${wrong}`);
      expect([code, body.errorMessage], wrong).toEqual([400, expect.stringContaining('fields')]);
    }
    const secrets = fieldsOf(t.declaration, ({ access }) => access === 'secret').map(([field]) => field);
    for (const secret of secrets) expect((await t.admin.get(`${listed}&fields=${secret}`)).code, secret).toBe(400);
  });

  test('pages without a sort are the complete list, and a page beyond the end is empty', async () => {
    const t = getTrial();
    const ids = await sevenRecords(t);
    expect(await walk(t, `?${t.among(ids)}&count=3`)).toEqual(await t.ids(`?${t.among(ids)}`));
    const emptyPage = await t.list(`?${t.among(ids)}&start=100`);
    expect(emptyPage.body).toMatchObject({ results: [], filtered: 7 });
    expect(emptyPage.headers.link).toBeUndefined();
  });

  test('the next page continues at its position when earlier records were deleted', async () => {
    const t = getTrial();
    const ids = await makeSeven(t);
    const first = await t.list(`?${t.among(ids)}&count=3&sortKey=${t.identity}`);
    await t.remove(ids[0]!);
    await t.remove(ids[2]!);
    const nextUrl = /^<(.*)>/.exec(String(first.headers.link))![1]!;
    const rest = (await t.admin.get(nextUrl)).body.results!.map((record) => idOf(record, t.identity));
    expect(rest).toEqual(ids.slice(3, 6));
  });

  test('a position of one list is refused in another', async () => {
    const t = getTrial();
    const ids = await sevenRecords(t);
    const { headers } = await t.list(`?${t.among(ids)}&count=2`);
    const after = /after=([^&>]+)/.exec(String(headers.link))![1];
    expect((await t.admin.get(`${t.path}?count=2&after=${after}`)).code).toBe(400);
    expect(
      (await t.admin.get(`${t.path}?${t.among(ids)}&count=2&sortDir=${t.isWritable ? 'desc' : 'asc'}&after=${after}`))
        .code,
    ).toBe(400);
  });
}

/** Tests that all operations return the same number of records. */
export function testCounts(getTrial: GetTrial, declaration: TestedDeclaration): void {
  test('list and counts agree', async () => {
    const t = getTrial();
    const ids = [(await t.create()).id, (await t.create()).id];
    const all = await t.list('');
    const { total } = all.body;
    expect(all.body.results).toHaveLength(total!);
    const [{ rows }] = (await t.sql<{ rows: number }>(`select count(*) as rows from "${t.table.name}"`)) as [
      { rows: number },
    ];
    expect(total).toBe(rows);
    expect((await t.list('?count=0')).body).toMatchObject({ results: [], filtered: total, total });
    expect((await t.list(`?count=0&${t.among(ids)}`)).body).toMatchObject({ results: [], filtered: 2, total });
    expect((await t.list(`?count=1&${t.among(ids)}`)).body).toMatchObject({ filtered: 2, total });
    if (t.has('count')) {
      expect((await t.list('/count')).body).toMatchObject({ results: [], filtered: total, total });
      expect((await t.list(`/count?${t.among(ids)}`)).body).toMatchObject({ results: [], filtered: 2, total });
      expect((await t.admin.get(`${t.url('count')}?count=1`)).code).toBe(400);
    }
    if (t.has('countAll')) {
      expect((await t.list('/count/all')).body).toMatchObject({ results: [], filtered: total, total });
      expect((await t.admin.get(`${t.url('countAll')}?${t.among(ids)}`)).code).toBe(400);
    }
    await t.remove(ids[0]!);
    expect((await t.list('?count=0')).body.total).toBe(total! - 1);
    expect(declaration.patterns).toContain('list');
  });
}

/** Tests that a filter finds a record by the values that it shows. */
export function testFilters(getTrial: GetTrial, declaration: TestedDeclaration): void {
  const answer = async (t: Trial, id: number, filter: string) => {
    const reply = await t.admin.get(`${t.path}?filter=${encodeURIComponent(filter)}&${t.among([id])}`);
    return {
      code: reply.code,
      found: reply.body.results?.length === 1,
      text: `${filter} → ${reply.text.slice(0, 200)}`,
    };
  };
  const equal = (path: string, value: unknown) =>
    value === null ? `${path}=isnull=true` : `${path}==${filterLiteral(value)}`;
  const unequal = (path: string, value: unknown) =>
    value === null ? `${path}=isnull=false` : `${path}!=${filterLiteral(value)}`;

  test('every scalar value of a record finds it', async () => {
    const t = getTrial();
    const { id, record } = await t.create();
    const scalars = [...t.table.selectables.values()].filter(({ shape }) => isScalar(shape)).map(({ path }) => path);
    // Five at a time: each one alone would be a hundred requests.
    for (let n = 0; n < scalars.length; n += 5) {
      const some = scalars.slice(n, n + 5).map((path) => [path, valueAt(record, path)] as const);
      const match = await answer(t, id, some.map(([path, value]) => equal(path, value)).join(';'));
      expect(match, match.text).toMatchObject({ code: 200, found: true });
      const missed = await answer(t, id, some.map(([path, value]) => unequal(path, value)).join(','));
      expect(missed, missed.text).toMatchObject({ code: 200, found: false });
    }
  });

  test('a value inside an object finds the record, or is refused', async () => {
    const t = getTrial();
    const { id, record } = await t.create();
    for (const { path, shape } of t.table.selectables.values()) {
      if (shape.kind !== 'object') continue;
      const inner = Object.keys(shape.properties)
        .filter((name) => isScalar(shape.properties[name]!))
        .map((name) => equal(`${path}.${name}`, valueAt(record, `${path}.${name}`)));
      // All at once, and one by one if one of them is refused.
      const combined = await answer(t, id, inner.join(';'));
      for (const filter of combined.code === 400 ? inner : []) {
        const match = await answer(t, id, filter);
        if (match.code !== 400) expect(match, match.text).toMatchObject({ code: 200, found: true });
      }
      if (combined.code !== 400) expect(combined, combined.text).toMatchObject({ code: 200, found: true });
    }
  });

  // Clients do not choose the names in a log.
  if (declaration.kind === 'log') return;

  test('names of any alphabet are found, in upper and lower case', async () => {
    const t = getTrial();
    const { label } = t.declaration;
    // Some labels are references, addresses or texts with a pattern, which cannot have these names.
    const { access, shape } = t.declaration.fields[label]!;
    if (access !== 'write' || shape.kind !== 'text' || shape.pattern) return;
    for (const name of ['ΟΔΟΣ 1', 'İstanbul', 'Straße ẞ', 'a\\b*c"d', "100% _x_ (a,b);'c"]) {
      const { id } = await t.create({ [label]: name });
      const prefixLiteral = filterLiteral(name.slice(0, -1)).replace(/"$/, '*"');
      for (const filter of [`${label}==${filterLiteral(name)}`, `${label}==${prefixLiteral}`]) {
        const match = await answer(t, id, filter);
        expect(match, match.text).toMatchObject({ code: 200, found: true });
      }
      await t.remove(id);
    }
  });
}
