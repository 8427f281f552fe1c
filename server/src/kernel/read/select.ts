import { createHash } from 'node:crypto';
import type { Field } from '../field.ts';
import type { Table } from '../model.ts';
import { selectSql } from '../model.ts';
import { quoted } from '../names.ts';
import type { ObjectShape, Shape } from '../shape.ts';

export type RecordValue = Record<string, unknown>;

/** How the rows of a table become records: the select list, and the compiled function that puts a row together. */
export interface RecordReader {
  /** Expressions over the row `r`, in the order `assemble` reads them. */
  selectList: string;
  assemble(row: readonly unknown[]): RecordValue;
  /** The shape of the record as it is answered. */
  shape: ObjectShape;
  /** `from` clause: the table as `r`. */
  from: string;
  width: number;
}

/**
 * Builds the reader of a table. Rows come as arrays and the function is generated once, so a list costs no loop over fields.
 * `whole`: with the fields that only a fetch shows.
 */
export function recordReader(table: Table, whole = false): RecordReader {
  const expressions: string[] = [];
  const renders: ((cell: unknown) => unknown)[] = [];

  const code = (path: string, field: Field): string => {
    if (field.fetched) return whole ? `row[${expressions.push(field.sql!) - 1}]` : '[]';
    if (field.parts) {
      const parts = Object.entries(field.parts).map(
        ([key, part]) => `${JSON.stringify(key)}: ${code(`${path}.${key}`, part)}`,
      );
      return `{${parts.join(', ')}}`;
    }
    const selectable = table.selectables.get(path);
    if (!selectable) throw new Error(`${table.name} has nothing to select for ${path}`);
    const cell = `row[${expressions.push(selectSql(selectable)) - 1}]`;
    return field.render ? `renders[${renders.push(field.render) - 1}](${cell})` : cell;
  };

  const shown = [...table.fields].filter(([, field]) => field.access !== 'secret');
  const body = shown.map(([name, field]) => `${JSON.stringify(name)}: ${code(name, field)}`).join(', ');
  // Only names from declarations, quoted as JSON, reach the source text.
  const make = new Function('renders', `return (row) => ({${body}})`) as (
    r: typeof renders,
  ) => RecordReader['assemble'];
  return {
    selectList: expressions.join(',\n  '),
    assemble: make(renders),
    shape: recordShape(table),
    from: `${quoted(table.name)} r`,
    width: expressions.length,
  };
}

/** The record as it is answered: every field but the secret ones, in the order of the declaration. */
export function recordShape(table: Table): ObjectShape {
  const properties: Record<string, Shape> = {};
  for (const [name, field] of table.fields) {
    if (field.access === 'secret') continue;
    // The identity may be null in a body that creates; a record that was read has one.
    properties[name] = name === table.declaration.identity ? { ...field.shape, nullable: false } : field.shape;
  }
  const { doc, columns } = table.declaration;
  return { kind: 'object', properties, doc, ...(columns && { columns }) };
}

/** A short stable name for a statement's text, for named prepared statements. */
export const statementName = (text: string): string => createHash('sha1').update(text).digest('base64url').slice(0, 20);
