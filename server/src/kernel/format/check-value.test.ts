import { describe, expect, test } from 'vitest';
import type { Shape } from '../declare/shape.ts';
import { type Fault, invalid } from '../failure.ts';
import { isNetworkOrAddress } from '../values/address.ts';
import { checkValue } from './check-value.ts';

/** Returns the accepted value, or the position of the fault. */
function taken(shape: Shape, value: unknown): unknown {
  const faults: Fault[] = [];
  const checked = checkValue(shape, value, '/field', faults);
  return faults.length > 0 ? faults.map(({ pointer }) => pointer) : checked;
}

describe('a value that the database would refuse is a fault of the request', () => {
  test('a network has no bits behind its prefix', () => {
    const network: Shape = { kind: 'network' };
    for (const text of [
      '10.20.0.0/16',
      '0.0.0.0/0',
      '192.0.2.7/32',
      '::/0',
      '2001:db8::/32',
      '2001:db8::7/128',
      '::ffff:192.0.2.0/120',
    ])
      expect(taken(network, text), text).toBe(text);
    for (const text of [
      '10.20.0.1/16',
      '10.0.0.0/33',
      '10.0.0.0',
      '10.0.0.0/8/8',
      '2001:db8::1/32',
      '::ffff:192.0.2.1/120',
      '1::/129',
      'fe80::%eth0/10',
      '/8',
      '',
    ])
      expect(taken(network, text), text).toEqual(['/field']);
  });

  test('an address has no zone, in a body or in a filter', () => {
    for (const text of ['fe80::1%eth0', '192.0.2.256', '']) {
      expect(taken({ kind: 'address' }, text), text).toEqual(['/field']);
      expect(isNetworkOrAddress(text), text).toBe(false);
    }
  });

  test('an instant lies in the years 1 to 9999', () => {
    const time: Shape = { kind: 'time' };
    expect(taken(time, '0001-01-01T00:00:00Z')).toBe('0001-01-01T00:00:00.000Z');
    expect(taken(time, '9999-12-31T23:59:59.999Z')).toBe('9999-12-31T23:59:59.999Z');
    for (const text of ['0000-12-31T23:59:59Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])
      expect(taken(time, text), text).toEqual(['/field']);
  });
});

test('a zero with a sign is taken as zero', () => {
  expect(Object.is(taken({ kind: 'integer', min: -1, max: 1 }, -0), 0)).toBe(true);
});

test('a body with a hundred thousand faults is left after a hundred', () => {
  const unknown = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`name${n}`, n]));
  const shapes: [Shape, unknown][] = [
    [{ kind: 'object', properties: { a: { kind: 'flag' } } }, unknown],
    [{ kind: 'list', item: { kind: 'flag' }, max: 200_000 }, Array(100_000).fill(1)],
    [{ kind: 'map', value: { kind: 'flag' }, max: 200_000 }, unknown],
  ];
  for (const [shape, value] of shapes) {
    const faults: Fault[] = [];
    checkValue(shape, value, '/field', faults);
    expect(faults).toHaveLength(100);
    expect(invalid(faults).message).toMatch(/ And at least 80 more\.$/);
  }
});
