import { useMemo } from 'react';
import { useStoredAttribute } from '../client/kept.ts';
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
  const { kept: storedColumns, choose } = useStoredAttribute(attributeOf(group), isKept);
  const shown = useMemo(() => applyColumns(group, storedColumns?.order ?? null), [group, storedColumns]);
  return {
    group: shown,
    isChosen: shown !== group,
    choose: (columns) => choose(columns === null ? null : { order: columns }),
  };
}

/** What a later release does not have any more is left out. */
function applyColumns(group: GroupInfo, chosen: readonly string[] | null): GroupInfo {
  const existingColumns = chosen?.filter((name) => group.fields.some((field) => field.name === name)) ?? [];
  return existingColumns.length > 0 ? { ...group, columns: existingColumns } : group;
}

/** Fields that a list can have a column of. */
export const listableFields = ({ fields }: GroupInfo): FieldInfo[] =>
  fields.filter(({ access, detailOnly, kind }) => access !== 'secret' && !detailOnly && !isDeepKind(kind));
