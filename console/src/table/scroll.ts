/** Elements end somewhere above this height; browsers differ in where. */
const heightMax = 8_000_000;

/** How a list of any length fits a bar of a bounded one. */
export interface Scroll {
  /** Height of what is scrolled, in pixels. */
  height: number;
  /** Pixels of the list for one pixel of the bar; 1 while the list fits. */
  scale: number;
}

/** The bar for a list of rows seen through a window. */
export function scrollFor(rows: number, rowHeight: number, windowHeight: number): Scroll {
  const listHeight = rows * rowHeight;
  if (listHeight <= heightMax) return { height: listHeight, scale: 1 };
  return { height: heightMax, scale: (listHeight - windowHeight) / (heightMax - windowHeight) };
}

/** Rows around those on screen are drawn too, so that a turn of the wheel finds them. */
const overscanRows = 6;

export function rowsOnScreen(top: number, rows: number, rowHeight: number, windowHeight: number) {
  const start = Math.max(0, Math.floor(top / rowHeight) - overscanRows);
  const end = Math.min(rows, Math.ceil((top + windowHeight) / rowHeight) + overscanRows);
  return { from: start, to: Math.max(start, end) };
}

/** How many rows can be drawn at once. */
export const mostRowsOnScreen = (rowHeight: number, windowHeight: number): number =>
  Math.ceil(windowHeight / rowHeight) + 1 + 2 * overscanRows;

const rowsOfBase = 1_000;

/** The row that positions on screen are counted from: a browser rounds positions that are millions of pixels away. */
export const baseOf = (row: number): number => row - (row % rowsOfBase);
