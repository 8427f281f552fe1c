import { expect, test } from 'vitest';
import { type Entry, entriesInRange, shareOf, spansOf, ticksOf } from './lanes.ts';

const range = { from: 100, to: 200 };
const entry = (instant: number, label: string): Entry => ({ at: instant, label, tone: '' });
const shownSpans = (entries: readonly Entry[], end = 200) =>
  spansOf(entries, range, end).map(({ label, from: start, to: finish }) => [label, start, finish]);

test('spansOf ends a state at the next one and the last state at the end', () => {
  expect(shownSpans([entry(150, 'b'), entry(120, 'a')], 190)).toEqual([
    ['a', 120, 150],
    ['b', 150, 190],
  ]);
});

test('spansOf cuts a state at the start of the range and omits one that ended before', () => {
  expect(shownSpans([entry(10, 'a'), entry(40, 'b'), entry(110, 'c')])).toEqual([
    ['b', 100, 110],
    ['c', 110, 200],
  ]);
});

test('spansOf joins consecutive equal states', () => {
  expect(shownSpans([entry(110, 'a'), entry(130, 'a'), entry(150, 'b')])).toEqual([
    ['a', 110, 150],
    ['b', 150, 200],
  ]);
});

test('spansOf omits a state that starts after the end', () => {
  expect(shownSpans([entry(150, 'a')], 120)).toEqual([]);
});

test('entriesInRange sorts the entries and omits those outside the range', () => {
  expect(entriesInRange([entry(180, 'b'), entry(99, 'x'), entry(101, 'a'), entry(201, 'y')], range)).toEqual([
    entry(101, 'a'),
    entry(180, 'b'),
  ]);
  expect(shareOf(150, range)).toBe(50);
});

test('ticksOf returns whole steps of the local time', () => {
  expect(ticksOf({ from: 5, to: 35 }, 10)).toEqual([10, 20, 30]);
  expect(ticksOf({ from: 5, to: 35 }, 10, 3)).toEqual([7, 17, 27]);
});
