import { expect, test } from 'vitest';
import { realProtocols, world } from '../world/world.ts';
import { vlanTrial } from './vlan.ts';

test('ports of many switches are put into a VLAN in the stated order, and one that refuses fails alone', async () => {
  const report = await vlanTrial(await world({ parts: realProtocols(), jobs: 'work' }), { switches: 4, portsEach: 3 });
  expect(report).toMatchObject({ ports: 12, changes: { done: 9, failed: 6 }, faults: [] });
});
