import type { Fault } from '../failure.ts';
import type { Elements } from './element-type.ts';
import { literal, snakeCase } from './names.ts';
import { bindingDoc, type SecretBinding } from './secret-binding.ts';
import type { ListShape, MapShape, ObjectShape, Shape, TextShape } from './shape.ts';
import { integerMax } from './shape.ts';
import type { Typed } from './value-of.ts';

/**
 * The writer of a field. `write`: clients. `readOnly`: the service; a client may send the stored value back, and any
 * other value is refused. `computed`: the service; a value of a client is checked for its type and ignored. `secret`:
 * clients; only the secret operation of the resource returns it.
 */
export type Access = 'write' | 'readOnly' | 'computed' | 'secret';

export type OnDelete = 'restrict' | 'cascade' | 'set null';

/** A reference to a record of another resource. */
export interface Reference {
  to: string;
  onDelete: OnDelete;
  /** The record shows the id or the name of the other record. It is always stored by id, so a rename breaks nothing. */
  by: 'id' | 'name';
  /** The field of the other record that serves as its name; by default its label. */
  key?: string;
  /** Only records with these values may be referenced, such as `{ type: 'HOST' }`. */
  where?: Readonly<Record<string, string>>;
  /** Usage returns the number of referring records instead of their names: there may be a million. */
  counted?: boolean;
}

/** A reference inside a list or an object; copied to the table `reference`. */
export interface NestedReference {
  /** Property names from the field's value to the id; `*` matches every item of a list. */
  path: readonly string[];
  to: string;
  onDelete: OnDelete;
  /** The path ends at the other record's name; it is stored by id, and the field's SQL returns the name. Only with `restrict`. */
  by?: 'name';
  where?: Readonly<Record<string, string>>;
}

/** A table that stores a computed value: a filter searches it by index instead of computing every row. */
export interface Lookup {
  /** A select of `id` and `value` for every record that has a value. */
  rows: string;
  /** Value of records without a row in the lookup table. */
  defaultValue?: string;
  /** Every record found there has the value, so the field itself need not be checked. */
  exact?: boolean;
}

/** Carries the type of the field in a record. No value has this property. */
declare const recordType: unique symbol;

/**
 * One field of a record: its shape, its writer, its storage and its SQL. `T` is its TypeScript type in a row, `R` in an API response,
 * `I` in a request.
 */
export interface Field<T = unknown, R = T, I = R> {
  readonly shape: Shape & Typed<I>;
  readonly [recordType]?: { value: R };
  readonly access: Access;
  /** Used on create if the field is absent; a field without a default is required (unless the service sets it). */
  readonly default?: T;
  readonly unique?: boolean;
  /** Set on create and never changed, because other records store it. */
  readonly immutable?: boolean;
  /** Whether `text==…` searches this field; `'indexed'` for tables that can become large: substrings are then found by an index. */
  readonly search?: boolean | 'indexed';
  /** False: has no column of its own (it is computed, or another spelling of a field). */
  readonly stored: boolean;
  /** SQL over the row `r`; by default the column. */
  readonly sql?: string;
  /** Names of the declared joins that `sql` uses. */
  readonly joins?: readonly string[];
  /** The same value over `r` alone, for filters and sorts that are faster without the joins. */
  readonly filterSql?: string;
  /** The same for SQL that reads element tables, which are available only after all declarations are loaded. */
  readonly sqlOver?: (elements: Elements) => string;
  /** Returned when one record is fetched; empty in lists and not available to filters. */
  readonly detailOnly?: boolean;
  /** Sort expression over the row `r`, of the same type, if the value itself does not sort as users expect. */
  readonly order?: string;
  /** A computed object: one expression per property, instead of JSON built in the database. */
  readonly parts?: Readonly<Record<string, Field>>;
  /** SQL of the properties of a rendered JSON cell for filters and sorts: the stored cell may lack them. */
  readonly propertySql?: Readonly<Record<string, string>>;
  /** Converts a JSON cell of the database to the value of the record. Pure. */
  readonly render?: (cell: unknown) => unknown;
  /** Merges a partial object from a request into the stored value. Pure. */
  readonly merge?: (input: unknown, before: unknown) => unknown;
  /** Returns the contradictions between the request and the stored value, if any, that no shape can express. Pure. */
  readonly faultsIn?: (input: unknown, before: unknown, pointer: string) => Fault[];
  /** Returns the part of the value that is stored, if the rest is read from other tables. Pure. */
  readonly store?: (value: unknown) => unknown;
  readonly reference?: Reference;
  /** The path of a computed field that shows a referenced record, such as `deviceID.name`: a filter searches there instead of every row. */
  readonly via?: string;
  readonly lookup?: Lookup;
  readonly nestedReferences?: readonly NestedReference[];
  /** Written by polls, traps and RADIUS through `observe`, never by a client: no version, no audit row. */
  readonly observed?: boolean;
  /** Set by the service from other input of the caller: a change of it counts as a change of the record, with version and audit row. */
  readonly audited?: boolean;
  /** Name of the event whose newest occurrence this field shows. */
  readonly embeds?: string;
  /** The feature that is missing before the field has an effect: until then only its default is accepted. */
  readonly notYet?: string;
  /** The feature that is missing before the field has an effect: until then it is stored as it is sent. */
  readonly withoutEffect?: string;
  /** Secrets only: the fields that decide where the service sends it. */
  readonly binding?: SecretBinding;
  /**
   * Secrets only: the text is a JSON object of several secrets that are stored together, by the path of each in a request. Absent parts
   * keep their value, an empty part is deleted.
   */
  readonly secretParts?: Readonly<Record<string, string>>;
  /** An index on `(column, id)`, or on the lower-case text for text. */
  readonly index?: boolean;
  /** A MAC address that users also search by its last four digits, as printed on a label: these have an index. */
  readonly suffixIndex?: boolean;
}

