import { type Html, html } from './html.ts';

/** Where a link of a page leads; undefined: nowhere that is served, so its text stands alone. */
export type LinkOf = (target: string) => string | undefined;

interface Block {
  html: Html;
  /** The first line behind it. */
  next: number;
}

/** The part of Markdown that our own pages use: headings, paragraphs, lists, tables, quotes and code. All text is escaped. */
export function markdownPage(text: string, linkOf: LinkOf): Html {
  const lines = text.split('\n');
  const blocks: Html[] = [];
  for (let at = 0; at < lines.length; ) {
    if (lines[at]!.trim() === '') {
      at++;
      continue;
    }
    const block = blockAt(lines, at, linkOf);
    blocks.push(block.html);
    at = block.next;
  }
  return html`${blocks}`;
}

/** The first heading of a page. */
export const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? '';

/** As repositories name the place of a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

function blockAt(lines: readonly string[], at: number, linkOf: LinkOf): Block {
  const line = lines[at]!;
  if (line.startsWith('```')) return codeAt(lines, at);
  if (/^#{1,4} /.test(line)) return headingAt(line, at, linkOf);
  if (line.startsWith('|')) return tableAt(lines, at, linkOf);
  if (line.startsWith('>')) {
    const [quoted, next] = linesWhile(lines, at, (each) => each.startsWith('>'));
    return {
      html: html`<blockquote>${inline(quoted.map((each) => each.replace(/^> ?/, '')).join(' '), linkOf)}</blockquote>`,
      next,
    };
  }
  if (isItem(line)) return listAt(lines, at, linkOf);
  const [text, next] = linesWhile(
    lines,
    at,
    (each) => each.trim() !== '' && !/^(```|#{1,4} |\||>)/.test(each) && !isItem(each),
  );
  return { html: html`<p>${inline(text.join(' '), linkOf)}</p>`, next };
}

function linesWhile(lines: readonly string[], at: number, isIn: (line: string) => boolean): [string[], number] {
  let next = at;
  while (next < lines.length && isIn(lines[next]!)) next++;
  return [lines.slice(at, next), next];
}

function codeAt(lines: readonly string[], at: number): Block {
  const end = lines.findIndex((line, index) => index > at && line.startsWith('```'));
  const last = end < 0 ? lines.length : end;
  return { html: html`<pre tabindex="0"><code>${lines.slice(at + 1, last).join('\n')}</code></pre>`, next: last + 1 };
}

function headingAt(line: string, at: number, linkOf: LinkOf): Block {
  const level = line.indexOf(' ');
  const text = line.slice(level + 1);
  const id = anchorOf(text);
  const content = inline(text, linkOf);
  if (level === 1) return { html: html`<h1>${content}</h1>`, next: at + 1 };
  const anchor = html`<a class="anchor" href="#${id}" aria-label="Link to ${text}">#</a>`;
  return {
    html: level === 2 ? html`<h2 id="${id}">${content} ${anchor}</h2>` : html`<h3 id="${id}">${content} ${anchor}</h3>`,
    next: at + 1,
  };
}

/** Cells of a row; a backslash keeps a bar from parting them. */
const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim());

function tableAt(lines: readonly string[], at: number, linkOf: LinkOf): Block {
  const [rows, next] = linesWhile(lines, at, (line) => line.startsWith('|'));
  const [head = '', , ...body] = rows;
  return {
    html: html`<div class="wide"><table><thead><tr>${cellsOf(head).map(
      (cell) => html`<th scope="col">${inline(cell, linkOf)}</th>`,
    )}</tr></thead><tbody>${body.map(
      (row) => html`<tr>${cellsOf(row).map((cell) => html`<td>${inline(cell, linkOf)}</td>`)}</tr>`,
    )}</tbody></table></div>`,
    next,
  };
}

const isItem = (line: string): boolean => /^\s*(?:[-*]|\d+\.) /.test(line);

/** Items of one depth; lines that are indented belong to the item before them. */
function listAt(lines: readonly string[], at: number, linkOf: LinkOf): Block {
  const isNumbered = /^\s*\d/.test(lines[at]!);
  const items: string[] = [];
  let next = at;
  for (; next < lines.length; next++) {
    const line = lines[next]!;
    if (isItem(line)) items.push(line.replace(/^\s*(?:[-*]|\d+\.) /, ''));
    else if (/^\s+\S/.test(line)) items[items.length - 1] += ` ${line.trim()}`;
    else break;
  }
  const content = items.map((item) => html`<li>${inline(item, linkOf)}</li>`);
  return { html: isNumbered ? html`<ol>${content}</ol>` : html`<ul>${content}</ul>`, next };
}

/** Code, links, and emphasis within a line. */
function inline(text: string, linkOf: LinkOf): Html {
  const pieces: Html[] = [];
  let rest = text;
  for (;;) {
    const found = /`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)|\*\*([^*]+)\*\*|(?<![\w*])\*([^*\s][^*]*)\*/.exec(rest);
    if (!found) break;
    const [whole, code, label, target, bold, leaning] = found;
    pieces.push(html`${rest.slice(0, found.index)}`);
    if (code !== undefined) pieces.push(html`<code>${code}</code>`);
    else if (label !== undefined) pieces.push(linked(inline(label, linkOf), linkOf(target!)));
    else if (bold !== undefined) pieces.push(html`<strong>${inline(bold, linkOf)}</strong>`);
    else pieces.push(html`<em>${inline(leaning!, linkOf)}</em>`);
    rest = rest.slice(found.index + whole.length);
  }
  return html`${[...pieces, html`${rest}`]}`;
}

const linked = (text: Html, href: string | undefined): Html =>
  href === undefined ? text : html`<a href="${href}">${text}</a>`;
