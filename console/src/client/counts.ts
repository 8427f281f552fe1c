import { operations } from 'virtual:shell-operations';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { elementsOf } from '../filter/filter-text.ts';
import { useSession } from './session-context.ts';

/** The number of records with one value. */
export interface Count {
  value: string | number | boolean | null;
  count: number;
}

/** Counts the records of a resource by the values of a field, restricted by a filter. */
export function useCounts(group: string, field: string, filter: string, isWanted = true) {
  const { unattended } = useSession();
  return useQuery<Count[]>({
    queryKey: [group, 'counts', field, filter],
    enabled: isWanted,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { group, by: field, filter: elementsOf(filter) };
      return (await unattended.call<Count>(operations['console.counts'], { query, signal })).results;
    },
  });
}
