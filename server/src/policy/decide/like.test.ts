import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slowLike } from '../../../test/decide/slow-engine.ts';
import { cpuMsOf } from '../../../test/world/patience.ts';
import { compileLike } from './like.ts';

const few = (letters: string, minLength = 0) =>
  fc
    .array(fc.constantFrom(...letters), { minLength, maxLength: 80, size: 'max' })
    .map((characters) => characters.join(''));

describe('LIKE', () => {
  test('has the wildcards * and ? only, and ignores case', () => {
    const isWindows = compileLike('win*1?');
    expect(isWindows('Windows 10')).toBe(true);
    expect(isWindows('WIN1x')).toBe(true);
    expect(isWindows('Windows 1')).toBe(false);
    expect(compileLike('a.c')('abc')).toBe(false);
    expect(compileLike('[ab]%_')('[AB]%_')).toBe(true);
  });

  test('? matches one character, including one outside the Basic Multilingual Plane', () => {
    expect(compileLike('x?y')('x😀y')).toBe(true);
    expect(compileLike('*?😀?*')('a😀b')).toBe(true);
    expect(compileLike('??')('😀')).toBe(false);
  });

  test('agrees with a dynamic-programming matcher', () => {
    fc.assert(
      fc.property(few('ab?*'), few('ab'), (pattern, text) => {
        expect(compileLike(pattern)(text)).toBe(slowLike(pattern, text));
      }),
      { numRuns: 3_000 },
    );
  });

  test('finds pieces with ? that are longer than 32 and 64 characters', () => {
    fc.assert(
      fc.property(few('ab?', 21), few('ab'), few('ab'), (piece, before, after) => {
        const text = before + piece.replaceAll('?', 'a') + after;
        expect(compileLike(`*${piece}*`)(text)).toBe(true);
        expect(compileLike(`*${piece}?c*`)(text)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['*a', 'a'],
    ['*a?', 'a'],
    ['?*a', 'a'],
  ])('4,000 times %s on a long text of %s takes milliseconds', (piece, letter) => {
    const matches = compileLike(piece.repeat(4_000) + 'b');
    // A backtracking matcher would not finish.
    expect(cpuMsOf(() => expect(matches(letter.repeat(4_096))).toBe(false))).toBeLessThan(500);
  });
});
