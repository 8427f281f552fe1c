import { createHash } from 'node:crypto';
import type { Field } from '../declare/field.ts';
import { joinSql } from '../declare/lateral-joins.ts';
import type { Format } from '../declare/operation.ts';
import type { ObjectShape, Shape } from '../declare/shape.ts';
import { type Dialect, json } from '../format/json-writer.ts';
import { asItIs, type Cell, type RowWriter, rowWriter } from '../format/row-writer.ts';
import { xml } from '../format/xml-writer.ts';
import type { Table } from '../model/model.ts';
import { type OpenRows, openRowsOf, rowsOf } from '../model/open-rows.ts';
import { scalarType } from '../model/scalar-type.ts';
import { instantFromSession } from '../values/time.ts';

export type RecordValue = Record<string, unknown>;

/** Turns the rows of a table into records, or into the bytes of a response without creating records. */
export interface RecordReader {
  /** Expressions over the row `r`, in the order `assemble` reads them. */
  selectList: string;
  assemble(row: readonly unknown[]): RecordValue;
  /** Writes rows as the records of a response; `shown`: the shape with the selected fields. */
  writer(format: Format, shown?: ObjectShape): RowWriter;
  /** The shape of the record in responses. */
  shape: ObjectShape;
  /** `from` clause: the table as `r`, with the open rows of a log. */
  from: string;
  /** The two relations of a log with open rows. */
  open: OpenRows | undefined;
  /** The joins that `selectList` needs. */
  joins: string;
  width: number;
}

/**
 * Builds the reader of a table. Rows arrive as arrays or bytes, and the functions are generated once, so a list costs
 * no loop over fields. `withDetail`: includes the fields that only a fetch shows.
 */
export function recordReader(table: Table, withDetail = false): RecordReader {
  const columns = new Map<string, number>();
  const cells = new Map<string, Cell>();
  const renders: ((cell: never) => unknown)[] = [];

  const columnOf = (sql: string): number => {
    const column = columns.get(sql) ?? columns.size;
    columns.set(sql, column);
    return column;
  };
  const code = (path: string, field: Field): string => {
    if (field.detailOnly) {
      const column = columnOf(withDetail ? `to_jsonb(${field.sql!})` : `'[]'::jsonb`);
      cells.set(path, { column, render: asItIs });
      return `row[${column}]`;
    }
    if (field.parts) {
      const parts = Object.entries(field.parts).map(
        ([key, part]) => `${JSON.stringify(key)}: ${code(`${path}.${key}`, part)}`,
      );
      return `{${parts.join(', ')}}`;
    }
    const selectable = table.selectables.get(path);
    if (!selectable) throw new Error(`${table.name} has nothing to select for ${path}`);
    const { sql: alone, shown: sql = alone, shape } = selectable;
    const render = field.render ?? (scalarType(shape) ? undefined : asItIs);
    const column = columnOf(render ? `to_jsonb(${sql})` : sql);
    cells.set(path, { column, render });
    const last =
      render ??
      (shape.kind === 'time' ? (cell: string | null) => cell && instantFromSession(cell, shape.zone) : undefined);
    return last ? `renders[${renders.push(last) - 1}](row[${column}])` : `row[${column}]`;
  };

  const shown = [...table.fields].filter(([, field]) => field.access !== 'secret');
  const body = shown.map(([name, field]) => `${JSON.stringify(name)}: ${code(name, field)}`).join(', ');
  // Only names from declarations, quoted as JSON, reach the source text.
  const make = new Function('renders', `return (row) => ({${body}})`) as (
    r: typeof renders,
  ) => RecordReader['assemble'];
  const shape = recordShape(table);
  const writers = new Map<Format, RowWriter>();
  const writersByShape = new WeakMap<ObjectShape, Map<Format, RowWriter>>();
  return {
    selectList: [...columns.keys()].join(',\n  '),
    assemble: make(renders),
    writer(format, shown) {
      const writersByFormat = shown ? (writersByShape.get(shown) ?? new Map<Format, RowWriter>()) : writers;
      if (shown) writersByShape.set(shown, writersByFormat);
      const formatWriter = writersByFormat.get(format) ?? rowWriter(shown ?? shape, cells, dialects[format]);
      writersByFormat.set(format, formatWriter);
      return formatWriter;
    },
    shape,
    from: `${rowsOf(table.declaration)} r`,
    open: openRowsOf(table.declaration),
    joins: joinSql(table.joins),
    width: columns.size,
  };
}

const dialects: Readonly<Record<Format, Dialect>> = { json, xml };

/** Returns the shape of the record in responses: every field except secrets, in the order of the declaration. */
export function recordShape(table: Table): ObjectShape {
  const properties: Record<string, Shape> = {};
  for (const [name, field] of table.fields) {
    if (field.access === 'secret') continue;
    // The identity may be null in the body of a create; a stored record has one.
    properties[name] = name === table.declaration.identity ? { ...field.shape, nullable: false } : field.shape;
  }
  const { doc, columns } = table.declaration;
  return { kind: 'object', properties, doc, ...(columns && { columns }) };
}

/** Returns a short stable name for a statement's text, for named prepared statements. */
export const statementName = (text: string): string => createHash('sha1').update(text).digest('base64url').slice(0, 20);
