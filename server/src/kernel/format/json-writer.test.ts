import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ObjectShape, Shape } from '../declare/shape.ts';
import { jsonWriter } from './json-writer.ts';

const name: Shape = { kind: 'text', max: 64 };
const host: ObjectShape = {
  kind: 'object',
  properties: {
    name,
    owner: { ...name, nullable: true },
    ports: { kind: 'list', max: 9, item: { kind: 'integer', min: 0, max: 9 } },
  },
};

// Values of any shape are tested in xml.test.ts, where both formats write the same generated shapes.
describe('jsonWriter', () => {
  test('escapes every text as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), (text) => {
        expect(jsonWriter(name)(text)).toBe(JSON.stringify(text));
      }),
    );
  });

  test('writes properties in declared order, and only those', () => {
    expect(jsonWriter(host)({ ports: [1, 2], secret: 'x', owner: null, name: 'a' })).toBe(
      '{"name":"a","owner":null,"ports":[1,2]}',
    );
  });

  test('writes null for a missing nullable property', () => {
    expect(jsonWriter(host)({ ports: [], name: 'a' })).toBe('{"name":"a","owner":null,"ports":[]}');
  });

  test('throws a bug that names the path of a value that is missing or of another type', () => {
    const write = jsonWriter({ kind: 'object', properties: { results: { kind: 'list', max: 9, item: host } } });
    expect(() => write({ results: [{ ports: [] }] })).toThrow(
      'results[].name: it should be of kind text, and is undefined',
    );
    expect(() => write({ results: [{ name: null, ports: [] }] })).toThrow('results[].name');
    expect(() => write({ results: [{ name: 'a', ports: ['1'] }] })).toThrow('results[].ports[]');
    expect(() => write({})).toThrow('results: it should be of kind list');
    expect(() => write(undefined)).toThrow('the value');
  });

  test('finds a missing property even where Object.prototype has one of that name', () => {
    const write = jsonWriter({ kind: 'object', properties: { constructor: name } });
    expect(() => write({})).toThrow('constructor');
  });

  test('lets no name become code', () => {
    const hostile = '"]+(()=>{throw 1})()+v["\u2028\\`';
    expect(JSON.parse(jsonWriter({ kind: 'object', properties: { [hostile]: name } })({ [hostile]: 'a' }))).toEqual({
      [hostile]: 'a',
    });
  });
});
