import type { Context, Sql } from '../../context.ts';
import { type DefinedAttribute, dictionaryLines } from './dictionary-lines.ts';

/** Returns a function for the dictionary's spelling of a name; undefined if it has no such attribute. Before the dictionary is loaded, every name is returned. */
export async function spelledAttributes(
  { query }: Context,
  names: readonly string[],
): Promise<(name: string) => string | undefined> {
  const rows = await query<{ attribute: string }>(
    'select e.attribute from radius_dictionary_entry e where lower(e.attribute) = any($1::text[])',
    [names.map((name) => name.toLowerCase())],
  );
  const spelled = new Map(rows.map(({ attribute }) => [attribute.toLowerCase(), attribute]));
  const loaded = await query('select from radius_dictionary d where d.sha256 is not null', []);
  const isWhole = loaded.length > 0;
  return (name) => spelled.get(name.toLowerCase()) ?? (isWhole ? undefined : name);
}

/** Selects the site's own entries, except the one with the id `$1`. */
export const customSql = `select e.attribute, e.value, e.type, e.format, e.vendor, e.vendor_id as "vendorID", e.has_tag as "hasTag",
  e.encrypt_method as "encryptMethod", e.defined_values as "definedValues"
from radius_dictionary_entry e where e.custom and e.id is distinct from $1 order by e.id`;

/** Returns the site's own entries as lines of the engine's dictionary. */
export async function ownDictionaryLines(sql: Sql): Promise<string[]> {
  const { rows } = await sql.query<DefinedAttribute>(customSql, [null]);
  return dictionaryLines(rows);
}
