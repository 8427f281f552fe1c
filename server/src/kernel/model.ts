import { aloneSql, type Beside } from './beside.ts';
import type { Collection, Declaration, Log } from './declare.ts';
import { isRanked, tableOf } from './declare.ts';
import { type ElementSource, type Elements, type ElementType, elementCodes } from './element.ts';
import { type ChangeEvents, changeEvents } from './event-type.ts';
import type { Among, Field, OnDelete } from './field.ts';
import { holdsSecrets, maskSecrets } from './inner-secrets.ts';
import { quoted, snakeCase } from './names.ts';
import { permissionKeys } from './permissions.ts';
import type { Shape } from './shape.ts';

/** A column as it is created. */
export interface Column {
  name: string;
  type: string;
  notNull: boolean;
  /** A constraint on its values, such as the words of a choice. */
  known?: readonly string[];
}

/** A scalar that can be selected, filtered and sorted by: `auditObj.user` → `r.last_modified_by`. */
export interface Selectable {
  path: string;
  shape: Shape;
  /** Over the row `r`, in its own SQL type. */
  sql: string;
  /** The same where the rows beside `r` are joined. */
  shown?: string;
  /** What it is sorted by instead. */
  order?: string;
  /** Where it comes from, if it is another record's. */
  referred?: Referred;
  /** Where it lies, if not in the row. */
  among?: Among;
  /** A reference that shows 0 for nothing, as an index knows it: with null. */
  bare?: string;
}

/** Values of other records: who refers to them is found by the ids of those that fit, without looking at every row. */
export interface Referred {
  /** The reference, over the row `r`. */
  column: string;
  /** In a `from`: the other records as `x`, with `id` and `value`. */
  rows: string;
  /** Rows that refer to nothing show a value too, the empty one. */
  showsEmpty: boolean;
}

/** A field of the record that a reference names: what filters may ask besides. */
export interface ReferredField extends Selectable {
  to: Table;
  /** The same, where only rows of the other table that fulfil a condition over `r` are seen: of another there is nothing. */
  seen(condition: string): Pick<Selectable, 'sql' | 'referred'>;
}

/** A reference resolved to its tables. */
export interface Link {
  from: Table;
  field: string;
  column: string;
  to: string;
  toTable: string;
  onDelete: OnDelete;
  /** Usage tells how many there are, not which. */
  counted: boolean;
}

/** One declared table, with everything that follows from its fields. */
export interface Table {
  declaration: Declaration;
  name: string;
  columns: readonly Column[];
  /** By dotted path, in the record's order. Secrets have none: to a filter they do not exist. */
  selectables: ReadonlyMap<string, Selectable>;
  /** What filters may also ask: fields of the records it refers to. */
  referred: ReadonlyMap<string, ReferredField>;
  fields: ReadonlyMap<string, Field>;
  beside: Beside;
  /** Foreign keys; references inside lists and objects are not among them. */
  links: readonly Link[];
  /** What a collection tells of its changes. */
  changes: ChangeEvents | undefined;
  /** What its fields may show in short. */
  elements: Elements;
}

/** All declarations, resolved against each other. */
export interface Model {
  tables: readonly Table[];
  elements: Elements;
  byName(name: string): Table;
  has(name: string): boolean;
  /** Declarations by the name of their table. */
  byTable: ReadonlyMap<string, Declaration>;
}

/** Columns the kernel adds to every collection, so that no list joins the audit log. */
const systemColumns: readonly Column[] = [
  { name: 'version', type: 'integer', notNull: true },
  { name: 'last_modified_by', type: 'text', notNull: true },
  { name: 'last_modified_date', type: 'timestamptz(3)', notNull: true },
  { name: 'audit_id', type: 'bigint', notNull: true },
  { name: 'audit_action', type: 'text', notNull: true },
  { name: 'audit_tag', type: 'text', notNull: true },
  { name: 'audit_text', type: 'text', notNull: true },
];

