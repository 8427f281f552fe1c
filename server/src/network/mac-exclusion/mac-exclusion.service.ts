/** The fields of a MAC exclusion that decide whether it matches. */
export interface Exclusion {
  start: string;
  end: string;
  mask: string | null;
}

const numberOf = (mac: string): number => Number.parseInt(mac.replaceAll(':', ''), 16);

/** True if an exclusion covers a MAC address; all in normalised form. */
export function excludes({ start, end, mask }: Exclusion, mac: string): boolean {
  if (mask === null) return mac >= start && mac <= end;
  const bits = BigInt(numberOf(mask));
  return (BigInt(numberOf(mac)) & bits) === (BigInt(numberOf(start)) & bits);
}

const bitsOf = (mac: string): string => `('x' || replace(${mac}, ':', ''))::bit(48)`;

/** The same as SQL, for the row `e` of an exclusion. */
export const excludesSql = (mac: string): string =>
  `case when e.mask is null then ${mac} between e.start and e."end" else ${bitsOf(mac)} & ${bitsOf('e.mask')} = ${bitsOf('e.start')} & ${bitsOf('e.mask')} end`;

/**
 * True if a MAC address is not one of a host: a group address (lowest bit of the first byte), all zeros or all ones.
 */
export const isGroupOrNullMac = (mac: string): boolean =>
  (Number.parseInt(mac.slice(0, 2), 16) & 1) === 1 || mac === '00:00:00:00:00:00';