interface FieldOptions<T> {
  default?: T;
  unique?: boolean;
  immutable?: boolean;
  search?: boolean | 'indexed';
  index?: boolean;
  suffixIndex?: boolean;
  doc?: string;
  /** Help in forms of the console, where `doc` is only right for the API. */
  help?: string;
  example?: T;
}

type Nullable<T, O> = O extends { nullable: true } ? T | null : T;

/** Declares a field that clients write, with any shape; the functions below are short forms. */
export function field<T, R = T, I = R>(
  shape: Shape,
  options: FieldOptions<T> & {
    sql?: string;
    nestedReferences?: readonly NestedReference[];
    store?: (value: unknown) => unknown;
  } = {},
): Field<T, R, I> {
  const { doc, help, example, ...rest } = options;
  return {
    shape: { ...shape, ...(doc && { doc }), ...(help && { help }), ...(example !== undefined && { example }) },
    access: 'write',
    stored: true,
    ...rest,
  };
}

export function text<
  O extends { min?: number; max: number; nullable?: boolean; pattern?: TextShape['pattern'] } & FieldOptions<
    string | null
  >,
>(options: O): Field<Nullable<string, O>> {
  const { min, max, nullable, pattern, ...rest } = options;
  return field(
    {
      kind: 'text',
      max,
      ...(min !== undefined && { min }),
      ...(nullable && { nullable }),
      ...(pattern && { pattern }),
    },
    withNullDefault(rest, nullable),
  ) as Field<Nullable<string, O>>;
}

export function integer<
  O extends { min: number; max: number; words?: readonly string[]; nullable?: boolean } & FieldOptions<number | null>,
>(options: O): Field<Nullable<number, O>> {
  const { min, max, words, nullable, ...rest } = options;
  return field(
    { kind: 'integer', min, max, ...(words && { words }), ...(nullable && { nullable }) },
    withNullDefault(rest, nullable),
  ) as Field<Nullable<number, O>>;
}

/** Declares a UDP or TCP port; 0 means "none" if the resource allows it. */
export const port = (options: FieldOptions<number> & { min?: number } = {}): Field<number> =>
  integer({ min: 0, max: 65_535, ...options });

export const flag = (options: FieldOptions<boolean> = {}): Field<boolean> => field<boolean>({ kind: 'flag' }, options);

export function choice<const V extends string, O extends { nullable?: boolean } & FieldOptions<V | null>>(
  values: readonly V[],
  options: O,
): Field<Nullable<V, O>> {
  const { nullable, ...rest } = options;
  return field({ kind: 'choice', values, ...(nullable && { nullable }) }, withNullDefault(rest, nullable)) as Field<
    Nullable<V, O>
  >;
}

export function time<O extends { nullable?: boolean } & FieldOptions<string | null>>(
  options: O,
): Field<Nullable<string, O>> {
  const { nullable, ...rest } = options;
  return field({ kind: 'time', ...(nullable && { nullable }) }, withNullDefault(rest, nullable)) as Field<
    Nullable<string, O>
  >;
}

