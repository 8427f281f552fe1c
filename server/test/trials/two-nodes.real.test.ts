import { afterAll, describe, expect, test } from 'vitest';
import { openCell } from '../world/cell.ts';
import { decideElsewhere, followThroughDeath, notificationPaths, revoke } from './two-nodes.ts';

/** The short form of two-nodes.slow.test.ts, which also checks durations, and restarts the nodes. */
describe('two nodes on one PostgreSQL', async () => {
  const cell = await openCell({ nodes: 2 });
  afterAll(() => cell.close());

  test.each(notificationPaths)('refuse a token that was revoked on the other node (%s)', async (ear) => {
    expect(await revoke(cell, ear, 1)).toHaveLength(1);
  });

  test.each(notificationPaths)('decide by a policy that was written on the other node (%s)', async (ear) => {
    expect(await decideElsewhere(cell, ear, 1)).toHaveLength(1);
  });

  test('report every change once and in order to a monitor, also when a node is killed', async () => {
    const report = await followThroughDeath(cell, { writers: 8, seconds: 3, seed: 7 });
    expect(report.faults).toEqual([]);
    expect(report.unanswered).toBeGreaterThan(0);
    expect(report.delivered).toBe(report.committed);
    expect(report.audited).toBe(report.committed);
  });
});
