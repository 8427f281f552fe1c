import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

/* Runs before each test file, and stores what the file cost: `npm test` keeps files of the gate small by it. */

/** Processor time of this process. What real servers take, its children and PostgreSQL, is not counted: it depends on the machine. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Times of all processors since the start, in ticks: those in which they worked, and those in which a virtual one had to wait for its host. */
function machineTicks(): { worked: number; stolen: number } {
  const ticks = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'latin1'))![1]!.split(' ').map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] = ticks;
  return { worked: user + nice + system + irq + softirq, stolen };
}

/** Which part of the time that processes are charged with they really had: a host that is busy takes the rest, and most kernels charge it to them. */
function givenShare(before: ReturnType<typeof machineTicks>): number {
  const now = machineTicks();
  const [worked, stolen] = [now.worked - before.worked, now.stolen - before.stolen];
  return stolen > 0 ? worked / (worked + stolen) : 1;
}

const output = process.env.PORTREEVE_TEST_COSTS;

if (output !== undefined) {
  // Nearly all files need the service: the first of a worker that loads it must not look expensive for that.
  await import('./open-world.ts');
  const [beganMs, began] = [cpuMs(), machineTicks()];
  afterAll(() => {
    const costMs = (cpuMs() - beganMs) * givenShare(began);
    appendFileSync(output, `${JSON.stringify({ file: expect.getState().testPath, cpuMs: costMs })}\n`);
  });
}
