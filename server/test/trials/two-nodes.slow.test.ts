import { afterAll, describe, expect, test } from 'vitest';
import { openCell } from '../world/cell.ts';
import { promised } from '../world/patience.ts';
import { streamThroughDeath } from './stream-through-death.ts';
import { decideElsewhere, followThroughDeath, notificationPaths, revoke, rollingRestart } from './two-nodes.ts';

describe('two nodes on one PostgreSQL', async () => {
  const cell = await openCell({ nodes: 2 });
  afterAll(() => cell.close());

  test.each(notificationPaths)(
    'refuse within a second a token that was revoked on the other node (%s)',
    async (ear) => {
      for (const ms of await revoke(cell, ear, 3)) expect(ms).toBeLessThan(promised(1_000));
    },
  );

  test.each(notificationPaths)('decide in time by a policy that was written on the other node (%s)', async (ear) => {
    for (const ms of await decideElsewhere(cell, ear, 3))
      expect(ms).toBeLessThan(promised(ear === 'listening' ? 1_000 : 1_500));
  });

  test('report every change once and in order to a monitor, also when a node is killed', async () => {
    const report = await followThroughDeath(cell, { writers: 8, seconds: 5, seed: 7 });
    expect(report.faults).toEqual([]);
    expect(report.unanswered).toBeGreaterThan(0);
    expect(report.delivered).toBe(report.committed);
    expect(report.audited).toBe(report.committed);
  });

  test('continue a stream of the console at the other node, without missing a change', async () => {
    const report = await streamThroughDeath(cell, { kills: 2, seed: 7 });
    expect(report.missed).toEqual([]);
    expect(report.named).toBe(report.written);
    expect(report.opened).toBeGreaterThan(2);
  });

  test('are restarted one after the other without a failed request', async () => {
    const report = await rollingRestart(cell, { rounds: 1, seed: 7 });
    expect(report.failed).toEqual([]);
    expect(report.faults).toEqual([]);
    expect(report.restarts).toBe(2);
  });
});
