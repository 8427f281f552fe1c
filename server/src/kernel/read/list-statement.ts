import type { Condition } from '../access/visibility.ts';
import type { Parameters } from '../database/parameters.ts';
import { literal } from '../declare/names.ts';
import type { OpenRows } from '../model/open-rows.ts';
import { endKeySql, endPositionOf, keysetCondition, type Order, orderBy, readAfter, type Walk } from './cursor.ts';
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
  const open = record.open ? ` + (select count(*) from ${record.open.open})` : '';
  const total = scope ? `(select count(*) from ${record.from} where ${scope})` : `${totalSql(name)}${open}`;
  // `offset 0` keeps the planner from copying the total, and its count, into both columns.
  if (!isFiltered) return `select t.total as filtered, t.total from (select ${total} as total offset 0) t`;
  return `select (select count(*) from ${matches}) as filtered, ${total} as total`;
}

/**
 * Selects the fields of the rows of a page, in the order of the page, after a subquery has chosen the rows. The planner
 * then expects few rows and finds the joined rows of each by index, instead of scanning the other tables for the page.
 */
function rowsSql(listing: Listing, rows: string, descending = listing.order.descending): string {
  const { record, order } = listing;
  const { selectList, joins } = record;
  const key = { ...order, sql: order.byId ? 'r.id' : 'r."sort key"' };
  const shownKey = order.isByEnd ? endKeySql(snapshotSql(listing), key.sql) : `${key.sql}::text`;
  return `select ${shownKey} as sort_key, r.id as sort_id, ${selectList}\nfrom (${rows}) r${joins}\n${orderBy(key, descending)}`;
}

/** Selects complete rows and their sort key. */
function rowsFrom({ record, order: { byId, sql } }: Listing): string {
  return `select r.*${byId ? '' : `, ${sql} as "sort key"`} from ${record.from}`;
}

/** Selects a page by key: the rows after the last row of the previous page, without counting. */
function keysetSql(listing: Listing, condition: string): string {
  const { record, order } = listing;
  if (record.open) {
    const branches = order.isByEnd ? branchesByEnd(listing, record.open) : branchesOf(listing, record.open);
    return rowsSql(listing, mergedSql(listing, branches, condition));
  }
  const rows = `${rowsFrom(listing)}\nwhere (${condition}) and ${pageBounds(listing)}`;
  return rowsSql(listing, rows);
}

/** Rows of a log with open rows, from one of its relations. */
interface Branch {
  from: string;
  /** The condition for the rows after the position. */
  bound: string;
  /** The sort key; undefined: the id. */
  key?: string;
  orderBy: string;
}

/** Selects a page from several branches. Each one stops at the end of the page, with the index that serves it best. */
function mergedSql({ record, order, query }: Listing, branches: readonly Branch[], condition: string): string {
  const direction = order.descending ? 'desc' : 'asc';
  const limit = `limit ${query.count + 1}`;
  const selects = branches.map(
    ({ from: relation, bound, key, orderBy: branchOrder }) =>
      `(select ${record.open!.columns}${key ? `, ${key} as "sort key"` : ''} from ${relation}\nwhere (${condition}) and ${bound}\n${branchOrder}\n${limit})`,
  );
  const key = order.byId ? '' : `r."sort key" ${direction}, `;
  return `select r.* from (${selects.join('\nunion all\n')}) r\norder by ${key}r.id ${direction}\n${limit}`;
}

function branchesOf(listing: Listing, { closed, open }: OpenRows): Branch[] {
  const { order } = listing;
  const branch = {
    bound: positionBound(listing),
    orderBy: orderBy(order, order.descending),
    ...(!order.byId && { key: order.sql }),
  };
  return [
    { ...branch, from: closed },
    { ...branch, from: open },
  ];
}

/**
 * The open rows by id, and the closed ones by their end. Rows close while a client walks the pages: each page after the first has the
 * rows in the order of the first one, by its snapshot. A row that has closed since is one of the open rows, so the walk returns each row
 * once, whether it closed before or after its page.
 */
function branchesByEnd(listing: Listing, { closed, open, end }: OpenRows): Branch[] {
  const { order, query, parameters } = listing;
  const direction = order.descending ? 'desc' : 'asc';
  const openBranch = { key: 'null::timestamptz', orderBy: `order by r.id ${direction}` };
  const closedBranch = { from: closed, key: end, orderBy: orderBy(order, order.descending) };
  if (query.after === undefined) {
    const bound = listing.begin ?? 'true';
    return [
      { ...openBranch, from: open, bound },
      { ...closedBranch, bound },
    ];
  }
  const { key, id } = readAfter(query, order);
  const position = endPositionOf(key!)!;
  const isAmongOpen = position.end === null;
  const snapshot = parameters.add(position.snapshot, '::pg_snapshot');
  const isVisible = `pg_visible_in_snapshot(r.txid, ${snapshot})`;
  const than = order.descending ? '<' : '>';
  const branches: Branch[] = [];
  if (isAmongOpen || !order.descending) {
    const bound = isAmongOpen ? `r.id ${than} ${parameters.add(id, '::bigint')}` : 'true';
    const closedSince = `r.txid >= pg_snapshot_xmin(${snapshot}) and not ${isVisible}`;
    branches.push(
      { ...openBranch, from: open, bound },
      { ...openBranch, from: closed, bound: `${bound} and ${closedSince}` },
    );
  }
  if (order.descending || !isAmongOpen) {
    const bound = isAmongOpen
      ? 'true'
      : `(${end}, r.id) ${than} (${parameters.add(position.end, '::timestamptz')}, ${parameters.add(id, '::bigint')})`;
    branches.push({ ...closedBranch, bound: `${bound} and ${isVisible}` });
  }
  return branches;
}

/** Returns the snapshot that the order by end refers to: the one of the first page. */
const snapshotSql = ({ query, order, parameters }: Listing): string =>
  query.after === undefined
    ? 'pg_current_snapshot()::text'
    : parameters.add(endPositionOf(readAfter(query, order).key!)!.snapshot, '::text');

/** Selects a page by key from the matches, which one subquery finds for the page and for the counts. */
function matchedSql(listing: Listing): string {
  const ids = `array(select r.id from matched r where ${pageBounds(listing)})`;
  return rowsSql(listing, `${rowsFrom(listing)}\nwhere r.id = any(${ids})`);
}

/** Returns the start, the order and the limit of a page that is selected by key. */
function pageBounds(listing: Listing): string {
  const { order, query, parameters } = listing;
  const startCondition = positionBound(listing);
  const floorCondition = query.floor === undefined ? 'true' : `r.id >= ${parameters.add(query.floor, '::bigint')}`;
  return `${startCondition} and ${floorCondition}\n${orderBy(order, order.descending)}\nlimit ${query.count + 1}`;
}

/** Returns the condition for the rows after the position, or from the start of the list on. */
const positionBound = ({ order, query, begin = 'true', parameters }: Listing): string =>
  query.after === undefined ? begin : keysetCondition(order, readAfter(query, order), parameters);

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
