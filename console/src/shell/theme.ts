import type { Theme } from '../client/session.ts';

const dark = matchMedia('(prefers-color-scheme: dark)');

let chosen: Theme = 'system';

export type ShownTheme = 'light' | 'dark';

export const shownTheme = (): ShownTheme => (chosen === 'system' ? (dark.matches ? 'dark' : 'light') : chosen);

const show = (): void => {
  document.documentElement.dataset.theme = shownTheme();
};

/** Applies the theme that the user has selected. */
export function showTheme(theme: Theme): void {
  chosen = theme;
  show();
}

/** Follows the theme of the system while the user has not selected one. */
export function followSystemTheme(): () => void {
  show();
  dark.addEventListener('change', show);
  return () => dark.removeEventListener('change', show);
}
