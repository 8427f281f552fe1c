import { expect, test } from 'vitest';
import { baseOf, rowsOnScreen, scrollFor } from './scroll.ts';

test('a list that fits is scrolled pixel by pixel', () => {
  expect(scrollFor(100_000, 28, 800)).toEqual({ height: 2_800_000, scale: 1 });
});

test('the end of the scroll bar shows the last row of a list of any length', () => {
  for (const rows of [300_000, 1_000_000, 10_000_000]) {
    const { height, scale } = scrollFor(rows, 28, 800);
    expect(height).toBe(8_000_000);
    const top = (height - 800) * scale;
    expect(Math.round(top + 800)).toBe(rows * 28);
    expect(rowsOnScreen(Math.round(top), rows, 28, 800).to).toBe(rows);
  }
});

test('rowsOnScreen covers the window and some rows around it', () => {
  expect(rowsOnScreen(0, 1_000, 28, 280)).toEqual({ from: 0, to: 16 });
  expect(rowsOnScreen(2_800, 1_000, 28, 280)).toEqual({ from: 94, to: 116 });
  expect(rowsOnScreen(0, 3, 28, 280)).toEqual({ from: 0, to: 3 });
  expect(rowsOnScreen(0, 0, 28, 280)).toEqual({ from: 0, to: 0 });
});

test('baseOf is constant within 1,000 rows', () => {
  expect([0, 999, 1_000, 999_999].map(baseOf)).toEqual([0, 0, 1_000, 999_000]);
});
