import type { Collection, Declaration } from '../declare/declaration.ts';
import { isCollection, isLog, tableOf } from '../declare/declaration.ts';
import type { DeclaredReads } from '../declare/declared-reads.ts';
import { type ElementSource, type Elements, type ElementType, elementCodes } from '../declare/element-type.ts';
import { type ChangeEvents, changeEvents } from '../declare/event-type.ts';
import type { Field, OnDelete } from '../declare/field.ts';
import type { LateralJoins } from '../declare/lateral-joins.ts';
import { quoted, referenceColumn, snakeCase } from '../declare/names.ts';
import type { Shape } from '../declare/shape.ts';
import { holdsSecrets, maskSecrets } from './nested-secrets.ts';
import { addReferred, addSelectables, isFilled, type ReferredField, type Selectable } from './selectable.ts';
import { mistake, refuseMistakes } from './validate-declaration.ts';

/** A column to create. */
export interface Column {
  name: string;
  type: string;
  notNull: boolean;
  /** The only allowed values, such as those of a choice. */
  known?: readonly string[];
}

/** A reference resolved to its tables. */
export interface Link {
  from: Table;
  field: string;
  column: string;
  to: string;
  toTable: string;
  onDelete: OnDelete;
  /** Usage returns the number of referring records, not their names. */
  counted: boolean;
}

