import { expect, test } from 'vitest';
import type { Shape } from '../../../src/kernel/declare/shape.ts';
import type { Selectable } from '../../../src/kernel/model/selectable.ts';
import type { Reply } from '../../world/client.ts';
import { type Body, fieldsOf, type TestedDeclaration, type Trial } from './trial.ts';
import { filterLiteral, fitting } from './values.ts';

type Of = () => Trial;

const isScalar = ({ kind }: Shape): boolean => !['list', 'map', 'object'].includes(kind);

const valueAt = (record: Body, path: string): unknown =>
  path.split('.').reduce<unknown>((value, step) => (value as Body | null)?.[step] ?? null, record);

const seven = new WeakMap<Trial, Promise<number[]>>();

/** Seven records that no law changes. */
function sevenRecords(t: Trial): Promise<number[]> {
  const made = seven.get(t) ?? makeSeven(t);
  seven.set(t, made);
  return made;
}

/** Seven records, every second one with its nullable texts filled in. */
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
    const more = n % 2 === 0 ? Object.fromEntries(filled) : {};
    ids.push(await t.admin.create({ path: t.savePath }, { ...t.sample(), ...more }));
  }
  return ids;
}

/** One field of every kind that can be sorted by, with and without nulls. */
function sortKeys(t: Trial): Selectable[] {
  const found = new Map<string, Selectable>();
  for (const selectable of t.table.selectables.values()) {
    const { kind, nullable } = selectable.shape;
    if (isScalar(selectable.shape) && !found.has(`${kind} ${nullable}`)) found.set(`${kind} ${nullable}`, selectable);
  }
  const label = t.table.selectables.get(t.declaration.label)!;
  return [...new Set([...found.values(), label])];
}

/** Follows the Link header to the end. */
async function walk(t: Trial, query: string): Promise<number[]> {
  const ids: number[] = [];
  let url: string | undefined = `${t.path}${query}`;
  for (let pages = 0; url; pages++) {
    expect(pages, 'a walk that does not end').toBeLessThan(20);
    const { code, body, headers, text }: Reply = await t.admin.get(url);
    expect(code, `${url} → ${text}`).toBe(200);
    ids.push(...body.results!.map((record) => record[t.identity] as number));
    url = /^<(.*)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1];
  }
  return ids;
}

/** Names of the fields of the first record in an XML answer. */
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

/** Nulls last, text without case, ties by identity. */
const inOrder = (records: readonly Body[], path: string, identity: string): boolean =>
  records.slice(1).every((record, index) => {
    const [a, b] = [valueAt(records[index]!, path), valueAt(record, path)];
    if (a === null || b === null)
      return b === null && (a !== null || idOf(records[index]!, identity) < idOf(record, identity));
    if (comparable(a) === comparable(b)) return idOf(records[index]!, identity) < idOf(record, identity);
    return comparable(a) < comparable(b);
  });

const idOf = (record: Body, identity: string): number => record[identity] as number;

