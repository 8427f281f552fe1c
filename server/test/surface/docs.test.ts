import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const documents = ['ARCHITECTURE.md', 'CONTRIBUTING.md'];

const withheld = /(^|\/)(node_modules|\.git|\.portreeve)(\/|$)/;

/** Every file and folder of the repository, relative to its root. */
const tree: readonly string[] = [
  'api',
  'changes',
  'event-types',
  'server',
  'sdk',
  'cli',
  'console',
  'testbed',
  'tools',
  'docs',
  '.ci',
].flatMap((top) => [
  top,
  ...readdirSync(`${root}/${top}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => !withheld.test(path))
    .map((path) => `${top}/${path}`),
]);
const existingPaths = new Set([...tree, ...readdirSync(root)]);

/** True if a path exists. It may begin at any folder; `<name>`, `*` and `…` stand for a part of a name. */
function isThere(path: string): boolean {
  const plain = path.replace(/^\.\//, '').replace(/\/$/, '');
  if (existingPaths.has(plain)) return true;
  const pattern = plain
    .split(/<[a-z-]+>|\*|…/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+');
  const suffix = new RegExp(`(^|/)${pattern}$`);
  return tree.some((path) => suffix.test(path));
}

/** Returns the texts between backticks, outside of code blocks. */
const quotedIn = (text: string): string[] =>
  [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);

/**
 * True if a text has the form of a file or folder: `write/records.ts`, `kernel/`, not `/device/{id}`, `text/csv` or a
 * command.
 */
const isPath = (text: string): boolean =>
  /^[\w.<][\w./<>*…-]*$/.test(text) &&
  (/\.(ts|js|css|sql|json|md|txt)$/.test(text) || (text.endsWith('/') && !text.startsWith('/')));

/** Returns the members that an interface or a class of a file declares. */
function membersOf(file: string, name: string): string[] {
  const text = readFileSync(`${root}/server/src/${file}`, 'utf8');
  const start = text.search(new RegExp(`export (interface|class) ${name}\\b`));
  expect(start, `${file} declares ${name}`).toBeGreaterThanOrEqual(0);
  const body = text.slice(start, text.indexOf('\n}\n', start));
  return [...body.matchAll(/^ {2}(?:readonly |async |get )*([a-z]\w*)[<(:?]/gm)].map((match) => match[1]!);
}

describe.each(documents)('%s', (document) => {
  const text = readFileSync(`${root}/${document}`, 'utf8');

  test('names only existing files and folders', () => {
    const paths = quotedIn(text).filter(isPath);
    expect(paths.length).toBeGreaterThan(5);
    expect([...new Set(paths)].filter((path) => !isThere(path))).toEqual([]);
  });

  test('links only to existing files', () => {
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map((match) => match[1]!);
    expect(targets.length).toBeGreaterThan(0);
    expect(targets.filter((target) => !existingPaths.has(target.replace(/\/$/, '')))).toEqual([]);
  });

  test('names only existing members of context, tx and tx.records', () => {
    const context = membersOf('context.ts', 'Context');
    const tx = [...membersOf('kernel/write/runtime.ts', 'WriteTx'), ...membersOf('kernel/write/engine.ts', 'Tx')];
    const records = membersOf('kernel/write/records.ts', 'Records');
    expect([context, tx, records].every((members) => members.length > 3)).toBe(true);
    const namesIn = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map((match) => match[1]!))];
    // `context.ts` is a file; the first test checks it.
    const ofContext = namesIn(/\bcontext\.(?!ts\b)(\w+)/g).filter((member) => !context.includes(member));
    const ofTx = namesIn(/\btx\.(\w+)/g).filter((member) => !tx.includes(member));
    const ofRecords = namesIn(/\brecords\.(?!ts\b)(\w+)/g).filter((member) => !records.includes(member));
    expect({ context: ofContext, tx: ofTx, records: ofRecords }).toEqual({ context: [], tx: [], records: [] });
  });

  test('names only existing commands of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { scripts: Record<string, string> };
    const commands = [...text.matchAll(/\bnpm run ([a-z][a-z-]*)/g)].map((match) => match[1]!);
    expect([...new Set(commands)].filter((command) => !(command in scripts))).toEqual([]);
  });
});
