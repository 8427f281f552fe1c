import { groups } from 'virtual:groups';
import type { GroupEntry } from './group.ts';

/** Returns the resources of a page; pages without any are not in the menu. */
export const groupsOn = (page: string): GroupEntry[] => groups.filter((group) => group.page === page);

/** Returns the menu pages that have at least one resource. */
export const shownPages = <Page extends { page: string }>(pages: readonly Page[]): Page[] =>
  pages.filter(({ page }) => groupsOn(page).length > 0);
