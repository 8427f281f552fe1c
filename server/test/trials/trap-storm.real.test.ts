import { expect, test } from 'vitest';
import { openNode } from '../world/open-world.ts';
import { realProtocols, world } from '../world/world.ts';
import { trapStorm } from './trap-storm.ts';

test('a storm of traps and informs at two nodes is stored once, and no acknowledged one is lost', async () => {
  const how = { jobs: 'work', traps: { host: '127.0.0.1', port: 0 } } as const;
  const testWorld = await world({ ...how, parts: realProtocols() });
  const otherNode = await openNode({ ...how, parts: realProtocols(), database: testWorld.database });
  try {
    const report = await trapStorm(testWorld, otherNode, { perSecond: 100, seconds: 4 });
    expect(report.faults).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(50);
    expect(report.replaysRefused).toBe(5);
    expect(report.outcomes[0]).toMatchObject({ failed: 0 });
  } finally {
    await otherNode.close();
  }
});
