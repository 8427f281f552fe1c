import { Link, useLocation } from 'wouter';
import { useBookmarks } from '../client/bookmarks.ts';
import { useSession } from '../client/session-context.ts';
import { shownPages } from '../document/pages.ts';
import { markHidden } from '../document/value.ts';
import { Icon, Logo } from '../parts/icon.tsx';
import type { IconName } from '../parts/icon-names.ts';
import { text } from '../texts/text.ts';
import { type ShownTheme, shownTheme } from './theme.ts';

/** Icons of frequently used pages; others have the icon of their area. */
const pageIcons: Readonly<Record<string, IconName>> = {
  dashboard: 'layout-dashboard',
  hosts: 'monitor',
  adapters: 'cable',
  connections: 'cable',
  events: 'bell',
  devices: 'server',
  discovery: 'radar',
  ports: 'rows-3',
  roles: 'tag',
  groups: 'users',
  'access-policies': 'list-ordered',
  'authentication-policies': 'list-ordered',
  'role-mappings': 'list-ordered',
  'device-profiling-rules': 'fingerprint',
  'logical-networks': 'layers',
  radius: 'activity',
  tasks: 'list-todo',
  jobs: 'list-todo',
  audit: 'history',
  certificates: 'shield-check',
  'admin-profiles': 'key-round',
};
const areaIcons: Readonly<Record<string, IconName>> = {
  operate: 'list',
  network: 'network',
  decide: 'list',
  system: 'archive',
  settings: 'settings',
};

/** The account page, which is not part of the menu of the service. */
export const accountPath = '/account';

export interface MenuActions {
  onFind(): void;
  onKeys(): void;
  onTheme(): void;
  onSignOut(): void;
}

/** The pages that the user may open, as the service returns them. */
export function Menu({ onFind, onKeys, onTheme, onSignOut, onChosen }: MenuActions & { onChosen?(): void }) {
  const { navigation, userID } = useSession();
  const [path] = useLocation();
  const current = path.split('/')[1];
  const bookmarks = useBookmarks();
  const otherTheme: ShownTheme = shownTheme() === 'dark' ? 'light' : 'dark';
  return (
    <nav className="menu" aria-label={text.frame.menu}>
      <div className="product">
        <Logo />
        <span>{text.product}</span>
      </div>
      <button type="button" className="find" onClick={onFind} title={text.palette.title}>
        <Icon name="search" size={14} />
        <span className="grow">{text.palette.title}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <div className="areas">
        {bookmarks.length > 0 && (
          <section className="area" aria-labelledby="area-bookmarks">
            <h2 id="area-bookmarks">{text.frame.bookmarks}</h2>
            <ul>
              {bookmarks.map(({ dbid, label, path: target }) => (
                <li key={dbid}>
                  <Link className="entry" href={target} title={markHidden(label)} onClick={onChosen}>
                    <Icon name="bookmark" />
                    <span>{markHidden(label)}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        )}
        {navigation.menu.map((area) => (
          <section className="area" key={area.page} aria-labelledby={`area-${area.page}`}>
            <h2 id={`area-${area.page}`}>{area.label}</h2>
            <ul>
              {shownPages(area.children).map(({ page, label }) => (
                <li key={page}>
                  <Link
                    className="entry"
                    href={`/${page}`}
                    title={label}
                    onClick={onChosen}
                    aria-current={page === current ? 'page' : undefined}
                  >
                    <Icon name={pageIcons[page] ?? areaIcons[area.page] ?? 'list'} />
                    <span>{label}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <div className="me">
        <Link
          className="own"
          href={accountPath}
          title={text.account.titleOf(userID)}
          aria-label={text.account.titleOf(userID)}
          onClick={onChosen}
        >
          <Icon name="user" />
          <span className="grow">{userID}</span>
        </Link>
        <button type="button" className="button plain square" onClick={onKeys} title={text.frame.keys}>
          <Icon name="keyboard" size={14} />
          <span className="hidden">{text.frame.keys}</span>
        </button>
        <button type="button" className="button plain square" onClick={onTheme} title={text.frame[otherTheme]}>
          <Icon name={otherTheme === 'light' ? 'sun' : 'moon'} size={14} />
          <span className="hidden">{text.frame[otherTheme]}</span>
        </button>
        <button type="button" className="button plain square" onClick={onSignOut} title={text.frame.signOut}>
          <Icon name="log-out" size={14} />
          <span className="hidden">{text.frame.signOut}</span>
        </button>
      </div>
    </nav>
  );
}