/** Resolves the declarations; a mistake in one stops the service with a sentence that names it. */
export function modelOf(declarations: readonly Declaration[], groupsToCome: ReadonlySet<string>): Model {
  const names = new Map<string, Declaration>();
  for (const declaration of declarations) {
    refuseMistakes(declaration);
    if (names.has(declaration.name)) throw mistake(declaration, 'is declared twice');
    names.set(declaration.name, declaration);
  }
  const elements = elementsOf(declarations);
  const tables = declarations.map((declaration) => tableModel(declaration, names, groupsToCome, elements));
  const byName = new Map(tables.map((table) => [table.declaration.name, table]));
  for (const table of tables) addReferred(table, byName);
  return {
    tables,
    elements,
    has: (name) => byName.has(name),
    byTable: new Map(tables.map((table) => [table.name, table.declaration])),
    byName: (name) => {
      const table = byName.get(name);
      if (!table) throw new Error(`no declaration is called ${name}`);
      return table;
    },
  };
}

/** Which table keeps the elements of which type. */
function elementsOf(declarations: readonly Declaration[]): Elements {
  const elements = new Map<ElementType, ElementSource>();
  for (const declaration of declarations.filter(isCollection)) {
    const { title, label, memberOf = [], memberAs = {} } = declaration;
    for (const type of memberOf) {
      if (elements.has(type)) throw mistake(declaration, `keeps elements of type ${type}, which another one does too`);
      const name = memberAs.name ?? `r.${quoted(snakeCase(label))}`;
      elements.set(type, {
        code: elementCodes[type],
        title,
        table: tableOf(declaration),
        name,
        img: memberAs.img,
        declaration,
      });
    }
  }
  return elements;
}

function tableModel(
  declaration: Declaration,
  names: ReadonlyMap<string, Declaration>,
  groupsToCome: ReadonlySet<string>,
  elements: Elements,
): Table {
  const columns: Column[] = declaration.kind === 'collection' ? [...systemColumns] : [];
  const beside = (isCollection(declaration) && declaration.beside) || {};
  const selectables = new Map<string, Selectable>();
  const fields = new Map<string, Field>();
  const links: Omit<Link, 'from'>[] = [];
  if ('landscape' in declaration.fields) columns.unshift({ name: 'landscape', type: 'bigint', notNull: true });

  for (const [name, field] of Object.entries(declaration.fields)) {
    const own = field.sqlOver ? { ...field, sql: field.sqlOver(elements) } : field;
    const resolved = withMasks(
      field.reference ? resolveReference(declaration, name, field, names, groupsToCome, links) : own,
    );
    for (const inner of field.inner ?? []) {
      if (!names.has(inner.to) && !groupsToCome.has(inner.to))
        throw mistake(declaration, `field ${name} refers to ${inner.to}, which no declaration is called`);
    }
    fields.set(name, resolved);
    columns.push(...columnsOf(name, resolved));
    addSelectables(selectables, name, resolved, beside);
  }
  const table: Table = {
    declaration,
    name: tableOf(declaration),
    columns,
    selectables,
    referred: new Map(),
    fields,
    beside,
    links: [],
    changes: isCollection(declaration) ? changeEvents(declaration) : undefined,
    elements,
  };
  return Object.assign(table, { links: links.map((link) => ({ ...link, from: table })) });
}

/** Fields of the record that a reference names, such as `role.name`: for filters, not part of the record. */
function addReferred(table: Table, byName: ReadonlyMap<string, Table>): void {
  for (const { field, column, to } of table.links) {
    const target = byName.get(to)!;
    for (const [path, { shape, sql }] of target.selectables) {
      if (path.includes('.') || table.selectables.has(`${field}.${path}`)) continue;
      // Inside, `r` is the other's row; behind it, ours again.
      const asSeen = (where: string): Pick<ReferredField, 'sql' | 'referred'> => {
        const rows = `(select r.id, ${sql} as value from ${quoted(target.name)} r${where}) x`;
        const referred = { column: `r.${quoted(column)}`, rows, showsEmpty: false };
        return { sql: `(select x.value from ${rows} where x.id = ${referred.column})`, referred };
      };
      (table.referred as Map<string, ReferredField>).set(`${field}.${path}`, {
        path: `${field}.${path}`,
        shape: { ...shape, nullable: true },
        ...asSeen(''),
        to: target,
        seen: (condition) => asSeen(` where ${condition}`),
      });
    }
  }
  markShown(table, byName);
}

