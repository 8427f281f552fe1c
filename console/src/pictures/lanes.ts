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
  const ordered = [...entries].sort((one, other) => one.at - other.at);
  const begun = ordered.filter(({ label }, index) => ordered[index - 1]?.label !== label);
  return begun.flatMap((entry, index) => {
    const from = Math.max(entry.at, range.from);
    const to = Math.min(begun[index + 1]?.at ?? Math.max(end, entry.at), range.to);
    return to > from ? [{ ...entry, from, to }] : [];
  });
}

/** What happened within the range, the earliest first. */
export const marksOf = (entries: readonly Entry[], { from, to }: Range): Entry[] =>
  entries.filter(({ at }) => at >= from && at <= to).sort((one, other) => one.at - other.at);

/** How far along the range an instant lies, in percent. */
export const shareOf = (at: number, { from, to }: Range): number => ((at - from) / (to - from)) * 100;

/** Whole hours or days of the range, a few of them: where lines are drawn. */
export function ticksOf({ from, to }: Range, stepMs: number, offsetMs = 0): number[] {
  const first = Math.ceil((from + offsetMs) / stepMs) * stepMs - offsetMs;
  const ticks: number[] = [];
  for (let at = first; at < to; at += stepMs) ticks.push(at);
  return ticks;
}
