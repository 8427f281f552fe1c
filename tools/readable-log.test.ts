import { expect, test } from 'vitest';
import { readableLine } from './readable-log.ts';

const line = (entry: object): string =>
  readableLine(JSON.stringify({ level: 30, time: 1_700_000_000_123, pid: 1, ...entry }));

test('a line of the log has time, level and message, and then its other fields', () => {
  expect(line({ hostname: 'x', msg: 'request', path: '/docs', ms: 3, who: { id: 1 } })).toBe(
    '22:13:20.123 INFO  request path=/docs ms=3 who={"id":1}',
  );
});

test('an error is printed below with its stack', () => {
  expect(line({ level: 50, msg: 'failed', err: { message: 'no', stack: 'Error: no\n    at x' } })).toBe(
    '22:13:20.123 ERROR failed err={"message":"no"}\nError: no\n    at x',
  );
});

test.each(['plain text', '{"half', '[1]', 'null', '{"level":"x"}'])('%s is printed unchanged', (text) => {
  expect(readableLine(text)).toBe(text);
});