/** A nullable field that is absent on create is null. */
const withNullDefault = <R extends { default?: unknown }>(rest: R, nullable: boolean | undefined): R =>
  nullable && rest.default === undefined ? { ...rest, default: null } : rest;

export const list = <T, I = T>(
  shape: Omit<ListShape, 'kind'>,
  options: FieldOptions<T[]> & {
    nestedReferences?: readonly NestedReference[];
    sql?: string;
    store?: (value: unknown) => unknown;
  } = {},
): Field<T[], T[], I[]> => field<T[], T[], I[]>({ kind: 'list', ...shape }, options);

export const map = <T>(
  shape: Omit<MapShape, 'kind'>,
  options: FieldOptions<Record<string, T>> = {},
): Field<Record<string, T>> => field<Record<string, T>>({ kind: 'map', ...shape }, options);

interface ReferenceOptions {
  by?: 'id' | 'name';
  key?: string;
  nullable?: boolean;
  empty?: boolean;
  where?: Record<string, string>;
  counted?: boolean;
  doc?: string;
  help?: string;
}

/** Declares a reference to a record of another resource; usage, deletion and the foreign key follow from it. */
export function reference<const O extends ReferenceOptions = Record<never, never>>(
  target: string,
  onDelete: OnDelete,
  options?: O,
): Field<number | null, Nullable<O extends { by: 'name' } ? string : number, O>>;
export function reference(target: string, onDelete: OnDelete, options: ReferenceOptions = {}): Field {
  const { by: keyKind = 'id', key, nullable, empty, where, counted, doc, help } = options;
  // 0 means no record, if the reference may be empty.
  const min = nullable || empty ? 0 : 1;
  const shape: Shape = keyKind === 'name' ? { kind: 'text', max: 128 } : { kind: 'integer', min, max: integerMax };
  return {
    shape: { ...shape, ...(nullable && { nullable }), ...(doc && { doc }), ...(help && { help }) },
    access: 'write',
    stored: true,
    // `empty`: the contract does not allow null, so "no record" is written as '' or 0.
    ...(nullable && { default: null }),
    ...(empty && { default: (keyKind === 'name' ? '' : 0) as never }),
    reference: {
      to: target,
      onDelete,
      by: keyKind,
      ...(key && { key }),
      ...(where && { where }),
      ...(counted && { counted }),
    },
  };
}

/** A field that no record shows. */
export type SecretField = Field<string | null> & { readonly access: 'secret' };

type SecretOptions = SecretBinding &
  Pick<Field, 'secretParts'> & { min?: number; max: number; required?: boolean; doc: string; help?: string };

/** Declares a write-only value: encrypted at rest, never listed, logged or audited. Absent or null leaves it unchanged, '' clears it. */
export function secret(options: SecretOptions): SecretField {
  const { min, max, required, doc, help, secretParts } = options;
  const binding: SecretBinding = 'boundTo' in options ? { boundTo: options.boundTo } : { unbound: options.unbound };
  return {
    shape: {
      kind: 'text',
      max,
      ...(min !== undefined && { min }),
      nullable: true,
      doc: `${doc}${bindingDoc(binding)}`,
      ...(help && { help }),
    },
    access: 'secret',
    stored: true,
    binding,
    ...(secretParts && { secretParts }),
    ...(!required && { default: null }),
  };
}

/** Shows that a secret is set, without revealing it. */
export const isSet = (field: string): Field<boolean> =>
  computed({ kind: 'flag' }, `(r.${snakeCase(field)} is not null)`, { doc: `Whether ${field} is set.` });

/** Declares a field that is computed when it is read. */
export const computed = <T>(
  shape: Shape,
  sql: string,
  { doc, ...options }: { doc?: string } & Pick<Field, 'render' | 'lookup' | 'joins' | 'filterSql'> = {},
): Field<T> => ({ shape: { ...shape, ...(doc && { doc }) }, access: 'computed', stored: false, sql, ...options });

/** Declares a column that polls, traps and RADIUS write (through `observe`); clients only read it. */
export const observed = <T>(shape: Shape, initial: T, doc?: string): Field<T> => ({
  shape: { ...shape, ...(doc && { doc }) },
  access: 'computed',
  stored: true,
  observed: true,
  default: initial,
});

/** Declares a field that the service sets together with `version`. */
export const readOnly = <T>(shape: Shape, sql: string, doc?: string): Field<T> => ({
  shape: { ...shape, ...(doc && { doc }) },
  access: 'readOnly',
  stored: false,
  sql,
});

