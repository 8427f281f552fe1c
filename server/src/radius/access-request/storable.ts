/** Maximum octets of a name in a packet. */
export const nameMax = 253;

/** Maximum characters of the name of an EAP method. */
export const methodMax = 40;

/** Removes NUL characters, which the database cannot store, from a text of a packet, and limits its length. */
export const storable = <T extends string | null>(text: T, max: number): T =>
  (text === null ? null : text.replaceAll('\0', '').slice(0, max)) as T;
