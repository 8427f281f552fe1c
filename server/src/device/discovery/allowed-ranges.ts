import { addressNumber, addressOf, bitsOf, readNetwork } from '../../kernel/values/address.ts';

/** Consecutive addresses, both ends included. */
export interface Span {
  first: string;
  last: string;
}

/** A range in a request: two addresses, or a network. */
export interface SentRange {
  start?: string;
  end?: string;
  cidr?: string;
}

/** Returns the usable addresses of a range, or the reason if there are none. */
export function spanOf({ start, end, cidr }: SentRange): Span | string {
  if (cidr !== undefined) {
    if (start !== undefined || end !== undefined) return 'needs either cidr, or start and end, not both';
    return spanOfNetwork(cidr);
  }
  if (start === undefined || end === undefined) return 'needs cidr, or start and end';
  if (bitsOf(start) !== bitsOf(end)) return 'mixes IPv4 and IPv6';
  return addressNumber(start) <= addressNumber(end) ? { first: start, last: end } : 'ends before it starts';
}

/**
 * No host has the first or last address of an IPv4 network: the last one is the broadcast address (RFC 1812 section
 * 4.2.3.1, RFC 3021).
 */
export function spanOfNetwork(cidr: string): Span {
  const { first, last, bits } = readNetwork(cidr)!;
  const edge = bits === 32 && last - first > 1n ? 1n : 0n;
  return { first: addressOf(first + edge, bits), last: addressOf(last - edge, bits) };
}

const sizeOf = ({ first, last }: Span): bigint => addressNumber(last) - addressNumber(first) + 1n;

/** Merges overlapping spans, so that no address is probed twice. */
export function merged(spans: readonly Span[]): Span[] {
  const mergedSpans: Span[] = [];
  for (const span of [...spans].sort(byPlace)) {
    const before = mergedSpans.at(-1);
    const isJoined =
      before &&
      bitsOf(before.last) === bitsOf(span.first) &&
      addressNumber(span.first) <= addressNumber(before.last) + 1n;
    if (!isJoined) mergedSpans.push({ ...span });
    else if (addressNumber(span.last) > addressNumber(before.last)) before.last = span.last;
  }
  return mergedSpans;
}

function byPlace(a: Span, b: Span): number {
  const [leftStart, rightStart] = [addressNumber(a.first), addressNumber(b.first)];
  return bitsOf(a.first) - bitsOf(b.first) || (leftStart < rightStart ? -1 : leftStart > rightStart ? 1 : 0);
}

/** Returns the number of addresses in merged spans. */
export const addressesIn = (spans: readonly Span[]): bigint => spans.reduce((sum, span) => sum + sizeOf(span), 0n);

/** True if an address may be contacted. */
export function isInside(spans: readonly Span[], address: string): boolean {
  const [bits, number] = [bitsOf(address), addressNumber(address)];
  return spans.some(
    ({ first, last }) => bitsOf(first) === bits && addressNumber(first) <= number && number <= addressNumber(last),
  );
}
