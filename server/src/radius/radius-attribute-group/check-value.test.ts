import { expect, test } from 'vitest';
import { attributeFault, type ValueType, valueFault } from './check-value.ts';

const of = (type: string, more: Partial<ValueType> = {}): ValueType => ({
  attribute: 'Sample',
  value: '1',
  type,
  vendorID: null,
  hasTag: false,
  definedValues: {},
  ...more,
});
const tunnel = of('integer', { definedValues: { 13: 'VLAN' } });

test.each<[ValueType, string]>([
  [of('string'), 'any text'],
  [of('string'), 'x'.repeat(253)],
  [of('octets'), '0x00ff'],
  [of('octets'), 'OU=staff;'],
  [tunnel, 'VLAN'],
  [tunnel, 'vlan'],
  [tunnel, '13'],
  [of('byte'), '255'],
  [of('short'), '65535'],
  [of('signed'), '-1'],
  [of('integer64'), '18446744073709551615'],
  [of('ipaddr'), '192.0.2.1'],
  [of('ipv6addr'), '2001:db8::1'],
  [of('combo-ip'), '2001:db8::1'],
  [of('ipv4prefix'), '192.0.2.0/24'],
  [of('ipv6prefix'), '2001:db8::/32'],
  [of('ifid'), '0:0:0:1'],
  [of('ether'), '00:1A:2B:3C:4D:5E'],
])('%o takes %s', (type, value) => {
  expect(valueFault(type, value)).toBeUndefined();
});

test.each<[ValueType, string, string]>([
  [of('string'), 'x'.repeat(254), 'must have at most 253 octets'],
  [of('string', { vendorID: 9 }), 'x'.repeat(248), 'must have at most 247 octets'],
  [of('string', { hasTag: true }), 'ü'.repeat(127), 'must have at most 252 octets'],
  [of('octets'), '0x0', 'must have two hexadecimal digits'],
  [of('octets'), `0x${'00'.repeat(254)}`, 'must have at most 253 octets'],
  [tunnel, 'PPTP', 'must be a number from 0 to 4294967295, or a name such as VLAN'],
  [of('byte'), '256', 'must be a number from 0 to 255'],
  [of('integer'), '-1', 'must be a number from 0'],
  [of('integer'), '1e3', 'must be a number from 0'],
  [of('signed'), '2147483648', 'must be a number from -2147483648'],
  [of('ipaddr'), '2001:db8::1', 'must be an IPv4 address'],
  [of('ipv6addr'), 'fe80::1%eth0', 'must be an IPv6 address'],
  [of('ipv4prefix'), '192.0.2.0', 'must be an IPv4 network'],
  [of('ipv6prefix'), '192.0.2.0/24', 'must be an IPv6 network'],
  [of('ifid'), '0:0:1', 'must be four groups'],
  [of('ether'), 'nonsense', 'must be a MAC address'],
])('%o refuses %s', (type, value, words) => {
  expect(valueFault(type, value)).toContain(words);
});

test.each<[ValueType, string | undefined]>([
  [of('string'), undefined],
  [of('string', { vendorID: 9, value: '300' }), undefined],
  [of('string', { value: '241.1' }), undefined],
  [of('tlv'), 'Sample has members and no value of its own'],
  [of('integer', { value: '1000' }), 'Sample is an attribute inside the engine and is never sent'],
  [
    of('octets', { attribute: 'Message-Authenticator', value: '80' }),
    'Message-Authenticator is set by the engine itself',
  ],
])('%o in a reply: %s', (type, fault) => {
  expect(attributeFault(type)).toBe(fault);
});
