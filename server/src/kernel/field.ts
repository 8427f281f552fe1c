import type { Elements } from './element.ts';
import { literal, snakeCase } from './names.ts';
import type { ListShape, MapShape, ObjectShape, Shape, TextShape } from './shape.ts';
import { integerMax } from './shape.ts';

/**
 * Who sets a field. `write`: the client. `kept`: the service, together with `version`; a client may echo it.
 * `computed`: the service, from other facts; a client's value is checked for type and dropped.
 * `secret`: the client, and nobody reads it but the group's own secret operation.
 */
export type Access = 'write' | 'kept' | 'computed' | 'secret';

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
  /** Usage tells how many refer, not their names: they may be a million. */
  counted?: boolean;
}

/** A reference that stands inside a list or an object: mirrored in the table `reference`. */
export interface InnerReference {
  /** Property names from the field's value to the id; `*` stands for every item of a list. */
  path: readonly string[];
  to: string;
  onDelete: OnDelete;
  where?: Readonly<Record<string, string>>;
}

/** Where a computed value lies beside the record: a filter looks for it there first, by an index, and not at every row. */
export interface Among {
  /** A select of `id` and `value`: of every record that shows a value, its id with that value. */
  rows: string;
  /** What a record shows of which no row tells. */
  otherwise?: string;
  /** Whoever is told of shows that value: there is nothing more to look at. */
  exact?: boolean;
}

/** One field of a record: its shape, who sets it, where it is stored and how it is read. `T` is its TypeScript type in a row. */
export interface Field<T = unknown> {
  readonly shape: Shape;
  readonly access: Access;
  /** Taken on create when the field is absent; a field without one is required (unless the service sets it). */
  readonly default?: T;
  readonly unique?: boolean;
  /** Chosen when the record is created and never changed after: others remember it. */
  readonly fixed?: boolean;
  /** Whether `text==…` looks here too; `'indexed'` on a table that can become large: parts of the text are then found by an index. */
  readonly search?: boolean | 'indexed';
  /** False: not a column of its own (it is computed, or a second spelling of another field). */
  readonly stored: boolean;
  /** How it is read, over the row `r`; the column itself when absent. */
  readonly sql?: string;
  /** What `sql` reads of the rows beside `r`, by the names that the declaration gives them. */
  readonly from?: readonly string[];
  /** The same value over `r` alone, where a filter or a sort has a better way to it than those rows. */
  readonly asked?: string;
  /** The same where it takes the tables of elements, which are known once all declarations are. */
  readonly sqlOver?: (elements: Elements) => string;
  /** Shown when one record is fetched; lists have it empty, and filters do not know it. */
  readonly fetched?: boolean;
  /** What it is sorted by over the row `r`, of the same type, where its own value would not give the order people expect. */
  readonly order?: string;
  /** A computed object: one expression a property, instead of JSON made in the database. */
  readonly parts?: Readonly<Record<string, Field>>;
  /** What the properties of a rendered JSON cell are to a filter or a sort, an expression each: the cell itself may lack them. */
  readonly within?: Readonly<Record<string, string>>;
  /** The last step for a JSON cell, pure: what the database gave → what the record shows. */
  readonly render?: (cell: unknown) => unknown;
  /** How what a client sent joins what is there, where a part of an object may be sent. Pure. */
  readonly merge?: (sent: unknown, before: unknown) => unknown;
  /** The part of the value that is stored, where the rest is read from elsewhere. Pure. */
  readonly store?: (value: unknown) => unknown;
  readonly reference?: Reference;
  /** What a computed field shows of a referred record, such as `deviceID.name`: a filter looks there, not at every row. */
  readonly through?: string;
  readonly among?: Among;
  readonly inner?: readonly InnerReference[];
  /** Written by polls, traps and RADIUS through `observe`, never by a client: no version, no audit row. */
  readonly observed?: boolean;
  /** A field that the service sets from what somebody said in other words: a change of it is one of the record, with version and audit row. */
  readonly audited?: boolean;
  /** The event whose newest one this field shows. */
  readonly embeds?: string;
  /** An index on `(column, id)`, or on the lower-case text for text. */
  readonly index?: boolean;
}

interface FieldOptions<T> {
  default?: T;
  unique?: boolean;
  fixed?: boolean;
  search?: boolean | 'indexed';
  index?: boolean;
  doc?: string;
  example?: T;
}

type Nullable<T, O> = O extends { nullable: true } ? T | null : T;

