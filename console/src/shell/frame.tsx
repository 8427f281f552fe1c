import { Dialog } from '@base-ui/react/dialog';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { saveAttribute } from '../client/session.ts';
import { useSession } from '../client/session-context.ts';
import { groupsOn, shownPages } from '../document/pages.ts';
import { Icon } from '../parts/icon.tsx';
import { Message } from '../parts/message.tsx';
import { GroupPage } from '../screens/group-page.tsx';
import { text } from '../texts/text.ts';
import { IdleWarning } from './idle-warning.tsx';
import { switchSingleKeys, useKeys } from './keys.ts';
import { accountPath, Menu } from './menu.tsx';
import { shownTheme, showTheme } from './theme.ts';
import { startTypeAhead, takeTypeAhead } from './type-ahead.ts';

const KeyMap = lazy(async () => ({ default: (await import('./key-map.tsx')).KeyMap }));
const AccountPage = lazy(async () => ({ default: (await import('../screens/account/account-page.tsx')).AccountPage }));
const loadPalette = () => import('./palette.tsx');
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));

/** Latest start of loading the palette on a page that is never idle. */
const idleMsMax = 5_000;

/** Pages that open with `g` and a second key. */
const goKeys = [
  ['h', 'hosts'],
  ['d', 'devices'],
  ['p', 'access-policies'],
  ['e', 'events'],
] as const;

/** The menu and the page of the address. */
export function Frame({ onSignOut }: { onSignOut(): void }) {
  const session = useSession();
  const { navigation } = session;
  const [location, goTo] = useLocation();
  const [theme, setTheme] = useState(navigation.theme);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const [isShowingKeys, setShowingKeys] = useState(false);
  useEffect(() => showTheme(theme), [theme]);
  useEffect(() => switchSingleKeys(session.singleKeys), [session]);
  const switchTheme = () => {
    const newTheme = shownTheme() === 'dark' ? 'light' : 'dark';
    setTheme(newTheme);
    saveAttribute(session, 'theme', newTheme);
  };
  const find = () => {
    setMenuOpen(false);
    if (!isFinding) startTypeAhead();
    setFinding(true);
  };
  const closePalette = () => {
    takeTypeAhead();
    setFinding(false);
  };
  const showKeys = () => {
    setMenuOpen(false);
    setShowingKeys(true);
  };

  const menuActions = { onFind: find, onKeys: showKeys, onTheme: switchTheme, onSignOut };
  const pages = navigation.menu.flatMap(({ children }) => shownPages(children));
  const pageTitle =
    location === accountPath ? text.account.title : pages.find(({ page }) => location === `/${page}`)?.label;
  useEffect(() => {
    document.title = pageTitle === undefined ? text.product : `${pageTitle} – ${text.product}`;
  }, [pageTitle]);
  const openGoKeys = goKeys.filter(([, page]) => pages.some((candidate) => candidate.page === page));
  const goToActions = Object.fromEntries(openGoKeys.map(([key, page]) => [`g ${key}`, () => goTo(`/${page}`)]));
  useKeys({ '.': switchTheme, 'Ctrl k': find, '?': showKeys, ...goToActions });
  useEffect(loadPaletteWhenIdle, []);
  const main = useRef<HTMLElement>(null);
  // The focused input was removed with the sign-in page.
  useEffect(() => {
    if (document.activeElement === document.body) main.current?.focus();
  }, []);
  return (
    <div className="frame">
      <Menu {...menuActions} />
      <main className="work" ref={main} tabIndex={-1}>
        <IdleWarning />
        <Dialog.Root open={isMenuOpen} onOpenChange={setMenuOpen}>
          <Switch>
            {pages.map(({ page, label }) => (
              <Route path={`/${page}`} key={page}>
                <GroupPage key={page} title={label} groups={groupsOn(page)} menuButton={<MenuButton />} />
              </Route>
            ))}
            <Route path={accountPath}>
              <Suspense>
                <AccountPage menuButton={<MenuButton />} />
              </Suspense>
            </Route>
            <Route path="/">
              {navigation.landingPage ? (
                <Redirect to={`/${navigation.landingPage}`} replace />
              ) : (
                <Message title={text.nothingOpen.title}>
                  <p>{text.nothingOpen.why}</p>
                  <button type="button" className="button" onClick={onSignOut}>
                    {text.frame.signOut}
                  </button>
                </Message>
              )}
            </Route>
            <Route>
              <header className="head">
                <MenuButton />
                <h1>{text.product}</h1>
              </header>
              <Message title={text.noSuchPage.title}>
                <p>{text.noSuchPage.why}</p>
              </Message>
            </Route>
          </Switch>
          <Dialog.Portal>
            <Dialog.Backdrop className="scrim" />
            <Dialog.Popup className="sheet" aria-label={text.frame.menu}>
              <Menu {...menuActions} onChosen={() => setMenuOpen(false)} />
            </Dialog.Popup>
          </Dialog.Portal>
        </Dialog.Root>
        {isShowingKeys && (
          <Suspense>
            <KeyMap onClose={() => setShowingKeys(false)} />
          </Suspense>
        )}
        {isFinding && (
          <Suspense>
            <Palette onClose={closePalette} />
          </Suspense>
        )}
      </main>
    </div>
  );
}

/** Loads the palette when the browser is idle after the first paint, so that Ctrl-K opens it at once. */
function loadPaletteWhenIdle(): () => void {
  const load = () => {
    // If this fails, the palette is loaded again when it is opened.
    loadPalette().catch(() => undefined);
  };
  // Safari has no requestIdleCallback.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(load, idleMsMax);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(load, { timeout: idleMsMax });
  return () => cancelIdleCallback(handle);
}

/** Opens the menu on narrow screens. */
const MenuButton = () => (
  <Dialog.Trigger className="button plain square only-small">
    <Icon name="menu" />
    <span className="hidden">{text.frame.openMenu}</span>
  </Dialog.Trigger>
);
