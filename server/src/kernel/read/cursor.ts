import { createHash } from 'node:crypto';
import type { Parameters } from '../database/parameters.ts';
import { isLog, isRanked } from '../declare/declaration.ts';
import { integerMax, type Shape } from '../declare/shape.ts';
import { invalid } from '../failure.ts';
import { readScalar } from '../filter/compile.ts';
import { shortened } from '../format/text.ts';
import type { Table } from '../model/model.ts';
import { scalarType } from '../model/scalar-type.ts';
import type { Selectable } from '../model/selectable.ts';
import { isNetworkOrAddress } from '../values/address.ts';
import { readMac, readMacPrefix } from '../values/mac.ts';
import { hintFor } from '../values/nearest.ts';
import { isSnapshot } from '../values/snapshot.ts';
import { instantOf, logIdAt } from '../values/time.ts';

/** The query of a list that is read page by page. */
export interface Walk {
  filter: readonly string[];
  sortKey?: string | undefined;
  sortDir?: 'asc' | 'desc' | undefined;
  /** The position after which the page begins. */
  after?: string | undefined;
  /** A value of the sort key: the page begins at the first record whose value is not before it. */
  from?: string | undefined;
}

const timeShape: Shape = { kind: 'time' };
const idShape: Shape = { kind: 'integer', min: 0, max: integerMax };

/** The sort order of a list, as SQL. */
export interface Order {
  key: string;
  sql: string;
  cast: string;
  /** The shape of the sort key. */
  shape: Shape;
  nullable: boolean;
  descending: boolean;
  /** The sort key is the identity itself, so there are no ties to break. */
  byId: boolean;
  /** The sort key is the end of the rows of a log, some of which are open. */
  isByEnd: boolean;
}

/**
 * Returns the requested order, or the default: `rank` if the resource is ranked, newest first for logs, else the
 * identity. Ties are broken by id.
 */
export function orderOf(table: Table, query: Walk): Order {
  const { declaration } = table;
  const isOfLog = isLog(declaration);
  const usual = (isOfLog && declaration.closedBy) || declaration.identity;
  const key = query.sortKey ?? (isRanked(declaration) ? 'rank' : usual);
  const newestFirst = isOfLog && query.sortKey === undefined;
  const descending = query.sortDir === undefined ? newestFirst : query.sortDir === 'desc';
  const byTime = isOfLog && key === declaration.timeField;
  if (key === declaration.identity || byTime) {
    const shape = byTime ? timeShape : idShape;
    return { key, sql: 'r.id', cast: 'bigint', shape, nullable: false, descending, byId: true, isByEnd: false };
  }
  const selectable = table.selectables.get(key);
  const cast = selectable && scalarType(selectable.shape);
  if (!selectable || !cast)
    throw invalid([
      { pointer: '?sortKey', message: `sortKey: cannot sort by ${shortened(key)}; ${sortHint(table, key)}` },
    ]);
  return {
    key,
    sql: sortSql(selectable),
    cast,
    shape: selectable.shape,
    nullable: selectable.shape.nullable === true,
    descending,
    byId: false,
    isByEnd: isOfLog && declaration.openRows !== undefined && key === declaration.closedBy,
  };
}

function sortHint(table: Table, key: string): string {
  const sortable = [...table.selectables.values()].filter(({ shape }) => scalarType(shape)).map(({ path }) => path);
  return hintFor(
    key,
    'the sortable fields',
    sortable.filter((path) => !path.includes('.')),
    sortable,
  );
}

export const orderBy = (order: Order, descending: boolean): string => {
  const direction = descending ? 'desc' : 'asc';
  // No `nulls first` or `nulls last`: PostgreSQL's default is what the contract requires, nulls last ascending and
  // first descending.
  return order.byId ? `order by r.id ${direction}` : `order by ${order.sql} ${direction}, r.id ${direction}`;
};

/** Returns the condition for the rows after a position. */
export function keysetCondition(
  order: Order,
  after: { key: string | null; id: number },
  parameters: Parameters,
): string {
  const than = order.descending ? '<' : '>';
  const id = parameters.add(after.id, '::bigint');
  if (order.byId) return `r.id ${than} ${id}`;
  if (after.key === null) {
    const tie = `(${order.sql} is null and r.id ${than} ${id})`;
    return order.descending ? `(${tie} or ${order.sql} is not null)` : tie;
  }
  const key = parameters.add(after.key, `::${order.cast}`);
  const keyComparison = `(${order.sql}, r.id) ${than} (${key}, ${id})`;
  return order.nullable && !order.descending ? `(${keyComparison} or ${order.sql} is null)` : keyComparison;
}

