import { describe, expect, test } from 'vitest';
import { world } from '../world/world.ts';
import { eventStorm } from './event-storm.ts';

describe('a storm of events', async () => {
  const testWorld = await world();

  test('is reported to two monitors, every event once, although one of four writers commits late', async () => {
    const report = await eventStorm(testWorld, { writers: 4, monitors: 2, perSecond: 100, seconds: 6 });
    expect(report.emitted).toBeGreaterThan(20);
    for (const monitor of report.monitors)
      expect(monitor).toMatchObject({ reported: report.emitted, missing: 0, twice: 0 });
  });
});
