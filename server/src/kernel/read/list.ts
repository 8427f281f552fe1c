import { createHash } from 'node:crypto';
import type pg from 'pg';
import { prepared, preparedBytes } from '../database/connect.ts';
import { type RowBytes, readBytes } from '../database/row-bytes.ts';
import { isRanked, type Log } from '../declare.ts';
import { Failure, forbidden, invalid } from '../failure.ts';
import type { Field } from '../field.ts';
import { compileFilter, isNetworkOrAddress, Parameters } from '../filter/compile.ts';
import { type Filter, parseFilters } from '../filter/parse.ts';
import type { Selectable, Table } from '../model.ts';
import { isLog } from '../model.ts';
import { literal, quoted, snakeCase } from '../names.ts';
import { scalarType } from '../scalar-type.ts';
import { type Condition, type Sight, wholeSight } from '../scope.ts';
import { seenElements } from '../seen-elements.ts';
import { instantOf } from '../time.ts';
import { FetchBatch } from './fetch-batch.ts';
import { RecordRows } from './record-rows.ts';
import { type RecordReader, type RecordValue, recordReader, statementName } from './select.ts';

export interface ListQuery {
  filter: readonly string[];
  start: number;
  count: number;
  sortKey?: string | undefined;
  sortDir?: 'asc' | 'desc' | undefined;
  after?: string | undefined;
  /** Limits the read further than the caller's sight does. */
  scope?: Condition | undefined;
  /** What a row must fulfil to match, beside the filter. */
  also?: Condition | undefined;
  /** Only rows of a log from this id on: the reader knows that there are enough of them. */
  floor?: number | undefined;
  /** With the fields that lists usually leave empty. */
  whole?: boolean | undefined;
}

export interface Page {
  records: RecordValue[];
  filtered: number;
  total: number;
  /** Where the walk goes on, when rows remain. */
  next?: string | undefined;
}

/** Runs something on a session of the pool. */
type OnSession = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

/** A record that is still a row, and its version if it has one. */
interface VersionedRow {
  rows: RecordRows;
  version?: number;
}

/** The same, with rows instead of records. */
export interface RowsPage extends Omit<Page, 'records'> {
  rows: RecordRows;
}

interface Order {
  key: string;
  sql: string;
  cast: string;
  nullable: boolean;
  descending: boolean;
  /** The sort key is the identity itself, so there are no ties to break. */
  byId: boolean;
}

/** What follows from the table alone, made once for all who read it. */
interface Compiled {
  record: RecordReader;
  /** The same with the fields that lists leave empty. */
  whole: RecordReader;
  versionSql: string;
  fetchSql: string;
  fetchName: string;
  /** Fields of the whole that show elements. */
  ofElements: readonly Field[];
  /** Fetches of everybody who sees all rows, made with the first of them. */
  batch: FetchBatch | undefined;
}

function compile(table: Table): Compiled {
  const { declaration } = table;
  const record = recordReader(table);
  const whole = [...table.fields.values()].some(({ fetched }) => fetched) ? recordReader(table, true) : record;
  // The version comes along for the ETag, also of records that do not show it.
  const versionSql = isLog(declaration) ? 'null' : 'r.version';
  // A row cannot end before it began, so the slices before the id's own time need not be looked at.
  const slices = isLog(declaration) && declaration.closedBy ? ` and ${endSql(declaration)} >= log_time($1)` : '';
  const fetchSql = `select ${whole.selectList}, ${versionSql}\nfrom ${record.from}${record.joins}\nwhere r.id = $1${slices}`;
  const ofElements = [...table.fields.values()].filter(({ sqlOver }) => sqlOver);
  return { record, whole, versionSql, fetchSql, fetchName: statementName(fetchSql), ofElements, batch: undefined };
}

/**
 * Reads records of one table: by id, by page, by count. Rows and both counts of a page come from one statement, so they agree.
 * A reader has the sight of who reads: what that hides is, to all of its methods, not there.
 */
