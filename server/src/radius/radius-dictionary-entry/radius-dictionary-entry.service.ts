import type { Context } from '../../context.ts';

/** How the dictionary spells names of attributes; undefined: it has none of that name. Until a node has read the engine's files every name passes. */
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
