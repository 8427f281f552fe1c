import { afterAll, expect, test } from 'vitest';
import { churn, openChurnCell } from './churn/churn.ts';
import { hotShare, unindexed } from './churn/growth.ts';

const adapters = 5_000;
const cell = await openChurnCell({ adapters });
afterAll(() => cell.close());

test('hosts that connect, disconnect and move make no edit stale, and are reported and stored once', async () => {
  const reported: string[] = [];
  const print = (line: string) => void reported.push(line);
  const { faults, growth } = await churn(cell, { adapters, perSecond: 100, seconds: 5, seed: 7, print });
  expect(faults, reported.join('\n')).toEqual([]);
  // With an index on a changing column no update would be HOT. The test requires half of them, because the share also
  // depends on the load of the machine.
  for (const table of unindexed)
    expect(hotShare(growth.find((counted) => counted.table === table)!), reported.join('\n')).toBeGreaterThan(0.5);
}, 300_000);
