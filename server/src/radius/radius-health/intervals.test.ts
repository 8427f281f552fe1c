import { describe, expect, test } from 'vitest';
import { durationBounds, percentile } from './durations.ts';
import { engineDeltas, noDeltas } from './engine-deltas.ts';
import { completeIntervals } from './intervals.ts';

const second = 1_000;
const spans = (fromSeconds: number, toSeconds: number, snapshotSeconds: number, max = 100) => {
  const span = { fromMs: fromSeconds * second, toMs: toSeconds * second };
  const { intervals, areAll } = completeIntervals(span, snapshotSeconds, max);
  return { areAll, seconds: intervals.map(({ fromMs, toMs }) => [fromMs / second, toMs / second]) };
};

describe('intervals', () => {
  test('end where the snapshot interval ends, and continue without a gap', () => {
    expect(spans(130, 250, 60)).toEqual({
      areAll: true,
      seconds: [
        [130, 180],
        [180, 240],
      ],
    });
    expect(spans(180, 239, 60)).toEqual({ areAll: true, seconds: [] });
    expect(spans(180, 240, 60).seconds).toEqual([[180, 240]]);
  });

  test('of a long snapshot interval end at each full minute too', () => {
    expect(spans(0, 200, 90).seconds).toEqual([
      [0, 60],
      [60, 90],
      [90, 120],
      [120, 180],
    ]);
    expect(spans(3_540, 3_700, 3_600).seconds).toEqual([
      [3_540, 3_600],
      [3_600, 3_660],
    ]);
  });

  test('are returned up to a limit, with the information that there are more', () => {
    expect(spans(0, 60, 10, 2)).toEqual({
      areAll: false,
      seconds: [
        [0, 10],
        [10, 20],
      ],
    });
  });
});

describe('percentiles', () => {
  test('return the class that contains the share of the replies', () => {
    expect(percentile({ 3: 94, 500: 5, 40: 1 }, 0.95)).toBe(40);
    expect(percentile({ 3: 95, 500: 5 }, 0.95)).toBe(3);
    expect(percentile({}, 0.95)).toBeNull();
  });

  test('are exact up to 20 ms, and above it a tenth too high at most', () => {
    expect(durationBounds.slice(0, 23)).toEqual([...Array.from({ length: 21 }, (_, ms) => ms), 22, 25]);
    for (const [index, bound] of durationBounds.entries())
      if (index > 21) expect(bound / (durationBounds[index - 1]! + 1)).toBeLessThanOrEqual(1.1);
    expect(durationBounds.at(-1)).toBeGreaterThanOrEqual(10_000);
  });
});

describe('counters of an engine', () => {
  const statistics = { ...noDeltas, queueLenAuth: 0, ppsIn: 0, startSeconds: 1_000, hupSeconds: 1_000 };

  test('count what they added', () => {
    const after = { ...statistics, requests: 12, accepts: 9 };
    expect(engineDeltas({ ...statistics, requests: 10, accepts: 9 }, after, 0)).toEqual({ ...noDeltas, requests: 2 });
  });

  test('count whole after a restart, which a smaller counter or another start shows', () => {
    const before = { ...statistics, requests: 10, accepts: 5 };
    const wholeCounters = { ...noDeltas, requests: 12, accepts: 4 };
    expect(engineDeltas(before, { ...statistics, requests: 12, accepts: 4 }, 0)).toEqual(wholeCounters);
    const later = { ...statistics, requests: 12, accepts: 7, startSeconds: 1_007 };
    expect(engineDeltas(before, later, 0)).toEqual({ ...noDeltas, requests: 12, accepts: 7 });
  });

  test('count from the first reading of an engine that is older', () => {
    const first = { ...statistics, requests: 1_000 };
    expect(engineDeltas(null, first, 1_001_000)).toEqual(noDeltas);
    expect(engineDeltas(null, first, 1_000_500)).toMatchObject({ requests: 1_000 });
  });
});
