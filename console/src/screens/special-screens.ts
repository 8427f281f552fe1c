import { type ComponentType, lazy, type ReactNode, useMemo } from 'react';
import type { ShownRecord } from '../detail/views.tsx';
import type { GroupInfo } from '../document/group.ts';
import { columnsOf, type UseColumns } from '../table/columns.ts';
import { text } from '../texts/text.ts';
import { type FirstAction, firstActions } from './first-actions.ts';
import { adapterFilter, eventFilter, portChangeFilter, radiusResponseFilter } from './host/about-host.ts';
import { AccessShare } from './host/access-share.tsx';
import { useHostColumns } from './host/host-columns.tsx';

/** Shortcuts with descriptions. */
type KeyWords = readonly (readonly [key: string, does: string])[];

/** Related records of another resource. */
interface RelatedGroup {
  group: string;
  label: string;
  filterOf(shown: ShownRecord): string;
}

interface RecordPageParts {
  Overview: ComponentType<ShownRecord>;
  Sidebar: ComponentType<ShownRecord>;
  /** Shown as tabs. */
  related: readonly RelatedGroup[];
  /** Further resources whose changes the page follows. */
  topics: readonly string[];
  keys: KeyWords;
}

/** The special parts of the pages of a resource. */
interface ListScreen {
  useColumns: UseColumns;
  /** Shown between filter and rows. */
  Summary?: typeof AccessShare;
  /** The page that explains a record, loaded on demand. */
  Explain?: ComponentType<{ group: GroupInfo; id: string; head: ReactNode }>;
  /** The additional parts of a record's page. */
  page?: RecordPageParts;
  /** Suggested actions while the list is empty. */
  first?: readonly FirstAction[];
  /** Shortcuts while a record is open. */
  drawerKeys: KeyWords;
}

const Explain = lazy(async () => ({ default: (await import('./host/explain.tsx')).Explain }));

const HostOverview = lazy(async () => ({ default: (await import('./host/host-overview.tsx')).HostOverview }));
const HostSidebar = lazy(async () => ({ default: (await import('./host/host-sidebar.tsx')).HostSidebar }));

const hostPage: RecordPageParts = {
  Overview: HostOverview,
  Sidebar: HostSidebar,
  topics: ['adapter'],
  keys: text.keys.hostPage,
  related: [
    { group: 'adapter', label: text.hosts.adapters, filterOf: ({ id }) => adapterFilter(id) },
    { group: 'port-change', label: text.hosts.portChanges, filterOf: ({ record }) => portChangeFilter(record) },
    {
      group: 'radius-response',
      label: text.hosts.radius,
      filterOf: ({ record }) => radiusResponseFilter(record),
    },
    { group: 'event', label: text.hosts.events, filterOf: ({ id }) => eventFilter(id) },
  ],
};

const useColumnsOf: UseColumns = (group) => useMemo(() => columnsOf(group), [group]);

const plain: ListScreen = { useColumns: useColumnsOf, drawerKeys: text.keys.drawer };

const special: Readonly<Record<string, ListScreen>> = {
  host: {
    useColumns: useHostColumns,
    Summary: AccessShare,
    Explain,
    page: hostPage,
    first: firstActions,
    drawerKeys: text.keys.host,
  },
  'network-device': { ...plain, first: firstActions },
};

export const screenOf = ({ name }: GroupInfo): ListScreen => special[name] ?? plain;
