/** A part of a terminal line with one look. */
interface Piece {
  text: string;
  looks: ReadonlySet<Look>;
}

const looks = { bold: 1, dim: 2, underline: 4, red: 31, green: 32, yellow: 33 } as const;
type Look = keyof typeof looks;
const lookOf = new Map(Object.entries(looks).map(([look, code]) => [code as number, look as Look]));
/** Codes that end looks. */
const ends: Readonly<Record<number, readonly Look[]>> = {
  22: ['bold', 'dim'],
  24: ['underline'],
  39: ['red', 'green', 'yellow'],
};

const cellWidth = 8.4;
const lineHeight = 20;
const margin = 18;
const barHeight = 34;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Draws a terminal with these lines as SVG: text that can be selected, in the colours of the reader's theme. */
export function terminalPicture(lines: readonly string[], columns: number, title: string): string {
  const width = Math.ceil(columns * cellWidth + 2 * margin);
  const height = barHeight + lines.length * lineHeight + margin;
  const rows = lines.map(
    (line, index) =>
      `<text x="${margin}" y="${barHeight + (index + 0.8) * lineHeight}">${piecesOf(line).map(spanOf).join('')}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>
  text { font: 14px ui-monospace, "SFMono-Regular", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre; fill: #d7dee5; }
  .bold { font-weight: 700; fill: #ffffff; } .dim { fill: #8b98a5; } .underline { text-decoration: underline; }
  .red { fill: #ff8f96; } .green { fill: #74cf9f; } .yellow { fill: #f0b265; } .prompt { fill: #7db8f0; }
</style>
<rect width="${width}" height="${height}" rx="8" fill="#12171d"/>
<g fill="#36414c"><circle cx="22" cy="17" r="5"/><circle cx="40" cy="17" r="5"/><circle cx="58" cy="17" r="5"/></g>
${rows.join('\n')}
</svg>
`;
}

function spanOf({ text, looks: pieceLooks }: Piece): string {
  if (text.startsWith('$ ')) return `<tspan class="prompt">$</tspan>${escaped(text.slice(1))}`;
  return pieceLooks.size === 0 ? escaped(text) : `<tspan class="${[...pieceLooks].join(' ')}">${escaped(text)}</tspan>`;
}

/** Splits a line at the sequences that change its look. */
function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  let current: ReadonlySet<Look> = new Set();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to find
  for (const [index, part] of line.split(/\u001b\[([\d;]*)m/).entries()) {
    if (index % 2 === 0) pieces.push({ text: part, looks: current });
    else current = part.split(';').map(Number).reduce(changed, current);
  }
  return pieces.filter(({ text }) => text !== '');
}

function changed(before: ReadonlySet<Look>, code: number): ReadonlySet<Look> {
  if (code === 0) return new Set();
  const look = lookOf.get(code);
  return look ? new Set([...before, look]) : before.difference(new Set(ends[code] ?? []));
}
