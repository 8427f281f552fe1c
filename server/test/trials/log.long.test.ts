import { expect, test } from 'vitest';
import { world } from '../world/world.ts';
import { logTrial } from './log.ts';

test('a log is written, archived, detached and imported at once: totals are exact in every snapshot, and every row is imported again', async () => {
  const testWorld = await world();
  const report = await logTrial(testWorld, { days: 60, rowsADay: 300, reads: 10, leaving: 6, seed: 1 });
  expect(report.faults).toEqual([]);
  expect(report.differing).toEqual([]);
  expect(report.compared).toBeGreaterThan(10);
  expect(report.written).toBeGreaterThan(0);
  expect(report.leftRows).toBe(1_800);
  expect(report.returnedRows).toBe(1_800);
  const scans = (name: string) =>
    report.reads.find((measured) => measured.name === name)!.plan.filter((line) => /never executed/.test(line));
  expect(report.reads.map(({ name }) => name)).toHaveLength(4);
  expect(scans('fetch by id')).toEqual([]);
});
