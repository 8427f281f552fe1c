import { expect, test } from 'vitest';
import { hintFor, nearest } from './nearest.ts';

test.each([
  ['device', ['device-profiling', 'devices', 'hosts'], 'devices'],
  ['nmae', ['id', 'notes', 'name'], 'name'],
  ['NAME', ['id', 'name'], 'name'],
  ['lastpoll', ['name', 'lastL2Poll', 'lastSuccessfulPoll', 'lastModifiedBy'], 'lastL2Poll'],
  ['lastSucessfulPol', ['lastPoll', 'lastSuccessfulPoll'], 'lastSuccessfulPoll'],
  ['version', ['session', '--version'], '--version'],
  ['Libary', ['Laboratory', 'Library'], 'Library'],
])('%s among %j most likely means %s', (word, names, expected) => {
  expect(nearest(word, names)).toBe(expected);
});

test('a word that is near to no name, or too long to be a name, has no hint', () => {
  expect(nearest('watch', ['list', 'get', 'delete'])).toBeUndefined();
  expect(nearest('x'.repeat(1_000), ['x'.repeat(999)])).toBeUndefined();
});

test('without a near name some are listed, never all of many', () => {
  expect(hintFor('zzz', 'the fields', ['id', 'name'])).toBe('the fields are id, name.');
  const many = Array.from({ length: 80 }, (_, index) => `field${index}`);
  expect(hintFor('zzz', 'the fields', many)).toMatch(/^the fields are field0, .*field11 and 68 more\.$/);
});
