import type { ElementType } from './element-type.ts';
import { computed, constantText, embedded, type Field, readOnly, type SecretField } from './field.ts';
import type { LateralJoins } from './lateral-joins.ts';
import { pascalCase, snakeCase, upperSnake } from './names.ts';
import type { PermissionKey } from './permissions.ts';
import type { ObjectShape, Shape } from './shape.ts';
import type { Typed, ValueOf } from './value-of.ts';

/** Operations that the kernel provides; two thirds of the resources have only these. */
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

/** Patterns that usually come together. */
export const deletes = ['deleteOne', 'deleteByPost', 'deleteMany'] as const satisfies Pattern[];
export const ranking = ['rankSet', 'rankSwap'] as const satisfies Pattern[];

/** The unit of a numeric field. */
export type Unit = 'ms' | 's' | 'min' | 'd' | 'B';

export type Fields = Readonly<Record<string, Field>>;
type ExtraInput = Readonly<Record<string, Shape>>;

interface Declared<F extends Fields> {
  /** Kebab-case: the table, the CLI noun and the documents' tag come from it. */
  name: string;
  /** The singular name that administrators use, such as "AAA server". */
  title: string;
  /** Path under /api/v2; absent for a collection that is not routed yet. */
  path?: string;
  permission: PermissionKey;
  /** One sentence that describes the records. */
  doc: string;
  patterns: readonly Pattern[];
  fields: F;
  /** The fields that tables of the command line and the console show first, most important first. */
  columns?: readonly string[];
  /** Labels of fields whose label is not their name split into words. */
  labels?: Readonly<Record<string, string>>;
  /** The sections of a form or page with their fields, in this order; fields that are not listed come last. */
  sections?: Readonly<Record<string, readonly string[]>>;
  /** Units of numeric fields: `s`, `min`, `d`, `ms`, `B`. */
  units?: Readonly<Record<string, Unit>>;
  /** A request body that creates a record, with realistic values; shown in the documents and sent by a test. */
  example?: Readonly<Record<string, unknown>>;
}

/** Fields with changes as bits: `last` holds those of the last write, `since` those that a monitor has not delivered yet. */
export interface ChangeMask {
  last: string;
  since: string;
  bits: Readonly<Record<string, number>>;
}

/** The part of a collection that access decisions read: a change of it raises the policy generation. */
export interface Deciding {
  /** Configured fields that decisions read; labels, notes and intervals are not among them. */
  fields: readonly string[];
  /** Devices and requests add and remove the rows, so only changed fields count. */
  rowsAreObserved?: true;
  /** Shape of the results of a dry run: the open connections whose access would change. */
  impact?: ObjectShape;
}

/** Which rows a caller with row limits sees. Lists, counts, monitors, writes and references of the resource all apply it. */
export interface RowScope {
  /** With `manageByGroups`: members, of this element type, of the groups that the caller manages. */
  elementType?: number;
  /** The records are accounts: the caller's own record is always visible. */
  andSelf?: true;
  /** If the permission is customized: the records in `selectedIDs`. */
  selected?: true;
  /** The parent reference: descendants of a visible record are visible too. */
  descendantsBy?: string;
  /** The reference to the containing record: visible if that record is visible by `selectedIDs`. */
  seenWith?: string;
}

