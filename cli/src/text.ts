/** Characters that must never reach a terminal unescaped: C0 and C1 controls (U+009B starts a sequence too), bidirectional marks, lone surrogates. */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to find
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

const spelled: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes untrusted text and keeps it on one line: a host name can contain an escape sequence. */
export const escapeUnsafe = (text: string): string =>
  text.replace(unsafe, (character) => spelled[character] ?? escapeOf(character));

const escapeOf = (character: string): string => {
  const code = character.codePointAt(0)!;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  return `\\u{${code.toString(16)}}`;
};

/** JSON that is safe on a terminal: the same value, with every unsafe character as a JSON escape. */
export const escapedJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(unsafe, (character) =>
    character === '\n'
      ? character
      : Array.from(
          { length: character.length },
          (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
        ).join(''),
  );

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const plain = /^[\x20-\x7e]*$/;

/** Characters two cells wide: East Asian Wide and Fullwidth (UAX 11), and emoji. */
const wide =
  /^(?:[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.\ufe0f)/u;
const bodiless = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

const cellsOf = (grapheme: string): number => (wide.test(grapheme) ? 2 : bodiless.test(grapheme) ? 0 : 1);

/** Returns the width of escaped text in terminal cells. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  let cells = 0;
  for (const { segment } of graphemes.segment(text)) cells += cellsOf(segment);
  return cells;
}

/** Truncates text to a number of cells, with an ellipsis at the end. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let cells = 0;
  let shortened = '';
  for (const { segment } of graphemes.segment(text)) {
    cells += cellsOf(segment);
    if (cells > width - 1) break;
    shortened += segment;
  }
  return `${shortened}…`;
}

/** Pads text with spaces to exactly this many cells. */
export function fill(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const spaces = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'left' ? text + spaces : spaces + text;
}

/** Wraps text between words to lines of at most this many cells. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Formats 12345 as 12,345. */
export const grouped = (count: number): string => count.toLocaleString('en-US');

/** Formats a count with its noun: "1 record", "2 records". */
export const counted = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Quotes a text for a filter, without wildcards. */
export const filterText = (text: string): string => `"${text.replaceAll(/["\\*]/g, '\\$&')}"`;
