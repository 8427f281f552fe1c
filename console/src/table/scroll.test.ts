import { expect, test } from 'vitest';
import { baseOf, rowsOnScreen, scrollFor } from './scroll.ts';

test('a list that fits is scrolled pixel by pixel', () => {
  expect(scrollFor(100_000, 28, 800)).toEqual({ height: 2_800_000, scale: 1 });
});

test('at the end of the bar stands the last row, however many there are', () => {
  for (const rows of [300_000, 1_000_000, 10_000_000]) {
    const { height, scale } = scrollFor(rows, 28, 800);
    expect(height).toBe(8_000_000);
    const top = (height - 800) * scale;
    expect(Math.round(top + 800)).toBe(rows * 28);
    expect(rowsOnScreen(Math.round(top), rows, 28, 800).to).toBe(rows);
  }
});

test('what is drawn covers the window and a little more', () => {
  expect(rowsOnScreen(0, 1_000, 28, 280)).toEqual({ from: 0, to: 16 });
  expect(rowsOnScreen(2_800, 1_000, 28, 280)).toEqual({ from: 94, to: 116 });
  expect(rowsOnScreen(0, 3, 28, 280)).toEqual({ from: 0, to: 3 });
  expect(rowsOnScreen(0, 0, 28, 280)).toEqual({ from: 0, to: 0 });
});

test('rows stay where they are drawn while the list moves a little', () => {
  expect([0, 999, 1_000, 999_999].map(baseOf)).toEqual([0, 0, 1_000, 999_000]);
});
