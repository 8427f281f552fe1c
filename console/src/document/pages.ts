import { groups } from 'virtual:groups';
import type { GroupEntry } from './group.ts';

/** The groups of a page; a page without any stays out of the menu. */
export const groupsOn = (page: string): GroupEntry[] => groups.filter((group) => group.page === page);

/** Pages of the menu that have something to show. */
export const shownPages = <Page extends { page: string }>(pages: readonly Page[]): Page[] =>
  pages.filter(({ page }) => groupsOn(page).length > 0);
