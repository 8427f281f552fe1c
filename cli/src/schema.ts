import type { Document, Schema } from './document.ts';

const typesOf = (schema: Schema): readonly string[] =>
  schema.type === undefined ? [] : typeof schema.type === 'string' ? [schema.type] : schema.type;

export const isNullable = (schema: Schema): boolean => typesOf(schema).includes('null');

/** Returns the type other than null: string, integer, number, boolean, array or object. */
export const kindOf = (schema: Schema): string => typesOf(schema).find((type) => type !== 'null') ?? 'string';

export const isScalar = (schema: Schema): boolean => !['array', 'object'].includes(kindOf(schema));

export const isTime = (schema: Schema): boolean =>
  schema.format === 'date-time' || /instant/.test(schema.description ?? '');

/** Returns whether clients set the field; a property without `x-field` belongs to the request only. */
export const isSettable = ({ 'x-field': facts }: Schema): boolean =>
  facts === undefined || facts.access === 'write' || facts.access === 'secret';

/** Returns whether an operation accepts the field. Its example contains read-only fields that this operation sets. */
export const isAccepted = (name: string, field: Schema, example: unknown): boolean =>
  isSettable(field) || (typeof example === 'object' && example !== null && Object.hasOwn(example, name));

/** Returns whether a field contains a password, which clients can set although the record shows only that it is set. */
export function takesPassword(field: Schema, document: Document): boolean {
  const forms = (field.anyOf ?? [field]).map((form) => document.resolve(form));
  return forms.some(({ properties = {} }) => Object.values(properties).some(({ format }) => format === 'password'));
}

/** Describes the values that a field accepts. */
export function wordsFor(schema: Schema, document: Document): string {
  const words = baseWords(schema, document);
  return isNullable(schema) ? `${words} or null` : words;
}

function baseWords(schema: Schema, document: Document): string {
  if (schema.enum) return schema.enum.filter((value) => value !== null).join(' | ');
  const kind = kindOf(schema);
  if (kind === 'array') return schema.items ? `list of ${wordsFor(document.resolve(schema.items), document)}` : 'list';
  if (kind === 'object') return 'object';
  if (kind === 'boolean') return 'true | false';
  if (kind === 'integer' || kind === 'number') return rangeWords(kind, schema);
  if (isTime(schema)) return 'time';
  return schema.maxLength === undefined ? 'text' : `text up to ${schema.maxLength}`;
}

/** Describes the range of a number; a maximum without practical meaning, such as that of an id, is omitted. */
function rangeWords(kind: string, { minimum, maximum }: Schema): string {
  const isBounded = minimum !== undefined && maximum !== undefined && maximum < 2 ** 31 - 1;
  return isBounded ? `${kind} ${minimum}…${maximum}` : kind;
}

/** Audit fields, which are shown last and rarely set. */
const bookkeeping =
  /^(version|lastModifiedBy|lastModifiedDate|landscape|yamsEventTag|audit\w*|addAudit\w*|packedVersion|queueJobID|changeMask|lastChangeMask|requestString|identification|elementClass)$/;

export const isBookkeeping = (field: string): boolean => bookkeeping.test(field);

/** Returns whether a field is the identity of its record. */
export const isIdentity = ({ description = '' }: Schema): boolean => /^Identity of (the|this) record/.test(description);

/** Returns the identity field of a record. */
export function identityOf(record: Schema): string | undefined {
  const properties = record.properties ?? {};
  const described = Object.keys(properties).find((name) => isIdentity(properties[name]!));
  return described ?? ['id', 'dbid'].find((name) => name in properties);
}

/** Returns the identity field if it is not called `id`, such as `dbid`; the CLI accepts and prints it as `id`. */
export function renamedIdentity(record: Schema | undefined): string | undefined {
  const properties = record?.properties ?? {};
  const identity = record && identityOf(record);
  return identity === undefined || identity === 'id' || 'id' in properties ? undefined : identity;
}

/** Returns the field for a typed name: `id` is the identity, whatever the name of the field. */
export const fieldNamed = (name: string, record: Schema | undefined): string =>
  name === 'id' ? (renamedIdentity(record) ?? name) : name;

/** Returns the field with the name of a record. */
export function labelOf(record: Schema): string | undefined {
  const properties = record.properties ?? {};
  return (
    ['name', 'userID', 'message'].find((name) => name in properties) ??
    Object.keys(properties).find((name) => kindOf(properties[name]!) === 'string' && !properties[name]!.enum)
  );
}

/** Returns the dotted names of all scalars in a record, including nested ones, for sorting and filtering. */
export function scalarPaths(record: Schema, document: Document, prefix = '', depth = 0): string[] {
  return Object.entries(record.properties ?? {}).flatMap(([name, property]) => {
    const schema = document.resolve(property);
    if (isScalar(schema)) return [prefix + name];
    if (kindOf(schema) !== 'object' || depth >= 2 || isBookkeeping(name)) return [];
    return scalarPaths(schema, document, `${prefix}${name}.`, depth + 1);
  });
}
