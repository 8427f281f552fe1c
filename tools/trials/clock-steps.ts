import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCell } from '@portreeve/server/test/world/cell.ts';
import { makeFalseClock } from '@portreeve/testbed/false-clock.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { needCompiler } from '../need-compiler.ts';
import { reportVerdict } from '../verdict.ts';

const steps = [-30, -14_400, 14_400];
const settleMs = 3_000;

export const trial = defineTrial({
  doc: 'The time of day of a node steps by -30 s, -4 h and +4 h, its monotonic clock does not: no request is refused.',
  options: {
    rounds: number(40, 'requests of each kind after each step'),
  },
  async run({ rounds }) {
    await needCompiler();
    const folder = await mkdtemp(join(tmpdir(), 'clock-steps-'));
    // The node may run as another user.
    await chmod(folder, 0o755);
    const clock = await makeFalseClock(folder);
    const cell = await openCell({
      nodes: 1,
      settings: { limits: { requestsPerSecond: 50, burst: 100, testsPerMinute: 10, eventsPerSecond: 50 } },
      environment: clock.environment,
    });
    const faults: string[] = [];
    try {
      const client = cell.client(cell.nodes[0]!);
      const login = await client.call('POST', '/auth/login', {
        userID: cell.userID,
        password: 'correct-horse-battery',
      });
      const session = client.as(String(login.body.results![0]!.sessionKey));
      for (const step of steps) {
        await clock.setOffset(0);
        await sleep(settleMs);
        // Sent at the real time, so that a throttle has entries of the callers.
        for (const path of ['/healthz', '/readyz', '/device/container/count']) await client.call('GET', path);
        await clock.setOffset(step);
        await sleep(settleMs);
        const { headers } = await client.call('GET', '/healthz');
        const steppedSeconds = (Date.parse(String(headers.date)) - Date.now()) / 1_000;
        if (Math.abs(steppedSeconds - step) > 5) faults.push(`${step} s: the node's clock did not step`);
        const codes = new Map<number, number>();
        for (let round = 0; round < rounds; round++)
          for (const [caller, path] of [
            [client, '/healthz'],
            [client, '/readyz'],
            [client, '/device/container/count'],
            [session, '/device/container/count'],
          ] as const) {
            const { code } = await caller.call('GET', path);
            codes.set(code, (codes.get(code) ?? 0) + 1);
            if (code !== 200) faults.push(`${step} s: ${path} answered ${code}`);
          }
        const counted = [...codes].map(([code, count]) => `${count} answers ${code}`).join(', ');
        console.log(`${step} s (Date of an answer is off by ${steppedSeconds.toFixed(0)} s): ${counted}`);
      }
      session.close();
    } finally {
      await cell.close();
      await rm(folder, { recursive: true });
    }
    reportVerdict(faults);
  },
});
