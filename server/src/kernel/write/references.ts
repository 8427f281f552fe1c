import type pg from 'pg';
import { fullVisibility, type Visibility } from '../access/visibility.ts';
import { Parameters } from '../database/parameters.ts';
import { isSingle } from '../declare/declaration.ts';
import type { Field, NestedReference, OnDelete, Reference } from '../declare/field.ts';
import { literal, quoted, snakeCase } from '../declare/names.ts';
import { Failure, rejected } from '../failure.ts';
import type { Link, Model, Table } from '../model/model.ts';
import { same } from './changes.ts';

/** The records of one group that refer to another: those that the caller sees by name, the others by number. */
export interface Usage {
  table: Table;
  names: string[];
  /** Number of further visible ones, where only the number is returned. */
  more: number;
  hidden: number;
}

const referrersMax = 1_000;
const namedMax = 20;

/** All foreign keys that point at a table. */
export const linksTo = (model: Model, name: string): Link[] =>
  model.tables.flatMap((table) => table.links.filter((link) => link.to === name));

interface Inner extends NestedReference {
  from: Table;
  field: string;
}

export const innerReferencesTo = (model: Model, name: string): Inner[] =>
  model.tables.flatMap((from) =>
    [...from.fields].flatMap(([field, { nestedReferences: inner = [] }]) =>
      inner.filter((reference) => reference.to === name).map((reference) => ({ ...reference, from, field })),
    ),
  );

/**
 * Finds the record that a reference names and holds on to it until the end of the transaction, so that nobody deletes it meanwhile.
 * One that the caller does not see is not there.
 */
export async function resolveReference(
  client: pg.PoolClient,
  model: Model,
  reference: Pick<Reference, 'to' | 'by' | 'key' | 'where'>,
  value: string | number,
  field: string,
  visibility: Visibility,
): Promise<number> {
  const said = JSON.stringify(value);
  if (!model.has(reference.to))
    throw rejected(
      `${field}: ${said} refers to ${reference.to}, which this release does not have; leave the field out.`,
      `/${field}`,
    );
  const target = model.byName(reference.to);
  // The database lowers both sides: its `lower()` and ours disagree about İ and Σ.
  const named =
    reference.by === 'name'
      ? `lower(r.${quoted(snakeCase(reference.key ?? target.declaration.label))}) = lower($1::text)`
      : 'r.id = $1::bigint';
  const conditions = Object.entries(reference.where ?? {}).map(
    ([key, wanted]) => ` and r.${quoted(snakeCase(key))} = ${literal(wanted)}`,
  );
  const parameters = new Parameters([value]);
  const seen = visibility.condition(target.declaration, parameters);
  if (seen) conditions.push(` and ${seen}`);
  const { rows } = await client.query<{ id: number }>(
    `select r.id from ${quoted(target.name)} r where ${named}${conditions.join('')} limit 2 for key share`,
    parameters.values,
  );
  const what =
    Object.values(reference.where ?? {})
      .map((word) => `${word.toLowerCase()} `)
      .join('') + target.declaration.title;
  if (rows.length === 0) throw rejected(`${field}: there is no ${what} ${said}.`, `/${field}`);
  if (rows.length > 1) throw rejected(`${field}: ${said} matches more than one ${what}; use its id.`, `/${field}`);
  return rows[0]!.id;
}

/** What stands at the end of a path into a field's value. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (value === null || value === undefined) return [];
  const [step, ...rest] = path;
  if (step === undefined) return [value];
  if (step === '*') return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : [];
  return valuesAt((value as Record<string, unknown>)[step], rest);
}

/** The ids at the end of a path into a field's value. */
const idsAt = (value: unknown, path: readonly string[]): number[] =>
  valuesAt(value, path).filter((id): id is number => typeof id === 'number' && id > 0);

/** The ids, or the names, by which a field's value refers to others. */
export const referredAt = (value: unknown, { path, by }: NestedReference): (string | number)[] =>
  by === 'name'
    ? valuesAt(value, path).filter((name): name is string => typeof name === 'string' && name !== '')
    : idsAt(value, path);

/** The same value with something else at the end of the path. */
function replacedAt(value: unknown, path: readonly string[], replace: (value: unknown) => unknown): unknown {
  if (value === null || value === undefined) return value;
  const [step, ...rest] = path;
  if (step === undefined) return replace(value);
  if (step === '*') return Array.isArray(value) ? value.map((item) => replacedAt(item, rest, replace)) : value;
  const object = value as Record<string, unknown>;
  return Object.hasOwn(object, step) ? { ...object, [step]: replacedAt(object[step], rest, replace) } : object;
}

/** A field's value as it is stored: ids where the record shows names. */
export async function withStoredIds(
  client: pg.PoolClient,
  model: Model,
  { nestedReferences = [] }: Pick<Field, 'nestedReferences'>,
  name: string,
  value: unknown,
  visibility: Visibility,
): Promise<unknown> {
  let stored = value;
  for (const reference of nestedReferences.filter(({ by }) => by === 'name')) {
    const ids = new Map<unknown, number>();
    for (const each of new Set(referredAt(value, reference)))
      ids.set(each, await resolveReference(client, model, { ...reference, by: 'name' }, each, name, visibility));
    stored = replacedAt(stored, reference.path, (shown) => ids.get(shown) ?? shown);
  }
  return stored;
}