/** Declares another spelling of other fields: a client may write it, and the resource's rule interprets it. */
export const alternative = <T>(shape: Shape, sql: string, doc: string): Field<T | undefined> => ({
  shape: { ...shape, doc },
  access: 'write',
  stored: false,
  sql,
});

/** Declares an object that the service fills, one expression per property. */
export function embedded<P extends Readonly<Record<string, Field>>>(
  access: 'readOnly' | 'computed',
  name: string,
  parts: P,
  doc?: string,
): Field<{ [K in keyof P]: P[K] extends Field<unknown, infer R> ? R : never }> {
  const properties = Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, part.shape]));
  const shape: ObjectShape = { kind: 'object', name, properties, ...(doc && { doc }) };
  return { shape, access, stored: false, parts };
}

/** Declares a text that is the same in every record of a resource. */
export const constantText = (value: string): Field<string> => computed({ kind: 'text', max: 200 }, literal(value));

const id: Shape = { kind: 'integer', min: 0, max: integerMax };

/** Declares the identity of the record. Its column is `id` in every table, whatever the field is called. */
export const identity = (doc = 'Identity of the record.'): Field<number> =>
  readOnly({ ...id, nullable: true }, 'r.id', doc);

/** The cell that owns the record. */
export const landscape: Field<number> = readOnly(id, 'r.landscape', 'Number of the cell that owns the record.');

export const version: Field<number> = readOnly(
  { kind: 'integer', min: 0, max: 2_147_483_647 },
  'r.version',
  'Number of configuration changes; send it back to detect concurrent changes.',
);

/** The account of the last change, and its time. */
export const modified = {
  lastModifiedBy: readOnly<string>(
    { kind: 'text', max: 120 },
    'r.last_modified_by',
    'User who last changed the record.',
  ),
  lastModifiedDate: readOnly<string>({ kind: 'time' }, 'r.last_modified_date', 'When it was last changed.'),
};

/** Whether a manager of several cells created the record. No manager exists yet: every record belongs to its own cell. */
export const managed = {
  guid: readOnly<number>(
    id,
    '0::bigint',
    'Identity of the record on the manager that distributed it; 0: it belongs to this cell.',
  ),
  globalModifiedDate: readOnly<string | null>(
    { kind: 'time', nullable: true },
    'null::timestamptz(3)',
    'Last change by the manager.',
  ),
  global: readOnly<boolean>(
    { kind: 'flag' },
    'false::boolean',
    'Whether a manager distributed it; then it is read-only here.',
  ),
};

/** Rank among the records of a ranked collection, without gaps from 1. */
export const rank: Field<number> = {
  shape: {
    kind: 'integer',
    min: 0,
    max: 1_000_000,
    doc: 'Rank in the order, from 1. On create, absent or 0 means last; on update, the record moves to this rank.',
    help: 'Position in the order, 1 is evaluated first. 0: last.',
  },
  access: 'write',
  stored: true,
  default: 0,
};

/** Declares a column that the resource's rule fills when the record is saved. */
export const derived = <T>(shape: Shape, initial: T, doc: string): Field<T> => ({
  shape: { ...shape, doc },
  access: 'computed',
  stored: true,
  default: initial,
});

/** Returns the value of a field before it is set. */
export const initialOf = ({ access, default: initial }: Field): unknown => (access === 'secret' ? '' : initial);

/**
 * Declares a field of the contract that is stored and returned, but that no code reads yet; its documentation states
 * this.
 */
export const withoutEffect = <F extends Field>(field: F, until: string): F => ({
  ...field,
  withoutEffect: until,
  shape: {
    ...field.shape,
    doc: `${field.shape.doc ?? ''} Stored, without effect until ${until}.`.trim(),
    help: `${field.shape.help ?? field.shape.doc ?? ''} This setting has no effect yet.`.trim(),
  },
});

/**
 * Declares a field of the contract without effect so far: only its default is accepted, so that no caller relies on it.
 */
export const notYet = <F extends Field>(field: F, until: string): F => ({
  ...field,
  notYet: until,
  shape: {
    ...field.shape,
    doc: `${field.shape.doc ?? ''} Not supported yet: only ${JSON.stringify(initialOf(field))} is accepted until ${until}.`.trim(),
    help: `${field.shape.help ?? field.shape.doc ?? ''} This setting cannot be changed yet.`.trim(),
  },
});
