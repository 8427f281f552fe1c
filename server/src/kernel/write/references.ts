import type pg from 'pg';
import { fullVisibility, type Visibility } from '../access/visibility.ts';
import { Parameters } from '../database/parameters.ts';
import { isSingle } from '../declare/declaration.ts';
import type { Field, NestedReference, OnDelete, Reference } from '../declare/field.ts';
import { literal, quoted, snakeCase } from '../declare/names.ts';
import { Failure, rejected } from '../failure.ts';
import type { Link, Model, Table } from '../model/model.ts';
import { same } from './changes.ts';

/** The records of one resource that refer to a record: visible ones by name, the others by number. */
export interface Usage {
  table: Table;
  names: string[];
  /** Number of further visible ones, where only the number is returned. */
  more: number;
  hidden: number;
}

const referrersMax = 1_000;
const namedMax = 20;

/** Returns all foreign keys that refer to a table. */
export const linksTo = (model: Model, name: string): Link[] =>
  model.tables.flatMap((table) => table.links.filter((link) => link.to === name));

interface Inner extends NestedReference {
  from: Table;
  field: string;
}

export const innerReferencesTo = (model: Model, name: string): Inner[] =>
  model.tables.flatMap((referringTable) =>
    [...referringTable.fields].flatMap(([field, { nestedReferences: inner = [] }]) =>
      inner
        .filter((reference) => reference.to === name)
        .map((reference) => ({ ...reference, from: referringTable, field })),
    ),
  );

/**
 * Finds the record that a reference names, and locks its key until the end of the transaction, so that it cannot be
 * deleted meanwhile. A record that the caller does not see is reported as missing.
 */
export async function resolveReference(
  client: pg.PoolClient,
  model: Model,
  reference: Pick<Reference, 'to' | 'by' | 'key' | 'where'>,
  value: string | number,
  field: string,
  visibility: Visibility,
): Promise<number> {
  const valueText = JSON.stringify(value);
  if (!model.has(reference.to))
    throw rejected(
      `${field}: ${valueText} refers to ${reference.to}, which this release does not have; leave the field out.`,
      `/${field}`,
    );
  const target = model.byName(reference.to);
  // PostgreSQL lowers both sides: its `lower()` and that of JavaScript disagree about İ and Σ.
  const keyCondition =
    reference.by === 'name'
      ? `lower(r.${quoted(snakeCase(reference.key ?? target.declaration.label))}) = lower($1::text)`
      : 'r.id = $1::bigint';
  const conditions = Object.entries(reference.where ?? {}).map(
    ([key, requiredValue]) => ` and r.${quoted(snakeCase(key))} = ${literal(requiredValue)}`,
  );
  const parameters = new Parameters([value]);
  const visibleCondition = visibility.condition(target.declaration, parameters);
  if (visibleCondition) conditions.push(` and ${visibleCondition}`);
  const { rows } = await client.query<{ id: number }>(
    `select r.id from ${quoted(target.name)} r where ${keyCondition}${conditions.join('')} limit 2 for key share`,
    parameters.values,
  );
  const what =
    Object.values(reference.where ?? {})
      .map((word) => `${word.toLowerCase()} `)
      .join('') + target.declaration.title;
  if (rows.length === 0) throw rejected(`${field}: there is no ${what} ${valueText}.`, `/${field}`);
  if (rows.length > 1) throw rejected(`${field}: ${valueText} matches more than one ${what}; use its id.`, `/${field}`);
  return rows[0]!.id;
}

/** Returns the values at the end of a path into a field's value. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (value === null || value === undefined) return [];
  const [step, ...rest] = path;
  if (step === undefined) return [value];
  if (step === '*') return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : [];
  return valuesAt((value as Record<string, unknown>)[step], rest);
}

/** Returns the ids at the end of a path into a field's value. */
const idsAt = (value: unknown, path: readonly string[]): number[] =>
  valuesAt(value, path).filter((id): id is number => typeof id === 'number' && id > 0);

/** Returns the ids or names by which a field's value refers to other records. */
export const referredAt = (value: unknown, { path, by: keyKind }: NestedReference): (string | number)[] =>
  keyKind === 'name'
    ? valuesAt(value, path).filter((name): name is string => typeof name === 'string' && name !== '')
    : idsAt(value, path);

