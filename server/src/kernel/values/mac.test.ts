import { describe, expect, test } from 'vitest';
import { macPatterns, readMac, readMacEnd, readMacPrefix } from './mac.ts';

describe('a MAC address', () => {
  test.each([
    '001a2b3c4d0e',
    '00:1A:2b:3c:4d:0e',
    '00-1a-2b-3c-4d-0e',
    '00 1a 2b 3c 4d 0e',
    '0:1a:2b:3c:4d:e',
    '0-1a-2b-3c-4d-e',
    '001a.2b3c.4d0e',
    '001a:2b3c:4d0e',
    '001a-2b3c-4d0e',
    '001a 2b3c 4d0e',
    '001a2b-3c4d0e',
    '001a2b:3c4d0e',
    '001A2B 3C4D0E',
    '00.1a.2b.3c.4d.0e',
    '0x001A2B3C4D0E',
    '0X001a2b3c4d0e',
  ])('is read from %s', (text) => {
    expect(readMac(text)).toBe('00:1A:2B:3C:4D:0E');
    expect(text).toMatch(new RegExp(`^(${macPatterns.sent})$`));
  });

  test.each([
    '00:1a:2b:3c:4d',
    '00:1a-2b:3c:4d:5e',
    '001a2b3c4d5',
    'g01a2b3c4d5e',
    '00:1a:2b:3c:4d:5e:6f',
    '001a.2b3c4d5e',
    '0x1a2b3c4d5e',
    '0x00:1a:2b:3c:4d:5e',
    '1a.2b3c.4d5e',
    '001a.2b3c-4d5e',
    '1a2b-3c4d5e',
    ' 001a2b3c4d5e',
    '::1',
  ])('is not read from %s', (text) => {
    expect(readMac(text)).toBeUndefined();
  });
});

test('a vendor prefix is read in any notation', () => {
  expect(readMacPrefix('001a.2b')).toBe('00:1A:2B');
  expect(readMacPrefix('00-1')).toBe('00:1');
  expect(readMacPrefix('xyz')).toBeUndefined();
});

test('the last digits are read in any notation, with colons counted from the end', () => {
  expect(readMacEnd('4d5e')).toBe('4D:5E');
  expect(readMacEnd('4d-5e')).toBe('4D:5E');
  expect(readMacEnd('c.4d5e')).toBe('C:4D:5E');
  expect(readMacEnd('d5e')).toBeUndefined();
  expect(readMacEnd('wxyz')).toBeUndefined();
});
