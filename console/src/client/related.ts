import type { Answer } from '@portreeve/sdk/runtime.ts';
import { useQuery } from '@tanstack/react-query';
import type { GroupInfo } from '../document/group.ts';
import { operationOf } from '../document/operations.ts';
import type { RecordValue } from './group-calls.ts';
import { useGroupInfo } from './group-info.ts';
import { may } from './session.ts';
import { useSession } from './session-context.ts';

/** At most so many are read, unless fewer are enough. */
export const relatedMax = 100;

/** Records of a group that are about a record of another one. */
export interface Related {
  /** Undefined: not known yet. */
  group: GroupInfo | undefined;
  /** The user may not view them. */
  isForbidden: boolean;
  answer: Answer<RecordValue> | undefined;
  error: unknown;
  refetch(): unknown;
}

/** Reads the latest of them. No filter: what they are about is not known yet. */
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
