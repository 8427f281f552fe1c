import { expect, test } from 'vitest';
import { freeNumber } from './free-number.ts';

test('a new event type gets a number of its own, wherever it is added first', () => {
  const names = Array.from({ length: 300 }, (_, n) => `EXAMPLE_${n}_CREATED`);
  const numbers = names.map((name) => freeNumber(name, new Set()));
  expect(names.map((name) => freeNumber(name, new Set())).join()).toBe(numbers.join());
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(1_000);
  expect(Math.max(...numbers)).toBeLessThan(90_000);
  // Neighbours do not take neighbouring numbers, so branches rarely meet.
  expect(new Set(numbers).size).toBeGreaterThan(295);
});

test('the next free number replaces one in use, also at the end of the range', () => {
  const number = freeNumber('EXAMPLE_CREATED', new Set());
  const nextNumber = number === 89_999 ? 1_000 : number + 1;
  expect(freeNumber('EXAMPLE_CREATED', new Set([number]))).toBe(nextNumber);
  const allButOne = new Set(Array.from({ length: 89_000 }, (_, n) => n + 1_000));
  allButOne.delete(1_234);
  expect(freeNumber('EXAMPLE_CREATED', allButOne)).toBe(1_234);
  allButOne.add(1_234);
  expect(() => freeNumber('EXAMPLE_CREATED', allButOne)).toThrow('no number between 1000 and 90000 is free');
});
