import { expect, test } from 'vitest';
import { radiusHostile } from './radius-hostile.ts';

test('random packets and bodies stop no process, and no forged packet is accepted', { timeout: 300_000 }, async () => {
  expect((await radiusHostile({ seed: 1, packets: 40_000, bodies: 4_000 })).faults).toEqual([]);
});