/** Says of the fields that show something of a referred record where it comes from: references, and those that look through one. */
function markShown(table: Table, byName: ReadonlyMap<string, Table>): void {
  const mark = (name: string, marks: Partial<Selectable>) =>
    (table.selectables as Map<string, Selectable>).set(name, { ...table.selectables.get(name)!, ...marks });
  for (const [name, field] of table.fields) {
    const target = field.reference && byName.get(field.reference.to);
    if (target && field.reference.by === 'id') {
      if (!isFilled(field)) mark(name, { bare: `r.${quoted(referenceColumn(name, 'id'))}` });
      continue;
    }
    const from = target ? `${name}.${target.declaration.label}` : field.through;
    if (!from) continue;
    const referred = table.referred.get(from)?.referred;
    if (!referred) throw mistake(table.declaration, `shows ${name} through ${from}, which is not there`);
    mark(name, { referred: { ...referred, showsEmpty: target !== undefined && !isFilled(field) } });
  }
}

/** Whether a reference may be read as it is, so that a filter finds its index: one that is never empty, or can be null. */
const isFilled = ({ shape, default: value }: Field): boolean => shape.nullable === true || value === undefined;

/** Secrets inside a list or object are read as masks, whoever reads. */
function withMasks(field: Field): Field {
  if (field.access === 'secret' || !holdsSecrets(field.shape)) return field;
  const { shape, render = (cell: unknown) => cell } = field;
  return { ...field, render: (cell) => maskSecrets(shape, render(cell)) };
}

/** A reference by name is stored by id and read through the other's label; one to a group that is not built yet takes only its empty value. */
function resolveReference(
  declaration: Declaration,
  name: string,
  field: Field,
  names: ReadonlyMap<string, Declaration>,
  groupsToCome: ReadonlySet<string>,
  links: Omit<Link, 'from'>[],
): Field {
  const { to, onDelete, by, key } = field.reference!;
  const empty = field.shape.nullable ? 'null' : by === 'name' ? "''" : '0';
  const target = names.get(to);
  if (!target) {
    if (!groupsToCome.has(to)) throw mistake(declaration, `field ${name} refers to ${to}, which no group is called`);
    return { ...field, stored: false, sql: by === 'name' ? `${empty}::text` : `${empty}::bigint` };
  }
  const column = referenceColumn(name, by);
  links.push({
    field: name,
    column,
    to,
    toTable: tableOf(target),
    onDelete,
    counted: field.reference!.counted === true,
  });
  const nameSql = `(select o.${quoted(snakeCase(key ?? target.label))} from ${quoted(tableOf(target))} o where o.id = r.${quoted(column)})`;
  // One that is shown as more than a name or an id says how itself.
  if (field.sql) return field;
  const sql = by === 'name' ? nameSql : `r.${quoted(column)}`;
  return { ...field, sql: isFilled(field) ? sql : `coalesce(${sql}, ${empty})` };
}

/** `parent` by name is kept in `parent_id`, `addGroupID` by id in `add_group_id`. */
export const referenceColumn = (field: string, by: 'id' | 'name'): string =>
  snakeCase(field) + (by === 'name' ? '_id' : '');

/** The columns of a field: its own, or those of its parts that are stored. */
function columnsOf(name: string, field: Field): Column[] {
  if (field.parts) return Object.entries(field.parts).flatMap(([key, part]) => columnsOf(key, part));
  return field.stored ? [columnOf(name, field)] : [];
}

function columnOf(name: string, field: Field): Column {
  if (field.access === 'secret') return { name: snakeCase(name), type: 'bytea', notNull: false };
  if (field.reference) return { name: referenceColumn(name, field.reference.by), type: 'bigint', notNull: false };
  const column = { name: snakeCase(name), type: columnType(field.shape), notNull: !field.shape.nullable };
  return field.shape.kind === 'choice' ? { ...column, known: field.shape.values } : column;
}

function columnType(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
    case 'mac':
    case 'choice':
      return 'text';
    case 'integer':
      return shape.max > 2_147_483_647 ? 'bigint' : 'integer';
    case 'decimal':
      return 'double precision';
    case 'flag':
      return 'boolean';
    case 'time':
      return 'timestamptz(3)';
    case 'address':
      return 'inet';
    case 'network':
      return 'cidr';
    case 'list':
    case 'map':
    case 'object':
      return 'jsonb';
  }
}