/** One declared table, with everything derived from its fields. */
export interface Table {
  declaration: Declaration;
  name: string;
  columns: readonly Column[];
  /** By dotted path, in the order of the record. Secrets are not included, so a filter cannot use them. */
  selectables: ReadonlyMap<string, Selectable>;
  /** Fields of referenced records, which only filters can use. */
  referred: ReadonlyMap<string, ReferredField>;
  fields: ReadonlyMap<string, Field>;
  joins: LateralJoins;
  /** Foreign keys, without references inside lists and objects. */
  links: readonly Link[];
  /** Event types of the changes of a collection. */
  changes: ChangeEvents | undefined;
  /** The element types, for fields that show members of groups. */
  elements: Elements;
  /** The tables that the SQL of declarations may read in addition to their own. */
  reads: DeclaredReads;
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

/** Columns that the kernel adds to every collection, so that lists need not join the audit log. */
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
  const reads = readsOf(declarations.filter(isCollection));
  const tables = declarations.map((declaration) => tableModel(declaration, names, groupsToCome, { elements, reads }));
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

const readsOf = (declarations: readonly Collection[]): DeclaredReads => ({
  scoped: declarations.filter(({ scopedBy }) => scopedBy),
  restrictedSql: declarations.flatMap(({ restrictedSql = [] }) => restrictedSql),
  everyRow: declarations.flatMap(({ everyRow = [] }) => everyRow.map(({ sql }) => sql)),
});

/** Returns the table of each element type. */
function elementsOf(declarations: readonly Declaration[]): Elements {
  const elements = new Map<ElementType, ElementSource>();
  for (const declaration of declarations.filter(isCollection)) {
    const { title, label, memberOf = [], memberAs = {} } = declaration;
    for (const type of memberOf) {
      if (elements.has(type)) throw mistake(declaration, `has elements of type ${type}, like another declaration`);
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
  { elements, reads }: Pick<Table, 'elements' | 'reads'>,
): Table {
  const columns: Column[] = declaration.kind === 'collection' ? [...systemColumns] : [];
  const joins = (isCollection(declaration) && declaration.joins) || {};
  const selectables = new Map<string, Selectable>();
  const fields = new Map<string, Field>();
  const links: Omit<Link, 'from'>[] = [];
  if ('landscape' in declaration.fields) columns.unshift({ name: 'landscape', type: 'bigint', notNull: true });

  for (const [name, field] of Object.entries(declaration.fields)) {
    const fieldWithSql = field.sqlOver ? { ...field, sql: field.sqlOver(elements) } : field;
    const resolved = withMasks(
      field.reference ? resolveReference(declaration, name, field, names, groupsToCome, links) : fieldWithSql,
    );
    for (const inner of field.nestedReferences ?? []) {
      if (!names.has(inner.to) && !groupsToCome.has(inner.to))
        throw mistake(declaration, `field ${name} refers to ${inner.to}, but there is no such declaration`);
      if (inner.by === 'name' && inner.onDelete !== 'restrict')
        throw mistake(declaration, `field ${name} refers by name to ${inner.to}, which can only be restricted`);
    }
    fields.set(name, resolved);
    columns.push(...columnsOf(name, isEndOf(declaration, name) ? endedField(resolved) : resolved));
    addSelectables(selectables, name, resolved, joins);
  }
  const table: Table = {
    declaration,
    name: tableOf(declaration),
    columns,
    selectables,
    referred: new Map(),
    fields,
    joins,
    links: [],
    changes: isCollection(declaration) ? changeEvents(declaration) : undefined,
    elements,
    reads,
  };
  return Object.assign(table, { links: links.map((link) => ({ ...link, from: table })) });
}

const isEndOf = (declaration: Declaration, field: string): boolean =>
  isLog(declaration) && declaration.closedBy === field;

/** Returns the end time of a log as its table has it: only rows that have ended are in the table. */
export const endedField = (field: Field): Field => ({ ...field, shape: { ...field.shape, nullable: false } });

/** Returns the field with its secrets inside lists and objects replaced by masks, for every caller. */
function withMasks(field: Field): Field {
  if (field.access === 'secret' || !holdsSecrets(field.shape)) return field;
  const { shape, render = (cell: unknown) => cell } = field;
  return { ...field, render: (cell) => maskSecrets(shape, render(cell)) };
}

/**
 * A reference by name is stored by id and read as the name of the other record; one to a resource that is not built yet
 * accepts only its empty value.
 */
function resolveReference(
  declaration: Declaration,
  name: string,
  field: Field,
  names: ReadonlyMap<string, Declaration>,
  groupsToCome: ReadonlySet<string>,
  links: Omit<Link, 'from'>[],
): Field {
  const { to: targetName, onDelete, by: keyKind, key } = field.reference!;
  const empty = field.shape.nullable ? 'null' : keyKind === 'name' ? "''" : '0';
  const target = names.get(targetName);
  if (!target) {
    if (!groupsToCome.has(targetName))
      throw mistake(declaration, `field ${name} refers to ${targetName}, but there is no such resource`);
    return { ...field, stored: false, sql: keyKind === 'name' ? `${empty}::text` : `${empty}::bigint` };
  }
  const column = referenceColumn(name, keyKind);
  links.push({
    field: name,
    column,
    to: targetName,
    toTable: tableOf(target),
    onDelete,
    counted: field.reference!.counted === true,
  });
  const nameSql = `(select o.${quoted(snakeCase(key ?? target.label))} from ${quoted(tableOf(target))} o where o.id = r.${quoted(column)})`;
  // A reference that is shown as more than a name or an id has SQL of its own.
  if (field.sql) return field;
  const sql = keyKind === 'name' ? nameSql : `r.${quoted(column)}`;
  return { ...field, sql: isFilled(field) ? sql : `coalesce(${sql}, ${empty})` };
}

/** Returns the columns of a field: its own, or those of its stored parts. */
export function columnsOf(name: string, field: Field): Column[] {
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
    case 'mixed':
    case 'json':
      return 'jsonb';
  }
}

/** Returns the fields of each unique constraint by its name, for the message about a violation. */
export function uniqueConstraints(model: Model): ReadonlyMap<string, { table: Table; fields: readonly string[] }> {
  const constraints = new Map<string, { table: Table; fields: readonly string[] }>();
  for (const table of model.tables) {
    const { declaration } = table;
    const exactKey = isCollection(declaration) && declaration.exactKey ? [declaration.exactKey] : [];
    for (const fields of [...uniqueKeys(declaration), ...exactKey])
      constraints.set(uniqueName(table.name, fields), { table, fields });
  }
  return constraints;
}

export function uniqueKeys(declaration: Declaration): (readonly string[])[] {
  if (declaration.kind === 'log') return [];
  const single = Object.entries(declaration.fields).filter(([, field]) => field.unique);
  return [...single.map(([name]) => [name]), ...(declaration.uniqueTogether ?? [])];
}

/** PostgreSQL truncates longer names. */
const constraintNameMax = 63;

export const uniqueName = (table: string, fields: readonly string[]): string =>
  `${table}_${fields.map(snakeCase).join('_')}_uq`.slice(0, constraintNameMax);
