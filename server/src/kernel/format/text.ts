/** Returns what is not allowed in a text, as the fragment of a sentence; undefined if the text is valid. */
export function faultInText(text: string): string | undefined {
  const match = forbidden.exec(text);
  if (!match) return undefined;
  const code = match[0].codePointAt(0)!;
  if (code < 0x20) return `the control character ${codePoint(code)}`;
  return code > 0xdfff ? `the noncharacter ${codePoint(code)}` : `the lone surrogate ${codePoint(code)}`;
}

// In `v` mode Cs matches only lone surrogates. U+007F to U+009F are controls too, but XML 1.0 allows them.
const forbidden = /[[\p{Cc}\p{Cs}\ufffe\uffff]--[\t\n\r\x7f-\x9f]]/v;

/** Returns a code point in the notation of Unicode. */
export const codePoint = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

/** Shortens a caller's text for a message. */
export const shortened = (text: string) => (text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text);

/** Quotes a caller's text for a message. */
export const quoted = (text: string) => JSON.stringify(shortened(text));
