import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue.ts';
import { tableOf } from '../../src/kernel/declare/declaration.ts';
import { folders, isPackage, isTest, sources, strays } from './sources.ts';

/**
 * Returns the name of a source's resource: `device/port` for all files below it, or the folder of a resource that is
 * not in the catalogue.
 */
const groupOf = (path: string): string | undefined =>
  folders.extra.test(path)
    ? path.split('/')[0]
    : folders.groups.test(path)
      ? path.split('/').slice(0, 2).join('/')
      : undefined;

describe('wall 1: each kind of code of a resource is in the file named for it', () => {
  /** The called function, and the files that may call it. */
  const places: readonly (readonly [call: string, file: RegExp])[] = [
    ['action', /(\.actions\.ts|\/actions\/[^/]+\.ts)$/],
    ['rules', /\.rules\.ts$/],
    ['(?:job|reconciler)', /\.jobs\.ts$/],
  ];

  test.each(places)('%s( is called in its own files only', (call, file) => {
    const called = new RegExp(`(?<![\\w.'])${call}\\(`);
    const calling = sources.filter((source) => groupOf(source.path) && !isTest(source) && called.test(source.text));
    expect(calling.length).toBeGreaterThan(0);
    const misplaced = calling.filter(({ path }) => !file.test(path)).map(({ path }) => path);
    expect(misplaced, `move what calls ${call}( into a file whose name matches ${file}`).toEqual([]);
  });
});

describe('wall 2: SQL of a group takes a table with a row scope by visible, visibleRow or everyRow', () => {
  const scoped = catalogue.flatMap(({ declaration }) =>
    ('scopedBy' in declaration && declaration.scopedBy) || ('concerns' in declaration && declaration.concerns)
      ? [tableOf(declaration)]
      : [],
  );
  const files = new Map(
    sources
      .filter((source) => (folders.groups.test(source.path) || folders.extra.test(source.path)) && !isTest(source))
      .map((source) => [source.path, source]),
  );

  /** Declarations and what they import of their domain are exempt: their SQL is expressions over the row `r`. */
  const declarations = new Set<string>();
  function addDeclaration(path: string): void {
    const source = files.get(path);
    if (!source || declarations.has(path)) return;
    declarations.add(path);
    const domain = `${path.split('/')[0]}/`;
    for (const imported of source.imports) if (imported.startsWith(domain)) addDeclaration(imported);
  }
  for (const path of files.keys()) {
    const [file, folder] = path.split('/').reverse();
    if (file === `${folder}.ts`) addDeclaration(path);
  }

  /** Matches `from host`, `join "group"`, `from wanted w, port p`, and a table whose name is computed. */
  const keyword = String.raw`\b(?:from|join|into|update|using|only|table)\s+`;
  const tables = scoped.join('|');
  const tableInSql = new RegExp(
    String.raw`${keyword}"?(?:${tables})\b(?![-.])|,\s+(?:${tables}) [a-z]\b(?=[\s,)'\x60])|${keyword}\$\{quoted\(`,
    'g',
  );
  const withoutComments = (text: string): string =>
    text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*/g, '$1');

  /**
   * Computed names: the code that makes the limits, and elements of groups, which are of any type. Do not add to this
   * list.
   */
  const exceptions = [
    'auth/row-limits.ts: from ${quoted(',
    'system/group/membership.ts: from ${quoted(',
    'system/group/usage-in-groups.ts: from ${quoted(',
  ];

  test('there are such tables', () => {
    expect(scoped).toEqual(expect.arrayContaining(['host', 'adapter', 'port', 'group', 'port_change']));
  });

  test('no string or template names one', () => {
    const findings = [...files.values()]
      .filter(({ path }) => !declarations.has(path))
      .flatMap(({ path, text }) =>
        [...withoutComments(text).matchAll(tableInSql)].map(([match]) => `${path}: ${match.replaceAll(/\s+/g, ' ')}`),
      );
    expect(
      [...new Set(findings)].sort(),
      'for a caller use visible(declaration), in a statement that writes or locks visibleRow(declaration), where the service must see all rows everyRow(declaration, reason)',
    ).toEqual(exceptions);
  });
});

