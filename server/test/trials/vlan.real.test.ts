import { expect, test } from 'vitest';
import { realProtocols, world } from '../world/world.ts';
import { vlanTrial } from './vlan.ts';

test('puts ports of many switches into a VLAN in the stated order, and reports only the refusing switch as failed', async () => {
  const report = await vlanTrial(await world({ parts: realProtocols(), jobs: 'work' }), { switches: 4, portsEach: 3 });
  expect(report).toMatchObject({ ports: 12, changes: { done: 9, failed: 6 }, faults: [] });
});
