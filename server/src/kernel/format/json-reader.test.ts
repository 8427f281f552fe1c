import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { manyRuns } from '../../../test/world/test-speed.ts';
import { Failure } from '../failure.ts';
import { readJson } from './json-reader.ts';
import { faultInText } from './text.ts';

const text = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('constructor', 'toString', '"\\/\b\f\n\r\t', 'é😀\u2028'),
  )
  .filter((candidate) => faultInText(candidate) === undefined);
const key = text.filter((candidate) => candidate !== '__proto__');
const safeJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false),
    fc.maxSafeInteger(),
    fc.double({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, noNaN: true }),
    text,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value;

function refusal(json: string): string {
  try {
    readJson(json);
  } catch (error) {
    if (error instanceof Failure && error.word === 'invalid') return error.message;
    throw error;
  }
  throw new Error(`${json} was accepted`);
}

describe('readJson', () => {
  test('reads what JSON.stringify writes, compact or indented', () => {
    const indent = fc.constantFrom(undefined, 2, '\t', '\r\n ');
    fc.assert(
      fc.property(safeJson, indent, (value, space) => {
        const json = JSON.stringify(value, null, space);
        // Not toStrictEqual: it fails for properties called constructor.
        assert.deepStrictEqual(readJson(json), JSON.parse(json));
      }),
    );
  });

  test('accepts nothing that JSON.parse refuses, and reads the rest alike', () => {
    const change = fc.record({
      at: fc.nat(),
      cut: fc.nat(2),
      put: fc.constantFrom('', ...'{}[]",:\\-+.eE019tfn u\0\n\ufeff'),
    });
    fc.assert(
      fc.property(safeJson, change, (value, { at: index, cut, put }) => {
        const json = JSON.stringify(value);
        const start = index % (json.length + 1);
        const changed = json.slice(0, start) + put + json.slice(start + cut);
        let result: unknown;
        try {
          result = readJson(changed);
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
          return;
        }
        assert.deepEqual(
          result,
          JSON.parse(changed, (_, part) => (part === 0 ? 0 : part)),
        );
      }),
      { numRuns: manyRuns(2000) },
    );
  });

  test('reads every escape', () => {
    expect(readJson('"\\"\\\\\\/\\n\\r\\t\\u00e9"')).toBe('"\\/\n\r\té');
    expect(readJson('"\\ud83d\\ude00"')).toBe('😀');
  });

  test('reports the line and the column of a fault', () => {
    expect(refusal('{\r\n  "a": 1,\n  "b" 2\n}')).toBe(
      'The JSON is invalid at line 3, column 7: expected a colon, but found "2".',
    );
  });

  test.each([
    ['{"a":1,"b":{"a":1},"a":2}', 'the key "a" appears twice'],
    ['{"a":1,"\\u0061":2}', 'the key "a" appears twice'],
    ['{"toString":1,"toString":1}', 'the key "toString" appears twice'],
    ['{"__proto__":{"admin":true}}', 'the key "__proto__" is not accepted'],
    ['{"\\u005f_proto__":1}', 'the key "__proto__" is not accepted'],
    ['9007199254740992', 'outside the exact range'],
    ['-9007199254740992', 'outside the exact range'],
    ['[12345678901234567890]', 'outside the exact range'],
    ['1e400', 'outside the exact range'],
    ['1e-400', 'outside the exact range'],
    ['1 2', 'expected the end of the text, but found "2"'],
    ['{} x', 'expected the end of the text, but found'],
    ['', 'line 1, column 1: expected a value, but the text ends'],
    ['[1,]', 'expected a value, but found "]"'],
    ['{"a":1,}', 'expected a key in double quotes, but found'],
    ["{'a':1}", 'expected a key in double quotes, but found'],
    ['{"a":1', 'expected a comma or the end of an object, but the text ends'],
    ['[1 2]', 'expected a comma or the end of a list, but found'],
    ['"a', 'expected the end of a string, but the text ends'],
    ['"a\\', 'expected the end of a string, but the text ends'],
    ['"\\x41"', 'a string contains an invalid escape'],
    ['"\\u12g4"', 'a string contains an invalid escape'],
    ['01', 'expected the end of the text, but found'],
    ['+1', 'expected a value, but found "+"'],
    ['.5', 'expected a value, but found'],
    ['-', 'expected a value, but found'],
    ['NaN', 'expected a value, but found'],
    ['nul', 'expected a value, but found'],
    ['\ufeff{}', 'expected a value, but found U+FEFF'],
    ['[1,\u00a02]', 'expected a value, but found U+00A0'],
    ['"a\nb"', 'the control character U+000A in a string must be escaped'],
    ['"\\u0000"', 'the control character U+0000'],
    ['"\\b"', 'the control character U+0008'],
    ['{"\\u001f":1}', 'the control character U+001F'],
    ['"\\ud800"', 'the lone surrogate U+D800'],
    ['"\ude00\ud83d"', 'the lone surrogate U+DE00'],
    ['"\\ufffe"', 'the noncharacter U+FFFE'],
    ['"\uffff"', 'the noncharacter U+FFFF'],
  ])('refuses %j with the reason', (json, reason) => {
    expect(refusal(json)).toContain(reason);
  });

  test('reads 32 levels and refuses 33', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(readJson(nested(32))).toEqual(JSON.parse(nested(32)));
    expect(refusal(nested(33))).toContain('nested deeper than 32 levels');
    expect(refusal('{"a":'.repeat(100_000))).toContain('nested deeper than 32 levels');
  });

  test('reads minus zero as zero and keeps the largest integers', () => {
    expect(readJson('[-0, -0.0, 0e5, -0E-400]')).toStrictEqual([0, 0, 0, 0]);
    expect(readJson('[9007199254740991, -9007199254740991]')).toEqual([
      Number.MAX_SAFE_INTEGER,
      Number.MIN_SAFE_INTEGER,
    ]);
  });

  test('keeps constructor and prototype as data', () => {
    const value = readJson('{"constructor":{"prototype":{"polluted":1}}}') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  test('quotes only the first part of a long text', () => {
    const long = JSON.stringify('😀'.repeat(10_000));
    expect(refusal(`{${long}:1,${long}:2}`).length).toBeLessThan(400);
  });
});

test('refuses an object with more keys than any has, without reading the rest', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":0`).join(',');
  expect(Object.keys(readJson(`{${keys(5_000)}}`) as object)).toHaveLength(5_000);
  expect(() => readJson(`{${keys(5_001)} and no JSON`)).toThrow('more than 5000 keys');
});
