import type { Answer, Client } from '@portreeve/sdk/runtime.ts';
import { keepPreviousData, type QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { GroupInfo, GroupOperation } from '../document/group.ts';
import { operationOf, pathParameter } from '../document/operations.ts';
import { elementsOf } from '../filter/filter-text.ts';
import { rowsOfPage } from '../table/row-pages.ts';
import { useSession } from './session-context.ts';

export type RecordValue = Readonly<Record<string, unknown>>;

/** Filter and sort order of a list. */
export interface ListQuery {
  filter: string;
  sortKey: string;
  sortDir: string;
}

/** Returns the list operation of a resource. `multifilter` is preferred because it accepts conditions on related resources. */
const listOf = (group: GroupInfo): GroupOperation =>
  group.operations.find(({ id }) => id === `${group.name}.multifilter`) ?? operationOf(group, 'list')!;

const keyOf = (group: GroupInfo, { filter, sortKey, sortDir }: ListQuery, page: number) =>
  [group.name, 'list', filter, sortKey, sortDir, page] as const;

/** Loads a page of a list: after the cursor of the previous page if that page is cached, otherwise by offset. */
async function readPage(
  { client, queries, signal }: { client: Client; queries: QueryClient; signal?: AbortSignal },
  group: GroupInfo,
  listed: ListQuery,
  page: number,
): Promise<Answer<RecordValue>> {
  const before = queries.getQueryData<Answer<RecordValue>>(keyOf(group, listed, page - 1));
  return client.call<RecordValue>(listOf(group), { query: queryOf(listed, rowsOfPage(page), before?.next), signal });
}

const queryOf = (
  { filter, sortKey, sortDir }: ListQuery,
  { start, count }: { start: number; count: number },
  after: string | undefined,
) => ({
  filter: elementsOf(filter),
  sortKey: sortKey || undefined,
  sortDir: sortDir || undefined,
  count,
  ...(after === undefined ? { start } : { after }),
});

/** Rows per request when many rows are selected. */
const readAtOnce = 1_000;

/** Returns a function that loads the rows from `start` up to, not including, `end`, whether they are visible or not. */
export function useReadRows(
  group: GroupInfo,
): (listed: ListQuery, start: number, end: number) => Promise<RecordValue[]> {
  const { client } = useSession();
  return async (listed, start, end) => {
    const rows: RecordValue[] = [];
    let after: string | undefined;
    while (rows.length < end - start) {
      const count = Math.min(readAtOnce, end - start - rows.length);
      const query = queryOf(listed, { start, count }, after);
      const { results, next: nextPosition } = await client.call<RecordValue>(listOf(group), { query });
      rows.push(...results);
      if (nextPosition === undefined) break;
      after = nextPosition;
    }
    return rows;
  };
}

/** Returns the client for a query: a reload after a change must not keep the session alive, so it uses the unattended client. */
export function useClients() {
  const { client, unattended } = useSession();
  const queries = useQueryClient();
  return {
    clientFor: (key: readonly unknown[]) => (queries.getQueryState(key)?.isInvalidated ? unattended : client),
  };
}

export interface Rows {
  /** Records that match; undefined until loaded. */
  filtered: number | undefined;
  total: number | undefined;
  /** The loaded records of each visible page. */
  pages: readonly (readonly RecordValue[])[];
  /** Returns a record if it has been loaded. */
  at(page: number, index: number): RecordValue | undefined;
  error: unknown;
  /** The rows belong to the previous filter or sort order. */
  isStale: boolean;
  retry(): void;
}

/** Loads the visible pages of a list, and its size. */
export function useRows(group: GroupInfo, listed: ListQuery, pages: readonly number[]): Rows {
  const { clientFor } = useClients();
  const queries = useQueryClient();
  const pagesToLoad = pages.includes(0) ? pages : [0, ...pages];
  const pageQueries = useQueries({
    queries: pagesToLoad.map((page) => ({
      queryKey: keyOf(group, listed, page),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        readPage({ client: clientFor(keyOf(group, listed, page)), queries, signal }, group, listed, page),
      ...(page === 0 && { placeholderData: keepPreviousData as (before?: Answer<RecordValue>) => Answer<RecordValue> }),
    })),
  });
  const first = pageQueries[0]!;
  const failed = pageQueries.find(({ error }) => error !== null);
  return {
    filtered: first.data?.filtered,
    total: first.data?.total,
    pages: pageQueries.map(({ data }) => data?.results ?? []),
    at: (page, index) => pageQueries[pagesToLoad.indexOf(page)]?.data?.results[index],
    error: failed?.error ?? null,
    isStale: first.isPlaceholderData,
    retry: () => {
      for (const query of pageQueries) if (query.error !== null) void query.refetch();
    },
  };
}

/** Returns the number of matches of each filter; undefined until loaded, or if the request failed. */
export function useSizes(group: GroupInfo, filters: readonly string[]): (number | undefined)[] {
  const { unattended } = useSession();
  const sizeQueries = useQueries({
    queries: filters.map((filter) => ({
      queryKey: [group.name, 'size', filter] as const,
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const query = { filter: elementsOf(filter), count: 0 };
        return (await unattended.call(listOf(group), { query, signal })).filtered ?? 0;
      },
    })),
  });
  return sizeQueries.map(({ data }) => data);
}

