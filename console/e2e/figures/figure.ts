/** A measured value with its goal. */
export interface Figure {
  name: string;
  value: number;
  goal: number;
  unit: string;
  /** The goal is a minimum. */
  isFloor?: boolean;
  /** Further details for the printed line. */
  note?: string;
}

export const isMet = ({ value, goal, isFloor = false }: Figure): boolean =>
  Number.isFinite(value) && (isFloor ? value >= goal : value <= goal);

/** Formats a figure in one line that ends with "met" or "missed". */
export function lineOf(figure: Figure): string {
  const { name, value, goal, unit, isFloor = false, note } = figure;
  const measuredText = Number.isFinite(value) ? `${Number(value.toFixed(1))} ${unit}` : 'not measured';
  const noteText = note ? `; ${note}` : '';
  return `${name}: ${measuredText} (goal ${isFloor ? 'at least' : 'at most'} ${goal} ${unit})${noteText}: ${isMet(figure) ? 'met' : 'missed'}`;
}

/** Returns the percentile of the values; NaN without values. */
export function share(values: readonly number[], part: number): number {
  const ordered = [...values].sort((first, second) => first - second);
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * part))] ?? Number.NaN;
}
