import { useLocation, useSearch } from 'wouter';
import { labelLengthMax, useBookmarks, useSaveBookmark } from '../client/bookmarks.ts';
import { Icon } from '../parts/icon.tsx';
import { text } from '../texts/text.ts';
import { useKeys } from './keys.ts';

/** Adds the shown page with its filter to the bookmarks, or removes it. */
export function BookmarkButton({ title }: { title: string }) {
  const [path] = useLocation();
  const search = useSearch();
  const save = useSaveBookmark();
  const shown = search === '' ? path : `${path}?${search}`;
  const existingBookmark = useBookmarks().find((bookmark) => bookmark.path === shown);
  const toggle = () => {
    if (save.isPending) return;
    if (existingBookmark) save.mutate({ id: existingBookmark.dbid, body: { remove: true } });
    else save.mutate({ id: 0, body: { pageUUID: path.slice(1), label: labelFor(title, search), path: shown } });
  };
  useKeys({ b: toggle });
  const label = existingBookmark ? text.frame.removeBookmark : text.frame.addBookmark;
  return (
    <button
      type="button"
      className="button plain square"
      aria-pressed={existingBookmark !== undefined}
      title={label}
      onClick={toggle}
    >
      <Icon name={existingBookmark ? 'bookmark-check' : 'bookmark'} size={14} />
      <span className="hidden">{label}</span>
    </button>
  );
}

/** Returns the default label: the page title with the filter or record. */
function labelFor(title: string, search: string): string {
  const parameters = new URLSearchParams(search);
  const part = parameters.get('filter') ?? parameters.get('page') ?? parameters.get('open');
  return (part ? `${title}: ${part}` : title).slice(0, labelLengthMax);
}
