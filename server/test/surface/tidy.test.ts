import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import contract from '../../../catalogue.json' with { type: 'json' };
import { catalogue } from '../../src/catalogue.ts';
import { describeOperations } from '../../src/node/describe-operations.ts';
import { migrationsFolder } from '../../src/node/migrate-database.ts';
import { folders, isPackage, sources, strays } from './sources.ts';

/** Served in addition to the contract's catalogue: where things are, health, and who one is. A new one here shows in review. */
const beyondTheContract = [
  'account.list',
  'account.fetch',
  'account.create',
  'account.update',
  'account.disable',
  'account.enable',
  'account.unlock',
  'account.reset-password',
  'account.delete-one',
  'user.list',
  'user.fetch',
  'user.create',
  'user.update',
  'user.disable',
  'user.enable',
  'user.delete-one',
  'console.counts',
  'console.feed',
  'service.index',
  'health.live',
  'health.ready',
  'search.find',
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

const within = (imported: string, folder: string): boolean => imported.startsWith(`${folder}/`);

/** `device/container/container.ts`: the file that has its folder's name. */
const isDeclaration = (path: string): boolean => {
  const [file, folder] = path.split('/').reverse();
  return folders.groups.test(path) && file === `${folder}.ts`;
};

/** A file of that name in a folder without a group: fields and shapes that several declarations have in common. */
const isSharedPiece = (path: string): boolean =>
  isDeclaration(path) && !sources.some((source) => source.path === path.replace(/\.ts$/, '.module.ts'));

/** The decision engine imports nothing: its words may stand in declarations. */
const engineDoor = 'policy/decide/decide.service.ts';

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

  test('a declaration imports the kernel, its own folder, what several declarations share, and the names that a part has for things', () => {
    const foreign = strays(
      ({ path }) => isDeclaration(path),
      (imported, { path }) =>
        folders.kernel.test(imported) ||
        imported === engineDoor ||
        isSharedPiece(imported) ||
        /^(protocols\/[^/]+|drivers)\/names\.ts$/.test(imported) ||
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
        folders.protocols.test(imported) ||
        folders.extra.test(imported) ||
        isDeclaration(imported) ||
        imported.endsWith('.service.ts') ||
        within(imported, dirname(path)),
    );
    expect(foreign).toEqual([]);
  });

  test('a part imports its library, other parts, plain values, and the words of the kernel for shapes and failures', () => {
    const words = ['kernel/failure.ts', 'kernel/declare/shape.ts', 'kernel/declare/value-of.ts'];
    const foreign = strays(
      ({ path }) => folders.protocols.test(path),
      (imported) =>
        isPackage(imported) ||
        words.includes(imported) ||
        within(imported, 'kernel/values') ||
        folders.protocols.test(imported),
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
        .filter((imported) => imported.endsWith('.ts') && !imported.startsWith('../..') && !imported.startsWith('@'))
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
  const left = sources
    .filter(({ path, text }) => !path.endsWith('/tidy.test.ts') && marked.test(text))
    .map(({ path }) => path);
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

test('migrations are numbered, and no number is used twice', () => {
  const files = readdirSync(migrationsFolder).sort();
  expect(files.every((file) => /^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.sql$/.test(file))).toBe(true);
  expect(new Set(files.map((file) => file.slice(0, 4))).size).toBe(files.length);
});
