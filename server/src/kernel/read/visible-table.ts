import type { VisibleSql } from '../access/visible-sql.ts';
import { isCollection } from '../declare/declaration.ts';
import type { Field } from '../declare/field.ts';
import { quoted } from '../declare/names.ts';
import type { Shape } from '../declare/shape.ts';
import type { Table } from '../model/model.ts';
import type { ReferredField, Selectable } from '../model/selectable.ts';

/**
 * Returns the table as a viewer reads it: what its fields show of other records, and what filters compare, comes from
 * visible records only. A reference that clients write is returned as stored, so that a caller who sees the record can
 * send it back.
 */
export function visibleTable(table: Table, visible: VisibleSql): Table {
  const selectables = new Map<string, Selectable>();
  for (const [path, selectable] of table.selectables) {
    const field = table.fields.get(path.split('.', 1)[0]!);
    selectables.set(path, isShownByService(field) ? visibleSelectable(table, selectable, visible) : selectable);
  }
  const referred = new Map<string, ReferredField>();
  for (const [path, selectable] of table.referred) referred.set(path, visibleReferred(selectable, visible));
  const fields = new Map(
    [...table.fields].map(([name, field]) => [
      name,
      field.detailOnly && field.sql && !field.sqlOver ? { ...field, sql: visible.restrict(field.sql) } : field,
    ]),
  );
  const joins = Object.fromEntries(Object.entries(table.joins).map(([name, sql]) => [name, visible.restrict(sql)]));
  return { ...table, selectables, referred, fields, joins };
}

/** True if the service computes the field, or reads it through a reference, instead of returning what clients wrote. */
const isShownByService = (field: Field | undefined): boolean =>
  field !== undefined && (field.access !== 'write' || field.via !== undefined);

/** Returns a field of a referenced record, limited to visible records. */
function visibleReferred(selectable: ReferredField, visible: VisibleSql): ReferredField {
  const { path, to: targetTable, referred } = selectable;
  const name = path.slice(path.indexOf('.') + 1);
  const plain = targetTable.selectables.get(name)!;
  const { sql } = isShownByService(targetTable.fields.get(name))
    ? visibleSelectable(targetTable, plain, visible)
    : plain;
  const rows = `(select r.id, ${sql} as value from ${visible.table(targetTable.name) ?? quoted(targetTable.name)} r) x`;
  const { column } = referred!;
  return {
    ...selectable,
    sql: `(select x.value from ${rows} where x.id = ${column})`,
    referred: { ...referred!, rows },
  };
}

function visibleSelectable(table: Table, selectable: Selectable, visible: VisibleSql): Selectable {
  const link = table.links.find(({ field }) => field === selectable.path);
  const seenWith = isCollection(table.declaration) && table.declaration.scopedBy?.seenWith;
  const target = link && visible.table(link.toTable);
  // A row is visible only together with the record of `seenWith`, so that reference needs no check.
  if (link && target && selectable.path !== seenWith) {
    const { bare: _, ...rest } = selectable;
    const sql = `(select o.id from ${target} o where o.id = r.${quoted(link.column)})`;
    return { ...rest, sql: filled(rest.shape, sql) };
  }
  return { ...selectable, ...visiblePart(selectable, visible) };
}

function visiblePart(selectable: Selectable, visible: VisibleSql): Partial<Selectable> {
  const { shape, sql, shown, order, lookup, referred } = selectable;
  const cell = (text: string) => {
    const changed = visible.restrict(text);
    return changed === text ? text : filled(shape, changed);
  };
  return {
    sql: cell(sql),
    ...(shown !== undefined && { shown: cell(shown) }),
    ...(order !== undefined && { order: visible.restrict(order) }),
    ...(lookup && { lookup: { ...lookup, rows: visible.restrict(lookup.rows) } }),
    ...(referred && { referred: { ...referred, rows: visible.restrict(referred.rows) } }),
  };
}

/** Replaces the null of a hidden record by an empty value if the field cannot be null. */
function filled({ kind, nullable }: Shape, sql: string): string {
  if (nullable) return sql;
  if (kind === 'text' || kind === 'choice' || kind === 'mac') return `coalesce(${sql}, '')`;
  return kind === 'integer' ? `coalesce(${sql}, 0)` : sql;
}
