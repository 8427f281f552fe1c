import { macText } from '../protocols/snmp/mac-text.ts';
import type { Value } from '../protocols/snmp/message.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** Longer than any name; the length of device texts is not trusted. */
const textMax = 255;

/** Converts a text of a device to one line of valid Unicode without control characters. */
export function deviceText(bytes: Uint8Array, max = textMax): string {
  const plain = decode(bytes.subarray(0, max * 4))
    .replaceAll(/[\t\n\r]+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cs}\p{Cn}]/gu, '')
    .trim();
  return Array.from(plain).slice(0, max).join('').trim();
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    // Older devices send Latin-1, in which every byte is a character.
    return Buffer.from(bytes).toString('latin1');
  }
}

export const textOf = (value: Value | null | undefined, max = textMax): string =>
  value?.type === 'octets' ? deviceText(value.value, max) : '';

export const numberOf = (value: Value | null | undefined): number | undefined =>
  typeof value?.value === 'number' ? value.value : undefined;

export const bytesOf = (value: Value | null | undefined): Buffer | undefined =>
  value?.type === 'octets' ? value.value : undefined;

/** Returns a MAC address; null if it is not a unicast address of a device (group address, all zeros or all ones). */
export function unicastMac(bytes: Uint8Array | undefined): string | null {
  if (bytes?.length !== 6 || (bytes[0]! & 1) === 1 || bytes.every((byte) => byte === 0)) return null;
  return macText(bytes);
}
