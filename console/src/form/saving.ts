import { type Answer, PortreeveError } from '@portreeve/sdk/runtime.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSession } from '../client/session-context.ts';
import type { GroupInfo, GroupOperation } from '../document/group.ts';
import { pathParameter } from '../document/operations.ts';

/** One try to write a form. */
export interface Write {
  body: unknown;
  /** Only say what would happen. */
  dryRun?: boolean;
  reason?: string;
  ifMatch?: number | string;
}

/** Writes a record, or tries to. */
export function useSave(group: GroupInfo, operation: GroupOperation, id: string | null) {
  const { client } = useSession();
  const queries = useQueryClient();
  const parameter = pathParameter(operation);
  return useMutation<Answer, Error, Write>({
    mutationFn: ({ body, dryRun, reason, ifMatch }) =>
      client.call(operation, {
        path: parameter !== undefined && id !== null ? { [parameter]: id } : {},
        body,
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
