import { isIP } from 'node:net';
import { addressNumber } from '../../kernel/values/address.ts';

/* DER (X.690), as far as certificates need it: each function encodes one element. */

const element = (tag: number, content: Buffer): Buffer => {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = Buffer.from(length.toString(16).padStart(length > 0xffff ? 6 : length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length]), bytes, content]);
};

export const sequence = (...parts: Buffer[]): Buffer => element(0x30, Buffer.concat(parts));
export const set = (...parts: Buffer[]): Buffer => element(0x31, Buffer.concat(parts));
export const nothing = (): Buffer => element(0x05, Buffer.alloc(0));
export const flag = (value: boolean): Buffer => element(0x01, Buffer.from([value ? 0xff : 0]));
export const octets = (content: Buffer): Buffer => element(0x04, content);
export const text = (value: string): Buffer => element(0x0c, Buffer.from(value, 'utf8'));
/** A PrintableString, such as the code of a country. */
export const printable = (value: string): Buffer => element(0x13, Buffer.from(value, 'latin1'));
/** A BIT STRING of whole bytes; the last `unused` bits do not count. */
export const bits = (content: Buffer, unused = 0): Buffer =>
  element(0x03, Buffer.concat([Buffer.from([unused]), content]));
/** A non-negative INTEGER, from its bytes. */
export const integer = (bytes: Buffer): Buffer =>
  element(0x02, bytes[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
export const explicit = (number: number, content: Buffer): Buffer => element(0xa0 | number, content);
export const implicit = (number: number, content: Buffer): Buffer => element(0x80 | number, content);

export function objectId(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number);
  const base128 = (value: number): number[] => {
    const groups = [value & 0x7f];
    for (let remaining = value >> 7; remaining > 0; remaining >>= 7) groups.unshift((remaining & 0x7f) | 0x80);
    return groups;
  };
  return element(0x06, Buffer.from([first! * 40 + second!, ...rest.flatMap(base128)]));
}

/** UTCTime until 2049, GeneralizedTime from 2050 on (RFC 5280, section 4.1.2.5). */
export function instant(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(digits.slice(2)))
    : element(0x18, Buffer.from(digits));
}

/** A DNS name or IP address of a subjectAltName. */
export function generalName(value: string): Buffer {
  const family = isIP(value);
  if (family === 0) return implicit(2, Buffer.from(value, 'latin1'));
  const hex = addressNumber(value).toString(16);
  return implicit(7, Buffer.from(hex.padStart(family === 4 ? 8 : 32, '0'), 'hex'));
}