/** Records that administrators configure: with version, audit rows, counts and change feed. */
export interface Collection<F extends Fields = Fields, E extends ExtraInput = ExtraInput> extends Declared<F> {
  kind: 'collection';
  /** The identity field; `id` by default. */
  identity: string;
  /** The field that names a record to users and that references by name are resolved by. */
  label: string;
  /** Columns that are unique together, in addition to fields declared unique. */
  uniqueTogether?: readonly (readonly string[])[];
  /** Maximum number of records; creating more is refused. */
  recordsMax?: number;
  /** Columns that are unique together, compared exactly: the conflict target of bulk writes. */
  exactKey?: readonly string[];
  /**
   * The events `<noun>_CREATED`, `<noun>_MODIFIED` and `<noun>_<destroyed>`; `elementType` is the code of their element (1 container, 2
   * device, … 11 job), `mac` the field with its MAC address.
   */
  events: { noun: string; destroyed: string; elementType: number; mac?: string };
  /** Fields with the account that a record belongs to: the owner sees the record without any permission. */
  ownedBy?: readonly string[];
  scopedBy?: RowScope;
  /** A settings table: one row, without identity and name. */
  single?: boolean;
  /** Paths of patterns that differ from the default, such as `rankSwap: '/swap-rule-ranks'` or `fetch: '/{attrGroupId}'`. */
  paths?: Readonly<Partial<Record<Pattern, string>>>;
  /** Fields with a bit mask of changes: `last` by the last write, `since` since the last poll of a monitor. */
  changeMask?: ChangeMask;
  deciding?: Deciding;
  /** The field whose value is a path parameter of create and update, and the name of that parameter. */
  typeInPath?: { parameter: string; field: string };
  /** Further properties of a body, read by the rules of the resource. A property named like a field replaces the field's input shape. */
  extraInput?: E;
  /** The types of group that the records can be members of; a deleted record is removed from its groups. */
  memberOf?: readonly ElementType[];
  /** SQL over the row `r` for the name and picture of a record among the members of a group; by default its label. */
  memberAs?: { name?: string; img?: string };
  /** The list parameter that adds the fields that otherwise only a fetch returns. */
  detailParameter?: string;
  /** The field that names a record in the audit log and in events while its label is empty. */
  fallbackLabel?: string;
  /** The field whose text precedes the label when a record is named: a port is named by its device and its own name. */
  labelPrefix?: string;
  /** Lateral joins of a record, at most one row each: joined once per read, for all fields that use them. */
  joins?: LateralJoins;
  /**
   * SQL of joins and fields that differs for a caller with row limits, because the usual SQL takes ids or names of other records from
   * elsewhere than their tables. The SQL of all fields then reads only the visible rows of those tables.
   */
  restrictedSql?: readonly { sql: string; restricted: string }[];
  /** SQL of fields that reads every row of other tables for every caller, with the reason why it reveals nothing hidden. */
  everyRow?: readonly { sql: string; reason: string }[];
}

/** Append-only rows whose ids contain their time, partitioned by it. */
export interface Log<F extends Fields = Fields> extends Declared<F> {
  kind: 'log';
  identity: string;
  label: string;
  slice: 'day' | 'week' | 'month';
  /** The time field; a limit on it becomes a limit on the id. */
  timeField: string;
  /** The field with the end time, if slices are deleted by that: the rows are written when they end, with an id from their start. */
  closedBy?: string;
  /**
   * The view of the rows that have not ended: the columns of the log, with null in those of `closedBy` and in `txid`. Reads return both. A
   * row leaves the view in the transaction that writes it into the log, with the same id.
   */
  openRows?: string;
  /** The setting for how many days slices are stored, and its default. */
  age: { setting: string; days: number };
  /** A slice is deleted only after its rows are in an archive, whatever the settings are. */
  alwaysArchived?: boolean;
  /** Fields added by later versions; rows archived before lack them and get their defaults. */
  added?: Readonly<Record<number, readonly string[]>>;
  /** Other logs whose archives the operations of this resource list and import too, under their own permission. */
  archivesOf?: readonly string[];
  /** The records that the rows are about, and the field with their id: a caller who may not see the record does not see its rows. */
  concerns?: { group: string; by: string };
  /**
   * Further records that a row may concern, each found by SQL over the row `r`. The first one that exists decides: a caller who may not
   * see it does not see the row. If none exists, a caller who is limited to the members of groups does not see the row either.
   */
  visibleWith?: readonly { group: string; id: string }[];
  /** Columns of indexes `(…, id desc)`. */
  indexes: readonly (readonly string[])[];
  /** Fields whose most frequent values a list returns instead of its rows, with `totals=true`. */
  totals?: readonly string[];
}

export type Declaration = Collection | Log;

/** Declares a collection and fills in the defaults. */
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

/** Declares settings: one record, read and written at the resource's path. */
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

/**
 * Returns the shape of a record in a request: all fields, because clients may send back those of the service, and the
 * extra input.
 */
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
/** True if the resource has exactly one record, created at installation and never deleted. */
export const isSingle = (declaration: Declaration): boolean =>
  declaration.kind === 'collection' && declaration.single === true;
export const isLog = (declaration: Declaration): declaration is Log => declaration.kind === 'log';

/** True if callers can change the rank of its records. */
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

/** A record as the API returns it: every field except secrets. */
export type RecordOf<D> = D extends { fields: infer F extends Fields }
  ? string extends keyof F
    ? Record<string, unknown>
    : {
        -readonly [K in keyof F as F[K] extends SecretField ? never : K]: F[K] extends Field<unknown, infer R>
          ? R
          : never;
      }
  : Record<string, unknown>;

/** A record as a client may send it, with the extra input of its resource. */
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
