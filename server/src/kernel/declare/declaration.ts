import type { ElementType } from './element-type.ts';
import { computed, constantText, embedded, type Field, readOnly, type SecretField } from './field.ts';
import type { LateralJoins } from './lateral-joins.ts';
import { pascalCase, snakeCase, upperSnake } from './names.ts';
import type { PermissionKey } from './permissions.ts';
import type { ObjectShape, Shape } from './shape.ts';
import type { Typed, ValueOf } from './value-of.ts';

/** The operations that two thirds of the groups have alike. */
export type Pattern =
  | 'list'
  | 'fetch'
  | 'count'
  | 'countAll'
  | 'usage'
  | 'usageByPost'
  | 'create'
  | 'update'
  | 'deleteOne'
  | 'deleteByPost'
  | 'deleteMany'
  | 'enable'
  | 'disable'
  | 'enableMany'
  | 'disableMany'
  | 'rankSet'
  | 'rankSwap'
  | 'monitor'
  | 'archive'
  | 'settingsRead'
  | 'settingsWrite';

/** Short for the patterns that usually come together. */
export const deletes = ['deleteOne', 'deleteByPost', 'deleteMany'] as const satisfies Pattern[];
export const ranking = ['rankSet', 'rankSwap'] as const satisfies Pattern[];

/** What a number of a field counts. */
export type Unit = 'ms' | 's' | 'min' | 'd' | 'B';

export type Fields = Readonly<Record<string, Field>>;
type ExtraInput = Readonly<Record<string, Shape>>;

interface Declared<F extends Fields> {
  /** Kebab-case: the table, the CLI noun and the documents' tag come from it. */
  name: string;
  /** What an administrator calls one of them, such as "AAA server". */
  title: string;
  /** Under /api/v2; a collection that is not routed yet has none. */
  path?: string;
  permission: PermissionKey;
  /** What the records are, in one sentence. */
  doc: string;
  patterns: readonly Pattern[];
  fields: F;
  /** The fields that tables show first, most important first: for the command line and the console. */
  columns?: readonly string[];
  /** What people call a field, where its name in words is not it. */
  labels?: Readonly<Record<string, string>>;
  /** How a form or a page divides the fields, in this order; those that are named nowhere come last. */
  sections?: Readonly<Record<string, readonly string[]>>;
  /** What a number counts: `s`, `min`, `d`, `ms`, `B`. */
  units?: Readonly<Record<string, Unit>>;
  /** A body that creates one, with values a reader believes; goes into the documents, and a test sends it. */
  example?: Readonly<Record<string, unknown>>;
}

/** What changed, as bits: in `last` by the last write, in `since` by what a monitor has not seen yet. */
export interface ChangeMask {
  last: string;
  since: string;
  bits: Readonly<Record<string, number>>;
}

/** What of a collection decides about access: a change of it raises the policy generation. */
export interface Deciding {
  /** Configured fields; a label, a note or an interval is none. */
  fields: readonly string[];
  /** Devices and requests add and remove the rows: only changed fields count. */
  rowsAreObserved?: true;
  /** A dry run of a write answers records of this shape: the live connections that would change. */
  impact?: ObjectShape;
}

/**
 * Which rows a caller sees whose profile limits them. Said once, here: lists, counts, monitors, writes and references of the group keep to it.
 */
export interface RowScope {
  /** With `manageByGroups`: members, of this element type, of the groups that the caller manages. */
  elementType?: number;
  /** They are people: the caller's own record is always seen. */
  andSelf?: true;
  /** Where the permission is customized: the records that `selectedIDs` names. */
  selected?: true;
  /** The reference of theirs by which others lie beneath those, and are seen too. */
  beneath?: string;
  /** The reference to what they lie in: seen where that is, as far as `selectedIDs` goes. */
  seenWith?: string;
}

