import { afterAll, expect, test } from 'vitest';
import { churn, openChurnCell } from './churn/churn.ts';
import { hotShare, unindexed } from './churn/growth.ts';

const adapters = 5_000;
const cell = await openChurnCell({ adapters });
afterAll(() => cell.close());

test('hosts that come, go and move make no edit stale, and are told and stored once', async () => {
  const reported: string[] = [];
  const say = (line: string) => void reported.push(line);
  const { faults, growth } = await churn(cell, { adapters, perSecond: 100, seconds: 5, seed: 7, say });
  expect(faults, reported.join('\n')).toEqual([]);
  // An index on what changes would leave none; how near to all they are is for a machine that does nothing else.
  for (const table of unindexed)
    expect(hotShare(growth.find((each) => each.table === table)!), reported.join('\n')).toBeGreaterThan(0.5);
}, 300_000);
