/** Units, each with the count below which it is used. */
const units: readonly (readonly [unit: string, seconds: number, below: number])[] = [
  ['s', 1, 60],
  ['min', 60, 60],
  ['h', 3_600, 48],
  ['d', 86_400, 60],
];

/** Formats an instant relative to now: `12 s ago`, `3 min ago`, `in 2 h`; as a date if it is more than 60 days away. */
export function agoWords(instantMs: number, nowMs: number): string {
  const seconds = Math.round(Math.abs(nowMs - instantMs) / 1_000);
  if (seconds === 0) return 'now';
  for (const [unit, size, below] of units) {
    const count = Math.floor(seconds / size);
    if (count < below) return instantMs > nowMs ? `in ${count} ${unit}` : `${count} ${unit} ago`;
  }
  return new Date(instantMs).toISOString().slice(0, 10);
}
