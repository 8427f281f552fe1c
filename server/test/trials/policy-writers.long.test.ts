import { expect, test } from 'vitest';
import { world } from '../world/world.ts';
import { policyWritersTrial } from './policy-writers.ts';

test('no write moves more connections than it allows, while others write too', async () => {
  const report = await policyWritersTrial(await world(), { connections: 80, writers: 3, writes: 8, seed: 1 });
  expect(report.faults).toEqual([]);
  expect(report.bounded).toBeGreaterThan(0);
  expect(report.refused).toBeGreaterThan(0);
  expect(report.generations).toBeGreaterThan(0);
});
