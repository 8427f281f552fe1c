import { changeHosts } from './actions/change-hosts.ts';
import { hostFilters } from './actions/client-filters.ts';
import { explainPolicy } from './actions/explain.ts';
import { findHosts } from './actions/find-hosts.ts';
import { importHosts } from './actions/import-hosts.ts';
import { multifilters } from './actions/multifilter.ts';
import { searchHosts } from './actions/search.ts';
import { withAdapters } from './actions/with-adapters.ts';

export const hostActions = [
  ...findHosts,
  ...searchHosts,
  ...multifilters,
  ...hostFilters,
  ...changeHosts,
  ...withAdapters,
  importHosts,
  explainPolicy,
];