function addSelectables(into: Map<string, Selectable>, path: string, field: Field, beside: Beside): void {
  if (field.access === 'secret' || field.fetched) return;
  if (field.parts) {
    for (const [key, part] of Object.entries(field.parts)) addSelectables(into, `${path}.${key}`, part, beside);
    return;
  }
  const sql = field.sql ?? `r.${quoted(snakeCase(path.slice(path.lastIndexOf('.') + 1)))}`;
  into.set(path, {
    path,
    shape: field.shape,
    ...(field.from ? { sql: field.asked ?? aloneSql(sql, beside, field.from), shown: sql } : { sql }),
    ...(field.order && { order: field.order }),
    ...(field.among && { among: field.among }),
  });
  if (field.shape.kind !== 'object') return;
  for (const [key, inner] of Object.entries(field.within ?? {}))
    into.set(`${path}.${key}`, { path: `${path}.${key}`, shape: field.shape.properties[key]!, sql: inner });
}

const mistake = (declaration: { name: string }, what: string) =>
  new Error(`The declaration of ${declaration.name} ${what}.`);

const kebab = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** The mistakes a declaration can have although it compiles. */
function refuseMistakes(declaration: Declaration): void {
  const { name, permission, path, patterns, fields } = declaration;
  if (!kebab.test(name)) throw mistake(declaration, `has a name that is not kebab-case`);
  if (!permission) throw mistake(declaration, 'has no permission; name one of the forty keys');
  if (!permissionKeys.includes(permission))
    throw mistake(declaration, `has the permission ${permission}, which is none of the forty keys`);
  if (!declaration.doc) throw mistake(declaration, 'has no doc; say in one sentence what its records are');
  if (patterns.length > 0 && !path) throw mistake(declaration, 'has operations but no path');
  if (path && !path.startsWith('/')) throw mistake(declaration, `has the path ${path}; a path starts with a slash`);
  const single = isSingle(declaration);
  if (!single && !(declaration.identity in fields))
    throw mistake(declaration, `has no field ${declaration.identity}, which is its identity`);
  if (!single && !(declaration.label in fields))
    throw mistake(declaration, `has no field ${declaration.label}, which is its label`);
  for (const [key, field] of Object.entries(fields)) {
    if (!/^[a-zA-Z][a-zA-Z0-9_]*$/.test(key))
      throw mistake(declaration, `has a field called ${key}; use letters and digits`);
    refuseUnbounded(declaration, key, field.shape);
    const absent = field.from?.find((name) => !(name in ((declaration as Collection).beside ?? {})));
    if (absent) throw mistake(declaration, `reads ${key} from ${absent}, which does not lie beside its records`);
    if (field.fetched && field.shape.kind !== 'list')
      throw mistake(
        declaration,
        `has a field ${key} that only a fetch shows and that is no list, so lists could not leave it empty`,
      );
    // The row is there before anybody has sent anything.
    if (single && field.stored && field.default === undefined)
      throw mistake(declaration, `has no default for ${key}; settings are there from the start`);
  }
  const { typed } = declaration as Collection;
  if (typed && fields[typed.field]?.shape.kind !== 'choice')
    throw mistake(declaration, `has the type ${typed.field} in its path, which is no choice among its fields`);
  if (isLog(declaration)) refuseLogMistakes(declaration);
  const unknown = declaration.columns?.find((column) => !(column in fields));
  if (unknown) throw mistake(declaration, `shows the column ${unknown}, which is none of its fields`);
  refuseWrongScope(declaration);
  const needs: Partial<Record<(typeof patterns)[number], string>> = {
    enable: 'enabled',
    disable: 'enabled',
    rankSet: 'rank',
    rankSwap: 'rank',
  };
  if (patterns.includes('archive') && !isLog(declaration)) throw mistake(declaration, 'has archives but is no log');
  for (const pattern of patterns) {
    const needed = needs[pattern];
    if (needed && (needed === 'rank' ? !isRanked(declaration) : !(needed in fields)))
      throw mistake(declaration, `has the operation ${pattern} but no field ${needed}`);
  }
}

