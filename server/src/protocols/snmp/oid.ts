/** An object identifier, as a list of numbers. */
export type Oid = readonly number[];

/** RFC 3416 section 4.1: at most 128 sub-identifiers, each below 2^32. */
export const oidLengthMax = 128;
export const subIdentifierMax = 0xffff_ffff;

/** Reads the dotted form, `1.3.6.1.2.1.1.3.0`. */
export function oid(dottedForm: string): Oid {
  const parts = dottedForm.split('.').map((part) => (/^\d{1,10}$/.test(part) ? Number(part) : Number.NaN));
  const isUnrestricted = parts.every((part) => part <= subIdentifierMax);
  const [first = 3, second = 0] = parts;
  if (!isUnrestricted || parts.length < 2 || parts.length > oidLengthMax || first > 2 || (first < 2 && second > 39)) {
    throw new Error(`"${dottedForm}" is no object identifier`);
  }
  return parts;
}

export const dotted = (name: Oid): string => name.join('.');

/** Compares in lexicographic order, in which agents return their tables. */
export function compareOids(leftOid: Oid, rightOid: Oid): number {
  const length = Math.min(leftOid.length, rightOid.length);
  for (let index = 0; index < length; index += 1) {
    const difference = leftOid[index]! - rightOid[index]!;
    if (difference !== 0) return difference;
  }
  return leftOid.length - rightOid.length;
}

export function isBelow(root: Oid, name: Oid): boolean {
  if (name.length <= root.length) return false;
  for (let index = 0; index < root.length; index += 1) if (name[index] !== root[index]) return false;
  return true;
}
