import { createHash } from 'node:crypto';

/** Above the numbers that were counted, below those of groups beyond the catalogue (`node/number-event-types.ts`). */
const [first, end] = [1_000, 90_000];

/**
 * Returns a number for a new event type. It follows from the name, so that two branches that add types do not take the same next number;
 * where it is in use, the next free one is returned.
 */
export function freeNumber(name: string, usedNumbers: ReadonlySet<number>): number {
  const start = createHash('sha256').update(name).digest().readUInt32BE(0) % (end - first);
  for (let step = 0; step < end - first; step++) {
    const number = first + ((start + step) % (end - first));
    if (!usedNumbers.has(number)) return number;
  }
  throw new Error(`no number between ${first} and ${end} is free for ${name}`);
}
