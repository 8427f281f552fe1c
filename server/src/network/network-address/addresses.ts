import { addressNumber, bitsOf, readNetwork } from '../../kernel/values/address.ts';

/** The fields of each type; the others must be empty. */
const fieldsOf = { SUBNET: ['network'], RANGE: ['start', 'end'], HOST: ['address'] } as const;

export type AddressType = keyof typeof fieldsOf;

const allFields = Object.values(fieldsOf).flat();

/** The addresses of a network address record. */
export interface Addresses {
  type: AddressType;
  network: string | null;
  start: string | null;
  end: string | null;
  address: string | null;
}

/** The largest range: the number of addresses in a /8. */
const rangeMax = 1n << 24n;

export const foreignFields = (type: AddressType) =>
  allFields.filter((name) => !(fieldsOf[type] as readonly string[]).includes(name));

/** Returns the invalid field and how to correct it; undefined if the record is valid. */
export function faultOf(addresses: Addresses): { field: string; what: string } | undefined {
  const missing = fieldsOf[addresses.type].find((name) => addresses[name] === null);
  if (missing) return { field: missing, what: `required for type ${addresses.type}` };
  const foreign = foreignFields(addresses.type).find((name) => addresses[name] !== null);
  if (foreign) return { field: foreign, what: `not allowed for type ${addresses.type}; leave it out` };
  if (addresses.type !== 'RANGE') return undefined;
  const { start, end } = addresses as { start: string; end: string };
  if (bitsOf(start) !== bitsOf(end)) return { field: 'end', what: 'must have the same address family as start' };
  const size = addressNumber(end) - addressNumber(start) + 1n;
  if (size < 1n) return { field: 'end', what: 'comes before start' };
  if (size > rangeMax) return { field: 'end', what: `the range has more than ${rangeMax} addresses; split it` };
  return undefined;
}

/** True if a valid network address contains an address. */
export function holdsAddress(addresses: Addresses, address: string): boolean {
  const number = addressNumber(address);
  const isWithin = (first: bigint, last: bigint, bits: number) =>
    bitsOf(address) === bits && number >= first && number <= last;
  switch (addresses.type) {
    case 'SUBNET': {
      const { first, last, bits } = readNetwork(addresses.network!)!;
      return isWithin(first, last, bits);
    }
    case 'RANGE':
      return isWithin(addressNumber(addresses.start!), addressNumber(addresses.end!), bitsOf(addresses.start!));
    case 'HOST':
      return isWithin(addressNumber(addresses.address!), addressNumber(addresses.address!), bitsOf(addresses.address!));
  }
}

/** The same as SQL: row `n` of `network_address` contains the address `value`. */
export const holdsAddressSql = (n: string, value: string): string => `case ${n}.type
  when 'SUBNET' then ${value} <<= ${n}.network
  when 'RANGE' then family(${value}) = family(${n}.start) and ${value} between ${n}.start and ${n}."end"
  else ${value} = ${n}.address end`;
