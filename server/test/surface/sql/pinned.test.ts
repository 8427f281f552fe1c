import { describe, expect, test } from 'vitest';
import { difference } from './difference.ts';
import { clauses } from './layout.ts';
import { pinnedFiles, type TableSizes } from './pinned.ts';
import { type Plan, rowsRead } from './plan.ts';
import { senderOf } from './recorder.ts';
import type { Observed, Statement } from './walk.ts';

const statement = (sender: string, text: string, overrides: Partial<Statement> = {}): Statement => ({
  sender,
  text,
  prepared: false,
  again: false,
  ...overrides,
});

const begin = statement('kernel/database/transaction.ts inTransaction', 'begin');
const lock = statement('kernel/write/records.ts lockMany', 'select r.id from <table> r for update');
const fetch = statement('kernel/read/list.ts fetch', 'select <columns> from <table> r', { prepared: true });

/** Returns the text of `device.txt` for these calls. */
const pinnedText = (calls: readonly Observed[], tables: TableSizes): string =>
  pinnedFiles(calls, tables)['device.txt']!;

const observed = (kind: string, operation: string, statements: Statement[], rows: [string, number][]): Observed => ({
  domain: 'device',
  kind,
  isPattern: true,
  operation,
  statements,
  rowsRead: new Map(rows),
});

const sizes: TableSizes = new Map([
  ['port', { rows: 1_000 }],
  ['cell', { rows: 1 }],
  ['row_count', { rows: 16 }],
  ['event', { rows: 1_000 }],
  ['event_20260131', { rows: 1_000, of: 'event' }],
]);

const calls = [
  observed('fetch', 'GET /api/v2/device/port/{id}', [fetch], [['port', 1]]),
  observed('fetch', 'GET /api/v2/system/event/{id}', [fetch], [['event_20260131', 2]]),
  observed('delete', 'DELETE /api/v2/device/port/{id}', [begin, lock, fetch], [['port', 2]]),
];

const body = (text: string): string => text.slice(text.indexOf('== '));

describe('the pinned text', () => {
  test('lists operations with the same statements together, and each statement once', () => {
    expect(body(pinnedText(calls, sizes))).toBe(`== fetch

list.fetch
  GET /device/port/{id}                                 port 1
  GET /system/event/{id}                                event 2

== delete

begin
records.lockMany
list.fetch
  DELETE /device/port/{id}                              port 2

  begin (kernel/database/transaction.ts)
    begin

  records.lockMany (kernel/write/records.ts)
    select r.id
    from <table> r
    for update

== Statements of several sections

  list.fetch (kernel/read/list.ts, prepared)
    select <columns>
    from <table> r
`);
  });

  test.each([
    [[['port', 1]], 'port 1'],
    [[['port', 899]], 'port 899'],
    [[['port', 1_012]], 'port ALL'],
    [[['port', 2_011]], 'port ALL ×2'],
    [[['row_count', 16]], 'row_count all'],
    [[['cell', 3]], 'cell 3'],
    [[['pg_class', 400]], ''],
    [[['port', 0]], ''],
    [
      [
        ['port', 2],
        ['cell', 1],
      ],
      'cell 1, port 2',
    ],
  ] as [[string, number][], string][])('writes %j rows as "%s"', (rows, words) => {
    const line = body(pinnedText([observed('fetch', 'GET /x', [fetch], rows)], sizes)).split('\n')[3]!;
    expect(line.slice('  GET /x'.length).trim()).toBe(words);
  });

  test('counts consecutive equal statements, and marks repeated ones', () => {
    const text = pinnedText([observed('x', 'GET /x', [fetch, fetch, { ...fetch, again: true }], [])], sizes);
    expect(body(text)).toContain('list.fetch ×2\nlist.fetch (again)\n');
  });

  test('marks different statements of one function', () => {
    const otherStatement = { ...lock, text: 'select r.id from <table> r for no key update' };
    expect(body(pinnedText([observed('x', 'GET /x', [lock, otherStatement], [])], sizes))).toContain(
      'records.lockMany a\nrecords.lockMany b\n',
    );
  });
});

describe('with several domains', () => {
  const inHost = (call: Observed): Observed => ({ ...call, domain: 'host' });
  const otherStatement = statement('kernel/read/list.ts fetch', 'select 1');

  test('has a file for each domain, and shared statements once in the shared file', () => {
    const files = pinnedFiles([...calls, inHost(observed('fetch', 'GET /api/v2/host/{id}', [fetch], []))], sizes);
    expect(Object.keys(files)).toEqual(['device.txt', 'host.txt', 'shared.txt']);
    expect(files['shared.txt']).toContain('\n\n  list.fetch (kernel/read/list.ts, prepared)\n');
    expect(files['device.txt']).not.toContain('(kernel/read/list.ts');
    expect(files['device.txt']).toContain('  records.lockMany (kernel/write/records.ts)');
    expect(body(files['host.txt']!)).toBe('== fetch\n\nlist.fetch\n  GET /host/{id}\n');
  });

  test('keeps the name of a shared statement when another of the same function is added', () => {
    const third = { ...fetch, text: 'select 3' };
    const namesOf = (statements: Statement[]) => {
      const call = observed('x', 'GET /x', statements, []);
      return pinnedFiles([call, inHost(call)], sizes)['shared.txt']!.match(/list\.fetch \w{6}/g)!;
    };
    expect(namesOf([third, fetch, otherStatement])).toEqual(expect.arrayContaining(namesOf([fetch, otherStatement])));
  });

  test("gives a domain's own statement another name than a shared one of the same function", () => {
    const files = pinnedFiles(
      [observed('x', 'GET /x', [fetch, otherStatement], []), inHost(observed('x', 'GET /y', [fetch], []))],
      sizes,
    );
    expect(body(files['device.txt']!)).toContain('list.fetch\nlist.fetch a\n');
  });
});

