import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressNumber, addressOf, bitsOf, readNetwork } from './address.ts';

const address = fc.oneof(fc.ipV4(), fc.ipV6());

test('an address and its number are two forms of the same', () => {
  fc.assert(
    fc.property(address, (text) => {
      const spelling = addressOf(addressNumber(text), bitsOf(text));
      expect(addressNumber(spelling)).toBe(addressNumber(text));
      expect(addressOf(addressNumber(spelling), bitsOf(text))).toBe(spelling);
    }),
  );
});

test('a network contains the address it was read from, and reports its normalized form', () => {
  fc.assert(
    fc.property(address, fc.nat(128), (text, wide) => {
      const prefix = Math.min(wide, bitsOf(text));
      const network = readNetwork(`${text}/${prefix}`)!;
      expect(addressNumber(text) >= network.first && addressNumber(text) <= network.last).toBe(true);
      expect(network.last - network.first + 1n).toBe(1n << BigInt(network.bits - prefix));
      expect(readNetwork(network.text)).toEqual({ ...network, hadHostBits: false });
      expect(network.hadHostBits).toBe(addressNumber(text) !== network.first);
    }),
  );
});

test.each([
  '',
  '10.0.0.0',
  '10.0.0.0/',
  '10.0.0.0/33',
  '::/129',
  '10.0.0/8',
  '10.0.0.0/8/8',
  'fe80::1%eth0/64',
  '10.0.0.0/-1',
])('%s is no network', (text) => {
  expect(readNetwork(text)).toBeUndefined();
});
