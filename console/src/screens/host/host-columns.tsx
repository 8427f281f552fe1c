import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RecordValue } from '../../client/group-calls.ts';
import { useGroupInfo } from '../../client/group-info.ts';
import { useSession } from '../../client/session-context.ts';
import type { FieldInfo, GroupInfo } from '../../document/group.ts';
import { operationOf } from '../../document/operations.ts';
import { markHidden } from '../../document/value.ts';
import { AccessState, isAccessState } from '../../pictures/access-state.tsx';
import { type Column, columnsOf, type UseColumns } from '../../table/columns.ts';
import { text } from '../../texts/text.ts';
import { mainAdapters } from './main-adapters.ts';

const adaptersMax = 1_000;

/** Returns the columns of the host list, with access state and location from the adapters of the visible hosts. */
export const useHostColumns: UseColumns = (group, pages) => {
  const adapters = useAdaptersOf(pages);
  return useMemo(() => hostColumns(group, adapters), [group, adapters]);
};

function hostColumns(group: GroupInfo, adapters: ReadonlyMap<number, RecordValue>): Column[] {
  const adapterOf = (host: RecordValue) => adapters.get(Number(host.id));
  const access: Column = {
    field: joined('access', text.hosts.access, text.hosts.accessDoc),
    width: 124,
    isNumber: false,
    render: (host) => {
      const state = adapterOf(host)?.accessState;
      return isAccessState(state) ? <AccessState state={state} /> : <span className="quiet">–</span>;
    },
  };
  const where: Column = {
    field: joined('where', text.hosts.where, text.hosts.whereDoc),
    width: 196,
    isNumber: false,
    render: (host) => {
      const location = String(adapterOf(host)?.location ?? '');
      return location ? <span title={location}>{markHidden(location)}</span> : <span className="quiet">–</span>;
    },
  };
  const [nameColumn, ...otherColumns] = columnsOf(group).filter(({ field }) => field.name !== 'connected');
  const name: Column = {
    ...nameColumn!,
    render: (host) =>
      String(host.hostName ?? '') ? (
        markHidden(String(host.hostName))
      ) : (
        <span className="quiet">{text.hosts.unnamed}</span>
      ),
  };
  return [name, access, ...otherColumns.flatMap((column) => (column.field.name === 'ip' ? [column, where] : [column]))];
}

const joined = (name: string, label: string, doc: string): FieldInfo => ({
  name,
  label,
  doc,
  kind: 'text',
  access: 'computed',
  nullable: true,
});

/** Loads the adapters of the hosts of each page, one request per page. Users without the permission get none. */
function useAdaptersOf(pages: readonly (readonly RecordValue[])[]): ReadonlyMap<number, RecordValue> {
  const { unattended } = useSession();
  const { data: adapter } = useGroupInfo('adapter');
  return useQueries({
    queries: pages.map((hosts) => {
      const ids = hosts.map(({ id }) => id).join(',');
      return {
        queryKey: ['adapter', 'of-hosts', ids],
        queryFn: async ({ signal }: { signal: AbortSignal }) =>
          (
            await unattended.call<RecordValue>(operationOf(adapter!, 'list')!, {
              query: { filter: `hostID=in=(${ids})`, count: adaptersMax },
              signal,
            })
          ).results,
        enabled: adapter !== undefined && ids !== '',
      };
    }),
    combine: mainOfAll,
  });
}

/** Defined outside the hook: a stable function lets react-query skip the computation if nothing has changed. */
const mainOfAll = (queryResults: readonly { data?: RecordValue[] }[]): ReadonlyMap<number, RecordValue> =>
  mainAdapters(queryResults.flatMap(({ data }) => data ?? []));
