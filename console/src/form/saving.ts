import { type Answer, PortreeveError } from '@portreeve/sdk/runtime.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callInputOf } from '../action/call-input.ts';
import { useSession } from '../client/session-context.ts';
import { ownInput } from '../document/actions.ts';
import type { GroupInfo, GroupOperation } from '../document/group.ts';

/** A write or dry run of a form. */
export interface FormWrite {
  /** The values to send, by field. */
  values: Readonly<Record<string, unknown>>;
  /** Reports the changes without saving them. */
  dryRun?: boolean;
  reason?: string;
  ifMatch?: number | string;
}

/** Saves a record, or starts a dry run. */
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
