import { expect, test } from 'vitest';
import { eventStorm } from './event-storm.ts';
import { world } from './world.ts';

test('two monitors see every event of four writers once, although one of them commits late', async () => {
  const report = await eventStorm(await world(), { writers: 4, monitors: 2, perSecond: 100, seconds: 6 });
  expect(report.emitted).toBeGreaterThan(200);
  for (const monitor of report.monitors) expect(monitor).toMatchObject({ told: report.emitted, missing: 0, twice: 0 });
});
