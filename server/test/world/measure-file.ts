import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

/* Runs before each test file, and stores what the file cost: `npm test` keeps files of the gate small by it. */

/** Hundredths of a second: USER_HZ of proc(5). */
const tickMs = 10;

/** Processor time of this process and of its children that have ended. PostgreSQL, which all files share, is not among them. */
function cpuMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The name before the last bracket may contain spaces; utime, stime, cutime and cstime are the 14th to 17th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * tickMs, 0);
}

const output = process.env.PORTREEVE_TEST_COSTS;

if (output !== undefined) {
  // Nearly all files need the service: the first of a worker that loads it must not look expensive for that.
  await import('./open-world.ts');
  const beganMs = cpuMs();
  afterAll(() => {
    appendFileSync(output, `${JSON.stringify({ file: expect.getState().testPath, cpuMs: cpuMs() - beganMs })}\n`);
  });
}
