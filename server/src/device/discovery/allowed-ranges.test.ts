import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Neighbour } from '../../drivers/driver.ts';
import { addressNumber, addressOf } from '../../kernel/values/address.ts';
import { addressesIn, isInside, merged, type Span, spanOf } from './allowed-ranges.ts';
import { nextHop } from './store-finding.ts';

const span = fc
  .record({ first: fc.nat(2_000), size: fc.nat(300), bits: fc.constantFrom(32 as const, 128 as const) })
  .map(({ first, size, bits }): Span => {
    const base = bits === 32 ? addressNumber('10.9.0.0') : addressNumber('2001:db8::');
    return { first: addressOf(base + BigInt(first), bits), last: addressOf(base + BigInt(first + size), bits) };
  });

function everyAddress(spans: readonly Span[]): string[] {
  return spans.flatMap(({ first, last }) => {
    const bits = first.includes(':') ? 128 : 32;
    const [firstNumber, lastNumber] = [addressNumber(first), addressNumber(last)];
    return Array.from({ length: Number(lastNumber - firstNumber) + 1 }, (_, offset) =>
      addressOf(firstNumber + BigInt(offset), bits),
    );
  });
}

test('probes a network without its first and last address, unless it has two addresses or one', () => {
  expect(spanOf({ cidr: '10.0.0.0/24' })).toEqual({ first: '10.0.0.1', last: '10.0.0.254' });
  expect(spanOf({ cidr: '10.0.0.0/31' })).toEqual({ first: '10.0.0.0', last: '10.0.0.1' });
  expect(spanOf({ cidr: '10.0.0.7/32' })).toEqual({ first: '10.0.0.7', last: '10.0.0.7' });
  expect(spanOf({ cidr: '2001:db8::/126' })).toEqual({ first: '2001:db8::', last: '2001:db8::3' });
});

test('reports why a range is invalid', () => {
  expect(spanOf({})).toMatch('needs');
  expect(spanOf({ start: '10.0.0.1' })).toMatch('needs');
  expect(spanOf({ start: '10.0.0.1', end: '10.0.0.2', cidr: '10.0.0.0/24' })).toMatch('either');
  expect(spanOf({ start: '10.0.0.2', end: '10.0.0.1' })).toMatch('ends before');
  expect(spanOf({ start: '10.0.0.2', end: '2001:db8::1' })).toMatch('mixes');
});

test('merged spans have every address of before, each once, and count them', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 8 }), (spans) => {
      const mergedSpans = merged(spans);
      const addresses = everyAddress(mergedSpans);
      expect(new Set(addresses)).toEqual(new Set(everyAddress(spans)));
      expect(addresses.length).toBe(new Set(addresses).size);
      expect(addressesIn(mergedSpans)).toBe(BigInt(addresses.length));
      expect(merged(mergedSpans)).toEqual(mergedSpans);
    }),
    { numRuns: 50 },
  );
});

test('an address is inside exactly if it is one of them', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 4 }), fc.nat(2_600), fc.boolean(), (spans, offset, isSix) => {
      const address = isSix
        ? addressOf(addressNumber('2001:db8::') + BigInt(offset), 128)
        : addressOf(addressNumber('10.9.0.0') + BigInt(offset), 32);
      expect(isInside(merged(spans), address)).toBe(everyAddress(spans).includes(address));
    }),
    { numRuns: 50 },
  );
});

test('whatever neighbours claim, only addresses inside the fence come next, each once, by the protocols that are followed', () => {
  const claimed = fc.array(
    fc.record({
      protocol: fc.constantFrom('lldp' as const, 'cdp' as const),
      managementAddresses: fc.array(
        fc.oneof(
          fc.ipV4(),
          fc.ipV6(),
          span.map(({ last }) => last),
        ),
      ),
    }),
  );
  fc.assert(
    fc.property(
      fc.array(span, { maxLength: 4 }),
      claimed,
      fc.boolean(),
      fc.boolean(),
      (spans, reported, useLLDP, useCDP) => {
        const allowedRanges = merged(spans);
        const options = { isSeeded: true, useLLDP, useCDP, maxHops: 3, addPingable: false, probesPerSecond: 50 };
        const nextAddresses = nextHop({ allowedRanges, options }, reported as unknown as Neighbour[]);
        expect(nextAddresses.every((address) => isInside(allowedRanges, address))).toBe(true);
        expect(new Set(nextAddresses).size).toBe(nextAddresses.length);
        if (!useLLDP && !useCDP) expect(nextAddresses).toEqual([]);
      },
    ),
  );
});
