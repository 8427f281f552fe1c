import type { Fault } from '../failure.ts';
import type { Elements } from './element-type.ts';
import { literal, snakeCase } from './names.ts';
import { bindingDoc, type SecretBinding } from './secret-binding.ts';
import type { ListShape, MapShape, ObjectShape, Shape, TextShape } from './shape.ts';
import { integerMax } from './shape.ts';
import type { Typed } from './value-of.ts';

/**
 * Who sets a field. `write`: the client. `kept`: the service, together with `version`; a client may echo it.
 * `computed`: the service, from other facts; a client's value is checked for type and dropped.
 * `secret`: the client, and nobody reads it but the group's own secret operation.
 */
export type Access = 'write' | 'readOnly' | 'computed' | 'secret';

export type OnDelete = 'restrict' | 'cascade' | 'set null';

/** A field that names a record of another group. */
export interface Reference {
  to: string;
  onDelete: OnDelete;
  /** What stands in the record: the other's id, or its name (stored by id all the same, so a rename breaks nothing). */
  by: 'id' | 'name';
  /** The field of the other that is its name here, where that is not its label. */
  key?: string;
  /** Only records with these values may be named, such as `{ type: 'HOST' }`. */
  where?: Readonly<Record<string, string>>;
  /** Usage returns the number of referring records, not their names: they may be a million. */
  counted?: boolean;
}

/** A reference that stands inside a list or an object: mirrored in the table `reference`. */
export interface NestedReference {
  /** Property names from the field's value to the id; `*` stands for every item of a list. */
  path: readonly string[];
  to: string;
  onDelete: OnDelete;
  /** At the end of the path stands the other's name; it is stored by id, and the field's SQL shows the name again. Only with `restrict`. */
  by?: 'name';
  where?: Readonly<Record<string, string>>;
}

/** Table that stores a computed value: a filter searches it first, by index, instead of every row. */
export interface Lookup {
  /** A select of `id` and `value`: of every record that shows a value, its id with that value. */
  rows: string;
  /** Value of records without a row there. */
  otherwise?: string;
  /** Every record found there has the value, so the field itself need not be checked. */
  exact?: boolean;
}

/** Where a field carries the type that it has in a record. No value has this property. */
declare const recordType: unique symbol;

/**
 * One field of a record: its shape, who sets it, where it is stored and how it is read.
 * `T` is its TypeScript type in a row, `R` in a record as the API answers it, `I` as a client may send it.
 */
export interface Field<T = unknown, R = T, I = R> {
  readonly shape: Shape & Typed<I>;
  readonly [recordType]?: { value: R };
  readonly access: Access;
  /** Taken on create when the field is absent; a field without one is required (unless the service sets it). */
  readonly default?: T;
  readonly unique?: boolean;
  /** Chosen when the record is created and never changed after: others remember it. */
  readonly immutable?: boolean;
  /** Whether `text==…` looks here too; `'indexed'` on a table that can become large: parts of the text are then found by an index. */
  readonly search?: boolean | 'indexed';
  /** False: not a column of its own (it is computed, or a second spelling of another field). */
  readonly stored: boolean;
  /** How it is read, over the row `r`; the column itself when absent. */
  readonly sql?: string;
  /** Joins that `sql` uses, by their names in the declaration. */
  readonly joins?: readonly string[];
  /** The same value over `r` alone, where a filter or a sort has a better way to it than those rows. */
  readonly filterSql?: string;
  /** The same where it takes the tables of elements, which are known once all declarations are. */
  readonly sqlOver?: (elements: Elements) => string;
  /** Shown when one record is fetched; lists have it empty, and filters do not know it. */
  readonly detailOnly?: boolean;
  /** What it is sorted by over the row `r`, of the same type, where its own value would not give the order people expect. */
  readonly order?: string;
  /** A computed object: one expression a property, instead of JSON made in the database. */
  readonly parts?: Readonly<Record<string, Field>>;
  /** What the properties of a rendered JSON cell are to a filter or a sort, an expression each: the cell itself may lack them. */
  readonly propertySql?: Readonly<Record<string, string>>;
  /** The last step for a JSON cell, pure: what the database gave → what the record shows. */
  readonly render?: (cell: unknown) => unknown;
  /** How what a client sent joins what is there, where a part of an object may be sent. Pure. */
  readonly merge?: (sent: unknown, before: unknown) => unknown;
  /** The contradictions in what a client sent, with the stored value, if any. Pure; no shape can express them. */
  readonly faultsIn?: (sent: unknown, before: unknown, pointer: string) => Fault[];
  /** The part of the value that is stored, where the rest is read from elsewhere. Pure. */
  readonly store?: (value: unknown) => unknown;
  readonly reference?: Reference;
  /** What a computed field shows of a referred record, such as `deviceID.name`: a filter looks there, not at every row. */
  readonly via?: string;
  readonly lookup?: Lookup;
  readonly nestedReferences?: readonly NestedReference[];
  /** Written by polls, traps and RADIUS through `observe`, never by a client: no version, no audit row. */
  readonly observed?: boolean;
  /** A field that the service sets from what somebody said in other words: a change of it is one of the record, with version and audit row. */
  readonly audited?: boolean;
  /** The event whose newest one this field shows. */
  readonly embeds?: string;
  /** What has to come before it has an effect: until then only its default is accepted. */
  readonly notYet?: string;
  /** What has to come before it has an effect: until then it is stored as it is sent. */
  readonly withoutEffect?: string;
  /** Secrets only: which fields decide where the service sends it. */
  readonly binding?: SecretBinding;
  /**
   * Secrets only: the text is a JSON object of several secrets that are stored together, by the path of each in a request.
   * Absent parts keep their value, an empty one is deleted.
   */
  readonly secretParts?: Readonly<Record<string, string>>;
  /** An index on `(column, id)`, or on the lower-case text for text. */
  readonly index?: boolean;
  /** A MAC address that is also found by its last four digits, as people read them from a label: an index on these. */
  readonly foundByEnd?: boolean;
}

