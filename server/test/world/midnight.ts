import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { beforeAll } from 'vitest';

/*
 * Loaded before each test file that runs with a simulated clock and PORTREEVE_TEST_MIDNIGHT: the first test begins this
 * many seconds before a midnight (UTC), so that midnight passes while the file runs. The clock only moves forward, by a
 * day from file to file.
 */

const daySeconds = 86_400;
/** Test worlds are opened while a file is collected. */
const collectSeconds = 300;
const leadSeconds = Number(process.env.PORTREEVE_TEST_MIDNIGHT);

/** Moves the clock to a second of this day, or of the next day if it has passed. */
function moveTo(secondOfDay: number): void {
  const file = openSync(process.env.FALSE_CLOCK!, 'r+');
  const offset = Buffer.alloc(8);
  readSync(file, offset, 0, 8, 0);
  const now = Date.now() / 1_000;
  const today = Math.floor(now / daySeconds) * daySeconds + secondOfDay;
  const step = Math.floor((today < now ? today + daySeconds : today) - now);
  offset.writeBigInt64LE(offset.readBigInt64LE() + BigInt(step));
  writeSync(file, offset, 0, 8, 0);
  closeSync(file);
}

moveTo(daySeconds - collectSeconds);
beforeAll(() => moveTo(daySeconds - leadSeconds));
