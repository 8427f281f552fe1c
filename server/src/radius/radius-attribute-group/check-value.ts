import { isIP } from 'node:net';
import { isAddress, isNetworkOrAddress } from '../../kernel/values/address.ts';
import { readMac } from '../../kernel/values/mac.ts';

/** The properties of a dictionary entry that its values are checked against. */
export interface ValueType {
  attribute: string;
  value: string;
  type: string;
  vendorID: number | null;
  hasTag: boolean;
  definedValues: Readonly<Record<string, string>>;
}

const ranges: Readonly<Record<string, readonly [min: bigint, max: bigint]>> = {
  byte: [0n, 255n],
  short: [0n, 65_535n],
  integer: [0n, 4_294_967_295n],
  date: [0n, 4_294_967_295n],
  signed: [-2_147_483_648n, 2_147_483_647n],
  integer64: [0n, 2n ** 64n - 1n],
};

const typesWithMembers: ReadonlySet<string> = new Set(['tlv', 'vsa', 'extended', 'long-extended', 'evs']);

/** Attributes of the packet exchange itself: a reply that sets them would be invalid or discarded. */
const exchangeAttributes: ReadonlySet<string> = new Set([
  'user-password',
  'chap-password',
  'chap-challenge',
  'state',
  'proxy-state',
  'eap-message',
  'message-authenticator',
]);

/** Returns why an attribute cannot be sent in a reply; undefined if it can. */
export function attributeFault({ attribute, value, type, vendorID }: ValueType): string | undefined {
  if (typesWithMembers.has(type)) return `${attribute} has members and no value of its own`;
  if (exchangeAttributes.has(attribute.toLowerCase())) return `${attribute} is set by the engine itself`;
  if (vendorID === null && Number(value.split('.', 1)[0]) > 255)
    return `${attribute} is an internal attribute of the engine and is never sent`;
  return undefined;
}

/** Returns the maximum octets of a value: 255 less 2 for type and length, 6 for a vendor attribute, and 1 for a tag. */
const octetsMax = ({ vendorID, hasTag }: ValueType): number => 253 - (vendorID === null ? 0 : 6) - (hasTag ? 1 : 0);

/** Returns the fault of a value for the type of its attribute; undefined if the engine accepts it. */
export function valueFault(valueType: ValueType, value: string): string | undefined {
  const { type, definedValues } = valueType;
  const range = ranges[type];
  if (range) {
    if (Object.values(definedValues).some((name) => name.toLowerCase() === value.toLowerCase())) return undefined;
    const [min, max] = range;
    if (/^-?\d{1,20}$/.test(value) && BigInt(value) >= min && BigInt(value) <= max) return undefined;
    const names = Object.values(definedValues).slice(0, 5).join(', ');
    return `must be a number from ${min} to ${max}${names && `, or a name such as ${names}`}`;
  }
  const words = readers[type]?.(value);
  if (words !== undefined) return words;
  const max = octetsMax(valueType);
  return octetsOf(type, value) > max ? `must have at most ${max} octets` : undefined;
}

const isHex = (value: string): boolean => /^0x/i.test(value);

const octetsOf = (type: string, value: string): number =>
  type === 'octets' && isHex(value) ? (value.length - 2) / 2 : Buffer.byteLength(value);

/** By type, a function that returns what a value must be, if it is not. */
const readers: Readonly<Record<string, (value: string) => string | undefined>> = {
  octets: (value) =>
    !isHex(value) || /^0x([0-9a-f]{2})+$/i.test(value)
      ? undefined
      : 'must have two hexadecimal digits per octet after 0x',
  ipaddr: (value) => (isIP(value) === 4 ? undefined : 'must be an IPv4 address'),
  ipv6addr: (value) => (isIP(value) === 6 && isAddress(value) ? undefined : 'must be an IPv6 address'),
  'combo-ip': (value) => (isAddress(value) ? undefined : 'must be an IPv4 or IPv6 address'),
  ipv4prefix: (value) => (isPrefix(value, 4) ? undefined : 'must be an IPv4 network such as 192.0.2.0/24'),
  ipv6prefix: (value) => (isPrefix(value, 6) ? undefined : 'must be an IPv6 network such as 2001:db8::/32'),
  ifid: (value) =>
    /^([0-9a-f]{1,4}:){3}[0-9a-f]{1,4}$/i.test(value) ? undefined : 'must be four groups such as 0:0:0:1',
  ether: (value) => (readMac(value) ? undefined : 'must be a MAC address'),
};

const isPrefix = (value: string, family: 4 | 6): boolean =>
  value.includes('/') && isNetworkOrAddress(value) && isIP(value.split('/')[0]!) === family;
