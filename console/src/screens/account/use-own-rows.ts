import { group } from 'virtual:own-account';
import { useQuery } from '@tanstack/react-query';
import { ownAccountKey } from '../../client/bookmarks.ts';
import { useSession } from '../../client/session-context.ts';
import { accountOperation, type NamedOperation } from './account-operations.ts';

/** Loads the results of an operation on the user's account. */
export function useOwnRows<Row>(id: NamedOperation, query: Readonly<Record<string, boolean>> = {}) {
  const { client } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: [ownAccountKey, id, query],
    queryFn: async ({ signal }) => (await client.call<Row>(accountOperation(group, id), { query, signal })).results,
  });
  return { rows: data, error, refetch: () => void refetch() };
}
