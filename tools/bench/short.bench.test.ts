import { afterAll, describe, expect, test } from 'vitest';
import { type Bench, type BenchResult, type ComparisonResult, runBench, short } from './bench.ts';
import { shortBenches } from './benches.ts';
import { readRatios, storedPage, writtenPage } from './report.ts';
import { Stage } from './stage.ts';

/** A machine is sometimes busy with something else, and then one of both contestants suffers more. */
const triesMax = 3;
const fallMax = 0.2;

/** How much worse than the ratio that is kept, as a share of it; negative: better. */
const fallOf = ({ range, goal }: ComparisonResult, kept: number): number =>
  'atLeast' in goal ? 1 - range.median / kept : 1 - kept / range.median;

describe('the short benchmarks', async () => {
  const ratios = await readRatios();
  const stage = new Stage({ seed: 7, say: () => undefined });
  afterAll(() => stage.close());

  const keptRatio = (name: string, label: string): number => {
    const kept = ratios[name]?.[label];
    if (kept === undefined)
      throw new Error(`there is no ratio of ${name} yet; keep one with npm run bench -- ${name} --short --store`);
    return kept;
  };

  const fallsOf = ({ name, comparisons }: BenchResult): Record<string, number> =>
    Object.fromEntries(
      comparisons.map((comparison) => [comparison.label, fallOf(comparison, keptRatio(name, comparison.label))]),
    );

  async function bestFalls(bench: Bench): Promise<Record<string, number>> {
    let best: Record<string, number> = {};
    for (let tries = 0; tries < triesMax; tries++) {
      const result = await runBench(bench, stage, short);
      // A wrong answer is no matter of luck: then there is nothing to compare.
      if (result.comparisons.length === 0) throw new Error(result.voidBecause.join('; '));
      for (const [label, fall] of Object.entries(fallsOf(result)))
        best = { ...best, [label]: Math.min(fall, best[label] ?? fall) };
      if (Object.values(best).every((fall) => fall <= fallMax)) break;
    }
    return best;
  }

  test.each(shortBenches)('$name is not more than 20 % behind its ratio', async (bench) => {
    for (const fall of Object.values(await bestFalls(bench))) expect(fall).toBeLessThanOrEqual(fallMax);
  });

  test('docs/performance.md says what the figures say', async () => {
    expect(await storedPage()).toEqual(await writtenPage());
  });
});
