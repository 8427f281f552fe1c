import { action, type Context, type RecordValue } from '../../../context.ts';
import type { Call } from '../../../kernel/declare/operation.ts';
import { shapes } from '../../../kernel/declare/shapes.ts';
import { notFound } from '../../../kernel/failure.ts';
import { host } from '../host.ts';
import { splitFilters } from '../split-filters.ts';
import { hostWith } from './find-hosts.ts';
import { matchingHosts } from './multifilter.ts';

/** Filters that are useful in every network, by name. */
export const builtInFilters = [
  { name: 'rogues-online', title: 'Rogues that are online', filter: ['type==1', 'connected==true'] },
  { name: 'at-risk', title: 'Hosts at risk', filter: ['health==AT_RISK'] },
  { name: 'disabled', title: 'Disabled hosts', filter: ['enabled==false'] },
  { name: 'new-today', title: 'New in the last day', filter: ['creationTime=ge=-24h'] },
  {
    name: 'expiring-7-days',
    title: 'Expiring within seven days',
    filter: ['expirationDate=ge=now', 'expirationDate=le=+7d'],
  },
  { name: 'no-agent', title: 'Registered without an agent', filter: ['registered==true', 'agentID=isnull=true'] },
  { name: 'randomized-mac', title: 'With a randomized MAC address', filter: ['adapter.randomized==true'] },
  { name: 'unprofiled', title: 'Of an unknown type', filter: ['deviceType.tag==unknown'] },
] as const;

type BuiltIn = (typeof builtInFilters)[number];

const shownMax = 1_000;
const cachedSeconds = 60;

interface Matches {
  count: number;
  ids: number[];
  at: string;
}

/** Returns the matches of a filter: from the cache in the database for callers who see every host, by a query for all others. */
async function cachedMatches(call: Call, context: Context, { name, filter }: BuiltIn): Promise<Matches> {
  const isUnrestricted = context.visibleRow(host) === '';
  if (!isUnrestricted) return findMatches(call, context, filter);
  const [cached] = await context.query<Matches>(
    `select c.count, c.ids, c.at from host_filter_cache c where c.name = $1 and c.at > now() - make_interval(secs => ${cachedSeconds})`,
    [name],
  );
  if (cached) return cached;
  const fresh = await findMatches(call, context, filter);
  await context.query(
    `insert into host_filter_cache (name, count, ids, at) values ($1, $2, $3, $4)
     on conflict (name) do update set count = excluded.count, ids = excluded.ids, at = excluded.at`,
    [name, fresh.count, fresh.ids, fresh.at],
  );
  return fresh;
}

async function findMatches({ nowMs }: Call, context: Context, filter: readonly string[]): Promise<Matches> {
  const page = await context.list(host, {
    filter: [],
    start: 0,
    count: shownMax,
    restrict: matchingHosts(context, splitFilters(filter)),
  });
  return { count: page.filtered, ids: page.records.map(({ id }) => Number(id)), at: new Date(nowMs).toISOString() };
}

const clientFilters = action(host, {
  name: 'client-filters',
  method: 'GET',
  path: '/client-filters',
  doc: 'List named host filters with their host counts',
  result: {
    kind: 'object',
    name: 'HostFilter',
    properties: {
      name: { kind: 'text', max: 80 },
      title: { kind: 'text', max: 200 },
      scope: {
        kind: 'choice',
        values: ['BUILT_IN', 'USER'],
        doc: 'Built in, or created by the caller.',
      },
      filter: {
        kind: 'list',
        item: { kind: 'text', max: 4_096 },
        max: 16,
        doc: 'Filter in the form of GET /host/multifilter.',
      },
      count: { ...shapes.count, doc: 'Number of matching hosts, at most one minute old.' },
    },
  },
  errors: ['too-expensive'],
  async run(call, context) {
    const results: object[] = [];
    for (const builtInFilter of builtInFilters) {
      const { count } = await cachedMatches(call, context, builtInFilter);
      results.push({ ...builtInFilter, scope: 'BUILT_IN', count });
    }
    return results;
  },
});

const cached = action(host, {
  name: 'cached',
  method: 'GET',
  path: '/client-filters/cached/{name}',
  pathShapes: { name: { kind: 'text', max: 80, example: 'rogues-online' } },
  doc: 'List the hosts of a named filter, at most one minute old',
  counted: true,
  result: hostWith('CachedHost', { cachedAt: { kind: 'time', doc: 'When the filter was evaluated.' } }),
  errors: ['not-found', 'too-expensive'],
  async run(call, context) {
    const builtInFilter = builtInFilters.find(({ name }) => name === call.parameters.name);
    if (!builtInFilter) throw notFound('host filter', call.parameters.name);
    const { count, ids, at: evaluatedAt } = await cachedMatches(call, context, builtInFilter);
    const { records, total } = await context.list(host, {
      filter: [],
      start: 0,
      count: shownMax,
      extraFilter: (parameters) => `r.id = any(${parameters.add(ids, '::bigint[]')})`,
    });
    const cachedAt = new Date(evaluatedAt).toISOString();
    return { results: records.map((record: RecordValue) => ({ ...record, cachedAt })), filtered: count, total };
  },
});

export const hostFilters = [clientFilters, cached];