describe('wall 3: a group uses another one by its declaration, its events and its service', () => {
  test('across groups only <name>.ts, <name>.events.ts and <name>.service.ts are imported', () => {
    const deep = strays(
      ({ path }) => groupOf(path) !== undefined,
      (imported, { path }) => {
        const importedGroup = groupOf(imported);
        if (importedGroup === undefined || importedGroup === groupOf(path)) return true;
        const name = importedGroup.split('/').at(-1);
        return ['ts', 'events.ts', 'service.ts'].some((end) => imported === `${importedGroup}/${name}.${end}`);
      },
    );
    expect(deep, 'export it from the service of the other resource').toEqual([]);
  });

  test('the root of a domain holds folders only', () => {
    const loose = sources.map(({ path }) => path).filter((path) => folders.groups.test(path) && !/\/.+\//.test(path));
    expect(loose, 'a file belongs into the folder of a resource').toEqual([]);
  });
});

describe('wall 4: groups use the kernel through context.ts', () => {
  test('a group imports failure.ts, values/ and declare/ of the kernel, and nothing else of it', () => {
    const deep = strays(
      ({ path }) => folders.groups.test(path),
      (imported) => !folders.kernel.test(imported) || /^kernel\/(failure\.ts$|values\/|declare\/)/.test(imported),
    );
    expect(deep, 'import it from context.ts, which names what resources may use').toEqual([]);
  });

  test('context.ts names each re-export', () => {
    const { text } = sources.find(({ path }) => path === 'context.ts')!;
    expect(text.match(/^export \*.*$/gm) ?? [], 'name each export').toEqual([]);
  });
});

describe('wall 5: the rooms of the kernel import downward', () => {
  /** From the bottom up; failure.ts is below all of them. */
  const rooms = [
    'values',
    'declare',
    'model',
    'database',
    'format',
    'access',
    'filter',
    'schema',
    'read',
    'feed',
    'jobs',
    'write',
    'log',
    'operations',
    'telemetry',
    'http',
    'documents',
  ];
  const roomOf = (path: string): string => path.split('/')[1]!;

  test('failure.ts is the only file outside a room, and imports nothing', () => {
    const loose = sources.filter(({ path }) => /^kernel\/[^/]+$/.test(path));
    expect(loose.map(({ path, imports }) => ({ path, imports }))).toEqual([{ path: 'kernel/failure.ts', imports: [] }]);
  });

  test('every room is in the list', () => {
    const actualRooms = new Set(
      sources.filter(({ path }) => /^kernel\/.+\//.test(path)).map(({ path }) => roomOf(path)),
    );
    expect([...actualRooms].sort()).toEqual([...rooms].sort());
  });

  test('ARCHITECTURE.md lists them in this order', () => {
    const text = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8');
    const section = text.slice(text.indexOf('### The rooms of the kernel'), text.indexOf('### What one declaration'));
    expect([...section.matchAll(/^\| `(\w+)\/` \|/gm)].map((match) => match[1])).toEqual(rooms);
  });

  test('a file imports its own room and those below, types included', () => {
    const upward = strays(
      ({ path }) => /^kernel\/.+\//.test(path),
      (imported, { path }) =>
        isPackage(imported) ||
        imported === 'kernel/failure.ts' ||
        rooms.indexOf(roomOf(imported)) <= rooms.indexOf(roomOf(path)),
    );
    expect(upward, 'move the required code into a lower room, or pass it as an argument').toEqual([]);
  });
});

describe('rows as bytes', () => {
  /** The code that writes responses from rows without records in between; docs/decisions/0012-rows-as-bytes.md. */
  const bytes = /^kernel\/(database\/row-bytes|format\/(row-writer|byte-sink)|read\/record-rows)\.ts$/;

  test('are imported only by the rooms that produce them; all others use AnswerRows', () => {
    const curious = strays(
      ({ path }) => !/^kernel\/(database|format|read)\//.test(path),
      (imported) => !bytes.test(imported),
    );
    expect(curious).toEqual([]);
  });
});

describe('wall 7: resources use the types of shapes for body, query and path parameters', () => {
  /**
   * Matches a cast to any type, also on the next line; `as const` and the text of a statement or a title do not match.
   */
  const cast = /\b(body|query|parameters)\b(?:\{\}|[^;`'=,}(]){0,30}\s+as\s+(?!const\b)[{\w]/g;

  test('no cast of them, also not in tests of resources', () => {
    const casts = sources
      .filter((source) => folders.groups.test(source.path) || (folders.extra.test(source.path) && !isTest(source)))
      .flatMap(({ path, text }) => [...text.matchAll(cast)].map(([match]) => `${path}: ${match}`));
    expect(casts, 'declare the shape `as const satisfies Shape`; in a test name the result: get<Result>(path)').toEqual(
      [],
    );
  });
});
