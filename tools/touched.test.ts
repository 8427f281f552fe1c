import { expect, test } from 'vitest';
import { lintedFiles, touchedGroups } from './touched.ts';

const groups = (...files: string[]) => touchedGroups(files, () => true);

test('a file of a resource selects its folder, once', () => {
  expect(
    groups('server/src/host/host/host.ts', 'server/src/host/host/import/lines.ts', 'server/src/user/user/user.test.ts'),
  ).toEqual(['server/src/host/host/', 'server/src/user/user/']);
});

test('files that belong to no resource select none', () => {
  expect(
    groups('README.md', 'server/src/catalogue.ts', 'server/src/protocols/snmp/ber.ts', 'server/src/auth/gate.ts'),
  ).toEqual([]);
});

test('the kernel, the context and the conformance tests select three fixed resources', () => {
  const fixed = groups('server/src/kernel/write/engine.ts');
  expect(fixed).toHaveLength(3);
  expect(groups('server/src/context.ts')).toEqual(fixed);
  expect(groups('server/test/conformance/conformance.ts')).toEqual(fixed);
});

test('folders without a test are left out', () => {
  expect(touchedGroups(['server/src/host/gone/gone.ts'])).toEqual([]);
  expect(touchedGroups(['server/src/kernel/failure.ts'])).toHaveLength(3);
});

const lint = (...files: string[]) => lintedFiles(files, (path) => path !== 'tools/removed.ts');

test('the linter is given the files of a change that still exist and that it can read', () => {
  expect(lint('tools/new.ts', 'tools/removed.ts', 'api/host.txt', 'console/src/app.tsx', 'README.md')).toEqual([
    'tools/new.ts',
    'console/src/app.tsx',
  ]);
  expect(lint()).toEqual([]);
});

test('the linter is given everything after a change of its rules, and of very many files', () => {
  expect(lint('biome.json', 'tools/new.ts')).toEqual(['.']);
  expect(lint('package-lock.json')).toEqual(['.']);
  expect(lint(...Array.from({ length: 301 }, (_, n) => `tools/file-${n}.ts`))).toEqual(['.']);
});