interface FieldOptions<T> {
  default?: T;
  unique?: boolean;
  immutable?: boolean;
  search?: boolean | 'indexed';
  index?: boolean;
  foundByEnd?: boolean;
  doc?: string;
  example?: T;
}

type Nullable<T, O> = O extends { nullable: true } ? T | null : T;

/** A field as a client writes it, with a shape; the other makers are short for this one. */
export function field<T, R = T, I = R>(
  shape: Shape,
  options: FieldOptions<T> & {
    sql?: string;
    nestedReferences?: readonly NestedReference[];
    store?: (value: unknown) => unknown;
  } = {},
): Field<T, R, I> {
  const { doc, example, ...rest } = options;
  return {
    shape: { ...shape, ...(doc && { doc }), ...(example !== undefined && { example }) },
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

/** A UDP or TCP port; 0 means "none" where the group says so. */
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
}

/** A field that names a record of another group; usage, deletion and the foreign key follow from it. */
export function reference<const O extends ReferenceOptions = Record<never, never>>(
  to: string,
  onDelete: OnDelete,
  options?: O,
): Field<number | null, Nullable<O extends { by: 'name' } ? string : number, O>>;
export function reference(to: string, onDelete: OnDelete, options: ReferenceOptions = {}): Field {
  const { by = 'id', key, nullable, empty, where, counted, doc } = options;
  // 0 means none, where there may be none.
  const min = nullable || empty ? 0 : 1;
  const shape: Shape = by === 'name' ? { kind: 'text', max: 128 } : { kind: 'integer', min, max: integerMax };
  return {
    shape: { ...shape, ...(nullable && { nullable }), ...(doc && { doc }) },
    access: 'write',
    stored: true,
    // `empty`: the contract does not let the field be null, so nothing is written as '' or 0.
    ...(nullable && { default: null }),
    ...(empty && { default: (by === 'name' ? '' : 0) as never }),
    reference: { to, onDelete, by, ...(key && { key }), ...(where && { where }), ...(counted && { counted }) },
  };
}

/** A field that no record shows. */
export type SecretField = Field<string | null> & { readonly access: 'secret' };

type SecretOptions = SecretBinding &
  Pick<Field, 'secretParts'> & { min?: number; max: number; required?: boolean; doc: string };

/** A value that only goes in: encrypted at rest, never listed, logged or audited. Absent or null keeps it, '' clears it. */
export function secret(options: SecretOptions): SecretField {
  const { min, max, required, doc, secretParts } = options;
  const binding: SecretBinding = 'boundTo' in options ? { boundTo: options.boundTo } : { unbound: options.unbound };
  return {
    shape: {
      kind: 'text',
      max,
      ...(min !== undefined && { min }),
      nullable: true,
      doc: `${doc}${bindingDoc(binding)}`,
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

/** A field the service works out when it is read. */
export const computed = <T>(
  shape: Shape,
  sql: string,
  { doc, ...options }: { doc?: string } & Pick<Field, 'render' | 'lookup' | 'joins' | 'filterSql'> = {},
): Field<T> => ({ shape: { ...shape, ...(doc && { doc }) }, access: 'computed', stored: false, sql, ...options });

/** A column that polls, traps and RADIUS write (through `observe`); clients only read it. */
export const observed = <T>(shape: Shape, initial: T, doc?: string): Field<T> => ({
  shape: { ...shape, ...(doc && { doc }) },
  access: 'computed',
  stored: true,
  observed: true,
  default: initial,
});

/** A field the service sets together with `version`. */
export const readOnly = <T>(shape: Shape, sql: string, doc?: string): Field<T> => ({
  shape: { ...shape, ...(doc && { doc }) },
  access: 'readOnly',
  stored: false,
  sql,
});

/** A second spelling of other fields: a client may write it, the group's rule says what it then means. */
export const alternative = <T>(shape: Shape, sql: string, doc: string): Field<T | undefined> => ({
  shape: { ...shape, doc },
  access: 'write',
  stored: false,
  sql,
});

/** An object the service fills, an expression each property. */
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

/** Text that is the same in every record of a group. */
export const constantText = (value: string): Field<string> => computed({ kind: 'text', max: 200 }, literal(value));

const id: Shape = { kind: 'integer', min: 0, max: integerMax };

/** The identity of the record. Its column is `id` in every table, whatever the record calls it. */
export const identity = (doc = 'Identity of the record.'): Field<number> =>
  readOnly({ ...id, nullable: true }, 'r.id', doc);

/** The cell that owns the record. */
export const landscape: Field<number> = readOnly(id, 'r.landscape', 'Number of the cell that owns the record.');

export const version: Field<number> = readOnly(
  { kind: 'integer', min: 0, max: 2_147_483_647 },
  'r.version',
  'Number of configuration changes; send it back to detect concurrent changes.',
);

/** Who changed the record last, and when. */
export const modified = {
  lastModifiedBy: readOnly<string>(
    { kind: 'text', max: 120 },
    'r.last_modified_by',
    'User who last changed the record.',
  ),
  lastModifiedDate: readOnly<string>({ kind: 'time' }, 'r.last_modified_date', 'When it was last changed.'),
};

/** Whether a manager of several cells gave the record. None can yet: every record is its own cell's. */
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

/** Place among the records of a ranked collection, dense from 1. */
export const rank: Field<number> = {
  shape: {
    kind: 'integer',
    min: 0,
    max: 1_000_000,
    doc: 'Place in the order, from 1. On create absent or 0: last; on update: move.',
  },
  access: 'write',
  stored: true,
  default: 0,
};

/** A column that the group's own rule fills when the record is saved. */
export const derived = <T>(shape: Shape, initial: T, doc: string): Field<T> => ({
  shape: { ...shape, doc },
  access: 'computed',
  stored: true,
  default: initial,
});

/** What a field is before anybody sets it. */
export const initialOf = ({ access, default: initial }: Field): unknown => (access === 'secret' ? '' : initial);

/** A field of the contract that is stored as it is sent, and that no code reads yet: its documentation says so. */
export const withoutEffect = <F extends Field>(field: F, until: string): F => ({
  ...field,
  withoutEffect: until,
  shape: { ...field.shape, doc: `${field.shape.doc ?? ''} Stored, without effect until ${until}.`.trim() },
});

/** A field of the contract without effect so far: nobody may believe to have set it. */
export const notYet = <F extends Field>(field: F, until: string): F => ({
  ...field,
  notYet: until,
  shape: {
    ...field.shape,
    doc: `${field.shape.doc ?? ''} Not supported yet: only ${JSON.stringify(initialOf(field))} is accepted until ${until}.`.trim(),
  },
});