/** Returns the condition for the rows whose sort value is not before the given one. */
export function fromCondition(order: Order, text: string, parameters: Parameters, nowMs: number): string {
  const { sql, cast, shape, descending, byId } = order;
  const normalized = shape.kind === 'mac' ? (readMac(text) ?? readMacPrefix(text) ?? text) : text;
  const result = readScalar(shape, normalized, nowMs);
  if ('fault' in result) {
    const message = `from: ${shortened(text)} is ${result.fault}, and ${order.key} is the sort key.`;
    throw invalid([{ pointer: '?from', message }]);
  }
  const operator = descending ? '<=' : '>=';
  // The id of a log row contains its time in milliseconds, above a sequence number: descending, the page includes all
  // rows of that millisecond.
  if (byId && shape.kind === 'time') {
    const ms = Date.parse(String(result.value));
    return descending
      ? `r.id < ${parameters.add(logIdAt(ms + 1), '::bigint')}`
      : `r.id >= ${parameters.add(logIdAt(ms), '::bigint')}`;
  }
  const value = parameters.add(result.value, `::${cast}`);
  const isText = shape.kind === 'text' || shape.kind === 'choice';
  const condition = `${sql} ${operator} ${isText ? `lower(${value})` : value}`;
  return order.nullable && !descending ? `(${condition} or ${sql} is null)` : condition;
}

/** Longer texts sort by their first characters, so that the position of a page always fits into a URL. */
const sortedCharacters = 1_000;

function sortSql({ shape, sql, order }: Selectable): string {
  if (order) return order;
  if (shape.kind === 'text' && shape.max > sortedCharacters) return `left(lower(${sql}), ${sortedCharacters})`;
  if (shape.kind === 'text' || shape.kind === 'choice') return `lower(${sql})`;
  // A bare number in `order by` would be the position of a column.
  return /^\d+$/.test(sql) ? `${sql}::${scalarType(shape)}` : sql;
}

const filterHash = (filter: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(filter)).digest('base64url').slice(0, 16);

/** Encodes the position of a page, opaque to clients: the sort order, a hash of the filter and the last key. */
export const writeAfter = (query: Walk, order: Order, key: string | null, id: number): string =>
  Buffer.from(
    JSON.stringify([order.key, order.descending ? 1 : 0, filterHash(query.filter), order.byId ? null : key, id]),
  ).toString('base64url');

export function readAfter(query: Walk, order: Order): { key: string | null; id: number } {
  const wrong = (what: string) =>
    invalid([{ pointer: '?after', message: `after: ${what}; use the value of the Link header unchanged.` }]);
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(query.after!, 'base64url').toString('utf8'));
  } catch {
    throw wrong('not a valid page position');
  }
  if (!Array.isArray(parts) || parts.length !== 5) throw wrong('not a valid page position');
  const [sort, descending, hash, key, id] = parts as [unknown, unknown, unknown, unknown, unknown];
  if (sort !== order.key || descending !== (order.descending ? 1 : 0))
    throw wrong('the previous page had another sort order');
  if (hash !== filterHash(query.filter)) throw wrong('the previous page had another filter');
  const fits =
    typeof id === 'number' &&
    Number.isSafeInteger(id) &&
    (order.isByEnd
      ? typeof key === 'string' && endPositionOf(key) !== undefined
      : key === null || (typeof key === 'string' && fitsCast(order.cast, key)));
  if (!fits) throw wrong('not a valid page position');
  return { key: key as string | null, id: id as number };
}

/** A position among rows that are sorted by their end. */
export interface EndPosition {
  /** The snapshot in which the first page was read. */
  snapshot: string;
  /** The end of the last row; null: it was open when the first page was read. */
  end: string | null;
}

/** Returns the SQL of the key of a position among rows that are sorted by their end. */
export const endKeySql = (snapshot: string, end: string): string => `${snapshot} || '|' || coalesce(${end}::text, '')`;

export function endPositionOf(key: string): EndPosition | undefined {
  const [snapshot, end, ...rest] = key.split('|');
  if (rest.length > 0 || end === undefined || !isSnapshot(snapshot)) return undefined;
  if (end !== '' && !fitsCast('timestamptz', end)) return undefined;
  return { snapshot: snapshot!, end: end || null };
}

/** Checks a key before PostgreSQL casts it: a forged position is a fault of the request, not a database error. */
function fitsCast(cast: string, key: string): boolean {
  switch (cast) {
    case 'bigint':
      return /^-?\d{1,18}$/.test(key);
    case 'double precision':
      return /^-?\d{1,16}(\.\d{1,16})?$/.test(key);
    case 'boolean':
      return key === 'true' || key === 'false';
    case 'timestamptz':
      // ISO 8601 has a year 0, PostgreSQL does not.
      return (
        /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?\+00$/.test(key) &&
        !key.startsWith('0000') &&
        instantOf(key.replace(' ', 'T').replace('+00', 'Z')) !== undefined
      );
    case 'inet':
      return isNetworkOrAddress(key);
    default:
      return !key.includes('\0');
  }
}
