import { expect, test } from 'vitest';
import { compareEngines, tryFaults } from './decide.ts';

test('engine and slow engine agree in 800 random worlds', () => {
  expect(compareEngines({ worlds: 800, seed: 7 }).differences).toEqual([]);
}, 120_000);

test('every fault put into the engine is found', async () => {
  const missed: string[] = [];
  let tried = 0;
  for await (const { name, found } of tryFaults({ worlds: 1_000, seed: 1 })) {
    tried++;
    if (found === null) missed.push(name);
  }
  expect(missed).toEqual([]);
  expect(tried).toBeGreaterThanOrEqual(15);
}, 300_000);
