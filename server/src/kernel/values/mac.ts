/** The normalized form of a MAC address, and the accepted notations; both without anchors, for the documents. */
export const macPatterns = {
  written: '[0-9A-F]{2}(:[0-9A-F]{2}){5}',
  sent: [
    '(0[xX])?[0-9A-Fa-f]{12}',
    ...[':', '-', ' ', '\\.'].map((sign) => `[0-9A-Fa-f]{1,2}(${sign}[0-9A-Fa-f]{1,2}){5}`),
    ...['\\.', ':', '-', ' '].map((sign) => `[0-9A-Fa-f]{4}(${sign}[0-9A-Fa-f]{4}){2}`),
    '[0-9A-Fa-f]{6}[:\\- ][0-9A-Fa-f]{6}',
  ].join('|'),
} as const;

const notations = new RegExp(`^(?:${macPatterns.sent})$`);

const withColons = (digits: string): string =>
  digits
    .toUpperCase()
    .match(/.{1,2}/g)
    ?.join(':') ?? '';

const withoutSigns = (text: string): string => text.replaceAll(/[:. -]/g, '');

/** Returns all digits of an address: notations with single digits, such as `0:1d:9:0:0:4`, omit zeros. */
function digitsOf(text: string): string {
  const parts = text.replace(/^0x/i, '').split(/[:. -]/);
  return parts.length === 6 ? parts.map((part) => part.padStart(2, '0')).join('') : parts.join('');
}

/**
 * Returns a MAC address in its normalized form, from any notation that vendors print; '' stays ''; undefined for other
 * texts.
 */
export function readMac(text: string): string | undefined {
  if (text === '') return '';
  return notations.test(text) ? withColons(digitsOf(text)) : undefined;
}

/**
 * Returns the first digits of a MAC address, such as a vendor's prefix, in the normalized form; undefined for other
 * texts.
 */
export function readMacPrefix(text: string): string | undefined {
  const digits = withoutSigns(text);
  return /^[0-9a-f]{0,11}$/i.test(digits) ? withColons(digits) : undefined;
}

/** Returns the last digits of a MAC address, at least four, in the normalized form; undefined for other texts. */
export function readMacEnd(text: string): string | undefined {
  const digits = withoutSigns(text);
  if (!/^[0-9a-f]{4,11}$/i.test(digits)) return undefined;
  const isOdd = digits.length % 2 === 1;
  return isOdd ? `${digits[0]!.toUpperCase()}:${withColons(digits.slice(1))}` : withColons(digits);
}

/** Returns the SQL of the last four digits of an address, with their colon. */
export const macEndSql = (column: string): string => `right(${column}, 5)`;
