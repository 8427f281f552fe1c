import type { Condition } from '../access/visibility.ts';
import type { Parameters } from '../database/parameters.ts';
import { literal } from '../declare/names.ts';
import { keysetCondition, type Order, orderBy, readAfter, type Walk } from './cursor.ts';
import type { RecordReader } from './select.ts';

/** What a list is asked for. */
export interface ListQuery extends Walk {
  start: number;
  count: number;
  /** Restricts the read in addition to the visibility of the caller. */
  restrict?: Condition | undefined;
  /** Further condition of a match, in addition to the filter. */
  extraFilter?: Condition | undefined;
  /** Only rows of a log from this id on: the reader knows that there are enough of them. */
  floor?: number | undefined;
  /** With the fields that lists usually leave empty. */
  withDetail?: boolean | undefined;
}

/** A list whose conditions are SQL already. */
export interface Listing {
  /** Its table. */
  name: string;
  /** What it shows. */
  record: RecordReader;
  query: ListQuery;
  order: Order;
  /** Which rows there are for the caller; undefined: all. */
  scope: string | undefined;
  /** Which of them match. */
  matches: string;
  isFiltered: boolean;
  /** Where the page begins, for a walk from a value of the sort key. */
  begin: string | undefined;
  parameters: Parameters;
}

/** Rows and both counts in one statement. `lead`: how many columns stand before those of the record; 0: there are only the counts. */
export function listStatement(listing: Listing): { text: string; lead: number } {
  const { record, query, order, scope, matches, parameters } = listing;
  const condition = scope ? `${scope} and ${matches}` : matches;
  const isFoundOnce = order.byId && query.start === 0 && (query.extraFilter !== undefined || parameters.usesJoins);
  const counts = countsSql(listing, isFoundOnce ? 'matched' : `${record.from} where ${condition}`);
  const matchedCte = isFoundOnce
    ? `with matched as materialized (select r.id from ${record.from} where ${condition})\n`
    : '';
  if (query.count === 0) {
    // Nothing is sorted or walked here, but what cannot be sorted or walked by is still a fault.
    if (query.after !== undefined) readAfter(query, order);
    return { text: matchedCte + counts, lead: 0 };
  }
  const page = isFoundOnce
    ? matchedSql(listing)
    : query.start > 0
      ? offsetSql(listing, condition)
      : keysetSql(listing, condition);
  // The offset keeps the planner from writing the count into every place that uses it, and counting that often.
  const text = `${matchedCte}select n.filtered, n.total, p.*\nfrom (${counts} offset 0) n\nleft join lateral (${page}) p on true`;
  return { text, lead: query.start > 0 ? 5 : 4 };
}

/** With a row scope the total is counted: it must not reveal rows that the caller may not see. */
function countsSql({ name, record, scope, isFiltered }: Listing, matches: string): string {
  const total = scope ? `(select count(*) from ${record.from} where ${scope})` : totalSql(name);
  // The offset keeps the planner from putting the total, and with it the counting, into both places.
  if (!isFiltered) return `select t.total as filtered, t.total from (select ${total} as total offset 0) t`;
  return `select (select count(*) from ${matches}) as filtered, ${total} as total`;
}

/**
 * What the rows of a page show, in its order: looked up when it is known which they are. The planner too knows then how few, and
 * goes from each to its joined rows, instead of reading other tables from end to end for the page.
 */
function rowsSql({ record, order }: Listing, rows: string, descending = order.descending): string {
  const { selectList, joins } = record;
  const key = { ...order, sql: order.byId ? 'r.id' : 'r."sort key"' };
  return `select ${key.sql}::text as sort_key, r.id as sort_id, ${selectList}\nfrom (${rows}) r${joins}\n${orderBy(key, descending)}`;
}

/** Whole rows, and what they are sorted by. */
function rowsFrom({ record, order: { byId, sql } }: Listing): string {
  return `select r.*${byId ? '' : `, ${sql} as "sort key"`} from ${record.from}`;
}

/** A walk: what follows the last row of the page before, found by key and not by counting. */
function keysetSql(listing: Listing, condition: string): string {
  const rows = `${rowsFrom(listing)}\nwhere (${condition}) and ${pageBounds(listing)}`;
  return rowsSql(listing, rows);
}

/** The same among matches that are found once for the page and for their number. */
function matchedSql(listing: Listing): string {
  const ids = `array(select r.id from matched r where ${pageBounds(listing)})`;
  return rowsSql(listing, `${rowsFrom(listing)}\nwhere r.id = any(${ids})`);
}

/** Where a page of a walk begins, and what it is cut to. */
function pageBounds({ order, query, begin = 'true', parameters }: Listing): string {
  const startCondition =
    query.after === undefined ? begin : keysetCondition(order, readAfter(query, order), parameters);
  const floorCondition = query.floor === undefined ? 'true' : `r.id >= ${parameters.add(query.floor, '::bigint')}`;
  return `${startCondition} and ${floorCondition}\n${orderBy(order, order.descending)}\nlimit ${query.count + 1}`;
}

/** An offset, counted from the nearer end: the last page costs what the first one does. Rows are read once it is known which. */
function offsetSql(listing: Listing, condition: string): string {
  const { record, order, query, parameters } = listing;
  const start = parameters.add(query.start, '::bigint');
  const limit = query.count + 1;
  const nearer = `${start} * 2 <= n.filtered`;
  const rows = (backwards: boolean, descending: boolean, bounds: string) => {
    // As an array: otherwise the planner, which cannot know how few they are, would scan the joined tables.
    const ids = `array(select r.id from ${record.from} where ${condition} ${orderBy(order, descending)} ${bounds})`;
    const page = rowsSql(listing, `${rowsFrom(listing)} where r.id = any(${ids})`, descending);
    return `select ${backwards} as backwards, f.* from (${page}) f`;
  };
  const forwards = `limit case when ${nearer} then ${limit} else 0 end offset ${start}`;
  const fromTheEnd = `limit case when ${nearer} then 0 else greatest(least(${limit}, n.filtered - ${start}), 0) end
offset greatest(n.filtered - ${start} - ${limit}, 0)`;
  return `${rows(false, order.descending, forwards)}\nunion all\n${rows(true, !order.descending, fromTheEnd)}`;
}

/** `row_total()` inlined: an SQL function is planned again in each statement that calls it. */
const totalSql = (table: string): string =>
  `(coalesce((select sum(c.rows) from row_count c where c.table_name = ${literal(table)}), 0) + coalesce((select sum(d.delta) from row_count_delta d where d.table_name = ${literal(table)}), 0))::bigint`;
