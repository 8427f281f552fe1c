import { expect, test } from 'vitest';
import { pageOfRow, pagesBetween, placeOfRow, rowsOfPage } from './row-pages.ts';

test('every row is on exactly one page', () => {
  let row = 0;
  for (let page = 0; page < 5; page++) {
    const { start, count } = rowsOfPage(page);
    expect(start).toBe(row);
    for (let index = 0; index < count; index++, row++) expect(placeOfRow(row)).toEqual({ page, index });
  }
  expect(pageOfRow(999_999)).toBe(10_000);
});

test('pagesBetween returns the pages of the visible rows', () => {
  expect(pagesBetween(0, 40)).toEqual([0]);
  expect(pagesBetween(0, 0)).toEqual([0]);
  expect(pagesBetween(0, 60)).toEqual([0]);
  expect(pagesBetween(59, 61)).toEqual([0, 1]);
  expect(pagesBetween(155, 165)).toEqual([1, 2]);
});