describe('the difference', () => {
  const stands = pinnedText(calls, sizes);
  const changed = (change: (first: Observed) => Observed) =>
    difference(stands, pinnedText([change(calls[0]!), ...calls.slice(1)], sizes));

  test('is empty if nothing differs', () => {
    expect(changed((first) => ({ ...first }))).toBe('');
  });

  test('shows an additional statement', () => {
    const lines = changed((first) => ({ ...first, statements: [fetch, fetch] })).split('\n');
    expect(lines).toEqual(expect.arrayContaining(['-list.fetch', '+list.fetch ×2']));
  });

  test('shows a changed text of a statement under its section', () => {
    const slow = { ...fetch, text: `${fetch.text} where true` };
    const text = pinnedText(
      calls.map((call) => ({
        ...call,
        statements: call.statements.map((candidate) => (candidate === fetch ? slow : candidate)),
      })),
      sizes,
    );
    expect(difference(stands, text)).toBe(`@@ == Statements of several sections
   list.fetch (kernel/read/list.ts, prepared)
     select <columns>
     from <table> r
+    where true
 `);
  });

  test('shows that a table is read completely', () => {
    expect(changed((first) => ({ ...first, rowsRead: new Map([['port', 1_000]]) })).split('\n')).toEqual(
      expect.arrayContaining([
        '-  GET /device/port/{id}                                 port 1',
        '+  GET /device/port/{id}                                 port ALL',
      ]),
    );
  });

  test('shows a new operation', () => {
    const text = pinnedText([...calls, observed('fetch', 'GET /api/v2/new', [fetch], [])], sizes);
    expect(difference(stands, text).split('\n')).toContain('+  GET /new');
  });
});

test('rowsRead counts the rows of scans, also filtered ones, in every loop', () => {
  const scan = (overrides: Partial<Plan>): Plan => ({
    'Node Type': 'Seq Scan',
    'Actual Rows': 1,
    'Actual Loops': 1,
    ...overrides,
  });
  const plan = scan({
    'Node Type': 'Nested Loop',
    Plans: [
      scan({ 'Relation Name': 'port', 'Rows Removed by Filter': 999 }),
      scan({ 'Node Type': 'Index Scan', 'Relation Name': 'network_device', 'Actual Loops': 21 }),
      scan({
        'Node Type': 'Bitmap Heap Scan',
        'Relation Name': 'port',
        'Rows Removed by Index Recheck': 4,
        // The index scan finds the rows that the heap scan reads.
        Plans: [scan({ 'Node Type': 'Bitmap Index Scan', 'Actual Rows': 5 })],
      }),
      scan({ 'Node Type': 'Seq Scan', 'Relation Name': 'cell', 'Actual Loops': 0 }),
      scan({ 'Node Type': 'ModifyTable', 'Relation Name': 'event' }),
    ],
  });
  expect(rowsRead([plan])).toEqual(
    new Map([
      ['port', 1_005],
      ['network_device', 21],
      ['cell', 0],
    ]),
  );
});

test.each([
  ['    at Records.#lockMany (/x/server/src/kernel/write/records.ts:1:2)', 'kernel/write/records.ts lockMany'],
  ['    at async Records.update (file:///x/server/src/kernel/write/records.ts:1:2)', 'kernel/write/records.ts update'],
  ['    at Object.writeAudit [as audit] (/x/server/src/logging/w.ts:1:2)', 'logging/w.ts writeAudit'],
  ['    at async /x/server/src/auth/tokens.ts:1:2', 'auth/tokens.ts'],
  [
    '    at async /x/server/src/auth/gate.ts:1:2\n    at async CredentialGate.#look (/x/server/src/auth/gate.ts:3:4)',
    'auth/gate.ts look',
  ],
  [
    `    at prepared (/x/server/src/kernel/database/connect.ts:1:2)
    at Reader.#run (/x/server/src/kernel/read/reader.ts:1:2)
    at Reader.list (/x/server/src/kernel/read/reader.ts:1:2)`,
    'kernel/read/reader.ts list',
  ],
  ['    at Client.query (/x/node_modules/pg/lib/client.js:1:2)', 'unknown'],
])('the sender of %j is %s', (stack, sender) => {
  expect(senderOf(`Error\n${stack}`)).toBe(sender);
});

test('clauses puts each clause of a statement on a line, but not inside of functions', () => {
  const text = `select extract(epoch from r.at), (select count(*) from event e where e.id = r.id) from port r left join x on x.a is distinct from r.a where true`;
  expect(clauses(text, '')).toEqual([
    'select extract(epoch from r.at), (select count(*)',
    '  from event e',
    '  where e.id = r.id)',
    'from port r',
    'left join x on x.a is distinct from r.a',
    'where true',
  ]);
});
