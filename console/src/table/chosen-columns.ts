import { useMemo } from 'react';
import { useKept } from '../client/kept.ts';
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
  const { kept, choose } = useKept(attributeOf(group), isKept);
  const shown = useMemo(() => withColumns(group, kept?.order ?? null), [group, kept]);
  return {
    group: shown,
    isChosen: shown !== group,
    choose: (columns) => choose(columns === null ? null : { order: columns }),
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
