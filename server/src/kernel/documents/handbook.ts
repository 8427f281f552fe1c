import { readdirSync, readFileSync } from 'node:fs';
import { Failure } from '../failure.ts';
import { type Html, html } from './html.ts';
import { markdownPage, titleOf } from './markdown.ts';

/** Folders of pages that are served; a later one gives way to a page of the same name. */
const folders = ['docs/handbook', 'docs'];
/** Of the second folder these alone: the others are for who works on the service. */
const others: ReadonlySet<string> = new Set(['cli', 'contract', 'keys']);
/** In the order in which one reads them; pages that are not named follow. */
const order = [
  'tour',
  'console',
  'first-hour',
  'filters',
  'writing-safely',
  'errors',
  'events',
  'tokens',
  'policies',
  'radius',
  'operating',
  'cli',
];

const checkout = new URL('../../../../', import.meta.url);
export const handbookRoot = '/docs/handbook';

interface HandbookPage {
  name: string;
  title: string;
  text: string;
}

/** The pages of the handbook, from the folder docs/ of the checkout; there are none where only the service was installed. */
export class Handbook {
  readonly #pages: ReadonlyMap<string, HandbookPage>;

  constructor(root: URL = checkout) {
    const pages = folders.flatMap((folder, at) =>
      pagesIn(new URL(`${folder}/`, root)).filter(({ name }) => at === 0 || others.has(name)),
    );
    const place = ({ name }: HandbookPage) => (order.includes(name) ? order.indexOf(name) : order.length);
    this.#pages = new Map(pages.sort((a, b) => place(a) - place(b)).map((page) => [page.name, page]));
  }

  /** A list of all pages. */
  contents(): Html {
    return html`<ul>${[...this.#pages.values()].map(({ name, title }) => html`<li><a href="${handbookRoot}/${name}">${title}</a></li>`)}</ul>`;
  }

  page(name: string): { title: string; content: Html } {
    const found = this.#pages.get(name);
    if (!found)
      throw new Failure(
        'not-found',
        `The handbook has no page ${name.slice(0, 80)}; see ${handbookRoot} for all pages.`,
      );
    return { title: found.title, content: markdownPage(found.text, (target) => this.#linkOf(target)) };
  }

  /** Pages link to other files; one that is not served is no link. */
  #linkOf(target: string): string | undefined {
    if (/^(#|https:\/\/)/.test(target)) return target;
    const [, name, anchor = ''] = /([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
    return name !== undefined && this.#pages.has(name) ? `${handbookRoot}/${name}${anchor}` : undefined;
  }
}

function pagesIn(folder: URL): HandbookPage[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  } catch {
    return [];
  }
  return names.map((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    return { name: name.slice(0, -'.md'.length), title: titleOf(text), text };
  });
}
