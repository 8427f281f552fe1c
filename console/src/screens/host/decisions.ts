import type { PolicyDecision } from '@portreeve/sdk/generated/api.ts';
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../../client/group-calls.ts';
import type { GroupInfo } from '../../document/group.ts';
import { findOperation } from '../../document/operations.ts';

/** Loads the current decision for each adapter of a host. */
export function useDecisions(group: GroupInfo, id: string) {
  const { clientFor } = useClients();
  return useQuery<PolicyDecision[]>({
    queryKey: [group.name, 'policy', id],
    // The decision depends on the locations of the adapters.
    meta: { topics: ['adapter'] },
    queryFn: async ({ signal, queryKey }) => {
      const policy = findOperation(group, 'host.policy')!;
      return (await clientFor(queryKey).call<PolicyDecision>(policy, { path: { id }, signal })).results;
    },
  });
}
