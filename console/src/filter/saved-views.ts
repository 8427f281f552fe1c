import type { Bookmark } from '../client/bookmarks.ts';

export interface SavedView {
  href: string;
  label: string;
  isShown: boolean;
}

/** Parameters of addresses that are not a plain list. */
const parametersOfOtherPages = ['page', 'form', 'explain', 'open', 'act'];

/** Compares two addresses of a list by their rows; the open record is ignored. */
const isSameList = (first: URLSearchParams, second: URLSearchParams): boolean =>
  ['group', 'filter', 'sort', 'dir'].every((name) => (first.get(name) ?? '') === (second.get(name) ?? ''));

/** Returns the unfiltered list and the bookmarks of the list; empty if there are no bookmarks. */
export function savedViews(
  bookmarks: readonly Pick<Bookmark, 'path' | 'label'>[],
  { path, search, all }: { path: string; search: string; all: string },
): SavedView[] {
  const shown = new URLSearchParams(search);
  const group = shown.get('group');
  const ownViews = bookmarks.flatMap(({ path: href, label }) => {
    const [target, query = ''] = href.split('?');
    const parameters = new URLSearchParams(query);
    const isOfList =
      target === path &&
      parameters.get('group') === group &&
      !parametersOfOtherPages.some((name) => parameters.has(name));
    const isWhole = isSameList(parameters, new URLSearchParams(group === null ? '' : { group }));
    return isOfList && !isWhole
      ? [{ href, label: shortLabel(label, parameters), isShown: isSameList(parameters, shown) }]
      : [];
  });
  if (ownViews.length === 0) return [];
  const unfilteredHref = group === null ? path : `${path}?group=${encodeURIComponent(group)}`;
  return [
    { href: unfilteredHref, label: all, isShown: isSameList(new URLSearchParams(unfilteredHref.split('?')[1]), shown) },
    ...ownViews,
  ];
}

/** Removes the page from a default label, because the tabs are on that page. */
function shortLabel(label: string, parameters: URLSearchParams): string {
  const filter = parameters.get('filter') ?? '';
  return filter !== '' && label.endsWith(`: ${filter}`) ? filter : label;
}
