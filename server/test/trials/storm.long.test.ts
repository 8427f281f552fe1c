import { expect, test } from 'vitest';
import { world } from '../world/world.ts';
import { storm } from './storm.ts';

test('writers of two tables in either order lose nothing, and get no deadlock error', async () => {
  const small = await world({ connectionsMax: 30 });
  const report = await storm(small, { connections: 24, seconds: 4, seed: 7 });
  expect([...report.failures]).toEqual([]);
  expect(report.feedFaults).toEqual([]);
  expect(report.feedEntries).toBeGreaterThan(report.transactions);
  for (const { counter, counted } of Object.values(report.counts)) expect(counter).toBe(counted);
});
