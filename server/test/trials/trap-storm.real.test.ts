import { expect, test } from 'vitest';
import { openNode } from '../world/open-world.ts';
import { realProtocols, world } from '../world/world.ts';
import { trapStorm } from './trap-storm.ts';

test('a storm of traps and informs at two nodes is stored once, and nothing is lost that was acknowledged', async () => {
  const how = { jobs: 'work', traps: { host: '127.0.0.1', port: 0 } } as const;
  const made = await world({ ...how, parts: realProtocols() });
  const other = await openNode({ ...how, parts: realProtocols(), database: made.database });
  try {
    const report = await trapStorm(made, other, { perSecond: 100, seconds: 4 });
    expect(report.faults).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(50);
    expect(report.replaysRefused).toBe(5);
    expect(report.outcomes[0]).toMatchObject({ failed: 0 });
  } finally {
    await other.close();
  }
});
