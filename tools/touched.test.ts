import { expect, test } from 'vitest';
import { touchedGroups } from './touched.ts';

const groups = (...files: string[]) => touchedGroups(files, () => true);

test('a file of a group stands for its folder, once', () => {
  expect(
    groups('server/src/host/host/host.ts', 'server/src/host/host/import/lines.ts', 'server/src/user/user/user.test.ts'),
  ).toEqual(['server/src/host/host/', 'server/src/user/user/']);
});

test('files that belong to no group name none', () => {
  expect(
    groups('README.md', 'server/src/catalogue.ts', 'server/src/protocols/snmp/ber.ts', 'server/src/auth/gate.ts'),
  ).toEqual([]);
});

test('the kernel, the context and the conformance tests name three fixed groups', () => {
  const fixed = groups('server/src/kernel/write/engine.ts');
  expect(fixed).toHaveLength(3);
  expect(groups('server/src/context.ts')).toEqual(fixed);
  expect(groups('server/test/conformance/conformance.ts')).toEqual(fixed);
});

test('folders without a test are left out', () => {
  expect(touchedGroups(['server/src/host/gone/gone.ts'])).toEqual([]);
  expect(touchedGroups(['server/src/kernel/failure.ts'])).toHaveLength(3);
});
