import type { Answer } from '@portreeve/sdk/runtime.ts';
import { useQuery } from '@tanstack/react-query';
import type { GroupInfo } from '../document/group.ts';
import { operationOf } from '../document/operations.ts';
import type { RecordValue } from './group-calls.ts';
import { useGroupInfo } from './group-info.ts';
import { may } from './session.ts';
import { useSession } from './session-context.ts';

/** Default limit of related records. */
export const relatedMax = 100;

/** Records of one resource that belong to a record of another one. */
export interface Related {
  /** Undefined until loaded. */
  group: GroupInfo | undefined;
  /** The user may not view them. */
  isForbidden: boolean;
  answer: Answer<RecordValue> | undefined;
  error: unknown;
  refetch(): unknown;
}

/** Loads the latest related records. An empty filter means that the record is not loaded yet, and no request is sent. */
export function useRelated(name: string, filter: string, max = relatedMax): Related {
  const session = useSession();
  const { data: group } = useGroupInfo(name);
  const list = group && operationOf(group, 'list');
  const isAllowed = list !== undefined && may(session, list);
  const { data, error, refetch } = useQuery<Answer<RecordValue>>({
    queryKey: [name, 'related', filter, max],
    enabled: isAllowed && filter !== '',
    queryFn: ({ signal }) => {
      const query = { filter, sortKey: group!.identity ?? undefined, sortDir: 'DESC', count: max };
      return session.unattended.call<RecordValue>(list!, { query, signal });
    },
  });
  return { group, isForbidden: group !== undefined && !isAllowed, answer: data, error, refetch };
}
