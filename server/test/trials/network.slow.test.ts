import { afterAll, expect, test } from 'vitest';
import { openCell } from '../world/cell.ts';
import { NetworkTrial, trialOutbound } from './network.ts';

const cell = await openCell({ nodes: 2, settings: { outbound: trialOutbound } });
afterAll(() => cell.close());

test('simulated switches are found, polled in time, followed through moves and restarts, and polled on when a node is killed', async () => {
  const reported: string[] = [];
  const trial = await NetworkTrial.open(cell, { switches: 26, ports: 8, print: (line) => void reported.push(line) });
  try {
    await trial.run();
  } finally {
    await trial.close();
  }
  expect(trial.faults, reported.join('\n')).toEqual([]);
  expect(reported.at(-1)).toContain('0 events were reported twice');
}, 300_000);