/** Returns a function that checks a filter by loading its first page; it throws the error of the service. */
export function useTryFilter(group: GroupInfo): (listed: ListQuery) => Promise<void> {
  const { client } = useSession();
  const queries = useQueryClient();
  return async (listed) => {
    await queries.fetchQuery({
      queryKey: keyOf(group, listed, 0),
      queryFn: () => readPage({ client, queries }, group, listed, 0),
    });
  };
}

/** Loads one record with all fields. If the resource has no fetch operation, the list is filtered by the id. */
export function useRecord(group: GroupInfo, id: string) {
  const { clientFor } = useClients();
  return useQuery<RecordValue | null>({
    queryKey: [group.name, 'record', id],
    queryFn: async ({ signal, queryKey }) => {
      const client = clientFor(queryKey);
      const { results } = await readRecord(client, group, id, signal);
      return results[0] ?? null;
    },
  });
}

function readRecord(client: Client, group: GroupInfo, id: string, signal: AbortSignal): Promise<Answer<RecordValue>> {
  const fetch = operationOf(group, 'fetch');
  if (fetch) return client.call<RecordValue>(fetch, { path: { [pathParameter(fetch)!]: id }, signal });
  return client.call<RecordValue>(operationOf(group, 'list')!, {
    query: { filter: `${group.identity}==${id}` },
    signal,
  });
}

/** Loads the record of a form. It is not reloaded while the form is open, even if the record changes. */
export function useFormRecord(group: GroupInfo, id: string | null) {
  const { client } = useSession();
  return useQuery<Answer<RecordValue> | null>({
    queryKey: ['form', group.name, id],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      if (group.kind === 'settings') return client.call<RecordValue>(operationOf(group, 'settingsRead')!, { signal });
      return id === null ? null : readRecord(client, group, id, signal);
    },
  });
}

/** Loads the single record of a settings resource. */
export function useSettings(group: GroupInfo) {
  const { client } = useSession();
  return useQuery<RecordValue | null>({
    queryKey: [group.name, 'settings'],
    queryFn: async ({ signal }) =>
      (await client.call<RecordValue>(operationOf(group, 'settingsRead')!, { signal })).results[0] ?? null,
  });
}

/** A resource and the names of its records that refer to the given record. */
interface Usage {
  name: string;
  children: string[];
}

/** Loads the records that refer to a record. */
export function useUsage(group: GroupInfo, id: string) {
  const { client } = useSession();
  const usage = operationOf(group, 'usage')!;
  return useQuery<Usage[]>({
    queryKey: [group.name, 'usage', id],
    queryFn: async ({ signal }) => {
      return (await client.call<Usage>(usage, { path: { [pathParameter(usage)!]: id }, signal })).results;
    },
  });
}
