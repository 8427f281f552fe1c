import { type Answer, PortreeveError } from '@portreeve/sdk/runtime.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callInputOf } from '../action/call-input.ts';
import { useSession } from '../client/session-context.ts';
import { ownInput } from '../document/actions.ts';
import type { GroupInfo, GroupOperation } from '../document/group.ts';

/** One try to write a form. */
export interface FormWrite {
  /** What was entered and is to be sent, by field. */
  values: Readonly<Record<string, unknown>>;
  /** Only say what would happen. */
  dryRun?: boolean;
  reason?: string;
  ifMatch?: number | string;
}

/** Writes a record, or tries to. */
export function useSave(group: GroupInfo, operation: GroupOperation, id: string | null) {
  const { client } = useSession();
  const queries = useQueryClient();
  const ownName = id === null ? undefined : ownInput(group, operation);
  return useMutation<Answer, Error, FormWrite>({
    gcTime: 0,
    mutationFn: ({ values, dryRun, reason, ifMatch }) =>
      client.call(operation, {
        ...callInputOf(operation, values, ownName === undefined ? undefined : { name: ownName, ids: [id!] }),
        ...(dryRun && { dryRun }),
        ...(reason && { reason }),
        ...(ifMatch !== undefined && operation.takesVersion && { ifMatch }),
      }),
    onSuccess: (_, { dryRun }) => {
      if (!dryRun) void queries.invalidateQueries({ queryKey: [group.name] });
    },
  });
}

export const isStale = (error: unknown): boolean => error instanceof PortreeveError && error.word === 'stale';
