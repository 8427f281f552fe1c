import { expect, test } from 'vitest';
import { attributeFault, type ValueType, valueFault } from './check-value.ts';

const valueType = (type: string, properties: Partial<ValueType> = {}): ValueType => ({
  attribute: 'Sample',
  value: '1',
  type,
  vendorID: null,
  hasTag: false,
  definedValues: {},
  ...properties,
});
const tunnel = valueType('integer', { definedValues: { 13: 'VLAN' } });

test.each<[ValueType, string]>([
  [valueType('string'), 'any text'],
  [valueType('string'), 'x'.repeat(253)],
  [valueType('octets'), '0x00ff'],
  [valueType('octets'), 'OU=staff;'],
  [tunnel, 'VLAN'],
  [tunnel, 'vlan'],
  [tunnel, '13'],
  [valueType('byte'), '255'],
  [valueType('short'), '65535'],
  [valueType('signed'), '-1'],
  [valueType('integer64'), '18446744073709551615'],
  [valueType('ipaddr'), '192.0.2.1'],
  [valueType('ipv6addr'), '2001:db8::1'],
  [valueType('combo-ip'), '2001:db8::1'],
  [valueType('ipv4prefix'), '192.0.2.0/24'],
  [valueType('ipv6prefix'), '2001:db8::/32'],
  [valueType('ifid'), '0:0:0:1'],
  [valueType('ether'), '00:1A:2B:3C:4D:5E'],
])('%o takes %s', (type, value) => {
  expect(valueFault(type, value)).toBeUndefined();
});

test.each<[ValueType, string, string]>([
  [valueType('string'), 'x'.repeat(254), 'must have at most 253 octets'],
  [valueType('string', { vendorID: 9 }), 'x'.repeat(248), 'must have at most 247 octets'],
  [valueType('string', { hasTag: true }), 'ü'.repeat(127), 'must have at most 252 octets'],
  [valueType('octets'), '0x0', 'must have two hexadecimal digits'],
  [valueType('octets'), `0x${'00'.repeat(254)}`, 'must have at most 253 octets'],
  [tunnel, 'PPTP', 'must be a number from 0 to 4294967295, or a name such as VLAN'],
  [valueType('byte'), '256', 'must be a number from 0 to 255'],
  [valueType('integer'), '-1', 'must be a number from 0'],
  [valueType('integer'), '1e3', 'must be a number from 0'],
  [valueType('signed'), '2147483648', 'must be a number from -2147483648'],
  [valueType('ipaddr'), '2001:db8::1', 'must be an IPv4 address'],
  [valueType('ipv6addr'), 'fe80::1%eth0', 'must be an IPv6 address'],
  [valueType('ipv4prefix'), '192.0.2.0', 'must be an IPv4 network'],
  [valueType('ipv6prefix'), '192.0.2.0/24', 'must be an IPv6 network'],
  [valueType('ifid'), '0:0:1', 'must be four groups'],
  [valueType('ether'), 'nonsense', 'must be a MAC address'],
])('%o refuses %s', (type, value, words) => {
  expect(valueFault(type, value)).toContain(words);
});

test.each<[ValueType, string | undefined]>([
  [valueType('string'), undefined],
  [valueType('string', { vendorID: 9, value: '300' }), undefined],
  [valueType('string', { value: '241.1' }), undefined],
  [valueType('tlv'), 'Sample has members and no value of its own'],
  [valueType('integer', { value: '1000' }), 'Sample is an internal attribute of the engine and is never sent'],
  [
    valueType('octets', { attribute: 'Message-Authenticator', value: '80' }),
    'Message-Authenticator is set by the engine itself',
  ],
])('%o in a reply: %s', (type, fault) => {
  expect(attributeFault(type)).toBe(fault);
});
