import { afterAll, describe, expect, test } from 'vitest';
import { promised } from '../world/patience.ts';
import { openKillableCell, suddenDeath } from './sudden-death.ts';

describe('after a node and PostgreSQL are killed during writes', async () => {
  const cell = await openKillableCell();
  afterAll(() => cell.close());

  test('every change exists with its audit row, feed entry and job, or not at all', async () => {
    const report = await suddenDeath(cell, {
      writes: 200,
      nodeKills: 1,
      postgresKills: 1,
      seed: 7,
      jobsMustEnd: false,
    });
    expect(report.faults).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(50);
    expect(report.unanswered).toBeGreaterThan(0);
    expect(report.probes503).toBe(report.probes);
    expect(Math.max(...report.recoveryMs)).toBeLessThan(promised(5_000));
  });
});
