import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Reply } from '../../../test/world/client.ts';
import { world } from '../../../test/world/world.ts';
import { container } from '../../device/container/container.ts';
import { systemOrigin } from '../declare/caller.ts';
import type { RecordValue } from './select.ts';

/* The read path against an oracle: the same filters, sorts and pages, worked out in TypeScript over all records at once. */

type Kind = 'text' | 'choice' | 'integer' | 'decimal' | 'flag' | 'time' | 'list';

/** Fields of a container for filters, by their kind; the oracle reads their values from the fetched record. */
const kinds: Readonly<Record<string, Kind>> = {
  id: 'integer',
  landscape: 'integer',
  state: 'integer',
  elementClass: 'integer',
  role: 'text',
  name: 'text',
  type: 'choice',
  protocol: 'text',
  status: 'integer',
  parent: 'text',
  suffix: 'text',
  version: 'decimal',
  notes: 'text',
  description: 'text',
  group: 'text',
  pollingInterval: 'integer',
  lastPoll: 'time',
  lastSuccessfulPoll: 'time',
  'destroyEvent.empty': 'flag',
  'destroyEvent.time': 'integer',
  'creationEvent.landscape': 'integer',
  'creationEvent.id': 'integer',
  'creationEvent.state': 'integer',
  'creationEvent.name': 'text',
  'creationEvent.elementType': 'integer',
  'creationEvent.elementID': 'integer',
  'creationEvent.elementName': 'text',
  'creationEvent.message': 'text',
  'creationEvent.timeOfEvent': 'time',
  'creationEvent.version': 'decimal',
  'creationEvent.time': 'integer',
  'creationEvent.empty': 'flag',
  'creationEvent.eventFormatString': 'text',
  changeMask: 'integer',
  attributeNames: 'list',
  physicalAddress: 'text',
  sysOid: 'text',
  packedVersion: 'decimal',
  auditObjectName: 'text',
  'auditObjectType.auditTableName': 'text',
  'auditObjectType.dbTableName': 'text',
  'auditObjectType.idnameQuery': 'text',
  addAuditSummary: 'text',
  domainName: 'text',
  identification: 'text',
  requestString: 'text',
  'attribute.name': 'list',
  'attribute.value': 'list',
  lastChangeMask: 'integer',
};

const nullable = new Set([
  ...['role', 'type', 'protocol', 'suffix', 'notes', 'description', 'group', 'lastPoll', 'physicalAddress', 'sysOid'],
  ...['creationEvent.elementName', 'creationEvent.message'],
]);

const sortKeys = Object.keys(kinds).filter((path) => kinds[path] !== 'list');

/** Text with everything that careless LIKE, lower() or quoting handles wrongly. */
const characters = [
  ...[
    'a',
    'A',
    'b',
    'B',
    'z',
    'Z',
    '0',
    '9',
    ' ',
    '-',
    '.',
    '/',
    '%',
    '_',
    '\\',
    '"',
    "'",
    '*',
    '(',
    ')',
    ';',
    ',',
    '=',
  ],
  ...[
    'ä',
    'Ä',
    'ß',
    'ẞ',
    'İ',
    'ı',
    'Σ',
    'σ',
    'ς',
    'Å',
    'Å',
    'é',
    'É',
    'Ǆ',
    'ǅ',
    '漢',
    '𝄞',
    '𐐀',
    '𐐨',
    '!',
    '~',
    '<',
    '&',
    '?',
    '#',
    '+',
  ],
];
const wildText = (max: number) => fc.string({ unit: fc.constantFrom(...characters), maxLength: max });
const words = [
  '',
  'core',
  'Core',
  'CORE-1',
  'ΑΣ',
  'ας',
  'ασ',
  '%',
  '_',
  'a_b',
  'a%b',
  'a\\b',
  'İstanbul',
  'ISTANBUL',
  '*',
];

