/** A span of time that becomes one row, in milliseconds since 1970. */
export interface Interval {
  fromMs: number;
  toMs: number;
}

/** A row covers at most a minute, so that a long `snapshotInterval` neither delays the counts nor makes one statement read an hour. */
export const rowSecondsMax = 60;

const floorTo = (atMs: number, seconds: number): number => Math.floor(atMs / (seconds * 1_000)) * seconds * 1_000;

/** Returns the start of the interval that contains an instant. Intervals are counted from 1970, so that those of all nodes are the same. */
export const intervalStart = floorTo;

/** Returns the complete intervals between two instants, at most `max`: rows end where `snapshotInterval` ends, and at each full minute of a long one. */
export function completeIntervals(
  { fromMs, toMs }: Interval,
  snapshotSeconds: number,
  max: number,
): { intervals: Interval[]; areAll: boolean } {
  const intervals: Interval[] = [];
  let startMs = fromMs;
  const nextEnd = () =>
    Math.min(
      floorTo(startMs, snapshotSeconds) + snapshotSeconds * 1_000,
      snapshotSeconds <= rowSecondsMax
        ? Number.POSITIVE_INFINITY
        : floorTo(startMs, rowSecondsMax) + rowSecondsMax * 1_000,
    );
  while (nextEnd() <= toMs && intervals.length < max) {
    const endMs = nextEnd();
    intervals.push({ fromMs: startMs, toMs: endMs });
    startMs = endMs;
  }
  return { intervals, areAll: nextEnd() > toMs };
}