export class Reader {
  readonly table: Table;
  readonly record: RecordReader;
  readonly sight: Sight;
  readonly #compiled: Compiled;

  constructor(table: Table, compiled: Compiled = compile(table), sight: Sight = wholeSight) {
    this.table = table;
    this.record = compiled.record;
    this.sight = sight;
    this.#compiled = compiled;
  }

  /** The same reader with the eyes of somebody; for who sees everything it is this one. */
  seenBy(sight: Sight): Reader {
    return sight.isWhole ? this : new Reader(this.table, this.#compiled, sight);
  }

  get #isLimited(): boolean {
    return this.sight.limitsOn(this.table.declaration).length > 0;
  }

  /** What a row must fulfil that was found by its id: the sight, and what the read itself is limited to. */
  #scope(parameters: Parameters, further?: Condition): string | undefined {
    return allOf(this.sight.condition(this.table.declaration, parameters), further?.(parameters));
  }

  async #scopeAmong(
    client: pg.PoolClient,
    parameters: Parameters,
    further: Condition | undefined,
  ): Promise<string | undefined> {
    return allOf(await this.sight.conditionAmong(client, this.table.declaration), further?.(parameters));
  }

  async fetch(client: pg.PoolClient, id: number): Promise<RecordValue | undefined> {
    return (await this.fetchVersioned(client, id))?.record;
  }

  async fetchVersioned(
    client: pg.PoolClient,
    id: number,
    further?: Condition,
  ): Promise<{ record: RecordValue; version: number | undefined } | undefined> {
    const { name, text, values } = this.#fetchStatement(id, further);
    const [row] = await prepared(client, name, text, values);
    const { whole } = this.#compiled;
    return row && { record: whole.assemble(row), version: (row[whole.width] as number | null) ?? undefined };
  }

  /**
   * The same as a row, for an answer that nobody looks into. Where all rows are seen, together with others that are asked for
   * at the same time.
   */
  async fetchRow(onSession: OnSession, id: number, further?: Condition): Promise<VersionedRow | undefined> {
    const { name, text, values } = this.#fetchStatement(id, further);
    // A list of ids would open every slice of a log.
    if (name === this.#compiled.fetchName && !isLog(this.table.declaration)) {
      this.#compiled.batch ??= new FetchBatch(this.#batchStatement(), onSession);
      const found = await this.#compiled.batch.fetch(id);
      return found && this.#versionedRow(found.rows, found.row);
    }
    const rows = await onSession((client) => preparedBytes(client, name, text, values));
    return rows.length === 0 ? undefined : this.#versionedRow(rows, 0);
  }

  /** The identity comes along behind the version, also of records that do not show it. */
  #batchStatement() {
    const { whole, versionSql } = this.#compiled;
    const text = `select ${whole.selectList}, ${versionSql}, r.id\nfrom ${this.record.from}${this.record.joins}\nwhere r.id = any($1::bigint[])`;
    return { name: statementName(text), text, idColumn: whole.width + 1 };
  }

  #versionedRow(rows: RowBytes, row: number): VersionedRow {
    const { whole } = this.#compiled;
    const version = rows.text(row, whole.width);
    return {
      rows: new RecordRows(whole, rows, { first: row, length: 1, lead: 0 }),
      ...(version !== null && { version: Number(version) }),
    };
  }

  #fetchStatement(id: number, further: Condition | undefined): { name: string; text: string; values: unknown[] } {
    const { fetchSql, fetchName } = this.#compiled;
    const parameters = new Parameters([id]);
    const scope = this.#scope(parameters, further);
    const shown = this.#showingSeen(fetchSql);
    const text = scope ? `${shown} and ${scope}` : shown;
    return { name: text === fetchSql ? fetchName : statementName(text), text, values: parameters.values };
  }

  /** What a record shows of elements, such as the members of a group, is what the reader sees of them. */
  #showingSeen(sql: string): string {
    const { ofElements } = this.#compiled;
    if (ofElements.length === 0) return sql;
    const elements = seenElements(this.table.elements, this.sight);
    if (elements === this.table.elements) return sql;
    return ofElements.reduce((text, field) => text.replace(field.sql!, () => field.sqlOver!(elements)), sql);
  }

  /** Which of these ids are those of records that are seen, whether they match a filter or not. */
  async seen(client: pg.PoolClient, ids: readonly number[]): Promise<Set<number>> {
    const parameters = new Parameters([ids]);
    const scope = this.#scope(parameters);
    if (!scope) return new Set(ids);
    const { rows } = await client.query<{ id: number }>(
      `select r.id from ${this.record.from} where r.id = any($1::bigint[]) and ${scope}`,
      parameters.values,
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Records of these ids, in no particular order; those that are gone are missing. */
  async fetchMany(
    client: pg.PoolClient,
    ids: readonly number[],
    filter: readonly string[],
    nowMs: number,
  ): Promise<RecordValue[]> {
    const parameters = new Parameters([ids]);
    const scope = this.#scope(parameters);
    const matches = this.#condition(parseFilters(filter), parameters, nowMs);
    const condition = scope ? `${scope} and ${matches}` : matches;
    const text = `select ${this.record.selectList}\nfrom ${this.record.from}${this.record.joins}\nwhere r.id = any($1::bigint[]) and ${condition}`;
    const rows = await this.#run(client, filter.length === 0 ? statementName(text) : '', text, parameters.values);
    return rows.map((row) => this.record.assemble(row));
  }

  /** One page as records. */
  async list(client: pg.PoolClient, query: ListQuery, nowMs: number): Promise<Page> {
    return this.#fromNewest(client, query, (narrowed) => this.#records(client, narrowed, nowMs));
  }

  /** The same page as rows, for an answer that nobody looks into. */
  async page(client: pg.PoolClient, query: ListQuery, nowMs: number): Promise<RowsPage> {
    return this.#fromNewest(client, query, (narrowed) => this.#rows(client, narrowed, nowMs));
  }

  /** A page of a log is looked for in its newest slices first; rows that left meanwhile may be missing from one that is not full. */
  async #fromNewest<P extends { next?: string | undefined }>(
    client: pg.PoolClient,
    query: ListQuery,
    read: (query: ListQuery) => Promise<P>,
  ): Promise<P> {
    const floor = await this.#floor(client, query);
    const page = floor === undefined ? undefined : await read({ ...query, floor });
    return page?.next ? page : read(query);
  }

  /** The newest rows of a log lie in its newest slices, and the counters say in which: hundreds of others need not be opened. */
  async #floor(client: pg.PoolClient, query: ListQuery): Promise<number | undefined> {
    const { declaration, name } = this.table;
    const isWhole = query.filter.length === 0 && !query.scope && !query.also && query.start === 0 && query.count > 0;
    if (!isLog(declaration) || declaration.closedBy || !isWhole) return undefined;
    const order = this.#order(query);
    if (!order.byId || !order.descending) return undefined;
    const after = query.after === undefined ? null : readAfter(query, order).id;
    const [row] = await prepared(client, statementName(floorSql), floorSql, [
      name,
      query.count + 1,
      declaration.slice,
      after,
    ]);
    return (row![0] as number | null) ?? undefined;
  }

  async #records(client: pg.PoolClient, query: ListQuery, nowMs: number): Promise<Page> {
    const { text, values, name, order, lead } = await this.#listStatement(client, query, nowMs);
    const rows = await this.#run(client, name, text, values);
    const [filtered, total] = rows[0] as [number, number];
    // The outer join gives one row of nulls when the page is empty; a row always has an id.
    const cells = lead === 0 || rows[0]![lead - 1] === null ? [] : rows;
    if (query.start > 0 && rows[0]![2] === true) cells.reverse();
    const length = Math.min(cells.length, query.count);
    const record = this.#recordFor(query);
    const records = cells.slice(0, length).map((row) => record.assemble(row.slice(lead)));
    const last = cells.length > length ? cells[length - 1] : undefined;
    const next = last && writeAfter(query, order, last[lead - 2] as string | null, last[lead - 1] as number);
    return { records, filtered, total, next };
  }

  async #rows(client: pg.PoolClient, query: ListQuery, nowMs: number): Promise<RowsPage> {
    const { text, values, name, order, lead } = await this.#listStatement(client, query, nowMs);
    const rows = await this.#timely(() =>
      name === '' ? readBytes(client, name, text, values) : preparedBytes(client, name, text, values),
    );
    const [filtered, total] = [rows.number(0, 0), rows.number(0, 1)];
    const found = lead === 0 || rows.text(0, lead - 1) === null ? 0 : rows.length;
    if (query.start > 0 && rows.text(0, 2) === 't') rows.reverse();
    const length = Math.min(found, query.count);
    const last = length - 1;
    const next =
      found > length && length > 0
        ? writeAfter(query, order, rows.text(last, lead - 2), rows.number(last, lead - 1))
        : undefined;
    return { rows: new RecordRows(this.#recordFor(query), rows, { first: 0, length, lead }), filtered, total, next };
  }

  #recordFor({ whole }: ListQuery): RecordReader {
    return whole ? this.#compiled.whole : this.record;
  }

  /** Rows and both counts in one statement. `lead`: how many columns stand before those of the record; 0: there are only the counts. */
  async #listStatement(client: pg.PoolClient, query: ListQuery, nowMs: number) {
    const filter = parseFilters(query.filter);
    const parameters = new Parameters();
    const isLimited = this.#isLimited;
    const scope = isLimited ? await this.#scopeAmong(client, parameters, query.scope) : query.scope?.(parameters);
    const matches = allOf(this.#condition(filter, parameters, nowMs), query.also?.(parameters))!;
    const condition = scope ? `${scope} and ${matches}` : matches;
    const isFiltered = filter !== undefined || query.also !== undefined;
    // What a sight is made of stands in the statement, so that one is for this moment only.
    const isNamed = !isLimited && !query.also && (filter === undefined || filter.kind === 'compare');
    const order = this.#order(query);
    const isFoundOnce = order.byId && query.start === 0 && (query.also !== undefined || parameters.looksBeside);
    const counts = this.#countsSql(
      isFiltered,
      scope,
      isFoundOnce ? 'matched' : `${this.record.from} where ${condition}`,
    );
    const statement = (text: string, lead: number) => ({
      text,
      values: parameters.values,
      name: isNamed ? statementName(text) : '',
      order,
      lead,
    });
    const found = isFoundOnce
      ? `with matched as materialized (select r.id from ${this.record.from} where ${condition})\n`
      : '';
    if (query.count === 0) {
      // Nothing is sorted or walked here, but what cannot be sorted or walked by is still a fault.
      if (query.after !== undefined) readAfter(query, order);
      return statement(found + counts, 0);
    }
    const page = isFoundOnce
      ? this.#matchedSql(order, query, parameters)
      : query.start > 0
        ? this.#offsetSql(order, condition, query, parameters)
        : this.#keysetSql(order, condition, query, parameters);
    // The offset keeps the planner from writing the count into every place that uses it, and counting that often.
    const text = `${found}select n.filtered, n.total, p.*\nfrom (${counts} offset 0) n\nleft join lateral (${page}) p on true`;
    return statement(text, query.start > 0 ? 5 : 4);
  }

  async count(
    client: pg.PoolClient,
    filter: readonly string[],
    nowMs: number,
  ): Promise<{ filtered: number; total: number }> {
    const { filtered, total } = await this.list(client, { filter, start: 0, count: 0 }, nowMs);
    return { filtered, total };
  }

  /** What a row must fulfil to match and be seen; what may not be viewed at all cannot be asked for. */
  matching(filter: readonly string[], parameters: Parameters, nowMs: number): string {
    const { declaration } = this.table;
    if (!this.sight.mayView(declaration)) throw forbidden(declaration.permission, 'view');
    return allOf(this.#scope(parameters), this.#condition(parseFilters(filter), parameters, nowMs))!;
  }

  #condition(filter: Filter | undefined, parameters: Parameters, nowMs: number): string {
    return filter ? compileFilter(this.table, filter, parameters, nowMs, this.sight) : 'true';
  }

  /** With a scope the total is counted: it must tell nothing of rows the caller may not see. */
  #countsSql(isFiltered: boolean, scope: string | undefined, matches: string): string {
    const total = scope ? `(select count(*) from ${this.record.from} where ${scope})` : totalSql(this.table.name);
    // The offset keeps the planner from putting the total, and with it the counting, into both places.
    if (!isFiltered) return `select t.total as filtered, t.total from (select ${total} as total offset 0) t`;
    return `select (select count(*) from ${matches}) as filtered, ${total} as total`;
  }

  #run(client: pg.PoolClient, name: string, text: string, values: unknown[]): Promise<unknown[][]> {
    return this.#timely(async () =>
      name === ''
        ? (await client.query<unknown[]>({ text, values, rowMode: 'array' })).rows
        : prepared(client, name, text, values),
    );
  }

  /** What takes too long says what to ask instead. */
  async #timely<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw isLog(this.table.declaration) ? tooExpensive(this.table.declaration, error) : error;
    }
  }

  /** `rank` where there is one, newest first for logs, else identity; ties always broken by id. */
  #order(query: ListQuery): Order {
    const { declaration } = this.table;
    const isOfLog = isLog(declaration);
    const usual = (isOfLog && declaration.closedBy) || declaration.identity;
    const key = query.sortKey ?? (isRanked(declaration) ? 'rank' : usual);
    const newestFirst = isOfLog && query.sortKey === undefined;
    const descending = query.sortDir === undefined ? newestFirst : query.sortDir === 'desc';
    const byTime = isOfLog && key === declaration.timeField;
    if (key === declaration.identity || byTime) {
      return { key, sql: 'r.id', cast: 'bigint', nullable: false, descending, byId: true };
    }
    const selectable = this.table.selectables.get(key);
    const cast = selectable && scalarType(selectable.shape);
    if (!selectable || !cast)
      throw invalid([{ pointer: '?sortKey', message: `sortKey: cannot sort by ${key}; ${this.#sortable()}.` }]);
    return {
      key,
      sql: sortSql(selectable),
      cast,
      nullable: selectable.shape.nullable === true,
      descending,
      byId: false,
    };
  }

  #sortable(): string {
    const keys = [...this.table.selectables.values()].filter((selectable) => scalarType(selectable.shape));
    return `the sortable fields are ${keys.map((selectable) => selectable.path).join(', ')}`;
  }

  /**
   * What the rows of a page show, in its order: looked up when it is known which they are. The planner too knows then how few, and
   * goes from each to what lies beside it, instead of reading other tables from end to end for the page.
   */
  #rowsSql(order: Order, query: ListQuery, rows: string, descending = order.descending): string {
    const { selectList, joins } = this.#recordFor(query);
    const key = { ...order, sql: order.byId ? 'r.id' : 'r."sort key"' };
    return `select ${key.sql}::text as sort_key, r.id as sort_id, ${selectList}\nfrom (${rows}) r${joins}\n${orderBy(key, descending)}`;
  }

  /** Whole rows, and what they are sorted by. */
  #rowsFrom({ byId, sql }: Order): string {
    return `select r.*${byId ? '' : `, ${sql} as "sort key"`} from ${this.record.from}`;
  }

  /** A walk: what follows the last row of the page before, found by key and not by counting. */
  #keysetSql(order: Order, condition: string, query: ListQuery, parameters: Parameters): string {
    const rows = `${this.#rowsFrom(order)}\nwhere (${condition}) and ${this.#pageBounds(order, query, parameters)}`;
    return this.#rowsSql(order, query, rows);
  }

  /** The same among matches that are found once for the page and for their number. */
  #matchedSql(order: Order, query: ListQuery, parameters: Parameters): string {
    const ids = `array(select r.id from matched r where ${this.#pageBounds(order, query, parameters)})`;
    return this.#rowsSql(order, query, `${this.#rowsFrom(order)}\nwhere r.id = any(${ids})`);
  }

  /** Where a page of a walk begins, and what it is cut to. */
  #pageBounds(order: Order, query: ListQuery, parameters: Parameters): string {
    const behind = query.after === undefined ? 'true' : keysetCondition(order, readAfter(query, order), parameters);
    const above = query.floor === undefined ? 'true' : `r.id >= ${parameters.add(query.floor, '::bigint')}`;
    return `${behind} and ${above}\n${orderBy(order, order.descending)}\nlimit ${query.count + 1}`;
  }

  /** An offset, counted from the nearer end: the last page costs what the first one does. Rows are read once it is known which. */
  #offsetSql(order: Order, condition: string, query: ListQuery, parameters: Parameters): string {
    const start = parameters.add(query.start, '::bigint');
    const limit = query.count + 1;
    const nearer = `${start} * 2 <= n.filtered`;
    const rows = (backwards: boolean, descending: boolean, bounds: string) => {
      // As an array: the planner cannot know how few they are, and would read the whole table beside them.
      const ids = `array(select r.id from ${this.record.from} where ${condition} ${orderBy(order, descending)} ${bounds})`;
      const page = this.#rowsSql(order, query, `${this.#rowsFrom(order)} where r.id = any(${ids})`, descending);
      return `select ${backwards} as backwards, f.* from (${page}) f`;
    };
    const forwards = `limit case when ${nearer} then ${limit} else 0 end offset ${start}`;
    const fromTheEnd = `limit case when ${nearer} then 0 else greatest(least(${limit}, n.filtered - ${start}), 0) end
offset greatest(n.filtered - ${start} - ${limit}, 0)`;
    return `${rows(false, order.descending, forwards)}\nunion all\n${rows(true, !order.descending, fromTheEnd)}`;
  }
}

