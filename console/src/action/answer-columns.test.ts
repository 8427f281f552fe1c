import { expect, test } from 'vitest';
import { columnsOf, shownCell } from './answer-columns.ts';

test('a table of answers has the fields that fit into a cell', () => {
  const rows = [
    { id: 1, name: 'a', deep: { x: 1 }, tags: ['p', 'q'] },
    { id: 2, name: null, deep: null, tags: [], note: 'late' },
  ];
  expect(columnsOf(rows)).toEqual(['id', 'name', 'tags', 'note']);
  expect(columnsOf([{ deep: { x: 1 } }])).toEqual(['deep']);
});

test.each<[unknown, string]>([
  [null, '–'],
  [false, 'no'],
  [0, '0'],
  [['a', 'b'], 'a, b'],
  ['a\u202Eb', 'a‹U+202E›b'],
  [{ x: 1 }, '{\n  "x": 1\n}'],
])('%j is shown as %j', (value, shown) => expect(shownCell(value)).toBe(shown));
