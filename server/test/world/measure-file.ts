import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

/* Runs before each test file, and stores the cost of the file: `npm test` limits the cost of the gate's files. */

/**
 * Returns the processor time of this process. Its children and PostgreSQL are not counted, because their time depends
 * on the machine.
 */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Returns the times of all processors since the start, in ticks: working, and stolen, when a virtual processor had to
 * wait for its host.
 */
function machineTicks(): { worked: number; stolen: number } {
  const ticks = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'latin1'))![1]!.split(' ').map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] = ticks;
  return { worked: user + nice + system + irq + softirq, stolen };
}

/**
 * Returns the share of the charged time that processes really had: a busy host takes the rest, and most kernels charge
 * it to the processes.
 */
function givenShare(before: ReturnType<typeof machineTicks>): number {
  const now = machineTicks();
  const [worked, stolen] = [now.worked - before.worked, now.stolen - before.stolen];
  return stolen > 0 ? worked / (worked + stolen) : 1;
}

const output = process.env.PORTREEVE_TEST_COSTS;

if (output !== undefined) {
  // Nearly all files need the service: the first file of a worker should not be charged for loading it.
  await import('./open-world.ts');
  const [beganMs, began] = [cpuMs(), machineTicks()];
  afterAll(() => {
    const costMs = (cpuMs() - beganMs) * givenShare(began);
    appendFileSync(output, `${JSON.stringify({ file: expect.getState().testPath, cpuMs: costMs })}\n`);
  });
}
