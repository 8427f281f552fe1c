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

/** The rows on screen, and a few around them, so that a turn of the wheel finds them drawn. */
export function rowsOnScreen(top: number, rows: number, rowHeight: number, windowHeight: number, around = 6) {
  const from = Math.max(0, Math.floor(top / rowHeight) - around);
  const to = Math.min(rows, Math.ceil((top + windowHeight) / rowHeight) + around);
  return { from, to: Math.max(from, to) };
}
