import { expect, test } from 'vitest';
import { columnsOf } from './result-columns.ts';

test('columnsOf returns the fields that fit into a cell', () => {
  const rows = [
    { id: 1, name: 'a', deep: { x: 1 }, tags: ['p', 'q'] },
    { id: 2, name: null, deep: null, tags: [], note: 'late' },
  ];
  expect(columnsOf(rows)).toEqual(['id', 'name', 'tags', 'note']);
  expect(columnsOf([{ deep: { x: 1 } }])).toEqual(['deep']);
});
