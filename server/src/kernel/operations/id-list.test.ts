import { expect, test } from 'vitest';
import { readIdList } from './id-list.ts';

test('comma-separated identities are read in their order', () => {
  expect(readIdList('7,3,12', 'portID')).toEqual([7, 3, 12]);
});

test('too many of them, or one twice, is a fault that names the parameter', () => {
  const many = Array.from({ length: 501 }, (_, n) => n + 1).join();
  expect(() => readIdList(many, 'portID')).toThrow('portID: contains more than 500 records.');
  expect(() => readIdList('3,4,3', 'id')).toThrow('id: contains a record twice.');
});
