import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

/* Runs before each test file, and stores what the file cost: `npm test` keeps files of the gate small by it. */

/** Processor time of this process. What real servers take, its children and PostgreSQL, is not counted: it depends on the machine. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
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
