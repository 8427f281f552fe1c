import type { Bookmark } from '../client/bookmarks.ts';

export interface SavedView {
  href: string;
  label: string;
  isShown: boolean;
}

/** What shows something else than a list, or one of its records. */
const notOfList = ['page', 'form', 'explain', 'open', 'act'];

/** Of two addresses of a list, whether they ask for the same rows: which record is open does not count. */
const isSameList = (one: URLSearchParams, other: URLSearchParams): boolean =>
  ['group', 'filter', 'sort', 'dir'].every((name) => (one.get(name) ?? '') === (other.get(name) ?? ''));

/** The bookmarks of a list, next to the whole of it; none, where it has no bookmark. */
export function savedViews(
  bookmarks: readonly Pick<Bookmark, 'path' | 'label'>[],
  { path, search, all }: { path: string; search: string; all: string },
): SavedView[] {
  const shown = new URLSearchParams(search);
  const group = shown.get('group');
  const own = bookmarks.flatMap(({ path: href, label }) => {
    const [to, query = ''] = href.split('?');
    const asked = new URLSearchParams(query);
    const isOfList = to === path && asked.get('group') === group && !notOfList.some((name) => asked.has(name));
    const isWhole = isSameList(asked, new URLSearchParams(group === null ? '' : { group }));
    return isOfList && !isWhole ? [{ href, label: shortLabel(label, asked), isShown: isSameList(asked, shown) }] : [];
  });
  if (own.length === 0) return [];
  const whole = group === null ? path : `${path}?group=${encodeURIComponent(group)}`;
  return [{ href: whole, label: all, isShown: isSameList(new URLSearchParams(whole.split('?')[1]), shown) }, ...own];
}

/** A label that nobody has changed begins with the page, which is known here. */
function shortLabel(label: string, asked: URLSearchParams): string {
  const filter = asked.get('filter') ?? '';
  return filter !== '' && label.endsWith(`: ${filter}`) ? filter : label;
}
