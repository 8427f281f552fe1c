import type { Bookmark } from '../client/bookmarks.ts';

export interface SavedView {
  href: string;
  label: string;
  isShown: boolean;
}

/** What shows something else than a list, or one of its records. */
const parametersOfOtherPages = ['page', 'form', 'explain', 'open', 'act'];

/** Of two addresses of a list, whether they ask for the same rows: which record is open does not count. */
const isSameList = (first: URLSearchParams, second: URLSearchParams): boolean =>
  ['group', 'filter', 'sort', 'dir'].every((name) => (first.get(name) ?? '') === (second.get(name) ?? ''));

/** The bookmarks of a list, next to the whole of it; none, where it has no bookmark. */
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

/** A label that nobody has changed begins with the page, which is known here. */
function shortLabel(label: string, parameters: URLSearchParams): string {
  const filter = parameters.get('filter') ?? '';
  return filter !== '' && label.endsWith(`: ${filter}`) ? filter : label;
}
