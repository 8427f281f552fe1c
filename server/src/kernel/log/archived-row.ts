import type { Log } from '../declare/declaration.ts';
import type { Field } from '../declare/field.ts';
import { literal, quoted, snakeCase } from '../declare/names.ts';
import type { ObjectShape, Shape } from '../declare/shape.ts';
import type { Fault } from '../failure.ts';
import { checkValue } from '../format/check-value.ts';
import { endedField, type Table } from '../model/model.ts';
import { instantSql } from '../values/time.ts';

/**
 * A stored column of a log, and its path in an archived row: the name of its field, after the names of the objects that
 * contain it.
 */
interface ArchivedColumn {
  column: string;
  path: readonly string[];
  shape: Shape;
  /** The value for rows that were archived before the field existed. */
  initial?: unknown;
}

/** Returns the newest version of a log's rows. */
export const schemaVersionOf = (log: Log): number => Math.max(1, ...Object.keys(log.added ?? {}).map(Number));

/**
 * Converts rows of one log to lines of files, with the names of the API, and reads them back by the shape of their
 * version.
 */
export class ArchivedRow {
  readonly columns: readonly string[];
  /** An expression over the row `r` that returns the row as JSON text. */
  readonly sql: string;
  readonly #log: Log;
  readonly #columns: readonly ArchivedColumn[];
  readonly #shapes = new Map<number, ObjectShape>();

  constructor(table: Table) {
    this.#log = table.declaration as Log;
    const id: Shape = { kind: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER };
    const fieldColumns = [...table.fields].flatMap(([name, field]) =>
      columnsOf([name], name === this.#log.closedBy ? endedField(field) : field),
    );
    this.#columns = [
      { column: 'id', path: [this.#log.identity], shape: id },
      { column: 'landscape', path: ['landscape'], shape: id },
      ...fieldColumns,
    ];
    this.columns = this.#columns.map(({ column }) => column);
    const time = { path: [this.#log.timeField], sql: instantSql('r.at') };
    this.sql = `${jsonSql([...this.#columns.map(({ path, column, shape }) => ({ path, sql: cellSql(column, shape) })), time])}::text`;
  }

  /** Returns the column of a top-level field. */
  columnOf(field: string): string {
    return this.#columns.find(({ path }) => path.length === 1 && path[0] === field)!.column;
  }

  /** Returns the cells of a row in the order of the columns, or what is wrong with the row. */
  read(line: string, version: number): { cells: unknown[] } | { fault: string } {
    let row: unknown;
    try {
      row = JSON.parse(line);
    } catch {
      return { fault: 'it is not JSON' };
    }
    const faults: Fault[] = [];
    const checked = checkValue(this.#shape(version), row, '', faults) as Record<string, unknown> | undefined;
    if (faults.length > 0 || !checked) return { fault: faults[0]?.message ?? 'it is not an object' };
    return {
      cells: this.#columns.map(({ path, initial }) => {
        const value = path.reduce<unknown>(
          (inner, step) => (inner as Record<string, unknown> | undefined)?.[step],
          checked,
        );
        return value === undefined ? initial : value;
      }),
    };
  }

  /** Returns the shape of rows of a version: without the fields that were added later. */
  #shape(version: number): ObjectShape {
    const cachedShape = this.#shapes.get(version);
    if (cachedShape) return cachedShape;
    const later = Object.entries(this.#log.added ?? {}).flatMap(([since, fields]) =>
      Number(since) > version ? fields : [],
    );
    const present = this.#columns.filter(({ path }) => !later.includes(path[0]!));
    const time: ArchivedColumn = { column: 'at', path: [this.#log.timeField], shape: { kind: 'time' } };
    const shape = nested([...present, time]);
    this.#shapes.set(version, shape);
    return shape;
  }
}

function columnsOf(path: string[], field: Field): ArchivedColumn[] {
  if (field.parts) return Object.entries(field.parts).flatMap(([name, part]) => columnsOf([...path, name], part));
  if (!field.stored) return [];
  const shape = storedShape(field.shape);
  return [
    { column: snakeCase(path.at(-1)!), path, shape, ...(field.default !== undefined && { initial: field.default }) },
  ];
}

/**
 * Returns the shape of a stored value. PostgreSQL counts characters and JavaScript UTF-16 units, so the maximum is
 * doubled; patterns were checked when the row was written.
 */
function storedShape(shape: Shape): Shape {
  switch (shape.kind) {
    case 'text': {
      const { pattern: _, min: __, ...rest } = shape;
      return { ...rest, max: shape.max * 2 };
    }
    case 'list':
      return { ...shape, item: storedShape(shape.item) };
    case 'map':
      return { ...shape, value: storedShape(shape.value) };
    case 'object':
      return {
        ...shape,
        properties: Object.fromEntries(
          Object.entries(shape.properties).map(([key, inner]) => [key, storedShape(inner)]),
        ),
      };
    default:
      return shape;
  }
}

function nested(columns: readonly ArchivedColumn[]): ObjectShape {
  const properties: Record<string, Shape> = {};
  for (const [name, inner] of grouped(columns))
    properties[name] = inner[0]!.path.length > 1 ? nested(inner.map(stepped)) : inner[0]!.shape;
  return { kind: 'object', properties, required: Object.keys(properties) };
}

const stepped = <T extends { path: readonly string[] }>(column: T): T => ({ ...column, path: column.path.slice(1) });

function grouped<T extends { path: readonly string[] }>(columns: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const column of columns) groups.set(column.path[0]!, [...(groups.get(column.path[0]!) ?? []), column]);
  return groups;
}

const cellSql = (column: string, shape: Shape): string =>
  shape.kind === 'time' ? instantSql(`r.${quoted(column)}`, shape.zone) : `r.${quoted(column)}`;

function jsonSql(columns: readonly { path: readonly string[]; sql: string }[]): string {
  const pairs = [...grouped(columns)].map(
    ([name, inner]) => `${literal(name)}, ${inner[0]!.path.length > 1 ? jsonSql(inner.map(stepped)) : inner[0]!.sql}`,
  );
  return `json_build_object(${pairs.join(', ')})`;
}
