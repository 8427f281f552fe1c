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
  const whole = rows * rowHeight;
  if (whole <= heightMax) return { height: whole, scale: 1 };
  return { height: heightMax, scale: (whole - windowHeight) / (heightMax - windowHeight) };
}

/** Rows around those on screen are drawn too, so that a turn of the wheel finds them. */
const around = 6;

export function rowsOnScreen(top: number, rows: number, rowHeight: number, windowHeight: number) {
  const from = Math.max(0, Math.floor(top / rowHeight) - around);
  const to = Math.min(rows, Math.ceil((top + windowHeight) / rowHeight) + around);
  return { from, to: Math.max(from, to) };
}

/** How many rows can be drawn at once. */
export const mostRowsOnScreen = (rowHeight: number, windowHeight: number): number =>
  Math.ceil(windowHeight / rowHeight) + 1 + 2 * around;

const rowsOfBase = 1_000;

/** The row that positions on screen are counted from: a browser rounds positions that are millions of pixels away. */
export const baseOf = (row: number): number => row - (row % rowsOfBase);