/** The first id of the slice with which there are enough rows, counted from the newest, or from before the slice of `after`. */
const floorSql = `
select log_first_id(min(s.slice)) from (
  select c.slice, sum(c.rows) over (order by c.slice desc) - c.rows as newer from (
    select u.slice, sum(u.rows) as rows from (
      select t.slice, t.rows from row_count t where t.table_name = $1
      union all
      select d.slice, d.delta from row_count_delta d where d.table_name = $1
    ) u
    where $4::bigint is null or u.slice < log_slice_of($3::text, $4::bigint)
    group by u.slice
  ) c
) s
where s.newer < $2::bigint`;

const endSql = ({ closedBy }: Log): string => `r.${quoted(snakeCase(closedBy!))}`;

/** A log that took too long is one that was asked for too long a time. */
const tooExpensive = ({ timeField, closedBy }: Log, cause: unknown): unknown =>
  (cause as { code?: string }).code === '57014'
    ? new Failure(
        'too-expensive',
        `This read takes longer than it may; narrow the time range, such as ${closedBy ?? timeField}=ge=-24h.`,
        { cause },
      )
    : cause;

/** What `row_total()` says, written out: a function in SQL is planned anew in each statement that calls it. */
const totalSql = (table: string): string =>
  `(coalesce((select sum(c.rows) from row_count c where c.table_name = ${literal(table)}), 0) + coalesce((select sum(d.delta) from row_count_delta d where d.table_name = ${literal(table)}), 0))::bigint`;
