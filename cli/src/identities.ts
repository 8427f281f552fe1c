import { type Client, PortreeveError } from '@portreeve/sdk/runtime.ts';
import type { Schema } from './document.ts';
import { type Group, shippedGroups } from './groups.ts';
import { suggestion } from './nearest.ts';
import { kindOf } from './schema.ts';
import type { JsonObject } from './set.ts';
import { escapeUnsafe, filterText } from './text.ts';
import { UsageError } from './usage-error.ts';

/** Resolves names to ids where the service expects an id, and ids to names where it expects a name. */

/** A name or id on the command line, and the resource of the record. */
interface Wanted {
  client: Client;
  group: Group;
  word: string;
}

/** Thrown if no record has this name; the exit code is the same as for an unknown ID. */
export class NoSuchRecord extends Error {
  override readonly name = 'NoSuchRecord';
  readonly word = 'not-found';
}

const isId = (word: string): boolean => /^\d{1,16}$/.test(word);

/** Resolves a word to an id: digits, the name of exactly one record, or SWITCH:PORT for a port. */
export async function identityOfWord({ client, group, word }: Wanted): Promise<number> {
  if (isId(word)) return Number(word);
  const list = group.operations.get('list');
  if (!list || group.label === undefined || group.identity === undefined)
    throw new UsageError(`${JSON.stringify(word)} is not a valid ID; use a number.`);
  const records = await recordsNamed({ client, group, word });
  const ids = records.map((record) => Number(record[group.identity!]));
  if (ids.length > 1) {
    const advice = group.name === 'port' ? 'Use SWITCH:PORT, or the ID' : 'Use the ID';
    throw new UsageError(
      `Several ${group.name} records are named ${JSON.stringify(word)}: ${ids.join(', ')}. ${advice} instead.`,
    );
  }
  if (ids[0] === undefined) {
    const near = suggestion(word, await similarNames({ client, group, word }));
    throw new NoSuchRecord(`There is no ${group.name} named ${JSON.stringify(word)}.${near}`);
  }
  return ids[0];
}

/** Returns up to five records with that name. */
async function recordsNamed({ client, group, word }: Wanted): Promise<JsonObject[]> {
  const list = group.operations.get('list')!;
  const [, device, port] = (group.name === 'port' && /^([^:]+):(.+)$/.exec(word)) || [];
  const filters = [`${group.label}==${exactText(word)}`];
  if (device !== undefined && port !== undefined)
    filters.push(`(deviceName==${exactText(device)};name==${exactText(port)})`);
  const { results } = await client.call<JsonObject>(list, { query: { filter: [filters.join(',')], count: 5 } });
  return results;
}

/** Quotes a text; within quotes only backslash, quote and star are special. */
const exactText = (word: string): string => `"${word.replaceAll(/[\\"*]/g, (sign) => `\\${sign}`)}"`;

/** Returns names that start or end like a mistyped one; a typing error is rarely at both ends. */
async function similarNames({ client, group, word }: Wanted): Promise<string[]> {
  const list = group.operations.get('list')!;
  const [first, last] = [word.slice(0, 2), word.slice(-3)].map((part) => filterText(part).slice(1, -1));
  const filter = [`${group.label}=="${first}*",${group.label}=="*${last}"`];
  try {
    const { results } = await client.call<JsonObject>(list, { query: { filter, count: 1_000 } });
    return results.map((record) => escapeUnsafe(String(record[group.label!])));
  } catch (error) {
    // The suggestion is optional.
    if (error instanceof PortreeveError) return [];
    throw error;
  }
}

/** Resources of parameters and fields that have no reference in the document, by name. */
const groupsByName: readonly (readonly [RegExp, string])[] = [
  [/^containerI[Dd]$/, 'container'],
  [/^deviceI[Dd]$/, 'network-device'],
  [/^portID$/, 'port'],
  [/^hostID$/, 'host'],
  [/^adapterID$/, 'adapter'],
  [/^(deviceGroup|group)ID$/, 'group'],
  [/^logicalNetworkID$/, 'logical-network'],
  [/^(a|deviceA|logicalNetworkA)ttrGr(ou)?pI[Dd]$/, 'radius-attribute-group'],
];

interface Reference {
  group: Group;
  /** The attribute of the other record that the field contains. */
  key: 'id' | 'name';
}

/** Returns the resource that a parameter or field refers to; `id` refers to its own resource. */
export function referenceOf(name: string, schema: Schema, ownGroup: Group): Reference | undefined {
  const declared = schema['x-field']?.reference;
  const groupName = declared?.group ?? groupsByName.find(([pattern]) => pattern.test(name))?.[1];
  const group = groupName === undefined ? undefined : shippedGroups().find(groupName);
  if (group) return { group, key: declared?.by ?? 'id' };
  return name === 'id' ? { group: ownGroup, key: 'id' } : undefined;
}

/** Returns whether the value is a text of ids separated by commas, such as `1,2`. */
const isIdText = ({ pattern }: Schema): boolean => pattern?.startsWith('^[1-9][0-9]{0,15}(,') ?? false;

const isIdList = (schema: Schema): boolean =>
  isIdText(schema) || (kindOf(schema) === 'array' && schema.items !== undefined && kindOf(schema.items) === 'integer');

/** Returns the typed value of a parameter or field, with names replaced by ids if the service expects ids. */
export async function resolveIdentities(
  client: Client,
  { group, key }: Reference,
  schema: Schema,
  text: string,
): Promise<string> {
  if (text === '' || text === 'null') return text;
  if (key === 'name') return isId(text) ? nameOfId(client, group, text) : text;
  const resolve = async (word: string) => String(await identityOfWord({ client, group, word: word.trim() }));
  if (kindOf(schema) === 'integer') return resolve(text);
  if (!isIdList(schema) || /^[[{]/.test(text)) return text;
  return (await Promise.all(text.split(',').map(resolve))).join();
}

/** Returns the name of the record with this id, unless a record has these digits as its name. */
async function nameOfId(client: Client, group: Group, text: string): Promise<string> {
  const { label, identity } = group;
  const list = group.operations.get('list');
  if (!list || label === undefined || identity === undefined) return text;
  const filter = [`${label}==${exactText(text)},${identity}==${text}`];
  try {
    const { results } = await client.call<JsonObject>(list, { query: { filter, count: 2 } });
    const isName = results.some((record) => record[label] === text);
    const [record] = results;
    return isName || !record ? text : String(record[label]);
  } catch (error) {
    // The service reports the error when it receives the value.
    if (error instanceof PortreeveError) return text;
    throw error;
  }
}
