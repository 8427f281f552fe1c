import { expect, test } from 'vitest';
import { compareEngines } from './decide.ts';

test('engine and slow engine agree in 300 random scenarios', () => {
  expect(compareEngines({ worlds: 300, seed: 7 }).differences).toEqual([]);
});
