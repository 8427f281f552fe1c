/** How a MAC address is written, and what is taken for one; both without anchors, for the documents. */
export const macPatterns = {
  written: '[0-9A-F]{2}(:[0-9A-F]{2}){5}',
  sent: '[0-9A-Fa-f]{2}([:\\-]?[0-9A-Fa-f]{2}){5}|[0-9A-Fa-f]{4}(\\.[0-9A-Fa-f]{4}){2}',
} as const;

const notations =
  /^(?:[0-9a-f]{12}|[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4}|[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})$/i;

const withColons = (digits: string): string =>
  digits
    .toUpperCase()
    .match(/.{1,2}/g)
    ?.join(':') ?? '';

/** A MAC address in its one written form, from colons, dashes, dots or nothing between; '' stays ''; undefined when it is none. */
export function readMac(text: string): string | undefined {
  if (text === '') return '';
  return notations.test(text) ? withColons(text.replaceAll(/[^0-9a-f]/gi, '')) : undefined;
}

/** The beginning of a MAC address, such as a vendor's prefix, in the written form; undefined when it is none. */
export function readMacPrefix(text: string): string | undefined {
  const digits = text.replaceAll(/[:.-]/g, '');
  return /^[0-9a-f]{0,11}$/i.test(digits) ? withColons(digits) : undefined;
}
