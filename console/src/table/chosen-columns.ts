import { operations } from 'virtual:shell-operations';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keep } from '../client/session.ts';
import { useSession } from '../client/session-context.ts';
import { type FieldInfo, type GroupInfo, isDeepKind } from '../document/group.ts';

const attributeOf = ({ name }: GroupInfo): string => `columns.${name}`;

/** What is kept about the columns of a list. */
interface KeptColumns {
  order: readonly string[];
}

const isKept = (value: unknown): value is KeptColumns =>
  typeof value === 'object' && value !== null && 'order' in value && Array.isArray(value.order);

/** The group with the columns that the user has chosen for it, on whatever computer. */
export function useChosenColumns(group: GroupInfo): {
  group: GroupInfo;
  isChosen: boolean;
  /** Null: as they are delivered. */
  choose(columns: readonly string[] | null): void;
} {
  const session = useSession();
  const queries = useQueryClient();
  const queryKey = ['columns', group.name];
  const { data = null } = useQuery<readonly string[] | null>({
    queryKey,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const path = { name: attributeOf(group) };
      const { results } = await session.unattended.call<{ value: unknown }>(operations['session.attribute'], {
        path,
        signal,
      });
      const value = results[0]?.value;
      return isKept(value) ? value.order : null;
    },
  });
  const shown = useMemo(() => withColumns(group, data), [group, data]);
  return {
    group: shown,
    isChosen: shown !== group,
    choose: (columns) => {
      // What is still being read is older than the choice; it must not come back, nor what was there before it.
      void queries.cancelQueries({ queryKey }, { revert: false });
      queries.setQueryData(queryKey, columns);
      keep(session, attributeOf(group), columns === null ? null : ({ order: columns } satisfies KeptColumns));
    },
  };
}

/** What a later release does not have any more is left out. */
function withColumns(group: GroupInfo, chosen: readonly string[] | null): GroupInfo {
  const known = chosen?.filter((name) => group.fields.some((field) => field.name === name)) ?? [];
  return known.length > 0 ? { ...group, columns: known } : group;
}

/** Fields that a list can have a column of. */
export const listableFields = ({ fields }: GroupInfo): FieldInfo[] =>
  fields.filter(({ access, detailOnly, kind }) => access !== 'secret' && !detailOnly && !isDeepKind(kind));