/** Returns the value with everything at the end of the path replaced. */
function replacedAt(value: unknown, path: readonly string[], replace: (value: unknown) => unknown): unknown {
  if (value === null || value === undefined) return value;
  const [step, ...rest] = path;
  if (step === undefined) return replace(value);
  if (step === '*') return Array.isArray(value) ? value.map((item) => replacedAt(item, rest, replace)) : value;
  const object = value as Record<string, unknown>;
  return Object.hasOwn(object, step) ? { ...object, [step]: replacedAt(object[step], rest, replace) } : object;
}

/** Returns a field's value as it is stored: ids instead of names. */
export async function withStoredIds(
  client: pg.PoolClient,
  model: Model,
  { nestedReferences = [] }: Pick<Field, 'nestedReferences'>,
  name: string,
  value: unknown,
  visibility: Visibility,
): Promise<unknown> {
  let stored = value;
  for (const reference of nestedReferences.filter(({ by: keyKind }) => keyKind === 'name')) {
    const ids = new Map<unknown, number>();
    for (const targetName of new Set(referredAt(value, reference)))
      ids.set(
        targetName,
        await resolveReference(client, model, { ...reference, by: 'name' }, targetName, name, visibility),
      );
    stored = replacedAt(stored, reference.path, (shown) => ids.get(shown) ?? shown);
  }
  return stored;
}

/**
 * Returns the value without references to the id: an item of the innermost list is removed, a property becomes null.
 */
export function withoutReference(value: unknown, path: readonly string[], id: number): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value === id ? null : value;
  if (step === '*' && Array.isArray(value))
    return rest.includes('*')
      ? value.map((item) => withoutReference(item, rest, id))
      : value.filter((item) => !idsAt(item, rest).includes(id));
  if (typeof value !== 'object' || value === null || !step) return value;
  const object = value as Record<string, unknown>;
  if (!Object.hasOwn(object, step)) return object;
  return { ...object, [step]: withoutReference(object[step], rest, id) };
}

/**
 * Updates the mirror of references inside lists and objects; an unchanged field is in it already. A reference that the
 * record had before may stay, whether the caller sees its target or not.
 */
export async function mirrorInnerReferences(
  client: pg.PoolClient,
  model: Model,
  table: Table,
  id: number,
  before: Readonly<Record<string, unknown>> | undefined,
  record: Readonly<Record<string, unknown>>,
  visibility: Visibility,
): Promise<void> {
  for (const [field, { nestedReferences: inner }] of table.fields) {
    if (!inner || (before && same(before[field], record[field]))) continue;
    const mirrorRows: { table: string; id: number }[] = [];
    for (const reference of inner) {
      const old = new Set(referredAt(before?.[field], reference));
      for (const target of new Set(referredAt(record[field], reference))) {
        const readScope = old.has(target) ? fullVisibility : visibility;
        const id = await resolveReference(client, model, { by: 'id', ...reference }, target, field, readScope);
        mirrorRows.push({ table: model.byName(reference.to).name, id });
      }
    }
    if (before)
      await client.query('delete from reference where from_table = $1 and from_id = $2 and field = $3', [
        table.name,
        id,
        field,
      ]);
    if (mirrorRows.length === 0) continue;
    await client.query(
      `insert into reference (from_table, from_id, field, to_table, to_id)
       select $1, $2, $3, t.to_table, t.to_id from unnest($4::text[], $5::bigint[]) t(to_table, to_id)`,
      [table.name, id, field, mirrorRows.map((target) => target.table), mirrorRows.map((target) => target.id)],
    );
  }
}

