import type { Field } from '../declare/field.ts';

/** As much of a JSON Schema as the documents use. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  format?: string;
  pattern?: string;
  enum?: readonly (string | null)[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: Schema | false;
  propertyNames?: { enum: readonly string[] };
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
}

export type Schemas = Readonly<Record<string, Schema>>;

/** One line of a table of fields. Words in backticks are code. */
export interface FieldRow {
  /** From the outermost object: `schedule.alwaysOn`, `steps[].name`. */
  path: string;
  type: string;
  /** The named type in it, which has a table of its own. */
  component?: string;
  bounds: string;
  doc: string;
  isRequired: boolean;
}

const lastStep = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** The name of the component that a schema is, or refers to. */
export const componentOf = (schema: Schema | undefined): string | undefined =>
  schema?.$ref === undefined ? undefined : lastStep(schema.$ref);

/** The schema itself, and whether null may stand in its place. */
export function resolved(schema: Schema, schemas: Schemas): { schema: Schema; isNullable: boolean } {
  const inner = schema.anyOf?.find((each) => each.$ref !== undefined);
  if (inner) return { schema: { ...resolved(inner, schemas).schema }, isNullable: true };
  const { $ref, ...own } = schema;
  const found = $ref === undefined ? own : { ...schemas[lastStep($ref)], ...own };
  const types = [found.type ?? []].flat();
  return { schema: { ...found, type: types.find((type) => type !== 'null') }, isNullable: types.includes('null') };
}

/** The named type that a value is, or is a list or map of. */
function componentWithin(schema: Schema): string | undefined {
  const inner = schema.anyOf?.find((each) => each.$ref !== undefined) ?? schema.items ?? schema.additionalProperties;
  return componentOf(schema) ?? (inner ? componentWithin(inner) : undefined);
}

/** The named types that tables of these schemas mention, and those that they mention. */
export function typesWithin(roots: readonly Schema[], schemas: Schemas): ReadonlySet<string> {
  const found = new Set<string>();
  const rows = roots.flatMap((root) => fieldRows(root, schemas));
  for (let row = rows.pop(); row; row = rows.pop()) {
    if (row.component === undefined || found.has(row.component)) continue;
    found.add(row.component);
    rows.push(...fieldRows(schemas[row.component]!, schemas));
  }
  return found;
}

/** The fields of an object, and of nameless objects inside it, each a line of its own. */
export function fieldRows(object: Schema, schemas: Schemas, prefix = ''): FieldRow[] {
  const { schema } = resolved(object, schemas);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const inner = resolved(property, schemas);
    const isRequired = schema.required?.includes(name) ?? false;
    const component = componentWithin(property);
    const row = { path, ...wordsOf(property, schemas), doc: inner.schema.description ?? '', isRequired };
    return component === undefined ? [row, ...innerRows(inner.schema, schemas, path)] : [{ ...row, component }];
  });
}

function innerRows(schema: Schema, schemas: Schemas, path: string): FieldRow[] {
  if (schema.properties) return fieldRows(schema, schemas, `${path}.`);
  const [item, mark] = schema.items ? [schema.items, '[]'] : [schema.additionalProperties || undefined, '{}'];
  return item ? innerRows(resolved(item, schemas).schema, schemas, `${path}${mark}`) : [];
}

/** What a value is, and how large it may be. */
export function wordsOf(property: Schema, schemas: Schemas): Pick<FieldRow, 'type' | 'bounds'> {
  const { schema, isNullable } = resolved(property, schemas);
  const orNull = isNullable ? ' or null' : '';
  const component = schema.properties && componentWithin(property);
  if (component) return { type: component + orNull, bounds: '' };
  if (schema.items) {
    const item = wordsOf(schema.items, schemas);
    const many = range(schema.minItems, schema.maxItems, 'items');
    return {
      type: `list of ${item.type}${orNull}`,
      bounds: [many, item.bounds && `each ${item.bounds}`].filter(Boolean).join('; '),
    };
  }
  if (schema.additionalProperties) {
    const value = wordsOf(schema.additionalProperties, schemas);
    const keys = schema.propertyNames ? `keys ${schema.propertyNames.enum.map(code).join(', ')}` : '';
    const many = range(undefined, schema.maxProperties, 'entries');
    return {
      type: `map to ${value.type}${orNull}`,
      bounds: [many, keys, value.bounds && `each ${value.bounds}`].filter(Boolean).join('; '),
    };
  }
  return { type: kindOf(schema) + orNull, bounds: boundsOf(schema) };
}

const kinds: Readonly<Record<string, string>> = {
  integer: 'integer',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
};

function kindOf(schema: Schema): string {
  if (schema.const !== undefined) return code(String(schema.const));
  if (schema.enum) return 'choice';
  if (schema.type !== 'string') return kinds[String(schema.type)] ?? 'value';
  if (schema.format === 'date-time' || schema.pattern?.startsWith('^\\d{4}-')) return 'instant';
  if (schema.anyOf) return 'address';
  return 'text';
}

function boundsOf(schema: Schema): string {
  if (schema.enum)
    return schema.enum
      .filter((value) => value !== null)
      .map((value) => code(String(value)))
      .join(', ');
  if (schema.type === 'integer' || schema.type === 'number') return range(schema.minimum, schema.maximum, '');
  if (schema.type === 'string' && schema.maxLength !== undefined)
    return range(schema.minLength, schema.maxLength, 'characters');
  return '';
}

const code = (text: string): string => `\`${text}\``;
const figures = new Intl.NumberFormat('en-GB');

/** `1…64 characters`, `≤ 50 items`, `0…65,535`; a bound that only JSON sets is none. */
function range(min: number | undefined, max: number | undefined, unit: string): string {
  const behind = unit && ` ${max === 1 ? unit.replace(/s$/, '') : unit}`;
  const isEndless = max === undefined || max >= Number.MAX_SAFE_INTEGER;
  if (isEndless) return min === undefined || min <= Number.MIN_SAFE_INTEGER ? '' : `≥ ${figures.format(min)}${behind}`;
  if (min === undefined) return `≤ ${figures.format(max)}${behind}`;
  return min === max ? `${figures.format(min)}${behind}` : `${figures.format(min)}…${figures.format(max)}${behind}`;
}

/** Who sets a field of a record, and its properties other than its shape. */
export function needOf(field: Field): string {
  const more = [field.unique && 'unique', field.immutable && 'cannot be changed after creation'].filter(Boolean);
  return [setting(field), ...more].join(', ');
}

function setting(field: Field): string {
  switch (field.access) {
    case 'readOnly':
      return 'read-only (kept)';
    case 'computed':
      return 'read-only (computed)';
    case 'secret':
      return field.default === undefined ? 'required, write-only' : 'write-only';
    case 'write':
      if (field.default !== undefined) return defaultWords(field.default);
      return field.stored || field.reference ? 'required' : 'optional';
  }
}

const defaultMax = 40;

function defaultWords(value: unknown): string {
  if (value === null || value === '') return 'optional';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > defaultMax ? 'has a default' : `default ${code(text)}`;
}
