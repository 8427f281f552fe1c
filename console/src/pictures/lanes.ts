/** A stretch of time, in milliseconds since 1970. */
export interface Range {
  from: number;
  to: number;
}

/** Quiet is ordinary; warn waits for somebody; bad is held back or broken. */
export type Tone = '' | 'warn' | 'bad';

/** Something that happened, or began. */
export interface Entry {
  at: number;
  label: string;
  tone: Tone;
  /** Where the record of it is. */
  href?: string;
}

/** A state that lasted. */
export interface Span extends Entry, Range {}

/** States one after another, each until the next and the last until the end; what was before the range is cut at its edge. */
export function spansOf(entries: readonly Entry[], range: Range, end: number): Span[] {
  const ordered = [...entries].sort((first, second) => first.at - second.at);
  const stateChanges = ordered.filter(({ label }, index) => ordered[index - 1]?.label !== label);
  return stateChanges.flatMap((entry, index) => {
    const spanStart = Math.max(entry.at, range.from);
    const spanEnd = Math.min(stateChanges[index + 1]?.at ?? Math.max(end, entry.at), range.to);
    return spanEnd > spanStart ? [{ ...entry, from: spanStart, to: spanEnd }] : [];
  });
}

/** What happened within the range, the earliest first. */
export const entriesInRange = (entries: readonly Entry[], { from: start, to: end }: Range): Entry[] =>
  entries.filter(({ at: instant }) => instant >= start && instant <= end).sort((first, second) => first.at - second.at);

/** How far along the range an instant lies, in percent. */
export const shareOf = (instant: number, { from: start, to: end }: Range): number =>
  ((instant - start) / (end - start)) * 100;

/** Whole hours or days of the range, a few of them: where lines are drawn. */
export function ticksOf({ from: start, to: end }: Range, stepMs: number, offsetMs = 0): number[] {
  const first = Math.ceil((start + offsetMs) / stepMs) * stepMs - offsetMs;
  const ticks: number[] = [];
  for (let tick = first; tick < end; tick += stepMs) ticks.push(tick);
  return ticks;
}
