/** Browsers limit the height of elements; the limits differ, and all are above this value. */
const heightMax = 8_000_000;

/** The mapping of a list of any length to a scroll area of limited height. */
export interface Scroll {
  /** Height of the scroll area in pixels. */
  height: number;
  /** List pixels per pixel of the scroll area; 1 while the list fits. */
  scale: number;
}

/** Returns the scroll area for a number of rows. */
export function scrollFor(rows: number, rowHeight: number, windowHeight: number): Scroll {
  const listHeight = rows * rowHeight;
  if (listHeight <= heightMax) return { height: listHeight, scale: 1 };
  return { height: heightMax, scale: (listHeight - windowHeight) / (heightMax - windowHeight) };
}

/** Rows rendered above and below the visible ones, so that scrolling shows no gaps. */
const overscanRows = 6;

export function rowsOnScreen(top: number, rows: number, rowHeight: number, windowHeight: number) {
  const start = Math.max(0, Math.floor(top / rowHeight) - overscanRows);
  const end = Math.min(rows, Math.ceil((top + windowHeight) / rowHeight) + overscanRows);
  return { from: start, to: Math.max(start, end) };
}

/** Returns the maximum number of rendered rows. */
export const mostRowsOnScreen = (rowHeight: number, windowHeight: number): number =>
  Math.ceil(windowHeight / rowHeight) + 1 + 2 * overscanRows;

const rowsOfBase = 1_000;

/** Returns the row that positions are relative to, because browsers round positions of millions of pixels. */
export const baseOf = (row: number): number => row - (row % rowsOfBase);