/** The same value without what refers to the id: the item of the innermost list goes, a property becomes null. */
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
 * Keeps the mirror of references inside lists and objects equal to the record; what stayed as it was is held by the mirror already,
 * and what the record referred to before it may go on to, whoever saves it.
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
    const wanted: { table: string; id: number }[] = [];
    for (const reference of inner) {
      const old = new Set(referredAt(before?.[field], reference));
      for (const target of new Set(referredAt(record[field], reference))) {
        const readScope = old.has(target) ? fullVisibility : visibility;
        const id = await resolveReference(client, model, { by: 'id', ...reference }, target, field, readScope);
        wanted.push({ table: model.byName(reference.to).name, id });
      }
    }
    if (before)
      await client.query('delete from reference where from_table = $1 and from_id = $2 and field = $3', [
        table.name,
        id,
        field,
      ]);
    if (wanted.length === 0) continue;
    await client.query(
      `insert into reference (from_table, from_id, field, to_table, to_id)
       select $1, $2, $3, t.to_table, t.to_id from unnest($4::text[], $5::bigint[]) t(to_table, to_id)`,
      [table.name, id, field, wanted.map((target) => target.table), wanted.map((target) => target.id)],
    );
  }
}

/** Which records refer to any of these, by group: one query over all declared references. */
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
  const referring = (from: Table, onDelete: OnDelete, refers: string, counted = false): string[] => {
    const seen = visibility.condition(from.declaration, parameters);
    // Who goes in the same deletion does not hold on to anybody.
    const others = forDeletion && from.name === table.name ? ' and r.id <> all($1::bigint[])' : '';
    const where = `${refers}${others}`;
    const hidden = seen ? [hiddenSql(from, `${where} and not (${seen})`)] : [];
    // A deletion that may change those who refer to it may not change what the caller does not see.
    if (forDeletion && onDelete !== 'restrict') return hidden;
    if (!visibility.mayView(from.declaration)) return [hiddenSql(from, where)];
    return [(counted ? referrerCountSql : referrersSql)(from, seen ? `${where} and ${seen}` : where), ...hidden];
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
  for (const { referrer, names, more } of rows) {
    const from = referrer.replace(hiddenMark, '');
    const known = usage.get(from) ?? { table: model.byName(from), names: [], more: 0, hidden: 0 };
    const isHidden = referrer !== from;
    usage.set(from, isHidden ? { ...known, hidden: more } : { ...known, names, more });
  }
  return [...usage.values()];
}

/** Settings have no name of their own: there are only the ones. */
const labelSql = ({ declaration, selectables }: Table): string =>
  isSingle(declaration)
    ? literal(declaration.title)
    : `coalesce(nullif((${selectables.get(declaration.label)!.sql})::text, ''), r.id::text)`;

/** How many, in words. */
export const recordsOf = (count: number, title?: string): string =>
  `${count} ${title === undefined ? '' : `${title} `}${count === 1 ? 'record' : 'records'}`;

const referrersSql = (from: Table, condition: string): string =>
  `(select ${literal(from.declaration.name)} as referrer, ${labelSql(from)} as label, 0 as more
from ${quoted(from.name)} r where ${condition} limit ${referrersMax})`;

const referrerCountSql = (from: Table, condition: string): string =>
  `(select ${literal(from.declaration.name)} as referrer, null as label, count(*) as more
from ${quoted(from.name)} r where ${condition} having count(*) > 0)`;

/** Before the name of a group, in a row that counts what the caller may not see of it. */
const hiddenMark = /^hidden:/;

const hiddenSql = (from: Table, condition: string): string =>
  `(select ${literal(`hidden:${from.declaration.name}`)} as referrer, null as label, count(*) as more
from (select from ${quoted(from.name)} r where ${condition} limit ${referrersMax}) h having count(*) > 0)`;

/** Refuses a deletion that others would notice, naming those that the caller sees. */
export async function refuseInUse(
  client: pg.PoolClient,
  model: Model,
  table: Table,
  ids: readonly number[],
  visibility: Visibility,
): Promise<void> {
  const usage = await usageOf(client, model, table, ids, visibility, true);
  const names = usage.flatMap(({ table: { declaration }, names, more }) => {
    if (isSingle(declaration)) return names;
    const counted = more > 0 ? [recordsOf(more, declaration.title)] : [];
    return [...counted, ...names.map((name) => `${declaration.title} ${name}`)];
  });
  const hidden = usage.reduce((sum, each) => sum + each.hidden, 0);
  if (names.length + hidden === 0) return;
  const shown = names.slice(0, namedMax);
  if (names.length > namedMax) shown.push(`${names.length - namedMax} more`);
  if (hidden > 0) shown.push(`${hidden} that you may not see`);
  const last = shown.length > 1 && (hidden > 0 || names.length > namedMax) ? ` and ${shown.pop()}` : '';
  throw new Failure('in-use', `Still in use by ${shown.join(', ')}${last}; remove those references first.`);
}
