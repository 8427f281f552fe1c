import type { Condition } from '../access/visibility.ts';
import type { Parameters } from '../database/parameters.ts';
import { literal } from '../declare/names.ts';
import { keysetCondition, type Order, orderBy, readAfter, type Walk } from './cursor.ts';
import type { RecordReader } from './select.ts';

/** The query of a list request. */
export interface ListQuery extends Walk {
  start: number;
  count: number;
  /** Restricts the rows that exist for this read, in addition to the visibility of the caller. */
  restrict?: Condition | undefined;
  /** A further condition for a match, in addition to the filter. */
  extraFilter?: Condition | undefined;
  /** Reads only rows of a log from this id on; the reader sets it if the row counters show enough rows for the page. */
  floor?: number | undefined;
  /** Includes the fields that lists leave empty by default. */
  withDetail?: boolean | undefined;
}

/** A list whose conditions are compiled to SQL. */
export interface Listing {
  /** The name of the table. */
  name: string;
  /** Reads the rows as records. */
  record: RecordReader;
  query: ListQuery;
  order: Order;
  /** The condition for the rows that exist for the caller; undefined: all rows. */
  scope: string | undefined;
  /** The condition for the rows that match. */
  matches: string;
  isFiltered: boolean;
  /** The condition for the first row, if the page begins at a value of the sort key. */
  begin: string | undefined;
  parameters: Parameters;
}

/**
 * Builds one statement for the rows and both counts. `lead`: the number of columns before those of the record; 0: the
 * statement returns only the counts.
 */
export function listStatement(listing: Listing): { text: string; lead: number } {
  const { record, query, order, scope, matches, parameters } = listing;
  const condition = scope ? `${scope} and ${matches}` : matches;
  const isFoundOnce = order.byId && query.start === 0 && (query.extraFilter !== undefined || parameters.usesJoins);
  const counts = countsSql(listing, isFoundOnce ? 'matched' : `${record.from} where ${condition}`);
  const matchedCte = isFoundOnce
    ? `with matched as materialized (select r.id from ${record.from} where ${condition})\n`
    : '';
  if (query.count === 0) {
    // The counts do not use the position, but an invalid one is still reported.
    if (query.after !== undefined) readAfter(query, order);
    return { text: matchedCte + counts, lead: 0 };
  }
  const page = isFoundOnce
    ? matchedSql(listing)
    : query.start > 0
      ? offsetSql(listing, condition)
      : keysetSql(listing, condition);
  // `offset 0` keeps the planner from copying the count into each place that uses it and counting for each.
  const text = `${matchedCte}select n.filtered, n.total, p.*\nfrom (${counts} offset 0) n\nleft join lateral (${page}) p on true`;
  return { text, lead: query.start > 0 ? 5 : 4 };
}

/** With a row scope the total is counted: the stored total would reveal rows that the caller must not see. */
function countsSql({ name, record, scope, isFiltered }: Listing, matches: string): string {
  const total = scope ? `(select count(*) from ${record.from} where ${scope})` : totalSql(name);
  // `offset 0` keeps the planner from copying the total, and its count, into both columns.
  if (!isFiltered) return `select t.total as filtered, t.total from (select ${total} as total offset 0) t`;
  return `select (select count(*) from ${matches}) as filtered, ${total} as total`;
}

/**
 * Selects the fields of the rows of a page, in the order of the page, after a subquery has chosen the rows. The planner
 * then expects few rows and finds the joined rows of each by index, instead of scanning the other tables for the page.
 */
function rowsSql({ record, order }: Listing, rows: string, descending = order.descending): string {
  const { selectList, joins } = record;
  const key = { ...order, sql: order.byId ? 'r.id' : 'r."sort key"' };
  return `select ${key.sql}::text as sort_key, r.id as sort_id, ${selectList}\nfrom (${rows}) r${joins}\n${orderBy(key, descending)}`;
}

/** Selects complete rows and their sort key. */
function rowsFrom({ record, order: { byId, sql } }: Listing): string {
  return `select r.*${byId ? '' : `, ${sql} as "sort key"`} from ${record.from}`;
}

/** Selects a page by key: the rows after the last row of the previous page, without counting. */
function keysetSql(listing: Listing, condition: string): string {
  const rows = `${rowsFrom(listing)}\nwhere (${condition}) and ${pageBounds(listing)}`;
  return rowsSql(listing, rows);
}

/** Selects a page by key from the matches, which one subquery finds for the page and for the counts. */
function matchedSql(listing: Listing): string {
  const ids = `array(select r.id from matched r where ${pageBounds(listing)})`;
  return rowsSql(listing, `${rowsFrom(listing)}\nwhere r.id = any(${ids})`);
}

/** Returns the start, the order and the limit of a page that is selected by key. */
function pageBounds({ order, query, begin = 'true', parameters }: Listing): string {
  const startCondition =
    query.after === undefined ? begin : keysetCondition(order, readAfter(query, order), parameters);
  const floorCondition = query.floor === undefined ? 'true' : `r.id >= ${parameters.add(query.floor, '::bigint')}`;
  return `${startCondition} and ${floorCondition}\n${orderBy(order, order.descending)}\nlimit ${query.count + 1}`;
}

/**
 * Selects a page by offset, counted from the nearer end: the last page costs as much as the first. Columns are read
 * only for the rows of the page.
 */
function offsetSql(listing: Listing, condition: string): string {
  const { record, order, query, parameters } = listing;
  const start = parameters.add(query.start, '::bigint');
  const limit = query.count + 1;
  const nearer = `${start} * 2 <= n.filtered`;
  const rows = (backwards: boolean, descending: boolean, bounds: string) => {
    // As an array: otherwise the planner, which cannot estimate how few ids there are, would scan the joined tables.
    const ids = `array(select r.id from ${record.from} where ${condition} ${orderBy(order, descending)} ${bounds})`;
    const page = rowsSql(listing, `${rowsFrom(listing)} where r.id = any(${ids})`, descending);
    return `select ${backwards} as backwards, f.* from (${page}) f`;
  };
  const forwards = `limit case when ${nearer} then ${limit} else 0 end offset ${start}`;
  const fromTheEnd = `limit case when ${nearer} then 0 else greatest(least(${limit}, n.filtered - ${start}), 0) end
offset greatest(n.filtered - ${start} - ${limit}, 0)`;
  return `${rows(false, order.descending, forwards)}\nunion all\n${rows(true, !order.descending, fromTheEnd)}`;
}

/** Inlines `row_total()`: PostgreSQL plans an SQL function again in each statement that calls it. */
const totalSql = (table: string): string =>
  `(coalesce((select sum(c.rows) from row_count c where c.table_name = ${literal(table)}), 0) + coalesce((select sum(d.delta) from row_count_delta d where d.table_name = ${literal(table)}), 0))::bigint`;