const allOf = (...conditions: (string | undefined)[]): string | undefined =>
  conditions.filter((condition) => condition !== undefined).join(' and ') || undefined;

const orderBy = (order: Order, descending: boolean): string => {
  const direction = descending ? 'desc' : 'asc';
  // PostgreSQL's own rule is the contract's: nulls last ascending, first descending.
  return order.byId ? `order by r.id ${direction}` : `order by ${order.sql} ${direction}, r.id ${direction}`;
};

function keysetCondition(order: Order, after: { key: string | null; id: number }, parameters: Parameters): string {
  const than = order.descending ? '<' : '>';
  const id = parameters.add(after.id, '::bigint');
  if (order.byId) return `r.id ${than} ${id}`;
  if (after.key === null) {
    const tie = `(${order.sql} is null and r.id ${than} ${id})`;
    return order.descending ? `(${tie} or ${order.sql} is not null)` : tie;
  }
  const key = parameters.add(after.key, `::${order.cast}`);
  const behind = `(${order.sql}, r.id) ${than} (${key}, ${id})`;
  return order.nullable && !order.descending ? `(${behind} or ${order.sql} is null)` : behind;
}

/** Longer texts sort by their beginning, so that the position of a walk always fits into a URL. */
const sortedCharacters = 1_000;