/** Returns the records that refer to any of these, by resource, with one query over all declared references. */
export async function usageOf(
  client: pg.PoolClient,
  model: Model,
  table: Table,
  ids: readonly number[],
  visibility: Visibility,
  forDeletion = false,
): Promise<Usage[]> {
  const { name } = table.declaration;
  const parameters = new Parameters([ids]);
  const referring = (referringTable: Table, onDelete: OnDelete, refers: string, counted = false): string[] => {
    const visibleCondition = visibility.condition(referringTable.declaration, parameters);
    // Records of the same deletion do not block each other.
    const notDeletedSql = forDeletion && referringTable.name === table.name ? ' and r.id <> all($1::bigint[])' : '';
    const where = `${refers}${notDeletedSql}`;
    const hidden = visibleCondition ? [hiddenSql(referringTable, `${where} and not (${visibleCondition})`)] : [];
    // References that the deletion clears or deletes block it only if the caller does not see the referring record.
    if (forDeletion && onDelete !== 'restrict') return hidden;
    if (!visibility.mayView(referringTable.declaration)) return [hiddenSql(referringTable, where)];
    return [
      (counted ? referrerCountSql : referrersSql)(
        referringTable,
        visibleCondition ? `${where} and ${visibleCondition}` : where,
      ),
      ...hidden,
    ];
  };
  const direct = linksTo(model, name).flatMap((link) =>
    referring(link.from, link.onDelete, `r.${quoted(link.column)} = any($1::bigint[])`, link.counted),
  );
  const inner = innerReferencesTo(model, name).flatMap((reference) =>
    referring(
      reference.from,
      reference.onDelete,
      `r.id in (select x.from_id from reference x where x.from_table = ${literal(reference.from.name)}
          and x.field = ${literal(reference.field)} and x.to_table = ${literal(table.name)} and x.to_id = any($1::bigint[]))`,
    ),
  );
  const parts = [...direct, ...inner];
  if (parts.length === 0) return [];
  const { rows } = await client.query<{ referrer: string; names: string[]; more: number }>(
    `select u.referrer, coalesce(array_agg(distinct u.label order by u.label) filter (where u.label is not null), '{}') as names,
       sum(u.more)::bigint as more
     from (${parts.join('\nunion all\n')}) u group by u.referrer order by u.referrer`,
    parameters.values,
  );
  const usage = new Map<string, Usage>();
  for (const { referrer, names, more: remainingCount } of rows) {
    const declarationName = referrer.replace(hiddenMark, '');
    const usageEntry = usage.get(declarationName) ?? {
      table: model.byName(declarationName),
      names: [],
      more: 0,
      hidden: 0,
    };
    const isHidden = referrer !== declarationName;
    usage.set(
      declarationName,
      isHidden ? { ...usageEntry, hidden: remainingCount } : { ...usageEntry, names, more: remainingCount },
    );
  }
  return [...usage.values()];
}

/** Settings have no name: they are called by their title. */
const labelSql = ({ declaration, selectables }: Table): string =>
  isSingle(declaration)
    ? literal(declaration.title)
    : `coalesce(nullif((${selectables.get(declaration.label)!.sql})::text, ''), r.id::text)`;

/** Returns the count with its noun. */
export const recordsOf = (count: number, title?: string): string =>
  `${count} ${title === undefined ? '' : `${title} `}${count === 1 ? 'record' : 'records'}`;

const referrersSql = (referringTable: Table, condition: string): string =>
  `(select ${literal(referringTable.declaration.name)} as referrer, ${labelSql(referringTable)} as label, 0 as more
from ${quoted(referringTable.name)} r where ${condition} limit ${referrersMax})`;

const referrerCountSql = (referringTable: Table, condition: string): string =>
  `(select ${literal(referringTable.declaration.name)} as referrer, null as label, count(*) as more
from ${quoted(referringTable.name)} r where ${condition} having count(*) > 0)`;

/** Prefix of the resource name in rows that count records that the caller does not see. */
const hiddenMark = /^hidden:/;

const hiddenSql = (referringTable: Table, condition: string): string =>
  `(select ${literal(`hidden:${referringTable.declaration.name}`)} as referrer, null as label, count(*) as more
from (select from ${quoted(referringTable.name)} r where ${condition} limit ${referrersMax}) h having count(*) > 0)`;

/** Refuses a deletion while other records refer to the deleted ones, and names the visible referrers. */
export async function refuseInUse(
  client: pg.PoolClient,
  model: Model,
  table: Table,
  ids: readonly number[],
  visibility: Visibility,
): Promise<void> {
  const usage = await usageOf(client, model, table, ids, visibility, true);
  const names = usage.flatMap(({ table: { declaration }, names, more: remainingCount }) => {
    if (isSingle(declaration)) return names;
    const counted = remainingCount > 0 ? [recordsOf(remainingCount, declaration.title)] : [];
    return [...counted, ...names.map((name) => `${declaration.title} ${name}`)];
  });
  const hidden = usage.reduce((sum, entry) => sum + entry.hidden, 0);
  if (names.length + hidden === 0) return;
  const shown = names.slice(0, namedMax);
  if (names.length > namedMax) shown.push(`${names.length - namedMax} more`);
  if (hidden > 0) shown.push(`${hidden} that you may not see`);
  const last = shown.length > 1 && (hidden > 0 || names.length > namedMax) ? ` and ${shown.pop()}` : '';
  throw new Failure('in-use', `Still in use by ${shown.join(', ')}${last}; remove those references first.`);
}
