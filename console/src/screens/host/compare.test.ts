import type { TraceEntry } from '@portreeve/sdk/generated/api.ts';
import { expect, test } from 'vitest';
import { compareTraces, radiusParameters } from './compare.ts';

const entry = (id: number | null, result: string, attributes: Partial<TraceEntry> = {}): TraceEntry => ({
  step: 7,
  kind: 'ACCESS_POLICY',
  id,
  name: `policy ${id}`,
  rank: id,
  result,
  checks: [],
  ...attributes,
});

test('compareTraces aligns two decisions and marks differences', () => {
  const now = [entry(1, 'NO_MATCH'), entry(2, 'MATCH'), entry(4, 'NOT_REACHED')];
  const then = [entry(1, 'NO_MATCH'), entry(2, 'NO_MATCH'), entry(3, 'MATCH'), entry(4, 'NOT_REACHED')];
  expect(compareTraces(now, then).map(({ name, isDifferent }) => [name, isDifferent])).toEqual([
    ['policy 1', false],
    ['policy 2', true],
    ['policy 3', true],
    ['policy 4', false],
  ]);
});

test('compareTraces marks a different value of the same check', () => {
  const check = { section: 'where', expected: ['Ward 3'], actual: 'Ward 4', ok: false };
  const now = [entry(1, 'NO_MATCH', { checks: [check] })];
  const then = [entry(1, 'NO_MATCH', { checks: [{ ...check, actual: 'Ward 5' }] })];
  expect(compareTraces(now, then)[0]!.isDifferent).toBe(true);
});

test('radiusParameters parses one RADIUS attribute per line', () => {
  expect(radiusParameters('NAS-Port-Type = Ethernet\n\nFilter-Id=a=b')).toEqual({
    'radius.NAS-Port-Type': 'Ethernet',
    'radius.Filter-Id': 'a=b',
  });
});
