import { afterAll, expect, test } from 'vitest';
import { openCell } from './cell.ts';
import { NetworkTrial, trialOutbound } from './network-trial.ts';

const cell = await openCell({ nodes: 2, settings: { outbound: trialOutbound } });
afterAll(() => cell.close());

test('simulated switches are found, polled in time, followed through moves and restarts, and polled on when a node is killed', async () => {
  const told: string[] = [];
  const trial = await NetworkTrial.open(cell, { switches: 26, ports: 8, say: (line) => void told.push(line) });
  try {
    await trial.run();
  } finally {
    await trial.close();
  }
  expect(trial.faults, told.join('\n')).toEqual([]);
  expect(told.at(-1)).toContain('0 events were told twice');
}, 600_000);
