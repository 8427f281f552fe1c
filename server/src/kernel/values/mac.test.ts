import { expect, test } from 'vitest';
import { macPatterns, readMac, readMacPrefix } from './mac.ts';

test.each(['001a2b3c4d5e', '00:1A:2b:3c:4d:5e', '00-1a-2b-3c-4d-5e', '001a.2b3c.4d5e'])(
  '%s is the same MAC address',
  (text) => {
    expect(readMac(text)).toBe('00:1A:2B:3C:4D:5E');
    expect(text).toMatch(new RegExp(`^(${macPatterns.sent})$`));
  },
);

test.each([
  '00:1a:2b:3c:4d',
  '00:1a-2b:3c:4d:5e',
  '001a2b3c4d5',
  'g01a2b3c4d5e',
  '00:1a:2b:3c:4d:5e:6f',
  '001a.2b3c4d5e',
])('%s is none', (text) => {
  expect(readMac(text)).toBeUndefined();
});

test('a vendor prefix is read in any notation', () => {
  expect(readMacPrefix('001a.2b')).toBe('00:1A:2B');
  expect(readMacPrefix('00-1')).toBe('00:1');
  expect(readMacPrefix('xyz')).toBeUndefined();
});
