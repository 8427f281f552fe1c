/** A time range in milliseconds since 1970. */
export interface Range {
  from: number;
  to: number;
}

/** '' is normal, `warn` waits for an action, `bad` is restricted or failed. */
export type Tone = '' | 'warn' | 'bad';

/** An event, or the start of a state. */
export interface Entry {
  at: number;
  label: string;
  tone: Tone;
  /** Link to its record. */
  href?: string;
}

/** A state with start and end. */
export interface Span extends Entry, Range {}

/** Converts state changes to spans: each lasts until the next one, the last until `end`. Spans are cut to the range. */
export function spansOf(entries: readonly Entry[], range: Range, end: number): Span[] {
  const ordered = [...entries].sort((first, second) => first.at - second.at);
  const stateChanges = ordered.filter(({ label }, index) => ordered[index - 1]?.label !== label);
  return stateChanges.flatMap((entry, index) => {
    const spanStart = Math.max(entry.at, range.from);
    const spanEnd = Math.min(stateChanges[index + 1]?.at ?? Math.max(end, entry.at), range.to);
    return spanEnd > spanStart ? [{ ...entry, from: spanStart, to: spanEnd }] : [];
  });
}

/** Returns the entries within the range, earliest first. */
export const entriesInRange = (entries: readonly Entry[], { from: start, to: end }: Range): Entry[] =>
  entries.filter(({ at: instant }) => instant >= start && instant <= end).sort((first, second) => first.at - second.at);

/** Returns the position of an instant within the range, in percent. */
export const shareOf = (instant: number, { from: start, to: end }: Range): number =>
  ((instant - start) / (end - start)) * 100;

/** Returns the tick marks of the range: multiples of the step in local time. */
export function ticksOf({ from: start, to: end }: Range, stepMs: number, offsetMs = 0): number[] {
  const first = Math.ceil((start + offsetMs) / stepMs) * stepMs - offsetMs;
  const ticks: number[] = [];
  for (let tick = first; tick < end; tick += stepMs) ticks.push(tick);
  return ticks;
}
