import { expect, test, vi } from 'vitest';
import { patient } from '../../../test/world/patience.ts';
import { gatheredLines } from './log-lines.ts';

test('lines of one turn are written together, in order, and none waits for the next', async () => {
  const output: string[] = [];
  const lines = gatheredLines({ write: (text) => output.push(text) });
  lines.write('first\n');
  lines.write('second\n');
  expect(output).toEqual([]);
  await vi.waitFor(() => expect(output).toEqual(['first\nsecond\n']), patient);
  lines.write('third\n');
  await vi.waitFor(() => expect(output).toEqual(['first\nsecond\n', 'third\n']), patient);
});
