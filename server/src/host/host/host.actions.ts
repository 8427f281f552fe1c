import { changeHosts } from './change-hosts.ts';
import { hostFilters } from './client-filters.ts';
import { findHosts } from './find-hosts.ts';
import { importHosts } from './import/import-hosts.ts';
import { multifilters } from './multifilter.ts';
import { searchHosts } from './search.ts';
import { withAdapters } from './with-adapters.ts';

export const hostActions = [
  ...findHosts,
  ...searchHosts,
  ...multifilters,
  ...hostFilters,
  ...changeHosts,
  ...withAdapters,
  importHosts,
];
