import { createHash } from 'node:crypto';
import { clauses } from './layout.ts';
import type { Observed, Statement } from './walk.ts';

/** How many rows each table had when the walk began; `of` is the log of a slice. */
export type TableSizes = ReadonlyMap<string, { rows: number; of?: string }>;

/** A full scan of a table with this many rows is marked. */
const manyRows = 100;

const generatedNote = 'Written by `npm run generate`; a change of it is reviewed like code.';

const head = (domain: string): string => `What each operation of ${domain} asks of PostgreSQL. ${generatedNote}

A section is a kind of call. It names the statements in the order they are sent, by the function that sends them, then the
operations that send these, and how many rows of which table PostgreSQL read for that: what triggers and foreign keys read
is counted too. ALL is a table with many rows, read from end to end. (again) was sent before in the same call with the same
values. A statement that one section alone has stands below it, one of several sections at the end, and one that other
domains send too in shared.txt. The tables have 1,000 rows.`;

const sharedHead = `The statements that operations of several domains send. ${generatedNote}

What stands behind the name of a function tells its statements apart; it follows from the text, so a new statement renames
no other.`;

/** The checked-in texts, by file name. */
export type PinnedFiles = Readonly<Record<string, string>>;

/**
 * Returns a file for each domain: by kind of call the statements, and by operation the rows that were read. Statements
 * of several domains are in `shared.txt`.
 */
export function pinnedFiles(observed: readonly Observed[], sizes: TableSizes): PinnedFiles {
  const domains = Map.groupBy(observed, ({ domain }) => domain);
  const shared = nameStatements(sentBySeveral(domains), ({ text }) => fingerprint(text), new Set());
  const files = [...domains].map(([domain, calls]) => [`${domain}.txt`, domainText(domain, calls, shared, sizes)]);
  const definitions = [...shared.values()].sort(byFile).map(definition);
  return Object.fromEntries([...files, ['shared.txt', `${[sharedHead, ...definitions].join('\n\n')}\n`]]);
}

function domainText(domain: string, observed: readonly Observed[], shared: Names, sizes: TableSizes): string {
  const [patterns = [], otherCalls = []] = [true, false].map((isPatternWanted) =>
    observed.filter(({ isPattern }) => isPattern === isPatternWanted),
  );
  const kinds = Map.groupBy([...patterns, ...otherCalls], ({ kind }) => kind);
  const several = sentBySeveral(kinds).filter((statement) => !shared.has(keyOf(statement)));
  const common = nameStatements(several, (_, number) => String(number), shortNames(shared));
  const names = new Map([...shared, ...common]);
  const sections = [...kinds].map(([kind, calls]) => section(kind, calls, names, sizes));
  const definitions = [...common.values()].sort(byFile).map(definition);
  const last = definitions.length > 0 ? ['== Statements of several sections', ...definitions] : [];
  return `${[head(domain), ...sections, ...last].join('\n\n')}\n`;
}

interface Named {
  statement: Statement;
  name: string;
}

type Names = ReadonlyMap<string, Named>;

const fileOf = ({ sender }: Statement): string => sender.split(' ')[0]!;

/** Sorts by file and name; numbered names stay in their order. */
const byFile = (a: Named, b: Named): number =>
  fileOf(a.statement) === fileOf(b.statement)
    ? a.name.localeCompare(b.name, 'en', { numeric: true })
    : fileOf(a.statement) < fileOf(b.statement)
      ? -1
      : 1;

const keyOf = ({ sender, text, prepared }: Statement): string => [sender, prepared, text].join('\n');

const statementsOf = (calls: readonly Observed[]): Statement[] => calls.flatMap(({ statements }) => statements);

type Mark = (statement: Statement, number: number) => string;

/** Names statements. Several statements of one function get a mark, and so do those with a used name. */
function nameStatements(statements: Iterable<Statement>, mark: Mark, usedNames: ReadonlySet<string>): Names {
  const distinct = new Map([...statements].map((statement) => [keyOf(statement), statement]));
  const names = new Map<string, Named>();
  for (const [name, alike] of Map.groupBy(distinct.values(), shortName)) {
    for (const [index, statement] of alike.entries()) {
      const isOnly = alike.length === 1 && !usedNames.has(name);
      names.set(keyOf(statement), { statement, name: isOnly ? name : `${name} ${mark(statement, index + 1)}` });
    }
  }
  return names;
}

const shortNames = (names: Names): ReadonlySet<string> =>
  new Set([...names.values()].map(({ statement }) => shortName(statement)));

/** Returns the statements that calls of several of the given sets send. */
function sentBySeveral(sets: ReadonlyMap<string, readonly Observed[]>): Statement[] {
  const users = new Map<string, number>();
  for (const calls of sets.values())
    for (const key of new Set(statementsOf(calls).map(keyOf))) users.set(key, (users.get(key) ?? 0) + 1);
  return statementsOf([...sets.values()].flat()).filter((statement) => users.get(keyOf(statement))! > 1);
}

const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 6);

/**
 * Returns `records.lockMany` for `kernel/write/records.ts lockMany`; a statement that begins or ends a transaction is
 * named by its first word.
 */
function shortName({ sender, text }: Statement): string {
  if (sender.startsWith('kernel/database/transaction.ts')) return /^\w+/.exec(text)![0];
  return sender.replace(/^.*\//, '').replace(/\.ts( |$)/, (_, end) => end && '.');
}

const letter = (number: number): string => String.fromCharCode(96 + number);

function section(kind: string, calls: readonly Observed[], sharedNames: Names, sizes: TableSizes): string {
  const ownNames = nameStatements(
    statementsOf(calls).filter((statement) => !sharedNames.has(keyOf(statement))),
    (_, number) => letter(number),
    shortNames(sharedNames),
  );
  const names = new Map([...sharedNames, ...ownNames]);
  const alike = Map.groupBy(calls, ({ statements }) => sequence(statements, names));
  const blocks = [...alike].map(([sequenceText, those]) =>
    [sequenceText, ...those.map(({ operation, rowsRead }) => operationLine(operation, rowsRead, sizes))].join('\n'),
  );
  return [`== ${kind}`, ...blocks, ...[...ownNames.values()].map(definition)].join('\n\n');
}

/** Returns the names of the statements of a call; consecutive equal ones are counted. */
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
    // How far back a monitor reads depends on the oldest transaction anywhere in the cluster.
    if (ofPoll && (log || table === 'change_feed')) continue;
    // The system catalogues of PostgreSQL are not counted.
    if (rows > 0 && sizes.has(table)) tables.set(table, (tables.get(table) ?? 0) + rows);
  }
  return [...tables]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([table, rows]) => `${table} ${amount(rows, sizes.get(table)!.rows)}`)
    .join(', ');
}

/** Returns the exact number of rows, except for full scans: the tables grow a little while the walk writes. */
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
