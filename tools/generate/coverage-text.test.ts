import { expect, test } from 'vitest';
import { coverageText } from './coverage-text.ts';

const operation = (group: string, method: string, path: string) => ({ section: 'Kitchen', group, method, path });

test('coverage names what a begun group lacks, and counts the rest', () => {
  const contract = [
    operation('Oven', 'GET', '/oven'),
    operation('Oven', 'POST', '/oven'),
    operation('Kettle', 'GET', '/kettle'),
    operation('Mill', 'GET', '/mill'),
  ];
  const text = coverageText(contract, new Set(['GET /oven', 'GET /mill', 'GET /elsewhere']));
  expect(text).toContain('2 of 4 operations are served, in 2 of 3 groups.');
  expect(
    text
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(1),
  ).toEqual(['| Oven | 1 | 2 | `POST /oven` |', '| Kettle | 0 | 1 | |', '| Mill | 1 | 1 | |']);
});