/** Pages put together are the list. */
export function testPaging(of: Of): void {
  test('a walk by pages of two, in any order, is the whole list', async () => {
    const t = of();
    const ids = await sevenRecords(t);
    // Cursors and offsets take turns in both directions: each key has one of both, the kernel's own tests have all four.
    for (const [at, { path }] of sortKeys(t).entries()) {
      const ascending = (await t.list(`?${t.among(ids)}&sortKey=${path}`)).body.results!;
      expect(ascending).toHaveLength(7);
      expect(inOrder(ascending, path, t.identity), `sorted by ${path}`).toBe(true);
      const whole = ascending.map((record) => idOf(record, t.identity));
      const ways = [
        { direction: 'asc', expected: whole },
        { direction: 'DESC', expected: whole.toReversed() },
      ];
      const [byCursor, byOffset] = at % 2 === 0 ? ways : ways.toReversed();
      const cursorQuery = `?${t.among(ids)}&count=2&sortKey=${path}&sortDir=${byCursor!.direction}`;
      expect(await walk(t, cursorQuery), cursorQuery).toEqual(byCursor!.expected);
      const offsetQuery = `?${t.among(ids)}&count=3&sortKey=${path}&sortDir=${byOffset!.direction}`;
      const found: number[] = [];
      for (let start = 0; start < 8; start += 3) found.push(...(await t.ids(`${offsetQuery}&start=${start}`)));
      expect(found, offsetQuery).toEqual(byOffset!.expected);
    }
  });

  test('a page begins at a value of the sort key, and its link continues behind it', async () => {
    const t = of();
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

  test('lists and fetches show selected fields and the identity, in both formats, and refuse unknown ones', async () => {
    const t = of();
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

  test('a walk without a sort is the whole list, and a page beyond the end is empty', async () => {
    const t = of();
    const ids = await sevenRecords(t);
    expect(await walk(t, `?${t.among(ids)}&count=3`)).toEqual(await t.ids(`?${t.among(ids)}`));
    const beyond = await t.list(`?${t.among(ids)}&start=100`);
    expect(beyond.body).toMatchObject({ results: [], filtered: 7 });
    expect(beyond.headers.link).toBeUndefined();
  });

  test('a walk goes on where it was when records before it are gone', async () => {
    const t = of();
    const ids = await makeSeven(t);
    const first = await t.list(`?${t.among(ids)}&count=3&sortKey=${t.identity}`);
    await t.remove(ids[0]!);
    await t.remove(ids[2]!);
    const next = /^<(.*)>/.exec(String(first.headers.link))![1]!;
    const rest = (await t.admin.get(next)).body.results!.map((record) => idOf(record, t.identity));
    expect(rest).toEqual(ids.slice(3, 6));
  });

  test('a position of one walk is refused in another', async () => {
    const t = of();
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

/** There is one number of records. */
export function testCounts(of: Of, declaration: TestedDeclaration): void {
  test('list and counts agree', async () => {
    const t = of();
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

/** What a record shows, a filter finds it by. */
export function testFilters(of: Of, declaration: TestedDeclaration): void {
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

  test('every single value of a record finds it', async () => {
    const t = of();
    const { id, record } = await t.create();
    const scalars = [...t.table.selectables.values()].filter(({ shape }) => isScalar(shape)).map(({ path }) => path);
    // All of them at once, by fives: each one alone would be a hundred requests.
    for (let n = 0; n < scalars.length; n += 5) {
      const some = scalars.slice(n, n + 5).map((path) => [path, valueAt(record, path)] as const);
      const found = await answer(t, id, some.map(([path, value]) => equal(path, value)).join(';'));
      expect(found, found.text).toMatchObject({ code: 200, found: true });
      const missed = await answer(t, id, some.map(([path, value]) => unequal(path, value)).join(','));
      expect(missed, missed.text).toMatchObject({ code: 200, found: false });
    }
  });

  test('a value inside an object finds the record, or is refused; it never misses', async () => {
    const t = of();
    const { id, record } = await t.create();
    for (const { path, shape } of t.table.selectables.values()) {
      if (shape.kind !== 'object') continue;
      const inner = Object.keys(shape.properties)
        .filter((name) => isScalar(shape.properties[name]!))
        .map((name) => equal(`${path}.${name}`, valueAt(record, `${path}.${name}`)));
      // All at once; one by one where one of them is refused.
      const whole = await answer(t, id, inner.join(';'));
      for (const filter of whole.code === 400 ? inner : []) {
        const found = await answer(t, id, filter);
        if (found.code !== 400) expect(found, found.text).toMatchObject({ code: 200, found: true });
      }
      if (whole.code !== 400) expect(whole, whole.text).toMatchObject({ code: 200, found: true });
    }
  });

  // Names of a log are not its client's to choose.
  if (declaration.kind === 'log') return;

  test('names of any alphabet are found, whatever the case of their letters', async () => {
    const t = of();
    const { label } = t.declaration;
    // Some are named by what they refer to, as that is called, and some by an address or a word of a kind.
    const { access, shape } = t.declaration.fields[label]!;
    if (access !== 'write' || shape.kind !== 'text' || shape.pattern) return;
    for (const name of ['ΟΔΟΣ 1', 'İstanbul', 'Straße ẞ', 'a\\b*c"d', "100% _x_ (a,b);'c"]) {
      const { id } = await t.create({ [label]: name });
      const begins = filterLiteral(name.slice(0, -1)).replace(/"$/, '*"');
      for (const filter of [`${label}==${filterLiteral(name)}`, `${label}==${begins}`]) {
        const found = await answer(t, id, filter);
        expect(found, found.text).toMatchObject({ code: 200, found: true });
      }
      await t.remove(id);
    }
  });
}
