import type { GroupEntry } from '../document/group.ts';

/** What the search of the service found. */
export interface Hit {
  group: string;
  id: number | null;
  /** Null: the group could not be searched in time. */
  name: string | null;
  where: string | null;
}

/** Something to go to. */
export interface Choice {
  name: string;
  where: string;
  /** What it is, in a word. */
  kind: string;
  href: string;
}

interface Page {
  page: string;
  label: string;
}

/** Words that people type for a page, which has another name. */
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

/** The pages whose name, or another word for it, has every word that was written. */
export function pageChoices(pages: readonly Page[], input: string): Choice[] {
  const words = wordsIn(input);
  return pages
    .filter(({ page, label }) => hasAll(`${label} ${synonyms[page] ?? ''}`, words))
    .map(({ page, label }) => ({ name: label, where: '', kind: 'Page', href: `/${page}` }));
}

/** The bookmarks whose label has every word that was written; without a word they are in the menu. */
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

/** A record that was found, as far as its page is open to the user. */
export function choiceOf(hit: Hit, groups: readonly GroupEntry[], open: readonly Page[]): Choice | undefined {
  const group = groups.find(({ name }) => name === hit.group);
  if (hit.name === null || hit.id === null || !group?.isListed) return undefined;
  if (!open.some(({ page }) => page === group.page)) return undefined;
  const href = `/${group.page}?group=${group.name}&open=${hit.id}`;
  return { name: hit.name, where: hit.where ?? '', kind: group.title, href };
}
