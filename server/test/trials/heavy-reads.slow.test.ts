import { expect, test } from 'vitest';
import { heavyReads } from './heavy-reads.ts';

test('reads that no index serves do not slow those of other callers', async () => {
  const { faults, attackedMs } = await heavyReads({
    events: 60_000,
    attackers: 12,
    seconds: 2,
    // Without the bounds it is hundreds of times, and the machine may be busy with other tests.
    slower: 25,
    say: () => undefined,
  });
  expect(faults).toEqual([]);
  expect(Object.keys(attackedMs)).toHaveLength(4);
});
