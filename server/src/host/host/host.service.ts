import { type Condition, type Context, everyRow } from '../../context.ts';
import type { Declaration } from '../../kernel/declare/declaration.ts';
import { adapter } from '../adapter/adapter.ts';
import { filterOfHosts, matchingHosts } from './actions/multifilter.ts';
import { host } from './host.ts';
import { splitFilters } from './split-filters.ts';

const everyHost = everyRow(host, 'context.matching adds which rows the caller sees');

const ofAdapters = 'adapter.';

/** A count of hosts: the resource whose rows are counted, the field that groups them, and the filters. */
export interface HostCount {
  of: Declaration;
  by: string;
  filter: readonly string[];
  extraFilter?: Condition;
  distinct?: string;
}

/**
 * Returns the count of the hosts that match the filters of `multifilter`. By `adapter.<field>`, a host counts once for each value that at
 * least one of its adapters has.
 */
export function hostCount(
  context: Pick<Context, 'matching'>,
  countField: string,
  filter: readonly string[],
): HostCount {
  const split = splitFilters(filter);
  if (!countField.startsWith(ofAdapters)) return { of: host, by: countField, ...filterOfHosts(context, split) };
  const matches = matchingHosts(context, split);
  return {
    of: adapter,
    filter: [],
    by: countField.slice(ofAdapters.length),
    extraFilter: (parameters) => `r.host_id in (select r.id from ${everyHost} r where ${matches(parameters)})`,
    distinct: 'r.host_id',
  };
}
