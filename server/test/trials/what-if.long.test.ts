import { expect, test } from 'vitest';
import { world } from '../world/world.ts';
import { whatIfTrial } from './what-if.ts';

test('dry runs over many connections list exactly those that the write moves', async () => {
  const { steps, faults } = await whatIfTrial(await world(), { connections: 1_500, ports: 100 });
  expect(faults).toEqual([]);
  for (const { name, changed, total } of steps) {
    expect(total, name).toBe(1_500);
    expect(changed, name).toBeGreaterThan(0);
  }
});
