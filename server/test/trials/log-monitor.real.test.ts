import { afterAll, describe, expect, test } from 'vitest';
import { followLogThroughDeath, openLogCell } from './log-monitor.ts';

describe('a log on two nodes', async () => {
  const cell = await openLogCell();
  afterAll(() => cell.close());

  test('a monitor reports every row once, despite late commits, a detached slice and a killed node', async () => {
    const report = await followLogThroughDeath(cell, { writers: 8, seconds: 5, seed: 3 });
    expect(report.faults).toEqual([]);
    expect(report.delivered).toBe(report.committed);
    expect(report.unanswered).toBeGreaterThan(0);
    expect(report.late).toBeGreaterThan(0);
    expect(report.detachedRows).toBe(5_000);
  }, 300_000);
});
