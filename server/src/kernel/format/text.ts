/** Names what a text must not hold, as the fragment of a sentence; undefined when the text is clean. */
export function faultInText(text: string): string | undefined {
  const match = forbidden.exec(text);
  if (!match) return undefined;
  const code = match[0].codePointAt(0)!;
  if (code < 0x20) return `the control character ${codePoint(code)}`;
  return code > 0xdfff ? `the noncharacter ${codePoint(code)}` : `the lone surrogate ${codePoint(code)}`;
}

// In `v` mode a surrogate matches Cs only when it stands alone. U+007F to U+009F are controls too, but XML 1.0 carries them.
const forbidden = /[[\p{Cc}\p{Cs}\ufffe\uffff]--[\t\n\r\x7f-\x9f]]/v;

/** A code point as Unicode writes it. */
export const codePoint = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

/** A caller's text cut to what anybody reads in a message. */
export const shortened = (text: string) => (text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text);

/** A caller's text as a message quotes it. */
export const quoted = (text: string) => JSON.stringify(shortened(text));