interface Sample {
  name: string;
  suffix: string | null;
  notes: string | null;
  description: string | null;
  pollingInterval: number;
  role: string | null;
  attribute: { name: string; value: string }[];
  parent: number;
  seen: { status: number; lastPoll: string | null; lastSuccessfulPoll: string };
  changes: number;
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 3 });
const instants = [
  '1970-01-01T00:00:00.000Z',
  '2026-01-31T08:15:30.123Z',
  '2026-01-31T08:15:30.124Z',
  '1999-12-31T23:59:59.999Z',
];

const sample: fc.Arbitrary<Sample> = fc.record({
  name: fc.oneof(fc.constantFrom(...words), wildText(8)),
  suffix: maybe(fc.constantFrom(...words)),
  notes: maybe(wildText(3)),
  description: maybe(fc.oneof(fc.constantFrom(...words), wildText(12))),
  pollingInterval: fc.constantFrom(60, 300, 600, 86_400),
  role: maybe(fc.constantFrom('Guest', 'Contractor')),
  attribute: fc.uniqueArray(
    fc.record({ name: fc.constantFrom('floor', 'Floor', 'ΑΣ', '%', 'a_b'), value: fc.constantFrom(...words) }),
    { selector: ({ name }) => name, maxLength: 3 },
  ),
  parent: fc.nat(1_000),
  seen: fc.record({
    status: fc.nat(3),
    lastPoll: maybe(fc.constantFrom(...instants)),
    lastSuccessfulPoll: fc.constantFrom(...instants),
  }),
  changes: fc.nat(2),
});

interface Literal {
  pieces: string[];
}

type Node =
  | { kind: 'and' | 'or'; parts: Node[] }
  | { kind: 'compare'; path: string; operator: string; values: Literal[]; text: string };

