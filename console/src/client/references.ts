import { groups } from 'virtual:groups';
import { useQuery } from '@tanstack/react-query';
import { type GroupInfo, type Reference, referenceKey } from '../document/group.ts';
import { operationOf } from '../document/operations.ts';
import { and, equals, filterOf } from '../filter/filter-text.ts';
import type { RecordValue } from './group-calls.ts';
import { infoOf } from './group-info.ts';
import { useSession } from './session-context.ts';

/** A record that a reference field can have as its value. */
export interface NamedValue {
  /** The value of the field. */
  value: string;
  label: string;
}

const foundMax = 20;

/** Returns whether the records of a resource can be listed. */
export const isListed = (name: string): boolean => groups.some((group) => group.name === name && group.isListed);

const conditionsOf = ({ where = {} }: Reference): string[] =>
  Object.entries(where).map(([field, value]) => equals(field, value));

function namedIn(group: GroupInfo, reference: Reference, record: RecordValue): NamedValue {
  const key = referenceKey(reference, group.identity);
  return { value: String(record[key]), label: String(record[group.label ?? key] || record[key]) };
}

/** Searches records by a part of their name. No request is sent until the user opens the list. */
export function useMatches(reference: Reference, searchText: string, isWanted: boolean) {
  const { client } = useSession();
  return useQuery<NamedValue[]>({
    queryKey: [reference.group, 'named', JSON.stringify(reference.where ?? {}), searchText],
    enabled: isWanted,
    queryFn: async ({ signal }) => {
      const group = await infoOf(reference.group);
      const filter = conditionsOf(reference).reduce(and, filterOf(searchText, group));
      const sortKey = group.fields.some(({ name, sort }) => name === group.label && sort) ? group.label! : undefined;
      const query = { filter: filter || undefined, sortKey, count: foundMax };
      const { results } = await client.call<RecordValue>(operationOf(group, 'list')!, { query, signal });
      return results.map((record) => namedIn(group, reference, record));
    },
  });
}

/** Resolves the values of a reference field to names. A value without a record is shown unchanged. */
export function useNames(reference: Reference, values: readonly string[]): readonly NamedValue[] {
  const { client } = useSession();
  const isNamed = reference.by !== 'name' && values.length > 0 && isListed(reference.group);
  const { data = [] } = useQuery<NamedValue[]>({
    queryKey: [reference.group, 'names', ...values],
    enabled: isNamed,
    queryFn: async ({ signal }) => {
      const group = await infoOf(reference.group);
      const filter = `${referenceKey(reference, group.identity)}=in=(${values.join(',')})`;
      const query = { filter, count: values.length };
      const { results } = await client.call<RecordValue>(operationOf(group, 'list')!, { query, signal });
      return results.map((record) => namedIn(group, reference, record));
    },
  });
  return values.map((value) => data.find((candidate) => candidate.value === value) ?? { value, label: value });
}
