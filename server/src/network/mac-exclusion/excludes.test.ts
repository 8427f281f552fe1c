import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excludes, isGroupOrNullMac } from './mac-exclusion.service.ts';

const macOf = (number: number) => number.toString(16).toUpperCase().padStart(12, '0').match(/../g)!.join(':');
const number = fc.integer({ min: 0, max: 2 ** 48 - 1 });

test('a range holds what lies between its ends, both included', () => {
  fc.assert(
    fc.property(number, number, number, (a, b, candidate) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      const range = { start: macOf(low), end: macOf(high), mask: null };
      expect(excludes(range, macOf(candidate))).toBe(candidate >= low && candidate <= high);
      expect(excludes(range, macOf(low)) && excludes(range, macOf(high))).toBe(true);
    }),
  );
});

test('a mask compares its bits and no other', () => {
  fc.assert(
    fc.property(number, number, number, (start, mask, noise) => {
      const rule = { start: macOf(start), end: macOf(start), mask: macOf(mask) };
      const same = (BigInt(start) & BigInt(mask)) | (BigInt(noise) & ~BigInt(mask) & 0xffffffffffffn);
      expect(excludes(rule, macOf(Number(same)))).toBe(true);
      const lowest = BigInt(mask) & -BigInt(mask);
      if (mask > 0) expect(excludes(rule, macOf(Number(same ^ lowest)))).toBe(false);
    }),
  );
});

test('group addresses, all zeros and all ones are not addresses of hosts', () => {
  for (const mac of ['01:00:5E:00:00:FB', '33:33:00:00:00:01', 'FF:FF:FF:FF:FF:FF', '00:00:00:00:00:00'])
    expect(isGroupOrNullMac(mac), mac).toBe(true);
  for (const mac of ['00:00:00:00:00:01', '02:00:5E:10:00:01', '00:00:5E:00:01:0A'])
    expect(isGroupOrNullMac(mac), mac).toBe(false);
});
