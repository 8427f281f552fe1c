import type { GroupEntry } from '../document/group.ts';

/** A search result of the service. */
export interface Hit {
  group: string;
  id: number | null;
  /** Null if the search of this resource timed out. */
  name: string | null;
  where: string | null;
}

/** An entry of the palette. */
export interface Choice {
  name: string;
  where: string;
  /** The kind of entry: page, bookmark, or the title of a resource. */
  kind: string;
  href: string;
}

interface Page {
  page: string;
  label: string;
}

/** Synonyms of page names. */
const synonyms: Readonly<Record<string, string>> = {
  'access-policies': 'rules authorization',
  'admin-profiles': 'administrators accounts permissions',
  audit: 'logs changes history',
  devices: 'switches routers controllers nas',
  events: 'logs live',
  hosts: 'clients endpoints',
  'logical-networks': 'vlans',
  radius: 'logs live authentications',
};

/** Returns the pages whose name or synonyms contain every typed word. */
export function pageChoices(pages: readonly Page[], input: string): Choice[] {
  const words = wordsIn(input);
  return pages
    .filter(({ page, label }) => hasAll(`${label} ${synonyms[page] ?? ''}`, words))
    .map(({ page, label }) => ({ name: label, where: '', kind: 'Page', href: `/${page}` }));
}

/** Returns the bookmarks whose label contains every typed word; none without input, because the menu lists them. */
export function bookmarkChoices(bookmarks: readonly { label: string; path: string }[], input: string): Choice[] {
  const words = wordsIn(input);
  if (words.length === 0) return [];
  return bookmarks
    .filter(({ label }) => hasAll(label, words))
    .map(({ label, path }) => ({ name: label, where: '', kind: 'Bookmark', href: path }));
}

const wordsIn = (input: string): string[] => input.toLowerCase().split(/\s+/).filter(Boolean);
const hasAll = (label: string, words: readonly string[]): boolean =>
  words.every((word) => label.toLowerCase().includes(word));

/** Converts a search result to an entry; undefined if the user may not open its page. */
export function choiceOf(hit: Hit, groups: readonly GroupEntry[], open: readonly Page[]): Choice | undefined {
  const group = groups.find(({ name }) => name === hit.group);
  if (hit.name === null || hit.id === null || !group?.isListed) return undefined;
  if (!open.some(({ page }) => page === group.page)) return undefined;
  const href = `/${group.page}?group=${group.name}&open=${hit.id}`;
  return { name: hit.name, where: hit.where ?? '', kind: group.title, href };
}
