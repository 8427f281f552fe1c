import { type ComponentType, lazy, type ReactNode } from 'react';
import type { GroupInfo } from '../document/group.ts';
import { columnsOf, type UseColumns } from '../table/columns.ts';
import { text } from '../texts/text.ts';
import { AccessShare } from './host/access-share.tsx';
import { useHostColumns } from './host/host-columns.tsx';

/** What the list of a group has that the lists of others do not. */
interface ListScreen {
  useColumns: UseColumns;
  /** Stands between filter and rows. */
  Summary?: typeof AccessShare;
  /** Why a record is as it is, on a page of its own; loaded when it is asked for. */
  Explain?: ComponentType<{ group: GroupInfo; id: string; head: ReactNode }>;
  /** Keys while a record is open. */
  drawerKeys: readonly (readonly [key: string, does: string])[];
}

const Explain = lazy(async () => ({ default: (await import('./host/explain.tsx')).Explain }));

const plain: ListScreen = { useColumns: columnsOf, drawerKeys: text.keys.drawer };

const special: Readonly<Record<string, ListScreen>> = {
  host: { useColumns: useHostColumns, Summary: AccessShare, Explain, drawerKeys: text.keys.host },
};

export const screenOf = ({ name }: GroupInfo): ListScreen => special[name] ?? plain;
