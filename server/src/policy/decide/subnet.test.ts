import { BlockList } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileSubnet } from './subnet.ts';

test('a network contains the same addresses as a BlockList of Node', () => {
  const ipv6 = fc.oneof(fc.ipV6(), fc.constantFrom('::', '::1', '::ffff:10.1.2.3', '2001:db8::', 'fe80::1:2:3'));
  const cases = fc.oneof(
    fc.record({
      family: fc.constant('ipv4' as const),
      base: fc.ipV4(),
      address: fc.ipV4(),
      prefix: fc.integer({ min: 0, max: 32 }),
    }),
    fc.record({
      family: fc.constant('ipv6' as const),
      base: ipv6,
      address: ipv6,
      prefix: fc.integer({ min: 0, max: 128 }),
    }),
  );
  fc.assert(
    fc.property(cases, fc.boolean(), ({ family, base, address, prefix }, isSame) => {
      const list = new BlockList();
      list.addSubnet(base, prefix, family);
      const checkedAddress = isSame ? base : address;
      expect(compileSubnet(`${base}/${prefix}`)(checkedAddress)).toBe(list.check(checkedAddress, family));
    }),
    { numRuns: 2_000 },
  );
});

test('an invalid network contains nothing, and an invalid address is in no network', () => {
  for (const network of [
    '',
    '10.0.0.0/33',
    '10.0.0/8',
    '::/129',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '1:2:3:4:5:6:7:8:9/0',
    ':::/0',
  ])
    expect(compileSubnet(network)('10.0.0.0')).toBe(false);
  for (const address of ['', 'printer', '10.0.0', '10.0.0.256', '::', '10.0.0.0/8'])
    expect(compileSubnet('0.0.0.0/0')(address)).toBe(false);
});
