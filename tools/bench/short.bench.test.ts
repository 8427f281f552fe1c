import { afterAll, describe, expect, test } from 'vitest';
import { type Bench, type BenchResult, type ComparisonResult, runBench, short } from './bench.ts';
import { shortBenches } from './benches.ts';
import { readRatios } from './report.ts';
import { Stage } from './stage.ts';

/** Caches and the scheduler sometimes disturb one contestant more, so a failed benchmark runs once more. */
const triesMax = 2;
const fallMax = 0.2;

/**
 * Returns how far the best round is behind the goal, or behind the stored ratio if that missed the goal; as a share,
 * negative if ahead. Code that is really slower is so in every round.
 */
const fallOf = ({ range, goal }: ComparisonResult, stored: number): number =>
  'atLeast' in goal ? 1 - range.high / Math.min(stored, goal.atLeast) : 1 - Math.max(stored, goal.atMost) / range.low;

describe('the short benchmarks', async () => {
  const ratios = await readRatios();
  const stage = new Stage({ seed: 7, say: () => undefined });
  afterAll(() => stage.close());

  /**
   * Returns how far each comparison fell. A ratio that no run has stored yet is printed: there is nothing to compare it
   * with.
   */
  const fallsOf = ({ name, comparisons }: BenchResult): Record<string, number> =>
    Object.fromEntries(
      comparisons.flatMap((comparison): [string, number][] => {
        const stored = ratios[name]?.[comparison.label];
        if (stored !== undefined) return [[comparison.label, fallOf(comparison, stored)]];
        console.log(`${name} ${comparison.label}: ${comparison.range.median.toFixed(2)}x, and no stored ratio`);
        return [];
      }),
    );

  /** Returns the best of some runs; empty if the machine was too busy for a run to count. */
  async function bestFalls(bench: Bench): Promise<Record<string, number>> {
    let best: Record<string, number> = {};
    for (let tries = 0; tries < triesMax; tries++) {
      const result = await runBench(bench, stage, short);
      // A wrong response is a fault on any machine.
      if (result.wrong.length > 0) throw new Error(result.wrong.join('; '));
      if (result.voidBecause.length > 0) {
        console.log(`${bench.name}: not measured: ${result.voidBecause.join('; ')}`);
        break;
      }
      for (const [label, fall] of Object.entries(fallsOf(result)))
        best = { ...best, [label]: Math.min(fall, best[label] ?? fall) };
      if (Object.values(best).every((fall) => fall <= fallMax)) break;
    }
    return best;
  }

  // The benchmarks of hosts and adapters fill their tables through the API for minutes: `npm run bench -- all --short`
  // runs them.
  const quick = shortBenches.filter(({ name }) => !/^(host|adapter)-/.test(name));

  test.each(quick)('$name is at most 20 % behind its goal, or behind its stored ratio', async (bench) => {
    for (const fall of Object.values(await bestFalls(bench))) expect(fall).toBeLessThanOrEqual(fallMax);
  });
});
