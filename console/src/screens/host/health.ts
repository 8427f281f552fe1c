import type { HealthChange } from '@portreeve/sdk/generated/api.ts';
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../../client/group-calls.ts';
import type { GroupInfo } from '../../document/group.ts';
import { findOperation } from '../../document/operations.ts';

/** Loads the health changes of a host, latest first. */
export function useHealth(group: GroupInfo, id: string) {
  const { clientFor } = useClients();
  return useQuery<HealthChange[]>({
    queryKey: [group.name, 'health', id],
    queryFn: async ({ signal, queryKey }) => {
      const history = findOperation(group, 'host.health-history')!;
      return (await clientFor(queryKey).call<HealthChange>(history, { path: { id }, signal })).results;
    },
  });
}
