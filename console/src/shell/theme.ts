import type { Theme } from '../client/session.ts';

const dark = matchMedia('(prefers-color-scheme: dark)');

let chosen: Theme = 'system';

export type ShownTheme = 'light' | 'dark';

export const shownTheme = (): ShownTheme => (chosen === 'system' ? (dark.matches ? 'dark' : 'light') : chosen);

const show = (): void => {
  document.documentElement.dataset.theme = shownTheme();
};

/** Shows the theme that somebody likes. */
export function showTheme(theme: Theme): void {
  chosen = theme;
  show();
}

/** Until somebody chooses, the page is as dark as the system, also when that changes. */
export function followSystemTheme(): () => void {
  show();
  dark.addEventListener('change', show);
  return () => dark.removeEventListener('change', show);
}