/** A group of records that people configure: versioned, audited, counted and fed. */
export interface Collection<F extends Fields = Fields, E extends ExtraInput = ExtraInput> extends Declared<F> {
  kind: 'collection';
  /** The field that is the identity; `id` unless said otherwise. */
  identity: string;
  /** The field that names a record to people, and by which references by name find it. */
  label: string;
  /** Columns that are unique together, in addition to fields declared unique. */
  uniqueTogether?: readonly (readonly string[])[];
  /** How many records there may be; a create beyond it is refused. */
  recordsMax?: number;
  /** Columns that are unique together letter for letter: what finds a row for those who write many at once. */
  exactKey?: readonly string[];
  /** Its events: `<noun>_CREATED`, `<noun>_MODIFIED`, `<noun>_<destroyed>`; `elementType` is the code of what it happens to (1 container, 2 device, … 11 job), `mac` the field with its MAC address. */
  events: { noun: string; destroyed: string; elementType: number; mac?: string };
  /** Fields that hold the account a record belongs to: its owner sees it without any permission. */
  ownedBy?: readonly string[];
  scopedBy?: RowScope;
  /** A table of one row, whose record has no identity and no name: the settings of something. */
  single?: boolean;
  /** Where a pattern's path is spelled otherwise than usual, such as `rankSwap: '/swap-rule-ranks'` or `fetch: '/{attrGroupId}'`. */
  paths?: Readonly<Partial<Record<Pattern, string>>>;
  /** Fields with a bit mask of changes: `last` by the last write, `since` since the last poll of a monitor. */
  changeMask?: ChangeMask;
  deciding?: Deciding;
  /** The field whose word stands in the path of a create and an update, by the name that the path has for it. */
  typeInPath?: { parameter: string; field: string };
  /** Further properties of a body, for the rules of the group. A property named like a field replaces its input shape. */
  extraInput?: E;
  /** The types of group that its records can be members of; one that is deleted leaves its groups. */
  memberOf?: readonly ElementType[];
  /** How a record is shown among the members of a group, over the row `r`; by its label when absent. */
  memberAs?: { name?: string; img?: string };
  /** The parameter of lists that has them show what otherwise only a fetch shows. */
  detailParameter?: string;
  /** The field that names a record in the audit log and in events while its label is empty. */
  fallbackLabel?: string;
  /** The field whose text stands before the label where a record is named: a port is known by its device and its own name. */
  labelPrefix?: string;
  /** Lateral joins of a record, at most one row each: joined once per read, for all fields that use them. */
  joins?: LateralJoins;
  /**
   * SQL of its joins and fields that is another for somebody who does not see every row: where the usual one takes ids or names of
   * other records from elsewhere than their tables. Those tables are then read as far as they are visible, in the SQL of all fields.
   */
  restrictedSql?: readonly { sql: string; restricted: string }[];
  /** SQL of its fields that reads every row of other tables, whoever the viewer is, and why nothing hidden gets out by that. */
  everyRow?: readonly { sql: string; reason: string }[];
}

/** Append-only rows whose ids contain their time, partitioned by it. */
export interface Log<F extends Fields = Fields> extends Declared<F> {
  kind: 'log';
  identity: string;
  label: string;
  slice: 'day' | 'week' | 'month';
  /** The time field; a bound on it becomes a bound on the id. */
  timeField: string;
  /** The field with the time that closes a row, where slices go by that: rows are written when they end, under an id from when they began. */
  closedBy?: string;
  /** Which setting says for how many days slices stay, and what it says on a new installation. */
  age: { setting: string; days: number };
  /** A slice leaves only when a file holds its rows, whatever the settings say. */
  alwaysArchived?: boolean;
  /** Fields that came with a later version of the rows; rows archived before have none of them and get their defaults. */
  added?: Readonly<Record<number, readonly string[]>>;
  /** Other logs whose archives this group's operations list and import too, under their own permission. */
  archivesOf?: readonly string[];
  /** The records its rows concern, by the field with their id: a caller who may not see the record sees no row of it. */
  tellsOf?: { group: string; by: string };
  /**
   * Further records that a row may concern, each found by SQL over the row `r`. The first one that exists decides: a caller who may not
   * see it sees no such row. If none exists, a caller who is limited to the members of groups sees no such row either.
   */
  visibleWith?: readonly { group: string; id: string }[];
  /** Columns of indexes `(…, id desc)`. */
  indexes: readonly (readonly string[])[];
  /** Fields whose most frequent values a list answers instead of its rows, with `totals=true`. */
  totals?: readonly string[];
}

export type Declaration = Collection | Log;

/** Declares a collection. Everything not said here happens the same way for all of them. */
export function collection<const F extends Fields, const E extends ExtraInput = Record<never, never>>(
  declared: Declared<F> & {
    identity?: string;
    label?: string;
    uniqueTogether?: readonly (readonly string[])[];
    recordsMax?: number;
    exactKey?: readonly string[];
    events?: Partial<Collection['events']>;
    ownedBy?: readonly string[];
    scopedBy?: RowScope;
    paths?: Collection['paths'];
    changeMask?: ChangeMask;
    deciding?: Deciding;
    typeInPath?: Collection['typeInPath'];
    extraInput?: E;
    memberOf?: Collection['memberOf'];
    memberAs?: Collection['memberAs'];
    detailParameter?: string;
    fallbackLabel?: string;
    labelPrefix?: string;
    joins?: LateralJoins;
    restrictedSql?: Collection['restrictedSql'];
    everyRow?: Collection['everyRow'];
  },
): Collection<F, E> {
  const { events, ...rest } = declared;
  return {
    kind: 'collection',
    identity: 'id',
    label: 'name',
    ...rest,
    events: { noun: upperSnake(declared.name), destroyed: 'DELETED', elementType: 0, ...events },
  };
}

/** The id of the only row of a settings table. */
export const singleId = 1;

/** Declares settings: one record, read and written at the group's path. */
export function settings<const F extends Fields>(
  declared: Omit<Declared<F>, 'patterns'> & { events?: Partial<Collection['events']> },
): Collection<F, Record<never, never>> {
  return {
    ...collection({ ...declared, patterns: ['settingsRead', 'settingsWrite'], identity: '', label: '' }),
    single: true,
  };
}

