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

test('the same fault is logged whole once a minute, and then as a number', () => {
  const { lines, faults } = open();
  for (let n = 0; n < 200; n++) faults.report(refused());
  expect(lines).toEqual([[{ err: refused() }, 'background fault']]);
  vi.advanceTimersByTime(60_000);
  const fault = 'Error ECONNREFUSED: connect ECONNREFUSED';
  expect(lines.slice(1)).toEqual([[{ repeated: 199, fault }, 'background fault, again within a minute']]);
  faults.report(refused());
  expect(lines.at(-1)).toEqual([{ err: refused() }, 'background fault']);
});

test('another fault is logged at once, and one that stays alone leaves no number', () => {
  const { lines, faults } = open();
  faults.report(refused());
  faults.report(new Error('another'));
  expect(lines).toHaveLength(2);
  vi.advanceTimersByTime(120_000);
  expect(lines).toHaveLength(2);
});

test('of very many kinds none is lost', () => {
  const { lines, faults } = open();
  for (let n = 0; n < 1_000; n++) faults.report(new Error(`host ${n}`));
  expect(lines).toHaveLength(1_000);
});
