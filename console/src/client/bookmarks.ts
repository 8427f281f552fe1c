import { operations } from 'virtual:shell-operations';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSession } from './session-context.ts';

export interface Bookmark {
  dbid: number;
  pageUUID: string;
  label: string;
  path: string;
}

/** Start of the query keys for data of the user's own account. */
export const ownAccountKey = 'own-account';
const key = [ownAccountKey, 'bookmarks'] as const;

export const labelLengthMax = 120;

/** Returns the user's bookmarks in their order. */
export function useBookmarks(): readonly Bookmark[] {
  const { client } = useSession();
  const { data } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await client.call<Bookmark>(operations['session.bookmarks'], { signal })).results,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? [];
}

type Change = { id: 0; body: Omit<Bookmark, 'dbid'> } | { id: number; body: { remove: true } };

/** Adds a bookmark, or removes one. */
export function useSaveBookmark() {
  const { client } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: Change) => client.call(operations['session.save-bookmark'], { path: { id }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  });
}
