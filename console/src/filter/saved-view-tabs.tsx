import { Link, useLocation, useSearch } from 'wouter';
import { useBookmarks } from '../client/bookmarks.ts';
import { markHidden } from '../document/value.ts';
import { text } from '../texts/text.ts';
import { savedViews } from './saved-views.ts';

/** Tabs for the user's bookmarks of this list. */
export function SavedViewTabs() {
  const [path] = useLocation();
  const views = savedViews(useBookmarks(), { path, search: useSearch(), all: text.list.all });
  if (views.length === 0) return null;
  return (
    <nav className="tabs saved-views" aria-label={text.list.views}>
      {views.map(({ href, label, isShown }) => (
        <Link key={href} href={href} aria-current={isShown ? 'page' : undefined} title={markHidden(label)}>
          {markHidden(label)}
        </Link>
      ))}
    </nav>
  );
}