/** A field as a client writes it, with a shape; the other makers are short for this one. */
export function field<T>(
  shape: Shape,
  options: FieldOptions<T> & {
    sql?: string;
    inner?: readonly InnerReference[];
    store?: (value: unknown) => unknown;
  } = {},
): Field<T> {
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

export function integer<O extends { min: number; max: number; nullable?: boolean } & FieldOptions<number | null>>(
  options: O,
): Field<Nullable<number, O>> {
  const { min, max, nullable, ...rest } = options;
  return field({ kind: 'integer', min, max, ...(nullable && { nullable }) }, withNullDefault(rest, nullable)) as Field<
    Nullable<number, O>
  >;
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

export const list = <T>(
  shape: Omit<ListShape, 'kind'>,
  options: FieldOptions<T[]> & {
    inner?: readonly InnerReference[];
    sql?: string;
    store?: (value: unknown) => unknown;
  } = {},
): Field<T[]> => field<T[]>({ kind: 'list', ...shape }, options);

export const map = <T>(
  shape: Omit<MapShape, 'kind'>,
  options: FieldOptions<Record<string, T>> = {},
): Field<Record<string, T>> => field<Record<string, T>>({ kind: 'map', ...shape }, options);

/** A field that names a record of another group; usage, deletion and the foreign key follow from it. */
export function reference(
  to: string,
  onDelete: OnDelete,
  options: {
    by?: 'id' | 'name';
    key?: string;
    nullable?: boolean;
    empty?: boolean;
    where?: Record<string, string>;
    counted?: boolean;
    doc?: string;
  } = {},
): Field<number | null> {
  const { by = 'id', key, nullable, empty, where, counted, doc } = options;
  const shape: Shape = by === 'name' ? { kind: 'text', max: 128 } : { kind: 'integer', min: 0, max: integerMax };
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

/** A value that only goes in: encrypted at rest, never listed, logged or audited. Absent or null keeps it, '' clears it. */
export function secret(options: { min?: number; max: number; required?: boolean; doc: string }): Field<string | null> {
  const { min, max, required, doc } = options;
  return {
    shape: { kind: 'text', max, ...(min !== undefined && { min }), nullable: true, doc },
    access: 'secret',
    stored: true,
    ...(!required && { default: null }),
  };
}

/** Tells that a secret is set, without telling it. */
export const isSet = (field: string): Field<boolean> =>
  computed({ kind: 'flag' }, `(r.${snakeCase(field)} is not null)`, { doc: `Whether ${field} is set.` });

/** A field the service works out when it is read. */
export const computed = <T>(
  shape: Shape,
  sql: string,
  { doc, ...options }: { doc?: string } & Pick<Field, 'render' | 'among' | 'from' | 'asked'> = {},
): Field<T> => ({ shape: { ...shape, ...(doc && { doc }) }, access: 'computed', stored: false, sql, ...options });

/** A column that polls, traps and RADIUS write (through `observe`); clients only read it. */
export const observed = <T>(shape: Shape, initial: T, doc: string): Field<T> => ({
  shape: { ...shape, doc },
  access: 'computed',
  stored: true,
  observed: true,
  default: initial,
});

/** A field the service sets together with `version`. */
export const kept = <T>(shape: Shape, sql: string, doc?: string): Field<T> => ({
  shape: { ...shape, ...(doc && { doc }) },
  access: 'kept',
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
export function embedded(
  access: 'kept' | 'computed',
  name: string,
  parts: Record<string, Field>,
  doc?: string,
): Field<object> {
  const properties = Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, part.shape]));
  const shape: ObjectShape = { kind: 'object', name, properties, ...(doc && { doc }) };
  return { shape, access, stored: false, parts };
}

/** Text that is the same in every record of a group. */
export const constantText = (value: string): Field<string> => computed({ kind: 'text', max: 200 }, literal(value));

const id: Shape = { kind: 'integer', min: 0, max: integerMax };

/** The identity of the record. Its column is `id` in every table, whatever the record calls it. */
export const identity = (doc = 'Identity of the record.'): Field<number> =>
  kept({ ...id, nullable: true }, 'r.id', doc);

/** The cell that owns the record. */
export const landscape: Field<number> = kept(id, 'r.landscape', 'Number of the cell that owns the record.');

export const version: Field<number> = kept(
  { kind: 'integer', min: 0, max: 2_147_483_647 },
  'r.version',
  'Counts the configured changes; send it back to refuse a stale write.',
);

/** Who changed the record last, and when. */
export const modified = {
  lastModifiedBy: kept<string>({ kind: 'text', max: 120 }, 'r.last_modified_by', 'Who changed the record last.'),
  lastModifiedDate: kept<string>({ kind: 'time' }, 'r.last_modified_date', 'When it was changed last.'),
};

/** Whether a manager of several cells gave the record. None can yet: every record is its own cell's. */
export const managed = {
  guid: kept<number>(id, '0::bigint', 'Identity of the record at the manager that gave it; 0: it is of this cell.'),
  globalModifiedDate: kept<string | null>(
    { kind: 'time', nullable: true },
    'null::timestamptz(3)',
    'When the manager changed it last.',
  ),
  global: kept<boolean>({ kind: 'flag' }, 'false::boolean', 'Whether a manager gave it; then it is read-only here.'),
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
