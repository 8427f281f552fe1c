import { expect, test } from 'vitest';
import { agoWords } from './ago.ts';

const now = Date.parse('2026-11-18T12:00:00Z');

test.each([
  ['2026-11-18T12:00:00.300Z', 'now'],
  ['2026-11-18T11:59:48Z', '12 s ago'],
  ['2026-11-18T11:56:59Z', '3 min ago'],
  ['2026-11-18T10:00:00Z', '2 h ago'],
  ['2026-11-17T11:00:00Z', '25 h ago'],
  ['2026-11-16T12:00:00Z', '2 d ago'],
  ['2026-09-20T12:00:00Z', '59 d ago'],
  ['2026-09-19T12:00:00Z', '2026-09-19'],
  ['2026-11-18T12:02:00Z', 'in 2 min'],
  ['2027-11-18T12:02:00Z', '2027-11-18'],
])('agoWords of %s is %s', (instant, words) => {
  expect(agoWords(Date.parse(instant), now)).toBe(words);
});
