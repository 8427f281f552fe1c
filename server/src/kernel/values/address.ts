import { isIP } from 'node:net';

/**
 * Node accepts `fe80::1%eth0` as an address; a zone has no meaning on another machine, and PostgreSQL does not store
 * it.
 */
export const isAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes('%');

/** True for `192.0.2.1`, `192.0.2.0/24`, and the same in IPv6. */
export function isNetworkOrAddress(text: string): boolean {
  const [address, prefix, ...rest] = text.split('/');
  const family = isIP(address ?? '');
  if (family === 0 || rest.length > 0 || address!.includes('%')) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/**
 * Returns the normalized spelling of an address: an IPv6 address has many, and two of them must not look like a change.
 * It is the spelling of PostgreSQL, which writes an IPv4 address after `::` or `::ffff:` with dots.
 */
export function writeAddress(address: string): string {
  if (isIP(address) === 4) return address;
  const number = addressNumber(address);
  const above = number >> 32n;
  if ((above === 0n && number > 0xffffn) || above === 0xffffn)
    return `::${above === 0n ? '' : 'ffff:'}${addressOf(number & 0xffff_ffffn, 32)}`;
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

export const bitsOf = (address: string): 32 | 128 => (isIP(address) === 4 ? 32 : 128);

/** Returns an address as a number, for comparisons and arithmetic. */
export function addressNumber(address: string): bigint {
  if (isIP(address) === 4) return address.split('.').reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n);
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  const low = dotted ? addressNumber(dotted[2]!) : 0n;
  const plain = dotted ? `${dotted[1]}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}` : address;
  const [head, tail] = plain.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array<string>(tail ? 8 - head!.length - tail.length : 0).fill('0');
  return [...head!, ...zeros, ...(tail ?? [])].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

/** Returns the address of a number, in its normalized spelling. */
export function addressOf(number: bigint, bits: 32 | 128): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((number >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  return writeAddress(groups.join(':'));
}

/** A network of addresses, `10.20.0.0/16`. */
export interface Network {
  first: bigint;
  last: bigint;
  bits: 32 | 128;
  /** The normalized spelling. */
  text: string;
  /** True if the text had bits set after the prefix. */
  hadHostBits: boolean;
}

/** Reads a network; undefined if the text is not a network. */
export function readNetwork(text: string): Network | undefined {
  const [address = '', prefix = '', ...rest] = text.split('/');
  if (!isAddress(address) || rest.length > 0 || !/^\d{1,3}$/.test(prefix)) return undefined;
  const bits = bitsOf(address);
  if (Number(prefix) > bits) return undefined;
  const hostMask = (1n << BigInt(bits - Number(prefix))) - 1n;
  const number = addressNumber(address);
  const first = number & ~hostMask;
  return {
    first,
    last: first | hostMask,
    bits,
    text: `${addressOf(first, bits)}/${Number(prefix)}`,
    hadHostBits: number !== first,
  };
}
