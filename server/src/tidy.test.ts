import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import contract from '../../catalogue.json' with { type: 'json' };
import { catalogue } from './catalogue.ts';
import { describeOperations } from './describe.ts';
import { migrationsFolder } from './migrate-database.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Served beside the contract's catalogue: health, and who one is. A new one here shows in review. */
const beyondTheContract = [
  'health.live',
  'health.ready',
  'session.login',
  'session.logout',
  'session.list',
  'session.revoke',
  'session.password',
  'token.list',
  'token.create',
  'token.rotate',
  'token.revoke',
];

/** Files at the root put the parts together, so they may import everything. */
const folders = {
  kernel: /^kernel\//,
  parts: /^parts\//,
  testing: /^testing\//,
  auth: /^auth\//,
  groups: /^(integration|agent|network|device|host|policy|logging|user|radius|system)\//,
};

interface Source {
  path: string;
  text: string;
  /** What it imports, from the folder of the sources, or the package's name. */
  imports: string[];
}

const sources: Source[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const specifiers = [...text.matchAll(/(?:^|[\s;(])(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!);
    const imports = specifiers.map((name) =>
      name.startsWith('.') ? relative(root, join(root, dirname(path), name)) : name,
    );
    return { path, text, imports };
  });

const isTest = ({ path }: Source): boolean => path.endsWith('.test.ts') || folders.testing.test(path);

/** Imports of these sources that nothing here allows, as `file → import`. */
const strays = (of: (source: Source) => boolean, isAllowed: (imported: string, source: Source) => boolean): string[] =>
  sources
    .filter((source) => of(source) && !isTest(source))
    .flatMap((source) =>
      source.imports
        .filter((imported) => !isAllowed(imported, source))
        .map((imported) => `${source.path} → ${imported}`),
    );

const isPackage = (imported: string): boolean => !imported.endsWith('.ts') && !imported.endsWith('.json');
const within = (imported: string, folder: string): boolean => imported.startsWith(`${folder}/`);

/** `device/container/container.ts`: the file that has its folder's name. */
const isDeclaration = (path: string): boolean => {
  const [file, folder] = path.split('/').reverse();
  return folders.groups.test(path) && file === `${folder}.ts`;
};

const isParticular = (path: string): boolean =>
  folders.groups.test(path) && /\.(actions|files|rules|jobs)\.ts$/.test(path);

describe('imports go one way', () => {
  test('the kernel imports nothing but itself', () => {
    const foreign = strays(
      ({ path }) => folders.kernel.test(path),
      (imported) => isPackage(imported) || folders.kernel.test(imported),
    );
    expect(foreign).toEqual([]);
  });

  test('a declaration imports the kernel, its own folder and the names that a part has for things', () => {
    const foreign = strays(
      ({ path }) => isDeclaration(path),
      (imported, { path }) =>
        folders.kernel.test(imported) ||
        /^parts\/[^/]+\/names\.ts$/.test(imported) ||
        (within(imported, dirname(path)) && !isParticular(imported)),
    );
    expect(foreign).toEqual([]);
  });

  test('a declaration is data: no library, no clock, no database', () => {
    const active = sources
      .filter(({ path, text }) => isDeclaration(path) && /\b(await|async|Date\.now|new Date|process\.)\b/.test(text))
      .map(({ path }) => path);
    expect(active).toEqual([]);
  });

  test('actions, rules and jobs import declarations, the context, parts, the kernel and what is their own', () => {
    const foreign = strays(
      ({ path }) => isParticular(path),
      (imported, { path }) =>
        isPackage(imported) ||
        imported === 'context.ts' ||
        imported === 'database.ts' ||
        folders.kernel.test(imported) ||
        folders.parts.test(imported) ||
        folders.auth.test(imported) ||
        isDeclaration(imported) ||
        within(imported, dirname(path)),
    );
    expect(foreign).toEqual([]);
  });

  test('a part imports its library, other parts, and the words of the kernel for shapes and failures', () => {
    const words = ['kernel/failure.ts', 'kernel/shape.ts'];
    const foreign = strays(
      ({ path }) => folders.parts.test(path),
      (imported) => isPackage(imported) || words.includes(imported) || folders.parts.test(imported),
    );
    expect(foreign).toEqual([]);
  });

  test('nothing that runs imports a test', () => {
    const foreign = strays(
      () => true,
      (imported) => !folders.testing.test(imported) && !imported.endsWith('.test.ts'),
    );
    expect(foreign).toEqual([]);
  });

  test('every import is found, so that the rules above see it', () => {
    const known = new Set(sources.map(({ path }) => path));
    const lost = sources.flatMap(({ path, imports }) =>
      imports
        .filter((imported) => imported.endsWith('.ts') && !imported.startsWith('..') && !imported.startsWith('@'))
        .filter((imported) => !known.has(imported))
        .map((imported) => `${path} → ${imported}`),
    );
    expect(lost).toEqual([]);
    expect(sources.filter(({ imports }) => imports.length > 0).length).toBeGreaterThan(50);
  });
});

test('no action reads or writes a table of which a caller may see only some rows but by what keeps to that', () => {
  const scoped = catalogue
    .map(({ declaration }) => declaration)
    .filter((declaration) => declaration.kind === 'collection' && declaration.scopedBy !== undefined)
    .map((declaration) => declaration.name.replaceAll('-', '_'));
  expect(scoped).toContain('port');
  // SQL of one's own sees everything. Rules may look at everything; what is answered to a caller may not come from there.
  const named = new RegExp(`\\b(from|join|into|update)\\s+"?(${scoped.join('|')})\\b`);
  const raw = sources.filter(({ path, text }) => path.endsWith('.actions.ts') && named.test(text));
  expect(raw.map(({ path }) => path)).toEqual([]);
});

test('no test is left out, and none runs alone', () => {
  const marked = new RegExp(`\\b(describe|test|it)(\\.\\w+)*\\.(only|${'skip'}|todo)\\b`);
  const left = sources.filter(({ path, text }) => path !== 'tidy.test.ts' && marked.test(text)).map(({ path }) => path);
  expect(left).toEqual([]);
});

describe('the contract', () => {
  const operations = describeOperations(catalogue);
  const known = new Map(contract.map(({ method, path, group }) => [`${method} /api/v2${path}`, group]));

  test('every operation stands in it, or in the list of those that do not', () => {
    const strangers = operations
      .filter(({ method, path }) => !known.has(`${method} ${path}`))
      .map(({ operationId }) => operationId);
    expect(strangers.sort()).toEqual([...beyondTheContract].sort());
  });

  test('every operation belongs to the group that the contract says', () => {
    const misplaced = operations
      .filter(({ method, path, group }) => known.has(`${method} ${path}`) && known.get(`${method} ${path}`) !== group)
      .map(({ method, path, group }) => `${method} ${path} is in ${group}`);
    expect(misplaced).toEqual([]);
  });
});

test('migrations are numbered from 1 without a gap', () => {
  const files = readdirSync(migrationsFolder).sort();
  expect(files.every((file) => /^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.sql$/.test(file))).toBe(true);
  expect(files.map((file) => Number(file.slice(0, 4)))).toEqual(files.map((_, index) => index + 1));
});