/** Times must be fields, and a version cannot have added what is not there. */
function refuseLogMistakes(declaration: Log): void {
  const { timeField, closedBy, tellsOf, added = {}, fields } = declaration;
  const end = closedBy === undefined ? undefined : fields[closedBy];
  if (!(timeField in fields)) throw mistake(declaration, `has no field ${timeField}, which is its time`);
  if (closedBy !== undefined && !(end?.stored && end.shape.kind === 'time' && !end.shape.nullable))
    throw mistake(declaration, `is closed by ${closedBy}, which is not a time that every row has`);
  if (tellsOf && !fields[tellsOf.by]?.stored)
    throw mistake(declaration, `tells of records by ${tellsOf.by}, which is no column of its rows`);
  const unknown = Object.values(added)
    .flat()
    .find((field) => fields[field]?.default === undefined);
  if (unknown) throw mistake(declaration, `added ${unknown} without a default; rows from before need one`);
}

/** A scope that names nothing would hide nothing. */
function refuseWrongScope(declaration: Declaration): void {
  const scope = isCollection(declaration) ? declaration.scopedBy : undefined;
  if (!scope) return;
  const { elementType, selected, beneath, seenWith } = scope;
  if (elementType === undefined && !selected && !seenWith) throw mistake(declaration, 'is scoped by nothing');
  if (beneath && !selected) throw mistake(declaration, 'is scoped by what lies beneath records that nobody selects');
  for (const field of [beneath, seenWith]) {
    if (field && !declaration.fields[field]?.reference)
      throw mistake(declaration, `is scoped by ${field}, which is none of its references`);
  }
}

/** No bound, no merge: text, numbers, lists and maps all say how large they may get. */
function refuseUnbounded(declaration: Declaration, path: string, shape: Shape): void {
  const bounded = (limit: unknown) => typeof limit === 'number' && Number.isFinite(limit);
  switch (shape.kind) {
    case 'text':
      if (!bounded(shape.max)) throw mistake(declaration, `has no bound on the text ${path}; give it a max`);
      return;
    case 'integer':
    case 'decimal':
      if (!bounded(shape.min) || !bounded(shape.max))
        throw mistake(declaration, `has no bound on the number ${path}; give it a min and a max`);
      return;
    case 'list':
      if (!bounded(shape.max)) throw mistake(declaration, `has no bound on the list ${path}; give it a max`);
      if (holdsSecrets(shape.item) && !shape.key)
        throw mistake(declaration, `has secrets inside the list ${path}; say by which key its items are told apart`);
      refuseUnbounded(declaration, `${path}[]`, shape.item);
      return;
    case 'map':
      if (!bounded(shape.max)) throw mistake(declaration, `has no bound on the map ${path}; give it a max`);
      refuseUnbounded(declaration, `${path}{}`, shape.value);
      return;
    case 'object':
      for (const [key, property] of Object.entries(shape.properties))
        refuseUnbounded(declaration, `${path}.${key}`, property);
  }
}

/** Constraint name → what is unique, in the words of the API: one place turns a violation into an answer. */
export function uniqueConstraints(model: Model): ReadonlyMap<string, { table: Table; fields: readonly string[] }> {
  const found = new Map<string, { table: Table; fields: readonly string[] }>();
  for (const table of model.tables) {
    const { declaration } = table;
    const exactKey = isCollection(declaration) && declaration.exactKey ? [declaration.exactKey] : [];
    for (const fields of [...uniqueKeys(declaration), ...exactKey])
      found.set(uniqueName(table.name, fields), { table, fields });
  }
  return found;
}

export function uniqueKeys(declaration: Declaration): (readonly string[])[] {
  if (declaration.kind === 'log') return [];
  const single = Object.entries(declaration.fields).filter(([, field]) => field.unique);
  return [...single.map(([name]) => [name]), ...(declaration.uniqueTogether ?? [])];
}

export const uniqueName = (table: string, fields: readonly string[]): string =>
  `${table}_${fields.map(snakeCase).join('_')}_uq`;

export const isCollection = (declaration: Declaration): declaration is Collection => declaration.kind === 'collection';
/** Whether there is exactly one record, from the start and for ever. */
export const isSingle = (declaration: Declaration): boolean =>
  declaration.kind === 'collection' && declaration.single === true;
export const isLog = (declaration: Declaration): declaration is Log => declaration.kind === 'log';
