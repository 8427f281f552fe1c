import { durationsMax } from './radius-health.ts';

const exactMax = 20;
const growth = 1.1;
const largest = 10_000;

/**
 * The largest duration of each class, in milliseconds: exact up to 20 ms, then classes that grow by a tenth. Classes can be added up over
 * nodes and intervals, percentiles cannot.
 */
export const durationBounds: readonly number[] = makeBounds();

function makeBounds(): number[] {
  const bounds = Array.from({ length: exactMax + 1 }, (_, ms) => ms);
  while (bounds.at(-1)! < largest) bounds.push(Math.ceil(bounds.at(-1)! * growth));
  if (bounds.length > durationsMax) throw new Error('There are more classes of durations than a row can have.');
  return bounds;
}

/** Returns the largest duration of the class that `share` of the replies do not exceed; null: there were no replies. */
export function percentile(counts: Readonly<Record<string, number>>, share: number): number | null {
  const classes = Object.entries(counts)
    .map(([ms, count]) => [Number(ms), count] as const)
    .sort(([a], [b]) => a - b);
  const total = classes.reduce((sum, [, count]) => sum + count, 0);
  let counted = 0;
  for (const [ms, count] of classes) {
    counted += count;
    if (counted >= share * total) return ms;
  }
  return null;
}
