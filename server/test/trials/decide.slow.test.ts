import { expect, test } from 'vitest';
import { compareEngines, tryFaults } from './decide.ts';

test('engine and slow engine agree in 2,000 random scenarios', () => {
  expect(compareEngines({ worlds: 2_000, seed: 11 }).differences).toEqual([]);
});

test('every fault put into the engine is found', async () => {
  const missed: string[] = [];
  let tried = 0;
  for await (const { name, found: difference } of tryFaults({ worlds: 1_000, seed: 1 })) {
    tried++;
    if (difference === null) missed.push(name);
  }
  expect(missed).toEqual([]);
  expect(tried).toBeGreaterThanOrEqual(15);
});