describe('lists of containers', async () => {
  const { admin, service } = await world();
  const rows = fc.sample(sample, { seed: 20_260_131, numRuns: 60 });
  await service.runtime.transact(systemOrigin('test'), async ({ records }) => {
    const parents: { name: string; depth: number }[] = [{ name: 'Network', depth: 1 }];
    for (const [index, { parent, seen: lastSeen, changes, name, ...row }] of rows.entries()) {
      const above = parents.filter(({ depth }) => depth < 8)[parent % parents.filter(({ depth }) => depth < 8).length]!;
      const unique = `${name}·${index}`;
      const { id } = await records.create(container, { ...row, name: unique, parent: above.name });
      await records.observe(container, id, lastSeen);
      for (let change = 0; change < changes; change++)
        await records.update(container, id, { pollingInterval: 61 + change, notes: row.notes });
      parents.push({ name: unique, depth: above.depth + 1 });
    }
  });

  const all = (await admin.get('/device/container')).body.results!;
  const total = all.length;

  const lowered = new Map<string, string>();
  const { rows: pairs } = await service.runtime.pool.query<{ plain: string; lower: string }>(
    'select c as plain, lower(c) as lower from unnest($1::text[]) c',
    [[...new Set([...JSON.stringify(all), ...characters, ...words.join('')])]],
  );
  for (const { plain, lower } of pairs) lowered.set(plain, lower);
  /** PostgreSQL's `lower()`: it converts each character independently of its neighbours. */
  const lower = (text: string) => [...text].map((char) => lowered.get(char) ?? char.toLowerCase()).join('');

  /** Returns the value of a field in a fetched record; of a list, all of its items. */
  function cell(record: RecordValue, path: string): unknown {
    const [first, ...rest] = path.split('.');
    let value: unknown = record[first!];
    for (const step of rest)
      value = Array.isArray(value) ? value.map((item) => item[step]) : (value as RecordValue)[step];
    return value;
  }

  const codePointOrder = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const instantOf = (value: unknown) => Date.parse(String(value).replace('+0000', 'Z'));

  function matchesPieces(value: string, { pieces }: Literal): boolean {
    const text = lower(value);
    const [first, ...rest] = pieces.map(lower) as [string, ...string[]];
    if (rest.length === 0) return text === first;
    const last = rest.pop()!;
    if (!text.startsWith(first)) return false;
    let position = first.length;
    for (const piece of rest) {
      const index = text.indexOf(piece, position);
      if (index < 0) return false;
      position = index + piece.length;
    }
    return text.length - last.length >= position && text.endsWith(last);
  }

  function equal(kind: Kind, value: unknown, literal: Literal): boolean {
    switch (kind) {
      case 'text':
      case 'choice':
      case 'list':
        return matchesPieces(String(value), literal);
      case 'time':
        return instantOf(value) === instantOf(literal.pieces[0]);
      case 'flag':
        return value === (literal.pieces[0] === 'true');
      default:
        return value === Number(literal.pieces[0]);
    }
  }

  function order(kind: Kind, a: unknown, b: unknown): number {
    if (kind === 'text' || kind === 'choice') return codePointOrder(lower(String(a)), lower(String(b)));
    if (kind === 'time') return instantOf(a) - instantOf(b);
    return Number(a) - Number(b);
  }

  const isNothing = (path: string, value: unknown): boolean => {
    if (Array.isArray(value)) return value.length === 0;
    if (nullable.has(path)) return value === null;
    return kinds[path] === 'time' ? instantOf(value) === 0 : value === '' || value === 0 || value === false;
  };

  function holds(node: Node, record: RecordValue): boolean {
    if (node.kind !== 'compare')
      return node.parts[node.kind === 'and' ? 'every' : 'some']((part) => holds(part, record));
    const { path, operator, values } = node;
    if (path === 'text') {
      const wide = values.map(({ pieces }) => (pieces.length > 1 ? { pieces } : { pieces: ['', ...pieces, ''] }))[0]!;
      const matches = ['name', 'description'].some(
        (field) => record[field] !== null && matchesPieces(String(record[field]), wide),
      );
      return matches === (operator === '==');
    }
    const kind = kinds[path]!;
    const value = cell(record, path);
    if (operator === '=isnull=') return isNothing(path, value) === (values[0]!.pieces[0] === 'true');
    const any = Array.isArray(value)
      ? value.some((item) => values.some((literal) => equal(kind, item, literal)))
      : value !== null && values.some((literal) => equal(kind, value, literal));
    if (operator === '==' || operator === '=in=') return any;
    if (operator === '!=' || operator === '=out=') return !any;
    if (value === null) return false;
    const difference = order(kind, value, values[0]!.pieces.join('*'));
    if (operator === '>' || operator === '=gt=') return difference > 0;
    if (operator === '>=' || operator === '=ge=') return difference >= 0;
    if (operator === '<' || operator === '=lt=') return difference < 0;
    return difference <= 0;
  }

  /** Nulls last ascending and first descending, ties by id: descending is the reverse of ascending. */
  function sorted(records: readonly RecordValue[], key: string | undefined, descending: boolean): RecordValue[] {
    const path = key ?? 'id';
    const ascending = [...records].sort((a, b) => {
      const [first, right] = [cell(a, path), cell(b, path)];
      const byKey =
        first === null || right === null
          ? Number(first === null) - Number(right === null)
          : order(kinds[path]!, first, right);
      return byKey || Number(a.id) - Number(b.id);
    });
    return descending ? ascending.reverse() : ascending;
  }

  const escaped = (text: string, special: RegExp) => text.replace(special, '\\$&');

  /** Returns a literal as a caller may write it: in either kind of quotes, or without where that is valid. */
  const literalSource = (literal: Literal, style: number): string => {
    const bare = literal.pieces.map((piece) => escaped(piece, /[\\*]/g)).join('*');
    if (style === 0 && bare !== '' && /^[^'"();,=!~<>\s\\]+$/.test(bare)) return bare;
    const quote = style === 1 ? "'" : '"';
    return quote + literal.pieces.map((piece) => escaped(piece, style === 1 ? /[\\*']/g : /[\\*"]/g)).join('*') + quote;
  };

  /** Useful values for filters: stored ones, with other letter case, pieces of them, and others. */
  function literals(path: string): fc.Arbitrary<Literal> {
    const kind = kinds[path] ?? 'text';
    const existing = all.flatMap((record) => (path === 'text' ? [record.name] : cell(record, path)) as unknown[]);
    const present = existing.filter((value) => value !== null && value !== undefined);
    const singlePiece = (pieces: fc.Arbitrary<string>) => pieces.map((piece) => ({ pieces: [piece] }));
    switch (kind) {
      case 'integer':
        return singlePiece(
          fc.oneof(fc.constantFrom(0, 1, ...present).map(String), fc.integer({ min: -5, max: 700 }).map(String)),
        );
      case 'decimal':
        return singlePiece(fc.constantFrom('0', '1', '2', '2.5', '3', '-1'));
      case 'flag':
        return singlePiece(fc.constantFrom('true', 'false'));
      case 'time':
        return singlePiece(fc.constantFrom(...instants, ...instants.map((text) => text.replace('Z', '+0000'))));
      case 'choice':
        return fc.constantFrom(
          { pieces: ['WIRELESS'] },
          { pieces: ['wireless'] },
          { pieces: ['', 'less'] },
          { pieces: ['x', ''] },
        );
      default: {
        const base = fc.oneof(fc.constantFrom('', ...present.map(String)), fc.constantFrom(...words), wildText(4));
        const cased = fc
          .tuple(base, fc.nat(3))
          .map(([text, how]) => (how === 0 ? text.toUpperCase() : how === 1 ? text.toLowerCase() : text));
        const cut = fc
          .tuple(cased, fc.array(fc.tuple(fc.nat(12), fc.nat(4)), { minLength: 1, maxLength: 3 }))
          .map(([text, cuts]) => {
            const pieces: string[] = [];
            let rest = [...text];
            for (const [keep, skip] of cuts) {
              pieces.push(rest.slice(0, keep).join(''));
              rest = rest.slice(keep + skip);
            }
            return { pieces: [...pieces, rest.join('')] };
          });
        return fc.oneof({ arbitrary: singlePiece(cased), weight: 2 }, { arbitrary: cut, weight: 1 });
      }
    }
  }

  const ordering = ['>', '>=', '<', '<=', '=gt=', '=ge=', '=lt=', '=le='];
  const operatorsOf = (path: string): string[] => {
    if (path === 'text') return ['==', '!='];
    const unordered = kinds[path] === 'flag' || kinds[path] === 'list';
    return ['==', '!=', '=in=', '=out=', '=isnull=', ...(unordered ? [] : ordering)];
  };

  const comparisonOn = (path: string): fc.Arbitrary<Node> =>
    fc.constantFrom(...operatorsOf(path)).chain((operator) => {
      const isList = operator === '=in=' || operator === '=out=';
      const values = isList
        ? fc.array(literals(path), { minLength: 1, maxLength: 4 })
        : operator === '=isnull='
          ? fc.boolean().map((value): Literal[] => [{ pieces: [String(value)] }])
          : // Wildcards have no meaning in an ordering comparison, so these values have none.
            literals(path).map(({ pieces }) => [{ pieces: ordering.includes(operator) ? [pieces.join('')] : pieces }]);
      return fc.tuple(values, fc.nat(2)).map(([list, style]): Node => {
        const inner = list.map((literal) => literalSource(literal, operator === '=isnull=' ? 0 : style)).join(',');
        return {
          kind: 'compare',
          path,
          operator,
          values: list,
          text: path + operator + (isList ? `(${inner})` : inner),
        };
      });
    });

  const comparison: fc.Arbitrary<Node> = fc
    .oneof(
      { arbitrary: fc.constantFrom('text', ...Object.keys(kinds)), weight: 3 },
      { arbitrary: fc.constantFrom('name', 'suffix', 'notes', 'description', 'parent'), weight: 2 },
    )
    .chain(comparisonOn);

  const filterTree: fc.Arbitrary<Node> = fc.letrec<{ tree: Node; group: Node }>((tie) => ({
    tree: fc.oneof({ maxDepth: 3, withCrossShrink: true }, { arbitrary: comparison, weight: 3 }, tie('group')),
    group: fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
    }),
  })).tree;

  /** `;` binds tighter than `,`, so only an `or` inside an `and` needs parentheses. */
  const textOf = (node: Node): string => {
    if (node.kind === 'compare') return node.text;
    const parts = node.parts.map((part) =>
      node.kind === 'and' && part.kind === 'or' ? `(${textOf(part)})` : textOf(part),
    );
    return parts.join(node.kind === 'and' ? ';' : ',');
  };

  const filters = fc.array(filterTree, { maxLength: 2 });
  const sorts = fc.record({
    key: fc.option(fc.constantFrom(...sortKeys), { nil: undefined, freq: 5 }),
    dir: fc.constantFrom(undefined, 'asc', 'desc', 'DESC'),
  });
  type Sort = { key: string | undefined; dir: string | undefined };

  const queryOf = (nodes: readonly Node[], { key, dir }: Sort, parameters: Record<string, number> = {}): string =>
    [
      ...nodes.map((node) => `filter=${encodeURIComponent(textOf(node))}`),
      ...(key ? [`sortKey=${key}`] : []),
      ...(dir ? [`sortDir=${dir}`] : []),
      ...Object.entries(parameters).map(([name, value]) => `${name}=${value}`),
    ].join('&');

  const expected = (nodes: readonly Node[], { key, dir }: Sort): number[] =>
    sorted(
      all.filter((record) => nodes.every((node) => holds(node, record))),
      key,
      dir?.toLowerCase() === 'desc',
    ).map(({ id }) => Number(id));

  const list = (query: string) => admin.get(`/device/container?${query}`);
  const idsOf = ({ body }: Reply): number[] => (body.results ?? []).map(({ id }) => Number(id));
  const nextOf = ({ headers }: Reply): string | undefined =>
    headers.link === undefined ? undefined : /^<(.*)>; rel="next"$/.exec(String(headers.link))?.[1];

  /** Checks the ids of a page, and its counts of matching and of all records. */
  function expectPage(reply: Reply, ids: readonly number[], filtered: number): void {
    expect({ code: reply.code, message: reply.body.errorMessage }).toEqual({ code: 200, message: null });
    expect(idsOf(reply)).toEqual(ids);
    expect(reply.body).toMatchObject({ filtered, total });
  }

  test('any filter returns the records, the order and the counts of the contract', async () => {
    await fc.assert(
      fc.asyncProperty(filters, sorts, async (nodes, sort) => {
        const ids = expected(nodes, sort);
        expectPage(await list(queryOf(nodes, sort)), ids, ids.length);
      }),
      { numRuns: 200 },
    );
  });

  test.each(Object.keys(kinds))('every operator on %s returns what the contract defines', async (path) => {
    const unsorted = { key: undefined, dir: undefined };
    await fc.assert(
      fc.asyncProperty(comparisonOn(path), async (node) => {
        const ids = expected([node], unsorted);
        expectPage(await list(queryOf([node], unsorted)), ids, ids.length);
      }),
      { numRuns: 6 },
    );
  });

  test.each(sortKeys)('sorts by %s in both directions', async (key) => {
    const ids = expected([], { key, dir: 'asc' });
    expectPage(await list(queryOf([], { key, dir: 'asc' })), ids, total);
    expect(await walk(queryOf([], { key, dir: 'desc' }, { count: 40 }))).toEqual(ids.toReversed());
  });

  /** Returns all ids, page by page, only with the Link header. */
  async function walk(query: string): Promise<number[]> {
    const ids: number[] = [];
    for (let path: string | undefined = `/api/v2/device/container?${query}`; path !== undefined; ) {
      const reply: Reply = await admin.get(path);
      if (reply.code !== 200) throw new Error(`${path} answered ${reply.code}: ${reply.text}`);
      ids.push(...idsOf(reply));
      path = nextOf(reply);
    }
    return ids;
  }

  test('a walk by the Link header gives exactly the sorted list, whatever the page size', async () => {
    await fc.assert(
      fc.asyncProperty(filters, sorts, fc.integer({ min: 1, max: 70 }), async (nodes, sort, count) => {
        expect(await walk(queryOf(nodes, sort, { count }))).toEqual(expected(nodes, sort));
      }),
      { numRuns: 40 },
    );
  });

  test('start at any offset answers the slice, and the walk from there goes on to the end', async () => {
    const place = fc.nat(total + 3);
    const size = fc.integer({ min: 1, max: total + 3 });
    await fc.assert(
      fc.asyncProperty(filters, sorts, place, size, async (nodes, sort, start, count) => {
        const ids = expected(nodes, sort);
        const reply = await list(queryOf(nodes, sort, { start, count }));
        expectPage(reply, ids.slice(start, start + count), ids.length);
        expect(nextOf(reply) !== undefined).toBe(start + count < ids.length);
        if (count > 10) expect(await walk(queryOf(nodes, sort, { start, count }))).toEqual(ids.slice(start));
      }),
      { numRuns: 80 },
    );
  });

  test('a walk sorted by long text goes on, however long the last key was', async () => {
    const { id } = await service.runtime.transact(systemOrigin('test'), async ({ records }) => {
      await records.create(container, { name: 'long 1', notes: '漢'.repeat(2_000) });
      return records.create(container, { name: 'long 2', notes: '漢'.repeat(2_000) });
    });
    const filter = encodeURIComponent('name==long*');
    const ids = await walk(`filter=${filter}&sortKey=notes&count=1`);
    await admin.post('/device/container/delete', { id: [id - 1, id] });
    expect(ids).toEqual([id - 1, id]);
  });

  test('the Link keeps a question mark that stands in the query as it is', async () => {
    const query = 'filter=name!=what?&count=40';
    expect(await walk(query)).toEqual(expected([], { key: undefined, dir: undefined }));
  });

  test('the Link of a list whose parameters came as a body leads to the next page', async () => {
    const filter = ['name!="a b?&c"', 'id>0'];
    const body = { filter, count: 40, sortKey: 'suffix', sortDir: 'DESC' };
    const first = await admin.call('GET', '/device/container', body);
    expect(first.code).toBe(200);
    const second = await admin.get(nextOf(first)!);
    expect(second).toMatchObject({ code: 200 });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(expected([], { key: 'suffix', dir: 'desc' }));
  });

  describe('a forged position of a walk', async () => {
    test('is refused when it is no position at all', async () => {
      await fc.assert(
        fc.asyncProperty(fc.string({ minLength: 1, maxLength: 60, unit: 'binary-ascii' }), async (text) => {
          const reply = await list(`after=${encodeURIComponent(text.toWellFormed())}`);
          expect(reply).toMatchObject({ code: 400, body: { status: 'invalid' } });
        }),
        { numRuns: 60 },
      );
    });

    test('is refused when it is some other JSON', async () => {
      await fc.assert(
        fc.asyncProperty(fc.json(), async (text) => {
          const after = Buffer.from(text).toString('base64url');
          if (after.length <= 4_096) expect(await list(`after=${after}`)).toMatchObject({ code: 400 });
        }),
        { numRuns: 40 },
      );
    });

    const nasty: string[] = [
      ...[
        '',
        ' ',
        '\t',
        '0',
        '-0',
        '1e400',
        '1e-400',
        '0x10',
        '0b1',
        '1_000',
        'NaN',
        'Infinity',
        '9'.repeat(18),
        '9'.repeat(19),
      ],
      ...[
        'true',
        'TRUE',
        'yes',
        '2026-02-30 00:00:00+00',
        '0000-01-01 00:00:00+00',
        '2026-01-31 24:00:00+00',
        '2026-01-31 23:59:60+00',
      ],
      ...['2026-01-31 08:15:30.123+00', '999.1.1.1', '::g', '10.0.0.0/99', '\0', '\ud800', '\uffff', "'", '\\', 'null'],
    ];

    /** One sort of each type; the audit log provides the address. */
    const sortsByType = [
      ...['id', 'pollingInterval', 'version', 'creationEvent.empty', 'lastPoll', 'name', 'notes', 'type'].map(
        (key) => `/device/container?count=1&sortKey=${key}`,
      ),
      '/logging/audit?count=1&sortKey=sourceAddress',
    ];
    const forgeries = await Promise.all(
      sortsByType.map(async (path) => {
        const genuine = nextOf(await admin.get(path))!;
        const parts = JSON.parse(Buffer.from(genuine.split('after=')[1]!, 'base64url').toString()) as unknown[];
        return (key: unknown, id: unknown) =>
          `${path}&after=${Buffer.from(JSON.stringify([...parts.slice(0, 3), key, id])).toString('base64url')}`;
      }),
    );

    test.each(nasty)('with the key %j is no fault of ours, by whatever it is sorted', async (key) => {
      for (const forge of forgeries) {
        const reply = await admin.get(forge(key, 1));
        expect([200, 400], `${forge(key, 1)}: ${reply.text}`).toContain(reply.code);
      }
    });

    test('is refused, or starts at the place that it names, and is never our fault', async () => {
      const keys = fc.oneof(fc.constantFrom(null, ...nasty), fc.string(), fc.jsonValue());
      const ids = fc.oneof(fc.integer(), fc.constantFrom(Number.MAX_SAFE_INTEGER, 1e300, -1, 0.5, null, '1', [1]));
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...forgeries), keys, ids, async (forge, key, id) => {
          const reply = await admin.get(forge(key, id));
          expect([200, 400], `${forge(key, id)}: ${reply.text}`).toContain(reply.code);
        }),
        { numRuns: 150 },
      );
    });

    test('is refused for another sort, direction or filter', async () => {
      const after = nextOf(await list('count=1&sortKey=name'))!.split('after=')[1];
      for (const query of ['sortKey=notes', 'sortKey=name&sortDir=desc', 'sortKey=name&filter=id>0', 'sortKey=id'])
        expect(await list(`count=1&${query}&after=${after}`)).toMatchObject({ code: 400 });
      expect(await list(`count=1&sortKey=name&start=1&after=${after}`)).toMatchObject({ code: 400 });
    });
  });

  test('any junk as a value of any field is a match, no match or a fault of the caller, never ours', async () => {
    const junk = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary-ascii' }),
      wildText(6),
      fc.constantFrom(...words, ...instants, '-24h', 'now'),
    );
    const fields = [
      ...Object.keys(kinds),
      'text',
      'attribute',
      'creationEvent',
      'attribute.nothing',
      'name.x',
      'secret',
    ];
    const operators = ['==', '!=', '=in=', '=out=', '=isnull=', ...ordering];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...fields),
        fc.constantFrom(...operators),
        junk,
        fc.boolean(),
        async (path, operator, text, quoted) => {
          const well = text.toWellFormed();
          const value = quoted ? literalSource({ pieces: [well] }, 2) : well;
          const filter = `${path}${operator}${operator === '=in=' || operator === '=out=' ? `(${value})` : value}`;
          const reply = await list(`count=1&filter=${encodeURIComponent(filter)}`);
          expect([200, 400], `${filter}: ${reply.text}`).toContain(reply.code);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('any junk as sortKey, start or count is a fault of the caller', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('sortKey', 'start', 'count', 'sortDir'), fc.string(), async (name, text) => {
        const reply = await list(`${name}=${encodeURIComponent(text.toWellFormed())}`);
        expect([200, 400], reply.text).toContain(reply.code);
      }),
      { numRuns: 100 },
    );
    expect(await list('count=1001')).toMatchObject({ code: 400 });
    expect(await list('sortKey=attribute')).toMatchObject({ code: 400 });
    expect(await list('sortKey=constructor')).toMatchObject({ code: 400 });
  });
});
