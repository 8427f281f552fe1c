import { operations } from 'virtual:shell-operations';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { saveAttribute } from './session.ts';
import { useSession } from './session-context.ts';

/** Reads and writes an attribute of the user's account, so that a choice applies on every computer; null if it is not set. */
export function useStoredAttribute<Value>(
  name: string,
  isKept: (value: unknown) => value is Value,
): { kept: Value | null; choose(value: Value | null): void } {
  const session = useSession();
  const queries = useQueryClient();
  const queryKey = ['kept', name];
  const { data = null } = useQuery<Value | null>({
    queryKey,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { results } = await session.unattended.call<{ value: unknown }>(operations['session.attribute'], {
        path: { name },
        signal,
      });
      const value = results[0]?.value;
      return isKept(value) ? value : null;
    },
  });
  return {
    kept: data,
    choose: (value) => {
      // Cancels a running load: its result is older than the choice and would overwrite it.
      void queries.cancelQueries({ queryKey }, { revert: false });
      queries.setQueryData(queryKey, value);
      saveAttribute(session, name, value);
    },
  };
}