/** Declares a log. */
export function log<const F extends Fields>(declared: Declared<F> & Omit<Log<F>, 'kind' | keyof Declared<F>>): Log<F> {
  return { kind: 'log', ...declared };
}

/** The record as a client may send it: all that it can read, and the secrets. */
export const inputShape = <D extends Declaration>(declaration: D): ObjectShape & Typed<InputOf<D>> => ({
  kind: 'object',
  name: `${pascalCase(declaration.name)}Input`,
  properties: {
    ...Object.fromEntries(Object.entries(declaration.fields).map(([name, field]) => [name, field.shape])),
    ...(declaration as Collection).extraInput,
  },
});

/** The shapes of some fields of a record, by their names. */
export const shapesOf = <const F extends Fields, const N extends keyof F & string>(
  fields: F,
  names: readonly N[],
): { readonly [K in N]: F[K]['shape'] } =>
  Object.fromEntries(names.map((name) => [name, fields[name]!.shape])) as { [K in N]: F[K]['shape'] };

export const isCollection = (declaration: Declaration): declaration is Collection => declaration.kind === 'collection';
/** Whether there is exactly one record, from the start and for ever. */
export const isSingle = (declaration: Declaration): boolean =>
  declaration.kind === 'collection' && declaration.single === true;
export const isLog = (declaration: Declaration): declaration is Log => declaration.kind === 'log';

/** Whether its records have places in an order that people change. */
export const isRanked = ({ fields }: Declaration): boolean => fields.rank?.access === 'write';

/** The table of a declaration. */
export const tableOf = (declaration: { name: string }): string => snakeCase(declaration.name);

/** Types of the columns that every configured table has in addition to its own fields. */
export interface SystemColumns {
  id: number;
  version: number;
  last_modified_by: string;
  last_modified_date: string;
  audit_id: number;
  audit_action: string;
  audit_tag: string;
  audit_text: string;
}

type Stored<F extends Fields> = {
  [K in keyof F as F[K] extends Field & { stored: true } ? K : K]: F[K] extends Field<infer T> ? T : never;
};

/** A row as Kysely sees it: fields by their own names, the columns of the kernel by theirs. */
export type RowOf<D> = D extends { fields: infer F extends Fields } ? Stored<F> & SystemColumns : never;

/** A record as the API answers it: every field but the secrets. */
export type RecordOf<D> = D extends { fields: infer F extends Fields }
  ? string extends keyof F
    ? Record<string, unknown>
    : {
        -readonly [K in keyof F as F[K] extends SecretField ? never : K]: F[K] extends Field<unknown, infer R>
          ? R
          : never;
      }
  : Record<string, unknown>;

/** A record as a client may send it, and what else its group takes. */
export type InputOf<D> = D extends { fields: infer F extends Fields }
  ? string extends keyof F
    ? Record<string, unknown>
    : Omit<SentFields<F>, keyof ExtraOf<D>> & ExtraOf<D>
  : Record<string, unknown>;

type SentFields<F extends Fields> = {
  -readonly [K in keyof F]?: F[K] extends Field<unknown, unknown, infer I> ? I : never;
};

type ExtraOf<D> = D extends Collection<Fields, infer E> ? { -readonly [K in keyof E]?: ValueOf<E[K]> } : unknown;

/** The specification's `auditObjectType`; the third is descriptive text and is never executed. */
const auditObjectType = (table: string) =>
  embedded('readOnly', 'AuditObjectType', {
    auditTableName: constantText(`${table}_audit`),
    dbTableName: constantText(table),
    idnameQuery: constantText('name'),
  });

/** The audit fields of a record by their names in the specification; a record spreads those it shows. */
export function auditFields(name: string, label = 'name', labelSql = `r.${snakeCase(label)}`) {
  const table = snakeCase(name);
  const shortText = { kind: 'text', max: 2000 } as const;
  const audited = `${labelSql} || ': ' || r.audit_text`;
  return {
    yamsEventTag: readOnly<string>({ kind: 'text', max: 80 }, 'r.audit_tag', 'Event type of the last change.'),
    auditObj: embedded(
      'readOnly',
      'AuditObject',
      {
        user: computed<string>({ kind: 'text', max: 120 }, 'r.last_modified_by'),
        action: computed<string>({ kind: 'text', max: 40 }, 'r.audit_action'),
        timestamp: computed<string>({ kind: 'time' }, 'r.last_modified_date'),
        liveObj: embedded('computed', 'LiveObject', {
          yamsEventTag: computed<string>({ kind: 'text', max: 80 }, 'r.audit_tag'),
          auditObj: computed<string>(shortText, audited),
        }),
        auditDBID: computed<number>({ kind: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER }, 'r.audit_id'),
        liveDBID: computed<number>({ kind: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER }, 'r.id'),
        yamsEventTag: computed<string>({ kind: 'text', max: 80 }, 'r.audit_tag'),
        auditObj: computed<string>(shortText, audited),
      },
      'The last audit record of this record.',
    ),
    auditObjectName: readOnly<string>({ kind: 'text', max: 200 }, labelSql, 'Name of the record in the audit log.'),
    auditObjectType: auditObjectType(table),
  };
}
