import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import contract from '../../../catalogue.json' with { type: 'json' };
import { catalogue } from '../../src/catalogue.ts';
import { migrationName } from '../../src/kernel/schema/migrate.ts';
import { describeOperations } from '../../src/node/describe-operations.ts';
import { migrationsFolder } from '../../src/node/migrate-database.ts';
import { folders, isPackage, sources, strays } from './sources.ts';

/**
 * Operations in addition to the contract's catalogue: index, health, and authentication. A new one must be added here,
 * so it is visible in review.
 */
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

const isWithin = (imported: string, folder: string): boolean => imported.startsWith(`${folder}/`);

/** True for a file named like its folder: `device/container/container.ts`. */
const isDeclaration = (path: string): boolean => {
  const [file, folder] = path.split('/').reverse();
  return folders.groups.test(path) && file === `${folder}.ts`;
};

/** True for such a file in a folder without a resource: fields and shapes that several declarations use. */
const isSharedPiece = (path: string): boolean =>
  isDeclaration(path) && !sources.some((source) => source.path === path.replace(/\.ts$/, '.module.ts'));

/** The decision engine imports nothing: declarations may use its names. */
const engineDoor = 'policy/decide/decide.service.ts';

const isParticular = (path: string): boolean =>
  folders.groups.test(path) && /\.(actions|files|rules|jobs)\.ts$/.test(path);

describe('imports have one direction', () => {
  test('the kernel imports only itself', () => {
    const foreign = strays(
      ({ path }) => folders.kernel.test(path),
      (imported) => isPackage(imported) || folders.kernel.test(imported),
    );
    expect(foreign).toEqual([]);
  });

  test('a declaration imports the kernel, its own folder, shared pieces of declarations, and the names of protocols', () => {
    const foreign = strays(
      ({ path }) => isDeclaration(path),
      (imported, { path }) =>
        folders.kernel.test(imported) ||
        imported === engineDoor ||
        isSharedPiece(imported) ||
        /^(protocols\/[^/]+|drivers)\/names\.ts$/.test(imported) ||
        (isWithin(imported, dirname(path)) && !isParticular(imported)),
    );
    expect(foreign).toEqual([]);
  });

  test('a declaration is data: no library, no clock, no database', () => {
    const active = sources
      .filter(({ path, text }) => isDeclaration(path) && /\b(await|async|Date\.now|new Date|process\.)\b/.test(text))
      .map(({ path }) => path);
    expect(active).toEqual([]);
  });

  test('actions, rules and jobs import declarations, the context, protocols, the kernel and their own folder', () => {
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
        isWithin(imported, dirname(path)),
    );
    expect(foreign).toEqual([]);
  });

  test("a protocol imports its library, other protocols, plain values, and the kernel's modules for shapes and failures", () => {
    const words = ['kernel/failure.ts', 'kernel/declare/shape.ts', 'kernel/declare/value-of.ts'];
    const foreign = strays(
      ({ path }) => folders.protocols.test(path),
      (imported) =>
        isPackage(imported) ||
        words.includes(imported) ||
        isWithin(imported, 'kernel/values') ||
        folders.protocols.test(imported),
    );
    expect(foreign).toEqual([]);
  });

  test('product code imports no test', () => {
    const foreign = strays(
      () => true,
      (imported) => !folders.testing.test(imported) && !imported.endsWith('.test.ts'),
    );
    expect(foreign).toEqual([]);
  });

  test('every import can be resolved, so that the rules above apply to it', () => {
    const sourcePaths = new Set(sources.map(({ path }) => path));
    const lost = sources.flatMap(({ path, imports }) =>
      imports
        .filter((imported) => imported.endsWith('.ts') && !imported.startsWith('../..') && !imported.startsWith('@'))
        .filter((imported) => !sourcePaths.has(imported))
        .map((imported) => `${path} → ${imported}`),
    );
    expect(lost).toEqual([]);
    expect(sources.filter(({ imports }) => imports.length > 0).length).toBeGreaterThan(50);
  });
});

test('no action reads or writes a table with a row scope by plain SQL', () => {
  const scoped = catalogue
    .map(({ declaration }) => declaration)
    .filter((declaration) => declaration.kind === 'collection' && declaration.scopedBy !== undefined)
    .map((declaration) => declaration.name.replaceAll('-', '_'));
  expect(scoped).toContain('port');
  // Plain SQL has no row limits. Rules may read all rows, but a response to a caller must not contain them.
  const scopedTable = new RegExp(`\\b(from|join|into|update)\\s+"?(${scoped.join('|')})\\b`);
  const raw = sources.filter(({ path, text }) => path.endsWith('.actions.ts') && scopedTable.test(text));
  expect(raw.map(({ path }) => path)).toEqual([]);
});

test('no test is skipped, and none runs alone', () => {
  const marked = new RegExp(`\\b(describe|test|it)(\\.\\w+)*\\.(only|${'skip'}|todo)\\b`);
  const markedFiles = sources
    .filter(({ path, text }) => !path.endsWith('/tidy.test.ts') && marked.test(text))
    .map(({ path }) => path);
  expect(markedFiles).toEqual([]);
});

describe('the contract', () => {
  const operations = describeOperations(catalogue);
  const groupOfRoute = new Map(contract.map(({ method, path, group }) => [`${method} /api/v2${path}`, group]));

  test('contains every operation, except those in a list', () => {
    const strangers = operations
      .filter(({ method, path }) => !groupOfRoute.has(`${method} ${path}`))
      .map(({ operationId }) => operationId);
    expect(strangers.sort()).toEqual([...beyondTheContract].sort());
  });

  test('assigns every operation to its group', () => {
    const misplaced = operations
      .filter(
        ({ method, path, group }) =>
          groupOfRoute.has(`${method} ${path}`) && groupOfRoute.get(`${method} ${path}`) !== group,
      )
      .map(({ method, path, group }) => `${method} ${path} is in ${group}`);
    expect(misplaced).toEqual([]);
  });
});

test('migrations begin with their number or their time, and none is used twice', () => {
  const files = readdirSync(migrationsFolder).sort();
  expect(files.filter((file) => !migrationName.test(file))).toEqual([]);
  expect(new Set(files.map((file) => file.split('-')[0])).size).toBe(files.length);
});
