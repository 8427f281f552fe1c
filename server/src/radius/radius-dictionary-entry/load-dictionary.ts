import { createHash } from 'node:crypto';
import type { WriteTx } from '../../context.ts';
import { LoopShare } from '../../kernel/values/loop-share.ts';
import type { DictionaryAttribute } from '../../protocols/radius-engine/dictionary.ts';
import { radiusTypes } from '../dictionary-types/dictionary-types.ts';
import { lockSql } from './lock-dictionary.ts';

/** Limit on the rows of one statement. */
const atOnce = 1_000;
const supportedTypes: ReadonlySet<string> = new Set(radiusTypes);

const storedHashSql = 'select d.sha256 from radius_dictionary d';
const storeHashSql = 'update radius_dictionary set sha256 = $1';

/** Upserts the engine's entries. An own entry of the site with the same name is not replaced. */
const upsertSql = `insert into radius_dictionary_entry as e
  (attribute, value, type, format, vendor, vendor_id, has_tag, encrypt_method, defined_values, custom)
select n.attribute, n.value, n.type, n.format, n.vendor, n."vendorID", n."hasTag", n."encryptMethod", n."definedValues", false
from jsonb_to_recordset($1::jsonb) n (attribute text, value text, type text, format text, vendor text, "vendorID" integer,
  "hasTag" boolean, "encryptMethod" integer, "definedValues" jsonb)
on conflict (lower(attribute)) do update set attribute = excluded.attribute, value = excluded.value, type = excluded.type,
  format = excluded.format, vendor = excluded.vendor, vendor_id = excluded.vendor_id, has_tag = excluded.has_tag,
  encrypt_method = excluded.encrypt_method, defined_values = excluded.defined_values
where not e.custom and (e.attribute, e.value, e.type, e.format, e.vendor, e.vendor_id, e.has_tag, e.encrypt_method, e.defined_values)
  is distinct from (excluded.attribute, excluded.value, excluded.type, excluded.format, excluded.vendor, excluded.vendor_id,
    excluded.has_tag, excluded.encrypt_method, excluded.defined_values)`;

/** Deletes entries that the engine no longer has, except those that records refer to. */
const removeSql = `delete from radius_dictionary_entry e where not e.custom and not lower(e.attribute) = any($1::text[])
  and not exists (select from reference f where f.to_table = 'radius_dictionary_entry' and f.to_id = e.id)`;

/** Stores the engine's attributes, unless they are stored already, and returns their number. */
export async function loadDictionary(
  { client }: WriteTx,
  engineAttributes: readonly DictionaryAttribute[],
): Promise<number> {
  const attributes = engineAttributes.filter(({ type }) => supportedTypes.has(type));
  const slices = await slicesOf(attributes);
  const sha256 = createHash('sha256').update(slices.join('\n')).digest();
  await client.query(lockSql);
  const { rows } = await client.query<{ sha256: Buffer | null }>(storedHashSql);
  if (rows[0]?.sha256?.equals(sha256)) return attributes.length;
  for (const slice of slices) await client.query(upsertSql, [slice]);
  await client.query(removeSql, [attributes.map(({ attribute }) => attribute.toLowerCase())]);
  await client.query(storeHashSql, [sha256]);
  return attributes.length;
}

/** Returns the attributes as JSON in slices, because one text would block the event loop for too long. */
async function slicesOf(attributes: readonly DictionaryAttribute[]): Promise<string[]> {
  const share = new LoopShare();
  const slices: string[] = [];
  for (let start = 0; start < attributes.length; start += atOnce) {
    slices.push(JSON.stringify(attributes.slice(start, start + atOnce)));
    if (share.isUsedUp()) await share.pause();
  }
  return slices;
}
