import { describe, expect, test } from 'vitest';
import { yamlLines } from './yaml.ts';

const yaml = (value: unknown): string => yamlLines(value).join('\n');

describe('YAML', () => {
  test('has a line a field, and lists and objects below their names', () => {
    expect(yaml([{ id: 1, name: 'Library', tags: ['a b', 'c'], none: [], of: { x: null, deep: [{ z: true }] } }])).toBe(
      `- id: 1
  name: Library
  tags:
    - a b
    - c
  none: []
  of:
    x: null
    deep:
      - z: true`,
    );
    expect(yaml([])).toBe('[]');
    expect(yaml(null)).toBe('null');
  });

  test.each([
    'no',
    'NULL',
    'y',
    '12',
    '1e3',
    '~',
    '',
    ' x',
    'x ',
    'a: b',
    '#x',
    '- x',
    '00:1d:09',
    'On',
    'a\nb',
    '\u009b2J',
    '=x',
    '{a}',
  ])('quotes %j, which would be read as something else', (text) => {
    expect(yaml(text)).toMatch(/^".*"$/);
    expect(JSON.parse(yaml(text))).toBe(text);
  });
});
