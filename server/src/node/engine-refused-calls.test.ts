import { expect, test } from 'vitest';
import { RefusedCalls } from './engine-refused-calls.ts';

function open() {
  const lines: string[] = [];
  let nowMs = 0;
  const refused = new RefusedCalls(
    () => nowMs,
    ({ message }) => void lines.push(message),
  );
  return {
    lines,
    refused,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

const call = { call: 'post-auth', source: '10.0.0.1', why: 'the body is truncated' };

test('reports the refused call with its packet and its reason', () => {
  const { lines, refused } = open();
  refused.report(call);
  expect(lines).toEqual(['RADIUS call post-auth for a packet of "10.0.0.1" refused: the body is truncated']);
});

test('counts calls of the same kind for ten seconds, and reports their number with the next one', () => {
  const { lines, refused, pass } = open();
  for (let n = 0; n < 100; n++) refused.report({ ...call, source: `10.0.0.${n}` });
  refused.report({ ...call, call: 'authorize' });
  expect(lines).toHaveLength(2);
  pass(10_000);
  refused.report(call);
  expect(lines.at(-1)).toContain('(and 99 more since the last report)');
  pass(10_000);
  refused.report(call);
  expect(lines.at(-1)).not.toContain('more since');
});

test('limits the number of kinds and the length of a line', () => {
  const { lines, refused } = open();
  for (let n = 0; n < 2_000; n++)
    refused.report({ ...call, source: 'x'.repeat(5_000), why: `${n}${'y'.repeat(5_000)}` });
  refused.report({ ...call, why: `0${'y'.repeat(5_000)}` });
  expect(lines).toHaveLength(2_001);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(500);
});
