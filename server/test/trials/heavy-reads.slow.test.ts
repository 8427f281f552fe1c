import { expect, test } from 'vitest';
import { heavyReads } from './heavy-reads.ts';

test('reads without a suitable index do not slow down those of other callers', async () => {
  const { faults, attackedMs } = await heavyReads({
    events: 60_000,
    attackers: 12,
    seconds: 2,
    // Without the limits it is hundreds of times, and other tests may load the machine.
    slower: 25,
    print: () => undefined,
  });
  expect(faults).toEqual([]);
  expect(Object.keys(attackedMs)).toHaveLength(4);
});
