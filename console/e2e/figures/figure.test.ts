import { expect, test } from 'vitest';
import { isMet, lineOf, share } from './figure.ts';

const figure = { name: 'jump', value: 480.04, goal: 500, unit: 'ms' };

test('lineOf prints the measured value, the goal and the result', () => {
  expect(lineOf(figure)).toBe('jump: 480 ms (goal at most 500 ms): met');
  expect(lineOf({ ...figure, value: 501, note: '3 of 30' })).toBe(
    'jump: 501 ms (goal at most 500 ms); 3 of 30: missed',
  );
  expect(lineOf({ name: 'wheel', value: 49.9, goal: 50, unit: 'fps', isFloor: true })).toBe(
    'wheel: 49.9 fps (goal at least 50 fps): missed',
  );
});

test('isMet is false for a value that was not measured', () => {
  expect(isMet({ ...figure, value: share([], 0.95) })).toBe(false);
  expect(lineOf({ ...figure, value: Number.NaN })).toContain('not measured');
});

test('share returns the value at a percentile', () => {
  expect(share([5, 1, 4, 2, 3], 0.5)).toBe(3);
  expect(share([5, 1, 4, 2, 3], 0.95)).toBe(5);
});
