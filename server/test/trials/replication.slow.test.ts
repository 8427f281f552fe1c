import { afterAll, describe, expect, test } from 'vitest';
import { openReplicatedCell, replication } from './replication.ts';

describe('with a synchronous standby', async () => {
  const cell = await openReplicatedCell();
  afterAll(() => cell.close());

  test('a commit that was cancelled while it waited is 503, and acknowledged writes survive a fail-over', async () => {
    const report = await replication(cell, { rounds: 3 });
    expect(report.faults).toEqual([]);
    expect(report.unknown).toBe(6);
    expect(report.acknowledged).toBe(3);
    expect(report.cancelled).toBeGreaterThanOrEqual(9);
  });
});
