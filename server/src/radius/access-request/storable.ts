/** Octets of a name in a packet. */
export const nameMax = 253;

/** Characters of the name of an EAP method. */
export const methodMax = 40;

/** Text from a packet may have what the database does not store. */
export const storable = <T extends string | null>(text: T, max: number): T =>
  (text === null ? null : text.replaceAll('\0', '').slice(0, max)) as T;
