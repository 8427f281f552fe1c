/** What was measured, next to what it should be. */
export interface Figure {
  name: string;
  value: number;
  goal: number;
  unit: string;
  /** More is better. */
  isFloor?: boolean;
  /** Where it comes from, or what else was seen. */
  note?: string;
}

export const isMet = ({ value, goal, isFloor = false }: Figure): boolean =>
  Number.isFinite(value) && (isFloor ? value >= goal : value <= goal);

/** One line, which ends with whether it is as it should be. */
export function lineOf(figure: Figure): string {
  const { name, value, goal, unit, isFloor = false, note } = figure;
  const measuredText = Number.isFinite(value) ? `${Number(value.toFixed(1))} ${unit}` : 'not measured';
  const noteText = note ? `; ${note}` : '';
  return `${name}: ${measuredText} (goal ${isFloor ? 'at least' : 'at most'} ${goal} ${unit})${noteText}: ${isMet(figure) ? 'met' : 'missed'}`;
}

/** The value that so large a share of the values does not exceed; of none: not a number. */
export function share(values: readonly number[], part: number): number {
  const ordered = [...values].sort((first, second) => first - second);
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * part))] ?? Number.NaN;
}
