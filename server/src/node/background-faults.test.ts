import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BackgroundFaults } from './background-faults.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

function open() {
  const lines: [object, string][] = [];
  const faults = new BackgroundFaults(() => ({ error: (fields, text) => lines.push([fields, text]) }));
  return { lines, faults };
}

test('logs a repeated fault completely once a minute, and then its number of repetitions', () => {
  const { lines, faults } = open();
  for (let n = 0; n < 200; n++) faults.report(refused());
  expect(lines).toEqual([[{ err: refused() }, 'background fault']]);
  vi.advanceTimersByTime(60_000);
  const fault = 'Error ECONNREFUSED: connect ECONNREFUSED';
  expect(lines.slice(1)).toEqual([[{ repeated: 199, fault }, 'background fault, repeated within a minute']]);
  faults.report(refused());
  expect(lines.at(-1)).toEqual([{ err: refused() }, 'background fault']);
});

test('logs another fault at once, and no number for a fault that is not repeated', () => {
  const { lines, faults } = open();
  faults.report(refused());
  faults.report(new Error('another'));
  expect(lines).toHaveLength(2);
  vi.advanceTimersByTime(120_000);
  expect(lines).toHaveLength(2);
});

test('logs every fault if there are very many kinds', () => {
  const { lines, faults } = open();
  for (let n = 0; n < 1_000; n++) faults.report(new Error(`host ${n}`));
  expect(lines).toHaveLength(1_000);
});
