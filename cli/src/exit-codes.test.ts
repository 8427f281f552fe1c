import { PortreeveError } from '@portreeve/sdk/runtime.ts';
import { statusWords } from '@portreeve/server/kernel/failure.ts';
import { describe, expect, test } from 'vitest';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import { UsageError } from './usage-error.ts';

/** A newer service may return status words that this program does not know. */
const refused = (word: string) => new PortreeveError('No.', { word: word as PortreeveError['word'], httpCode: 400 });

describe('exit codes', () => {
  test('every status word of the contract has one', () => {
    const mappedWords = exitCodes.flatMap(({ words }) => words);
    expect(Object.keys(statusWords).filter((word) => !mappedWords.includes(word))).toEqual([]);
    expect(new Set(mappedWords).size).toBe(mappedWords.length);
  });

  test.each([
    ['invalid', 2],
    ['unauthenticated', 3],
    ['forbidden', 4],
    ['not-found', 5],
    ['in-use', 6],
    ['duplicate', 6],
    ['protected', 6],
    ['stale', 6],
    ['rejected', 7],
    ['too-expensive', 7],
    ['remote-failed', 8],
    ['remote-timeout', 8],
    ['throttled', 9],
    ['unavailable', 9],
    ['unreachable', 9],
    ['gone', 10],
    ['error', 1],
    ['a-word-to-come', 1],
  ])('%s ends with %i', (word, code) => {
    expect(exitCodeOf(refused(word))).toBe(code);
  });

  test('an invalid command line ends with 2, a bug with 1', () => {
    expect(exitCodeOf(new UsageError('What?'))).toBe(2);
    expect(exitCodeOf(new TypeError('x is not a function'))).toBe(1);
  });
});
