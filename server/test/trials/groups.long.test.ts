import { expect, test } from 'vitest';
import { world } from '../world/world.ts';
import { groupsTrial } from './groups.ts';

test('groups stay exact while members are added and removed and eight editors nest them', async () => {
  const report = await groupsTrial(await world(), { members: 12_000, groups: 1_200, editors: 8, edits: 25, seed: 7 });
  expect(report.faults).toEqual([]);
  expect(report.edits.won).toBeGreaterThan(50);
  expect(report.edits.refused).toBeGreaterThan(10);
}, 300_000);
