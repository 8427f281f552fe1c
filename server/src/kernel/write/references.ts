import type pg from 'pg';
import { Failure, rejected } from '../failure.ts';
import type { InnerReference, Reference } from '../field.ts';
import { isSingle, type Link, type Model, type Table } from '../model.ts';
import { literal, quoted, snakeCase } from '../names.ts';

export interface UsageEntry {
  name: string;
  children: string[];
}

const referrersMax = 1_000;
const namedMax = 20;

/** All foreign keys that point at a table. */
export const linksTo = (model: Model, name: string): Link[] =>
  model.tables.flatMap((table) => table.links.filter((link) => link.to === name));

interface Inner extends InnerReference {
  from: Table;
  field: string;
}

export const innerReferencesTo = (model: Model, name: string): Inner[] =>
  model.tables.flatMap((from) =>
    [...from.fields].flatMap(([field, { inner = [] }]) =>
      inner.filter((reference) => reference.to === name).map((reference) => ({ ...reference, from, field })),
    ),
  );

/** Finds the record that a reference names and holds on to it until the end of the transaction, so that nobody deletes it meanwhile. */
export async function resolveReference(
  client: pg.PoolClient,
  model: Model,
  reference: Pick<Reference, 'to' | 'by' | 'key' | 'where'>,
  value: string | number,
  field: string,
): Promise<number> {
  const said = JSON.stringify(value);
  if (!model.has(reference.to))
    throw rejected(`${field}: there is no ${reference.to} yet that ${said} could name.`, `/${field}`);
  const target = model.byName(reference.to);
  // The database lowers both sides: its `lower()` and ours disagree about İ and Σ.
  const named =
    reference.by === 'name'
      ? `lower(o.${quoted(snakeCase(reference.key ?? target.declaration.label))}) = lower($1::text)`
      : 'o.id = $1::bigint';
  const conditions = Object.entries(reference.where ?? {}).map(
    ([key, wanted]) => ` and o.${quoted(snakeCase(key))} = ${literal(wanted)}`,
  );
  const { rows } = await client.query<{ id: number }>(
    `select o.id from ${quoted(target.name)} o where ${named}${conditions.join('')} limit 2 for key share`,
    [value],
  );
  const what =
    Object.values(reference.where ?? {})
      .map((word) => `${word.toLowerCase()} `)
      .join('') + target.declaration.title;
  if (rows.length === 0) throw rejected(`${field}: there is no ${what} ${said}.`, `/${field}`);
  if (rows.length > 1) throw rejected(`${field}: ${said} names more than one ${what}; use its id.`, `/${field}`);
  return rows[0]!.id;
}

/** The ids at the end of a path into a field's value. */
export function idsAt(value: unknown, path: readonly string[]): number[] {
  if (value === null || value === undefined) return [];
  const [step, ...rest] = path;
  if (step === undefined) return typeof value === 'number' && value > 0 ? [value] : [];
  if (step === '*') return Array.isArray(value) ? value.flatMap((item) => idsAt(item, rest)) : [];
  return idsAt((value as Record<string, unknown>)[step], rest);
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

/** Keeps the mirror of references inside lists and objects equal to the record. */
export async function mirrorInnerReferences(
  client: pg.PoolClient,
  model: Model,
  table: Table,
  id: number,
  record: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const [field, { inner }] of table.fields) {
    if (!inner) continue;
    const wanted: { table: string; id: number }[] = [];
    for (const reference of inner) {
      for (const target of new Set(idsAt(record[field], reference.path))) {
        await resolveReference(client, model, { ...reference, by: 'id' }, target, field);
        wanted.push({ table: model.byName(reference.to).name, id: target });
      }
    }
    await client.query('delete from reference where from_table = $1 and from_id = $2 and field = $3', [
      table.name,
      id,
      field,
    ]);
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
  forDeletion = false,
): Promise<{ table: Table; names: string[] }[]> {
  const { name } = table.declaration;
  const counts = (onDelete: string) => !forDeletion || onDelete === 'restrict';
  // Who goes in the same deletion does not hold on to anybody.
  const others = (from: Table) => (forDeletion && from.name === table.name ? ' and r.id <> all($1::bigint[])' : '');
  const direct = linksTo(model, name)
    .filter((link) => counts(link.onDelete))
    .map((link) => referrersSql(link.from, `r.${quoted(link.column)} = any($1::bigint[])${others(link.from)}`));
  const inner = innerReferencesTo(model, name)
    .filter((reference) => counts(reference.onDelete))
    .map((reference) =>
      referrersSql(
        reference.from,
        `r.id in (select x.from_id from reference x where x.from_table = ${literal(reference.from.name)}
          and x.field = ${literal(reference.field)} and x.to_table = ${literal(table.name)} and x.to_id = any($1::bigint[]))${others(reference.from)}`,
      ),
    );
  const parts = [...direct, ...inner];
  if (parts.length === 0) return [];
  const { rows } = await client.query<{ referrer: string; names: string[] }>(
    `select u.referrer, array_agg(distinct u.label order by u.label) as names\nfrom (${parts.join('\nunion all\n')}) u\ngroup by u.referrer\norder by u.referrer`,
    [ids],
  );
  return rows.map((row) => ({ table: model.byName(row.referrer), names: row.names }));
}

/** Settings have no name of their own: there are only the ones. */
const labelSql = ({ declaration }: Table): string =>
  isSingle(declaration) ? literal(declaration.title) : `r.${quoted(snakeCase(declaration.label))}`;

const referrersSql = (from: Table, condition: string): string =>
  `(select ${literal(from.declaration.name)} as referrer, ${labelSql(from)} as label
from ${quoted(from.name)} r where ${condition} limit ${referrersMax})`;

/** Refuses a deletion that others would notice, naming them. */
export async function refuseInUse(
  client: pg.PoolClient,
  model: Model,
  table: Table,
  ids: readonly number[],
): Promise<void> {
  const usage = await usageOf(client, model, table, ids, true);
  const names = usage.flatMap(({ table: { declaration }, names }) =>
    isSingle(declaration) ? [declaration.title] : names.map((name) => `${declaration.title} ${name}`),
  );
  if (names.length === 0) return;
  const more = names.length > namedMax ? ` and ${names.length - namedMax} more` : '';
  throw new Failure('in-use', `Still in use by ${names.slice(0, namedMax).join(', ')}${more}; change those first.`);
}
