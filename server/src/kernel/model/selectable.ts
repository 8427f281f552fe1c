import type { Field, Lookup } from '../declare/field.ts';
import { asSubquery, type LateralJoins } from '../declare/lateral-joins.ts';
import { quoted, referenceColumn, snakeCase } from '../declare/names.ts';
import type { Shape } from '../declare/shape.ts';
import type { Table } from './model.ts';
import { mistake } from './validate-declaration.ts';

/** A scalar that can be selected, filtered and sorted by: `auditObj.user` → `r.last_modified_by`. */
export interface Selectable {
  path: string;
  shape: Shape;
  /** Over the row `r`, in its own SQL type. */
  sql: string;
  /** The same expression, for statements that contain the joins of `r`. */
  shown?: string;
  /** The expression to sort by, if not the value itself. */
  order?: string;
  /** The source of the value, if it belongs to another record. */
  referred?: Referred;
  /** The table that stores the value, if it is not in the row. */
  lookup?: Lookup;
  /** For a reference that shows 0 if it is empty: the column itself, which has null instead and an index. */
  bare?: string;
}

/**
 * Values of other records: the ids of the matching records find the rows that refer to them, without scanning every
 * row.
 */
export interface Referred {
  /** The column with the reference, over the row `r`. */
  column: string;
  /** An item of `from`: the other records as `x`, with `id` and `value`. */
  rows: string;
  /** True if rows without a reference also show a value, the empty one. */
  showsEmpty: boolean;
}

/** A field of a referenced record, available in filters. */
export interface ReferredField extends Selectable {
  to: Table;
}

/** Adds the values of a field that can be selected, and those of its parts. */
export function addSelectables(into: Map<string, Selectable>, path: string, field: Field, joins: LateralJoins): void {
  if (field.access === 'secret' || field.detailOnly) return;
  if (field.parts) {
    for (const [key, part] of Object.entries(field.parts)) addSelectables(into, `${path}.${key}`, part, joins);
    return;
  }
  const sql = field.sql ?? `r.${quoted(snakeCase(path.slice(path.lastIndexOf('.') + 1)))}`;
  into.set(path, {
    path,
    shape: field.shape,
    ...(field.joins ? { sql: field.filterSql ?? asSubquery(sql, joins, field.joins), shown: sql } : { sql }),
    ...(field.order && { order: field.order }),
    ...(field.lookup && { lookup: field.lookup }),
  });
  if (field.shape.kind !== 'object') return;
  for (const [key, inner] of Object.entries(field.propertySql ?? {}))
    into.set(`${path}.${key}`, { path: `${path}.${key}`, shape: field.shape.properties[key]!, sql: inner });
}

/** Adds the fields of referenced records, such as `role.name`: for filters, not part of the record. */
export function addReferred(table: Table, byName: ReadonlyMap<string, Table>): void {
  for (const { field, column, to: targetName } of table.links) {
    const target = byName.get(targetName)!;
    for (const [path, { shape, sql }] of target.selectables) {
      if (path.includes('.') || table.selectables.has(`${field}.${path}`)) continue;
      // Inside the subquery `r` is the row of the other table, outside it is that of this table.
      const rows = `(select r.id, ${sql} as value from ${quoted(target.name)} r) x`;
      const referred = { column: `r.${quoted(column)}`, rows, showsEmpty: false };
      (table.referred as Map<string, ReferredField>).set(`${field}.${path}`, {
        path: `${field}.${path}`,
        shape: { ...shape, nullable: true },
        sql: `(select x.value from ${rows} where x.id = ${referred.column})`,
        referred,
        to: target,
      });
    }
  }
  markShown(table, byName);
}

/**
 * Marks the fields that show a value of a referenced record with its source: references, and fields that read through
 * one.
 */
function markShown(table: Table, byName: ReadonlyMap<string, Table>): void {
  const mark = (name: string, marks: Partial<Selectable>) =>
    (table.selectables as Map<string, Selectable>).set(name, { ...table.selectables.get(name)!, ...marks });
  for (const [name, field] of table.fields) {
    const target = field.reference && byName.get(field.reference.to);
    if (target && field.reference.by === 'id') {
      if (!isFilled(field)) mark(name, { bare: `r.${quoted(referenceColumn(name, 'id'))}` });
      continue;
    }
    const sourcePath = target ? `${name}.${target.declaration.label}` : field.via;
    if (!sourcePath) continue;
    const referred = table.referred.get(sourcePath)?.referred;
    if (!referred) throw mistake(table.declaration, `shows ${name} through ${sourcePath}, which does not exist`);
    mark(name, { referred: { ...referred, showsEmpty: target !== undefined && !isFilled(field) } });
  }
}

/**
 * True if the column of a reference can be read unchanged, so that a filter can use its index: it is never empty, or
 * may be null.
 */
export const isFilled = ({ shape, default: value }: Field): boolean => shape.nullable === true || value === undefined;
