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
  /** The same expression where the joins of `r` are present. */
  shown?: string;
  /** What it is sorted by instead. */
  order?: string;
  /** Where it comes from, if it is another record's. */
  referred?: Referred;
  /** Where it lies, if not in the row. */
  lookup?: Lookup;
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

/** A field of a referenced record, available in filters. */
export interface ReferredField extends Selectable {
  to: Table;
}

/** Adds what can be selected of a field, and of its parts. */
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

/** Fields of the record that a reference names, such as `role.name`: for filters, not part of the record. */
export function addReferred(table: Table, byName: ReadonlyMap<string, Table>): void {
  for (const { field, column, to: targetName } of table.links) {
    const target = byName.get(targetName)!;
    for (const [path, { shape, sql }] of target.selectables) {
      if (path.includes('.') || table.selectables.has(`${field}.${path}`)) continue;
      // Inside, `r` is the other's row; behind it, ours again.
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
    const sourcePath = target ? `${name}.${target.declaration.label}` : field.via;
    if (!sourcePath) continue;
    const referred = table.referred.get(sourcePath)?.referred;
    if (!referred) throw mistake(table.declaration, `shows ${name} through ${sourcePath}, which is not there`);
    mark(name, { referred: { ...referred, showsEmpty: target !== undefined && !isFilled(field) } });
  }
}

/** Whether a reference may be read as it is, so that a filter finds its index: one that is never empty, or can be null. */
export const isFilled = ({ shape, default: value }: Field): boolean => shape.nullable === true || value === undefined;
