import { clauses } from './layout.ts';
import type { Observed, Statement } from './walk.ts';

/** How many rows each table had when the walk began; a slice says of which log it is. */
export type TableSizes = ReadonlyMap<string, { rows: number; of?: string }>;

/** A table of so many rows is one whose scan matters. */
const manyRows = 100;

const head = `What each operation asks of PostgreSQL. Written by \`npm run sql\`; a change of it is reviewed like code.

A section is a kind of call. It names the statements in the order they are sent, by the function that sends them, then the
operations that send these, and how many rows of which table PostgreSQL read for that: what triggers and foreign keys read
is counted too. ALL is a table with many rows, read from end to end. (again) was sent before in the same call with the same
values. A statement that one section alone has stands below it, the others at the end. The tables have 1,000 rows.`;

/** The text that is checked in: by kind of call the statements, and by operation the rows that were read. */
export function pinnedText(observed: readonly Observed[], sizes: TableSizes): string {
  const [patterns = [], others = []] = [true, false].map((wanted) =>
    observed.filter(({ isPattern }) => isPattern === wanted),
  );
  const kinds = Map.groupBy([...patterns, ...others], ({ kind }) => kind);
  const shared = sharedNames(kinds);
  const sections = [...kinds].map(([kind, calls]) => section(kind, calls, shared, sizes));
  const common = [...shared.values()].sort(byFile).map(definition);
  return `${[head, ...sections, '== Statements of several sections', ...common].join('\n\n')}\n`;
}

interface Named {
  statement: Statement;
  name: string;
}

type Names = ReadonlyMap<string, Named>;

const fileOf = ({ sender }: Statement): string => sender.split(' ')[0]!;

/** Numbered ones stay in their order. */
const byFile = (a: Named, b: Named): number =>
  fileOf(a.statement) === fileOf(b.statement)
    ? a.name.localeCompare(b.name, 'en', { numeric: true })
    : fileOf(a.statement) < fileOf(b.statement)
      ? -1
      : 1;

const keyOf = ({ sender, text, prepared }: Statement): string => [sender, prepared, text].join('\n');

const statementsOf = (calls: readonly Observed[]): Statement[] => calls.flatMap(({ statements }) => statements);

/** Names for statements; the many of one function are told apart by a mark, and so are those with a taken name. */
function named(statements: Iterable<Statement>, mark: (number: number) => string, taken: ReadonlySet<string>): Names {
  const distinct = new Map([...statements].map((statement) => [keyOf(statement), statement]));
  const names = new Map<string, Named>();
  for (const [name, alike] of Map.groupBy(distinct.values(), shortName)) {
    for (const [index, statement] of alike.entries()) {
      const isOnly = alike.length === 1 && !taken.has(name);
      names.set(keyOf(statement), { statement, name: isOnly ? name : `${name} ${mark(index + 1)}` });
    }
  }
  return names;
}

/** Statements that calls of several kinds send. */
function sharedNames(kinds: ReadonlyMap<string, readonly Observed[]>): Names {
  const users = new Map<string, number>();
  for (const calls of kinds.values())
    for (const key of new Set(statementsOf(calls).map(keyOf))) users.set(key, (users.get(key) ?? 0) + 1);
  const shared = statementsOf([...kinds.values()].flat()).filter((statement) => users.get(keyOf(statement))! > 1);
  return named(shared, String, new Set());
}

/** `kernel/write/records.ts lockMany` is `records.lockMany`; where a transaction begins and ends, its own word says so. */
function shortName({ sender, text }: Statement): string {
  if (sender.startsWith('kernel/database/transaction.ts')) return /^\w+/.exec(text)![0];
  return sender.replace(/^.*\//, '').replace(/\.ts( |$)/, (_, end) => end && '.');
}

const letter = (number: number): string => String.fromCharCode(96 + number);

function section(kind: string, calls: readonly Observed[], shared: Names, sizes: TableSizes): string {
  const own = named(
    statementsOf(calls).filter((statement) => !shared.has(keyOf(statement))),
    letter,
    new Set([...shared.values()].map(({ statement }) => shortName(statement))),
  );
  const names = new Map([...shared, ...own]);
  const alike = Map.groupBy(calls, ({ statements }) => sequence(statements, names));
  const blocks = [...alike].map(([sent, those]) =>
    [sent, ...those.map(({ operation, rowsRead }) => operationLine(operation, rowsRead, sizes))].join('\n'),
  );
  return [`== ${kind}`, ...blocks, ...[...own.values()].map(definition)].join('\n\n');
}

/** The names of the statements of a call; the same several times in a row are counted. */
function sequence(statements: readonly Statement[], names: Names): string {
  const runs: { name: string; times: number }[] = [];
  for (const statement of statements) {
    const name = names.get(keyOf(statement))!.name + (statement.again ? ' (again)' : '');
    const last = runs.at(-1);
    if (last?.name === name) last.times++;
    else runs.push({ name, times: 1 });
  }
  return runs.map(({ name, times }) => (times > 1 ? `${name} ×${times}` : name)).join('\n') || 'nothing';
}

const operationLine = (operation: string, rowsRead: Observed['rowsRead'], sizes: TableSizes): string =>
  `  ${operation.replace(' /api/v2', ' ').padEnd(52)}  ${rowsLine(rowsRead, sizes, isPoll(operation))}`.trimEnd();

const isPoll = (operation: string): boolean => operation.startsWith('GET ') && operation.endsWith('/monitor/{id}');

function rowsLine(rowsRead: Observed['rowsRead'], sizes: TableSizes, ofPoll: boolean): string {
  const tables = new Map<string, number>();
  for (const [name, rows] of rowsRead) {
    const log = sizes.get(name)?.of;
    const table = log ?? name;
    // How far back a monitor looks is a matter of the oldest transaction anywhere in the cluster.
    if (ofPoll && (log || table === 'change_feed')) continue;
    // The catalogues of PostgreSQL itself are not among ours.
    if (rows > 0 && sizes.has(table)) tables.set(table, (tables.get(table) ?? 0) + rows);
  }
  return [...tables]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([table, rows]) => `${table} ${amount(rows, sizes.get(table)!.rows)}`)
    .join(', ');
}

/** Exact, but for whole tables: those grow a little while the walk writes. */
function amount(rows: number, size: number): string {
  if (size < 2 || rows < size * 0.9) return String(rows);
  const times = Math.round(rows / size);
  return `${size < manyRows ? 'all' : 'ALL'}${times > 1 ? ` ×${times}` : ''}`;
}

const definition = ({ name, statement }: Named): string =>
  [
    `  ${name} (${fileOf(statement)}${statement.prepared ? ', prepared' : ''})`,
    ...clauses(statement.text, '    '),
  ].join('\n');
