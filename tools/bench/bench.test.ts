import { describe, expect, test } from 'vitest';
import { type Bench, type BenchResult, runBench, short } from './bench.ts';
import type { Measured, Stage } from './stage.ts';

/**
 * Returns the figures of a contestant in a round: its requests per second, and the processor time of each in
 * microseconds.
 */
const round = (perSecond: number, cpuMicroseconds: number, overrides: Partial<Measured> = {}): Measured => ({
  perSecond,
  p50Ms: 1,
  p99Ms: 2,
  cpu: { server: cpuMicroseconds, postgres: 0, generator: 0 },
  faults: [],
  ...overrides,
});

async function measured(service: () => Measured, bare: () => Measured): Promise<BenchResult & { lines: string[] }> {
  const lines: string[] = [];
  const stage = { seed: 7, say: (line: string) => void lines.push(line), miscounted: async () => [] };
  const bench: Bench = {
    name: 'trial',
    doc: 'a trial',
    limit: 'nothing',
    comparisons: [{ label: '', of: 'service', to: 'bare', measure: 'rate', goal: { atLeast: 1 } }],
    contestants: async () => [
      { name: 'service', run: async () => service() },
      { name: 'bare', run: async () => bare() },
    ],
  };
  const result = await runBench(bench, stage as unknown as Stage, short);
  expect(lines.join('\n')).not.toMatch(/NaN|Infinity/);
  return { ...result, lines };
}

describe('a short benchmark', () => {
  test('compares CPU time per request, regardless of the elapsed time', async () => {
    const { comparisons, voidBecause } = await measured(
      () => round(100, 50),
      () => round(1_000, 100),
    );
    expect(voidBecause).toEqual([]);
    expect(comparisons).toMatchObject([{ range: { low: 2, median: 2, high: 2 }, isMet: true }]);
  });

  test.each([
    ['answered nothing', () => round(0, 0), 'service answered nothing in a round'],
    ['got no processor', () => round(100, 0), 'service got no processor in a round'],
    ['met no writer', () => round(100, 50, { isDisturbed: true }), 'nobody wrote during a round of service'],
  ])('in which one %s is void, and reports no wrong response', async (_, service, reason) => {
    const { comparisons, wrong, voidBecause, lines } = await measured(service, () => round(1_000, 100));
    expect({ comparisons, wrong }).toEqual({ comparisons: [], wrong: [] });
    expect(voidBecause).toContain(reason);
    expect(lines.at(-1)).toMatch(/^trial: not measured: /);
  });

  test('with an unsteady limit is void', async () => {
    let rounds = 0;
    const { wrong, lines } = await measured(
      () => round(100, 50),
      () => round(1_000, 100 + 100 * (rounds++ % 2)),
    );
    expect(wrong).toEqual([]);
    expect(lines.at(-1)).toBe('trial: not measured: bare itself ranged over 2.00x; the machine was busy');
  });

  test('with a wrong response reports it, on any machine', async () => {
    const { wrong, lines } = await measured(
      () => round(100, 50, { faults: ['an id is missing'] }),
      () => round(1_000, 100),
    );
    expect(wrong).toEqual(['service: an id is missing']);
    expect(lines.at(-1)).toBe('trial: wrong: service: an id is missing');
  });
});
