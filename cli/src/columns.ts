import type { Document, Schema } from './document.ts';
import { suggestion } from './nearest.ts';
import { fieldNamed, identityOf, isBookkeeping, isScalar, kindOf, labelOf, renamedIdentity } from './schema.ts';
import { isObject, type JsonObject } from './set.ts';
import { UsageError } from './usage-error.ts';

/** One column of a table. */
export interface Column {
  /** Column heading: the field name, or `id` for the identity. */
  path: string;
  /** Dotted name of the field. */
  field: string;
  schema: Schema | undefined;
  isNumber: boolean;
  /** Shown even if every row has the same value. */
  isAlways: boolean;
  width: number;
}

/** Returns the columns by priority: the declared ones, otherwise identity, rank, name and state; then other scalar fields, then audit fields. */
export function columnsByPriority(record: Schema | undefined, document: Document): Column[] {
  const names = Object.keys(record?.properties ?? {});
  if (!record || names.length === 0) return [columnAt('value', undefined, document)];
  const schemaOf = (name: string) => document.resolve(record.properties![name]!);
  const marked = record['x-columns'] ?? [];
  const first = marked.length > 0 ? [...marked] : [identityOf(record), 'rank', labelOf(record), 'enabled'];
  // Only text: the meaning of a numeric state is not visible in a table.
  if (marked.length === 0 && names.includes('state') && kindOf(schemaOf('state')) === 'string') first.push('state');
  // In the audit log, the bookkeeping fields of other resources are the content.
  const isAudit = isBookkeeping(first[0] ?? '');
  const worth = (name: string): number => {
    if (first.includes(name)) return first.indexOf(name) - first.length;
    return isBookkeeping(name) && !isAudit ? 1 : 0;
  };
  const scalars = names.filter((name) => isScalar(schemaOf(name)));
  return (scalars.length > 2 ? scalars : names)
    .sort((a, b) => worth(a) - worth(b))
    .map((name) => {
      const shownName = name === renamedIdentity(record) ? 'id' : name;
      return { ...columnAt(shownName, record, document), isAlways: first.includes(name) };
    });
}

/** Adds `id` to records whose identity field has another name, so that scripts find it in every resource. */
function withIdentity(schema: Schema | undefined): (record: JsonObject) => JsonObject {
  const identity = renamedIdentity(schema);
  return (record) => (identity === undefined || !(identity in record) ? record : { id: record[identity], ...record });
}

/** Returns a function that keeps only the chosen fields, nested as in the record; without a choice it keeps all. */
export function fieldChooser(
  paths: readonly string[] | undefined,
  schema: Schema | undefined,
  document: Document,
): (record: JsonObject) => JsonObject {
  if (!paths) return withIdentity(schema);
  const columns = paths.map((path) => columnAt(path, schema, document));
  return (record) => {
    const chosen: JsonObject = {};
    for (const { path, field } of columns) setAt(chosen, path.split('.'), valueAt(record, field) ?? null);
    return chosen;
  };
}

function setAt(into: JsonObject, [step, ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) into[step!] = value;
  else {
    if (!isObject(into[step!])) into[step!] = {};
    setAt(into[step!] as JsonObject, rest, value);
  }
}

/** Returns the value at a dotted name; a result that is not an object is returned itself. */
export const valueAt = (record: unknown, path: string): unknown =>
  isObject(record)
    ? path.split('.').reduce<unknown>((value, step) => (isObject(value) ? value[step] : undefined), record)
    : record;

/** Returns the column of a dotted name; throws with a suggestion if the name is unknown. */
export function columnAt(path: string, record: Schema | undefined, document: Document): Column {
  let schema: Schema | undefined = record && document.resolve(record);
  const field = fieldNamed(path, schema);
  for (const step of field.split('.')) {
    if (!schema?.properties) break;
    const property: Schema | undefined = schema.properties[step];
    if (!property)
      throw new UsageError(`There is no field ${path}.${suggestion(step, Object.keys(schema.properties))}`);
    schema = document.resolve(property);
  }
  const kind = schema ? kindOf(schema) : 'string';
  return {
    path,
    field,
    schema,
    // A numeric code is shown as a word.
    isNumber: (kind === 'integer' || kind === 'number') && !schema?.['x-words'],
    isAlways: false,
    width: 0,
  };
}
