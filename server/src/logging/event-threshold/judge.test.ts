import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateThreshold, initialWatch, type Limits, type ThresholdState } from './evaluate-threshold.ts';

const tickMs = 30_000;

/** Returns the states after each of a series of measurements, one every half minute. */
function statesOf(limits: Limits, values: readonly number[]): ThresholdState[] {
  let watch = initialWatch;
  return values.map((value, index) => {
    watch = evaluateThreshold(limits, watch, value, index * tickMs);
    return watch.state;
  });
}

const limitsOf = fc
  .record({
    warning: fc.double({ min: 1, max: 100, noNaN: true }),
    distance: fc.double({ min: 0.5, max: 100, noNaN: true }),
    forSeconds: fc.integer({ min: 0, max: 300 }),
  })
  .map(({ warning, distance, forSeconds }) => ({ warning, critical: warning + distance, forSeconds }));
const values = fc.array(fc.double({ min: 0, max: 300, noNaN: true }), { maxLength: 60 });

describe('a threshold', () => {
  test('rises only after the value was at the limit for long enough', () => {
    const limits = { warning: 80, critical: 95, forSeconds: 60 };
    expect(statesOf(limits, [90, 90, 90, 90])).toEqual(['OK', 'OK', 'WARNING', 'WARNING']);
    expect(statesOf(limits, [90, 10, 90, 90])).toEqual(['OK', 'OK', 'OK', 'OK']);
    expect(statesOf(limits, [99, 99, 99])).toEqual(['OK', 'OK', 'CRITICAL']);
    expect(statesOf({ ...limits, forSeconds: 0 }, [80])).toEqual(['WARNING']);
  });

  test('falls a tenth below its limit, first to the warning if there is one', () => {
    const limits = { warning: 50, critical: 100, forSeconds: 0 };
    expect(statesOf(limits, [100, 95, 91, 90, 46, 45])).toEqual([
      'CRITICAL',
      'CRITICAL',
      'CRITICAL',
      'WARNING',
      'WARNING',
      'OK',
    ]);
    expect(statesOf({ warning: null, critical: 1, forSeconds: 0 }, [1, 2, 1, 0, 0])).toEqual([
      'CRITICAL',
      'CRITICAL',
      'CRITICAL',
      'OK',
      'OK',
    ]);
  });

  test('without limits is OK for any previous state and value', () => {
    const state = { state: 'CRITICAL', warningSinceMs: 0, criticalSinceMs: 0 } as const;
    expect(evaluateThreshold({ warning: null, critical: null, forSeconds: 0 }, state, 1_000, tickMs)).toEqual(
      initialWatch,
    );
  });

  test('never rises unless the value was at the limit for the configured time', () => {
    fc.assert(
      fc.property(limitsOf, values, (limits, series) => {
        const states = statesOf(limits, series);
        const ticks = Math.ceil((limits.forSeconds * 1_000) / tickMs);
        for (const [index, state] of states.entries()) {
          const before = states[index - 1] ?? 'OK';
          const limit = state === 'CRITICAL' ? limits.critical : limits.warning;
          const rose = (state === 'WARNING' && before === 'OK') || (state === 'CRITICAL' && before !== 'CRITICAL');
          if (!rose) continue;
          const lasted = series.slice(Math.max(0, index - ticks), index + 1);
          expect(lasted.length).toBe(ticks + 1);
          expect(lasted.every((value) => value >= limit)).toBe(true);
        }
      }),
    );
  });

  test('never falls unless the value is a tenth below, so that a value that oscillates emits one event', () => {
    fc.assert(
      fc.property(limitsOf, values, (limits, series) => {
        const states = statesOf(limits, series);
        for (const [index, state] of states.entries()) {
          const before = states[index - 1] ?? 'OK';
          if (before === 'CRITICAL' && state !== 'CRITICAL')
            expect(series[index]).toBeLessThanOrEqual(limits.critical * 0.9);
          if (before !== 'OK' && state === 'OK') expect(series[index]).toBeLessThanOrEqual(limits.warning * 0.9);
        }
      }),
    );
  });

  test('becomes critical for a value far above the limits, and OK for one far below', () => {
    fc.assert(
      fc.property(limitsOf, values, (limits, series) => {
        const long = Array.from({ length: 12 });
        expect(statesOf(limits, [...series, ...long.map(() => limits.critical)]).at(-1)).toBe('CRITICAL');
        expect(statesOf(limits, [...series, ...long.map(() => 0)]).at(-1)).toBe('OK');
      }),
    );
  });
});
