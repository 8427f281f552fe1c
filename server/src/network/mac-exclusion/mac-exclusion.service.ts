/** A MAC exclusion, as far as it decides. */
export interface Exclusion {
  start: string;
  end: string;
  mask: string | null;
}

const numberOf = (mac: string): number => Number.parseInt(mac.replaceAll(':', ''), 16);

/** Whether an exclusion covers a MAC address, all in the written form. */
export function excludes({ start, end, mask }: Exclusion, mac: string): boolean {
  if (mask === null) return mac >= start && mac <= end;
  const bits = BigInt(numberOf(mask));
  return (BigInt(numberOf(mac)) & bits) === (BigInt(numberOf(start)) & bits);
}

const bitsOf = (mac: string): string => `('x' || replace(${mac}, ':', ''))::bit(48)`;

/** The same in SQL, over the row `e` of an exclusion. */
export const excludesSql = (mac: string): string =>
  `case when e.mask is null then ${mac} between e.start and e."end" else ${bitsOf(mac)} & ${bitsOf('e.mask')} = ${bitsOf('e.start')} & ${bitsOf('e.mask')} end`;

/** Whether a MAC address is never anybody's: a group address (the lowest bit of its first byte), all zeros or all ones. */
export const isGroupOrNullMac = (mac: string): boolean =>
  (Number.parseInt(mac.slice(0, 2), 16) & 1) === 1 || mac === '00:00:00:00:00:00';
