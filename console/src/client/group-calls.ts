import type { Answer, Client } from '@portreeve/sdk/runtime.ts';
import { keepPreviousData, type QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { GroupInfo, GroupOperation } from '../document/group.ts';
import { operationOf, pathParameter } from '../document/operations.ts';
import { elementsOf } from '../filter/filter-text.ts';
import { rowsOfPage } from '../table/row-pages.ts';
import { useSession } from './session-context.ts';

export type RecordValue = Readonly<Record<string, unknown>>;

/** Which records of a group, in which order. */
export interface ListQuery {
  filter: string;
  sortKey: string;
  sortDir: string;
}

/** How a group is listed: by an operation that also takes conditions on other groups, where it has one. */
const listOf = (group: GroupInfo): GroupOperation =>
  group.operations.find(({ id }) => id === `${group.name}.multifilter`) ?? operationOf(group, 'list')!;

const keyOf = (group: GroupInfo, { filter, sortKey, sortDir }: ListQuery, page: number) =>
  [group.name, 'list', filter, sortKey, sortDir, page] as const;

/** Reads a page of a list: behind the one before it where that is known, by its offset after a jump. */
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

/** Read by one request when many rows are to be selected. */
const readAtOnce = 1_000;

/** Reads the rows from `start` up to, not including, `end`, also those that are not on screen. */
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

/** What was read before and has changed since is read again by the page itself, not by somebody. */
export function useClients() {
  const { client, unattended } = useSession();
  const queries = useQueryClient();
  return {
    clientFor: (key: readonly unknown[]) => (queries.getQueryState(key)?.isInvalidated ? unattended : client),
  };
}

export interface Rows {
  /** Records that match; undefined: not known yet. */
  filtered: number | undefined;
  total: number | undefined;
  /** The records of each page on screen, as far as they have been read. */
  pages: readonly (readonly RecordValue[])[];
  /** A record, if it has been read. */
  at(page: number, index: number): RecordValue | undefined;
  error: unknown;
  /** What is shown is of an earlier question. */
  isStale: boolean;
  retry(): void;
}

/** The pages of a list that are on screen, with its size. */
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

/** How many records each of some filters matches; undefined: not known yet, or refused. */
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

/** Tries a filter before it is used; fails with the words of the service. */
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

/** One record, with what lists leave out. A group that has no operation for it is asked for the list of that one. */
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

/** What a form begins with. It stays as it was read while the form is open, whatever changes meanwhile. */
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

/** The one record of a group of settings. */
export function useSettings(group: GroupInfo) {
  const { client } = useSession();
  return useQuery<RecordValue | null>({
    queryKey: [group.name, 'settings'],
    queryFn: async ({ signal }) =>
      (await client.call<RecordValue>(operationOf(group, 'settingsRead')!, { signal })).results[0] ?? null,
  });
}

/** A group, and the names of its records that refer to one. */
interface Usage {
  name: string;
  children: string[];
}

/** Records that refer to one. */
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
