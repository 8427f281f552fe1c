import { useMemo } from 'react';
import { useStoredAttribute } from '../client/stored-attribute.ts';
import { type FieldInfo, type GroupInfo, isDeepKind } from '../document/group.ts';

const attributeOf = ({ name }: GroupInfo): string => `columns.${name}`;

/** The stored columns of a list. */
interface KeptColumns {
  order: readonly string[];
}

const isKept = (value: unknown): value is KeptColumns =>
  typeof value === 'object' && value !== null && 'order' in value && Array.isArray(value.order);

/** Returns the resource with the columns that the user has selected; stored in the account. */
export function useChosenColumns(group: GroupInfo): {
  group: GroupInfo;
  isChosen: boolean;
  /** Null resets to the default. */
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

/** Applies the stored columns; those that no longer exist are omitted. */
function applyColumns(group: GroupInfo, chosen: readonly string[] | null): GroupInfo {
  const existingColumns = chosen?.filter((name) => group.fields.some((field) => field.name === name)) ?? [];
  return existingColumns.length > 0 ? { ...group, columns: existingColumns } : group;
}

/** Returns the fields that can be columns. */
export const listableFields = ({ fields }: GroupInfo): FieldInfo[] =>
  fields.filter(({ access, detailOnly, kind }) => access !== 'secret' && !detailOnly && !isDeepKind(kind));
