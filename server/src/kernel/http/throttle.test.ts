import { expect, test } from 'vitest';
import { throttle } from './throttle.ts';

test('a caller has the burst and then so many a second, however long it was away', () => {
  let nowMs = 0;
  const limit = throttle({ perSecond: 10, burst: 20 }, () => nowMs);
  const admitted = () => {
    let count = 0;
    for (;;) {
      try {
        limit.admit('somebody');
      } catch {
        return count;
      }
      if (++count > 1_000) return count;
    }
  };
  expect(admitted()).toBe(20);
  nowMs += 1_000;
  expect(admitted()).toBe(10);
  nowMs += 3_600_000;
  expect(admitted()).toBe(20);
});
