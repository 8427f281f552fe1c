import { expect, test } from 'vitest';
import { checkWords, resultWords, valueWords } from './decision.ts';

test('checkWords shows the required and the actual values', () => {
  const check = { section: 'roles', expected: ['Corporate', 'Guest'], actual: 'Cameras', ok: false };
  expect(checkWords(check)).toBe('roles: requires Corporate or Guest; actual Cameras');
  expect(checkWords({ ...check, actual: null })).toBe('roles: requires Corporate or Guest; actual none');
  expect(checkWords({ ...check, actual: [] })).toBe('roles: requires Corporate or Guest; actual none');
  expect(checkWords({ ...check, actual: ['a', 'b'] })).toBe('roles: requires Corporate or Guest; actual a, b');
});

test('resultWords returns an unknown result unchanged', () => {
  expect(resultWords('MATCH')).toBe('match');
  expect(resultWords('SOMETHING_NEW')).toBe('SOMETHING_NEW');
});

test('valueWords formats a VLAN and a device role', () => {
  expect(valueWords({ accessType: 'VLAN_ID', accessValue: '110' })).toBe('VLAN 110');
  expect(valueWords({ accessType: 'DEVICE_ROLE', accessValue: 'guest' })).toBe('Device role guest');
});
