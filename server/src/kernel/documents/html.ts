/** Markup that may stand in a page as it is: only the template below makes it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Html | string | number | undefined | false | readonly Piece[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const written = (piece: Piece): string => {
  if (piece === undefined || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(written).join('');
  return String(piece).replace(/[&<>"']/g, (character) => entities[character]!);
};

/** A piece of a page. Every text put into it is escaped, so the author of a page cannot forget to. */
export const html = (strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html =>
  new Html(strings.reduce((text, string, index) => text + written(pieces[index - 1]) + string));

/** A sentence of a declaration: `code` in backticks, everything else as it is. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, index, parts) => {
    // A backtick without its twin is only a backtick.
    if (index % 2 === 0) return part;
    return index === parts.length - 1 ? `\`${part}` : html`<code>${part}</code>`;
  })}`;