function sortSql({ shape, sql, order }: Selectable): string {
  if (order) return order;
  if (shape.kind === 'text' && shape.max > sortedCharacters) return `left(lower(${sql}), ${sortedCharacters})`;
  if (shape.kind === 'text' || shape.kind === 'choice') return `lower(${sql})`;
  // In `order by` a bare number would be the place of a column.
  return /^\d+$/.test(sql) ? `${sql}::${scalarType(shape)}` : sql;
}

const filterHash = (filter: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(filter)).digest('base64url').slice(0, 16);

/** The position of a walk: opaque to clients; carries the sort, a hash of the filter and the last key. */
const writeAfter = (query: ListQuery, order: Order, key: string | null, id: number): string =>
  Buffer.from(
    JSON.stringify([order.key, order.descending ? 1 : 0, filterHash(query.filter), order.byId ? null : key, id]),
  ).toString('base64url');

function readAfter(query: ListQuery, order: Order): { key: string | null; id: number } {
  const wrong = (what: string) =>
    invalid([{ pointer: '?after', message: `after: ${what}; take it unchanged from the Link header.` }]);
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(query.after!, 'base64url').toString('utf8'));
  } catch {
    throw wrong('this is not a position of a walk');
  }
  if (!Array.isArray(parts) || parts.length !== 5) throw wrong('this is not a position of a walk');
  const [sort, descending, hash, key, id] = parts as [unknown, unknown, unknown, unknown, unknown];
  if (sort !== order.key || descending !== (order.descending ? 1 : 0))
    throw wrong('the walk was sorted in another way');
  if (hash !== filterHash(query.filter)) throw wrong('the walk had another filter');
  const fits =
    typeof id === 'number' &&
    Number.isSafeInteger(id) &&
    (key === null || (typeof key === 'string' && fitsCast(order.cast, key)));
  if (!fits) throw wrong('this is not a position of a walk');
  return { key: key as string | null, id: id as number };
}

/** A forged position must be a fault of the request, not of a cast in the database. */
function fitsCast(cast: string, key: string): boolean {
  switch (cast) {
    case 'bigint':
      return /^-?\d{1,18}$/.test(key);
    case 'double precision':
      return /^-?\d{1,16}(\.\d{1,16})?$/.test(key);
    case 'boolean':
      return key === 'true' || key === 'false';
    case 'timestamptz':
      // Year 0 is one that ISO 8601 has and PostgreSQL does not.
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
