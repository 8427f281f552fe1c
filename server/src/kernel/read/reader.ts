import type pg from 'pg';
import { type Condition, fullVisibility, type Visibility } from '../access/visibility.ts';
import { visibleElements } from '../access/visible-elements.ts';
import { visibleSql } from '../access/visible-sql.ts';
import { prepared, preparedBytes } from '../database/connect.ts';
import { Parameters } from '../database/parameters.ts';
import { type RowBytes, readBytes } from '../database/row-bytes.ts';
import { isLog, type Log } from '../declare/declaration.ts';
import type { Field } from '../declare/field.ts';
import { quoted, snakeCase } from '../declare/names.ts';
import { Failure, forbidden, invalid } from '../failure.ts';
import { compileFilter } from '../filter/compile.ts';
import { type Filter, parseFilters } from '../filter/parse.ts';
import type { Table } from '../model/model.ts';
import { scalarType } from '../model/scalar-type.ts';
import type { Selectable } from '../model/selectable.ts';
import { instantSql } from '../values/time.ts';
import { fromCondition, orderOf, readAfter, writeAfter } from './cursor.ts';
import { FetchBatch } from './fetch-batch.ts';
import { type ListQuery, listStatement } from './list-statement.ts';
import type { BoundedRead, ReadBound } from './read-bound.ts';
import { RecordRows } from './record-rows.ts';
import { type RecordReader, type RecordValue, recordReader, statementName } from './select.ts';
import { visibleTable } from './visible-table.ts';

export interface Page<R = RecordValue> {
  records: R[];
  filtered: number;
  total: number;
  /** The position of the next page, if rows remain. */
  next?: string | undefined;
}

/** Runs a function on a database session of the pool. */
type OnSession = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

/** A record that is still a row, and its version if it has one. */
interface VersionedRow {
  rows: RecordRows;
  version?: number;
}

/** A page with rows instead of records. */
export interface RowsPage extends Omit<Page, 'records'> {
  rows: RecordRows;
}

/** The statements of a table, compiled once for all viewers with the same restrictions. */
interface Compiled {
  record: RecordReader;
  /** Includes the fields that lists leave empty. */
  detailRecord: RecordReader;
  versionSql: string;
  fetchSql: string;
  fetchName: string;
  /** Fields that show elements, such as the members of a group. */
  elementFields: readonly Field[];
  /** Batches the fetches of viewers who see all rows; created by the first of them. */
  batch: FetchBatch | undefined;
  /** True if the statements are for some viewers only. */
  isRestricted: boolean;
}

/** Number of restrictions whose statements a reader caches; the oldest is dropped first. */
const restrictedMax = 64;

function compile(table: Table, isRestricted = false): Compiled {
  const { declaration } = table;
  const record = recordReader(table);
  const detailRecord = [...table.fields.values()].some(({ detailOnly: fetched }) => fetched)
    ? recordReader(table, true)
    : record;
  // The version is selected for the ETag, also if the record does not show it.
  const versionSql = isLog(declaration) ? 'null' : 'r.version';
  // A row cannot end before it began, so the slices before the time in the id need not be scanned.
  const slices = isLog(declaration) && declaration.closedBy ? ` and ${endsAfterSql(declaration)}` : '';
  const fetchSql = `select ${detailRecord.selectList}, ${versionSql}\nfrom ${record.from}${record.joins}\nwhere r.id = $1${slices}`;
  const elementFields = [...table.fields.values()].filter(({ sqlOver }) => sqlOver);
  const fetchName = statementName(fetchSql);
  return { record, detailRecord, versionSql, fetchSql, fetchName, elementFields, batch: undefined, isRestricted };
}

/**
 * Reads records of one table: by id, by page, by count. One statement returns the rows and both counts of a page, so
 * they agree. A reader has the visibility of its viewer: for all of its methods, hidden rows do not exist.
 */
export class Reader {
  readonly table: Table;
  readonly record: RecordReader;
  readonly visibility: Visibility;
  readonly #compiled: Compiled;
  readonly #restricted = new Map<string, { table: Table; compiled: Compiled }>();
  readonly #bound: ReadBound | undefined;

  constructor(
    table: Table,
    bound?: ReadBound,
    compiled: Compiled = compile(table),
    visibility: Visibility = fullVisibility,
  ) {
    this.table = table;
    this.#bound = bound;
    this.record = compiled.record;
    this.visibility = visibility;
    this.#compiled = compiled;
  }

  /** Returns the reader for a viewer: this reader if the viewer has no limits. */
  visibleTo(visibility: Visibility): Reader {
    if (visibility.isUnrestricted) return this;
    const { table, compiled } = this.#restrictedFor(visibility);
    return new Reader(table, this.#bound, compiled, visibility);
  }

  /**
   * Returns a reader of the rows that a viewer sees, with the stored values of all fields: a write starts from these.
   */
  storedRowsOf(visibility: Visibility): Reader {
    return visibility.isUnrestricted ? this : new Reader(this.table, this.#bound, this.#compiled, visibility);
  }

  #restrictedFor(visibility: Visibility): { table: Table; compiled: Compiled } {
    const visible = visibleSql(this.table.reads, visibility);
    if (!visible) return { table: this.table, compiled: this.#compiled };
    const cachedEntry = this.#restricted.get(visible.key);
    if (cachedEntry) return cachedEntry;
    const table = visibleTable(this.table, visible);
    const newEntry = { table, compiled: compile(table, true) };
    if (this.#restricted.size >= restrictedMax) this.#restricted.delete(this.#restricted.keys().next().value!);
    this.#restricted.set(visible.key, newEntry);
    return newEntry;
  }

  get #isLimited(): boolean {
    return this.visibility.limitsOn(this.table.declaration).length > 0;
  }

  /** Returns the condition for a row found by id: visibility, and the restriction of the read. */
  #scope(parameters: Parameters, restriction?: Condition): string | undefined {
    return allOf(this.visibility.condition(this.table.declaration, parameters), restriction?.(parameters));
  }

  async #scopeAmong(
    client: pg.PoolClient,
    parameters: Parameters,
    restriction: Condition | undefined,
  ): Promise<string | undefined> {
    return allOf(await this.visibility.conditionAmong(client, this.table.declaration), restriction?.(parameters));
  }

  async fetch(client: pg.PoolClient, id: number): Promise<RecordValue | undefined> {
    return (await this.fetchVersioned(client, id))?.record;
  }

  async fetchVersioned(
    client: pg.PoolClient,
    id: number,
    restriction?: Condition,
  ): Promise<{ record: RecordValue; version: number | undefined } | undefined> {
    const { name, text, values } = this.#fetchStatement(id, restriction);
    const [row] = await prepared(client, name, text, values);
    const { detailRecord } = this.#compiled;
    return (
      row && { record: detailRecord.assemble(row), version: (row[detailRecord.width] as number | null) ?? undefined }
    );
  }

  /**
   * Fetches a record as a row, which is written to the response undecoded. If the viewer sees all rows, one statement
   * serves the concurrent requests.
   */
  async fetchRow(onSession: OnSession, id: number, restriction?: Condition): Promise<VersionedRow | undefined> {
    const { name, text, values } = this.#fetchStatement(id, restriction);
    // With a list of ids PostgreSQL would open every slice of a log.
    if (name === this.#compiled.fetchName && !isLog(this.table.declaration)) {
      this.#compiled.batch ??= new FetchBatch(this.#batchStatement(), onSession);
      const fetchedRow = await this.#compiled.batch.fetch(id);
      return fetchedRow && this.#versionedRow(fetchedRow.rows, fetchedRow.row);
    }
    const rows = await onSession((client) => preparedBytes(client, name, text, values));
    return rows.length === 0 ? undefined : this.#versionedRow(rows, 0);
  }

  /** The id is selected after the version, also if the record does not show it. */
  #batchStatement() {
    const { detailRecord, versionSql } = this.#compiled;
    const text = `select ${detailRecord.selectList}, ${versionSql}, r.id\nfrom ${this.record.from}${this.record.joins}\nwhere r.id = any($1::bigint[])`;
    return { name: statementName(text), text, idColumn: detailRecord.width + 1 };
  }

  #versionedRow(rows: RowBytes, row: number): VersionedRow {
    const { detailRecord } = this.#compiled;
    const version = rows.text(row, detailRecord.width);
    return {
      rows: new RecordRows(detailRecord, rows, { first: row, length: 1, lead: 0 }),
      ...(version !== null && { version: Number(version) }),
    };
  }

  #fetchStatement(id: number, restriction: Condition | undefined): { name: string; text: string; values: unknown[] } {
    const { fetchSql, fetchName } = this.#compiled;
    const parameters = new Parameters([id]);
    const scope = this.#scope(parameters, restriction);
    const shown = this.#withVisibleElements(fetchSql);
    const text = scope ? `${shown} and ${scope}` : shown;
    return { name: text === fetchSql ? fetchName : statementName(text), text, values: parameters.values };
  }

  /** Limits what a record shows of elements, such as the members of a group, to the elements that the viewer sees. */
  #withVisibleElements(sql: string): string {
    const { elementFields } = this.#compiled;
    if (elementFields.length === 0) return sql;
    const elements = visibleElements(this.table.elements, this.visibility);
    if (elements === this.table.elements) return sql;
    return elementFields.reduce((text, field) => text.replace(field.sql!, () => field.sqlOver!(elements)), sql);
  }

  /** Returns those ids whose records are visible, whether they match a filter or not. */
  async visibleIds(client: pg.PoolClient, ids: readonly number[]): Promise<Set<number>> {
    const parameters = new Parameters([ids]);
    const scope = this.#scope(parameters);
    if (!scope) return new Set(ids);
    const { rows } = await client.query<{ id: number }>(
      `select r.id from ${this.record.from} where r.id = any($1::bigint[]) and ${scope}`,
      parameters.values,
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Returns the visible records with these ids that match the filter, in no particular order. */
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

  /** Returns one page as records. */
  async list(client: pg.PoolClient, query: ListQuery, nowMs: number): Promise<Page> {
    return this.#newestFirst(client, query, (narrowed) => this.#records(client, narrowed, nowMs));
  }

  /** Returns the same page as rows, which are written to the response undecoded. */
  async page(client: pg.PoolClient, query: ListQuery, nowMs: number): Promise<RowsPage> {
    return this.#newestFirst(client, query, (narrowed) => this.#rows(client, narrowed, nowMs));
  }

  /**
   * Reads a page of a log from its newest slices. If they do not fill the page, because rows were removed meanwhile,
   * reads all slices.
   */
  async #newestFirst<P extends { next?: string | undefined }>(
    client: pg.PoolClient,
    query: ListQuery,
    readPage: (query: ListQuery) => Promise<P>,
  ): Promise<P> {
    const floor = await this.#floor(client, query);
    const page = floor === undefined ? undefined : await readPage({ ...query, floor });
    return page?.next ? page : readPage(query);
  }

  /**
   * Returns the first id of the newest slices that have enough rows by the row counters, so that hundreds of older
   * slices need not be opened.
   */
  async #floor(client: pg.PoolClient, query: ListQuery): Promise<number | undefined> {
    const { declaration, name } = this.table;
    const isUnrestricted =
      query.filter.length === 0 &&
      query.from === undefined &&
      !query.restrict &&
      !query.extraFilter &&
      query.start === 0 &&
      query.count > 0;
    if (!isLog(declaration) || declaration.closedBy || !isUnrestricted) return undefined;
    const order = orderOf(this.table, query);
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
    const statement = await this.#listStatement(client, query, nowMs);
    const { text, values, name, order, lead } = statement;
    const rows = await this.#bounded(client, statement, () => this.#run(client, name, text, values));
    const [filtered, total] = rows[0] as [number, number];
    // The outer join returns one row of nulls if the page is empty; a record always has an id.
    const cells = lead === 0 || rows[0]![lead - 1] === null ? [] : rows;
    if (query.start > 0 && rows[0]![2] === true) cells.reverse();
    const length = Math.min(cells.length, query.count);
    const record = this.#recordFor(query);
    const records = cells.slice(0, length).map((row) => record.assemble(row.slice(lead)));
    const last = cells.length > length ? cells[length - 1] : undefined;
    const nextPosition = last && writeAfter(query, order, last[lead - 2] as string | null, last[lead - 1] as number);
    return { records, filtered, total, next: nextPosition };
  }

  async #rows(client: pg.PoolClient, query: ListQuery, nowMs: number): Promise<RowsPage> {
    const statement = await this.#listStatement(client, query, nowMs);
    const { text, values, name, order, lead } = statement;
    const rows = await this.#bounded(client, statement, () =>
      this.#explainTimeout(() =>
        name === '' ? readBytes(client, name, text, values) : preparedBytes(client, name, text, values),
      ),
    );
    const [filtered, total] = [rows.number(0, 0), rows.number(0, 1)];
    const fetchedCount = lead === 0 || rows.text(0, lead - 1) === null ? 0 : rows.length;
    if (query.start > 0 && rows.text(0, 2) === 't') rows.reverse();
    const length = Math.min(fetchedCount, query.count);
    const last = length - 1;
    const nextPosition =
      fetchedCount > length && length > 0
        ? writeAfter(query, order, rows.text(last, lead - 2), rows.number(last, lead - 1))
        : undefined;
    return {
      rows: new RecordRows(this.#recordFor(query), rows, { first: 0, length, lead }),
      filtered,
      total,
      next: nextPosition,
    };
  }

  #recordFor({ withDetail }: ListQuery): RecordReader {
    return withDetail ? this.#compiled.detailRecord : this.record;
  }

  /** Returns the statement of a page, with the name that it is prepared under; '' if it is not prepared. */
  async #listStatement(client: pg.PoolClient, query: ListQuery, nowMs: number) {
    const filter = parseFilters(query.filter);
    const parameters = new Parameters();
    const isLimited = this.#isLimited;
    const scope = isLimited ? await this.#scopeAmong(client, parameters, query.restrict) : query.restrict?.(parameters);
    const matches = allOf(this.#condition(filter, parameters, nowMs), query.extraFilter?.(parameters))!;
    const matching = {
      text: `select from ${this.record.from} where ${allOf(scope, matches)}`,
      values: [...parameters.values],
    };
    const isFiltered = filter !== undefined || query.extraFilter !== undefined;
    // A statement that contains the row limits of the caller is rarely used again, so it is not prepared.
    const isNamed =
      !isLimited &&
      !this.#compiled.isRestricted &&
      !query.extraFilter &&
      (filter === undefined || filter.kind === 'compare');
    const order = orderOf(this.table, query);
    const { text, lead } = listStatement({
      name: this.table.name,
      record: this.#recordFor(query),
      query,
      order,
      scope,
      matches,
      isFiltered,
      begin: query.from === undefined ? undefined : fromCondition(order, query.from, parameters, nowMs),
      parameters,
    });
    return {
      text,
      values: parameters.values,
      name: isNamed ? statementName(text) : '',
      order,
      lead,
      comparisons: parameters.comparisons,
      matching,
      isSorted: !order.byId,
      hasMore: isLimited || query.restrict !== undefined || query.extraFilter !== undefined,
    };
  }

  /** Runs a statement that counts all records that match. */
  #counted(
    client: pg.PoolClient,
    boundedRead: Omit<BoundedRead, 'isSorted' | 'readsAll' | 'hasMore'>,
  ): Promise<unknown[][]> {
    const { text, values } = boundedRead;
    const counting = { ...boundedRead, isSorted: false, readsAll: true, hasMore: true } as const;
    return this.#bounded(client, counting, () => this.#run(client, '', text, values));
  }

  #bounded<T>(client: pg.PoolClient, boundedRead: BoundedRead, work: () => Promise<T>): Promise<T> {
    return this.#bound ? this.#bound.run(client, this.table, boundedRead, work) : work();
  }

  async count(
    client: pg.PoolClient,
    filter: readonly string[],
    nowMs: number,
  ): Promise<{ filtered: number; total: number }> {
    const { filtered, total } = await this.list(client, { filter, start: 0, count: 0 }, nowMs);
    return { filtered, total };
  }

  /**
   * Counts the records that match by the value of a field, most frequent first; for a log also per time step. Uses one
   * statement.
   */
  async countBy(client: pg.PoolClient, query: CountQuery, nowMs: number): Promise<CountedBy[]> {
    const value = this.#countable(query.by);
    const filter = parseFilters(query.filter);
    const parameters = new Parameters();
    const scope = await this.#scopeAmong(client, parameters, query.restrict);
    const condition = allOf(scope, this.#condition(filter, parameters, nowMs), query.extraFilter?.(parameters))!;
    const matching = { text: `select from ${this.record.from} where ${condition}`, values: [...parameters.values] };
    const counted = query.distinct === undefined ? 'count(*)' : `count(distinct ${query.distinct})`;
    const step = query.per ? `date_trunc('${query.per}', ${this.#timeSql()}, 'UTC')` : 'null::timestamptz';
    const text = `select c.value, c.count, ${instantSql('c.step')} as "from" from (
      select ${value}::text as value, ${counted} as count, ${step} as step
      from ${this.record.from} where ${condition} group by 1, 3 order by 3, 2 desc, 1 limit ${countedMax + 1}) c
    order by c.step, c.count desc, c.value`;
    const { values, comparisons } = parameters;
    const rows = await this.#counted(client, { text, values, comparisons, matching });
    // Only the most frequent values are still a useful result, only the first time steps are not.
    if (query.per && rows.length > countedMax) throw invalid([{ pointer: '?per', message: tooManySteps }]);
    return rows
      .slice(0, countedMax)
      .map(([shown, count, stepStart]) => ({ value: shown, count, from: stepStart }) as CountedBy);
  }

  /**
   * Returns the most frequent values of fields among the records that match, most frequent first; records without a
   * value are not counted. Uses one statement.
   */
  async mostFrequent(
    client: pg.PoolClient,
    { fields, filter, count, restrict }: FrequentQuery,
    nowMs: number,
  ): Promise<Record<string, FrequentValue[]>> {
    const parameters = new Parameters();
    const scope = await this.#scopeAmong(client, parameters, restrict);
    const condition = allOf(scope, this.#condition(parseFilters(filter), parameters, nowMs))!;
    const matching = { text: `select from ${this.record.from} where ${condition}`, values: [...parameters.values] };
    const pairs = fields.map((field) => `('${field}', (${this.table.selectables.get(field)!.sql})::text)`);
    const text = `select c.field, c.value, c.count from (
      select v.field, v.value, count(*) as count,
        row_number() over (partition by v.field order by count(*) desc, v.value) as place
      from ${this.record.from} cross join lateral (values ${pairs.join(', ')}) v(field, value)
      where ${condition} and v.value is not null group by v.field, v.value) c
    where c.place <= ${parameters.add(count)} order by c.field, c.place`;
    const { values, comparisons } = parameters;
    const rows = await this.#counted(client, { text, values, comparisons, matching });
    const rowsByField = Map.groupBy(rows as [string, string, number][], ([field]) => field);
    return Object.fromEntries(
      fields.map((field) => [field, (rowsByField.get(field) ?? []).map(([, name, times]) => ({ name, count: times }))]),
    );
  }

  /** Runs one statement over all records that match, in place of a page of them. */
  async summarize<R extends object>(client: pg.PoolClient, query: SummaryQuery, nowMs: number): Promise<R[]> {
    const parameters = new Parameters();
    const scope = await this.#scopeAmong(client, parameters, undefined);
    const filter = this.#condition(parseFilters(query.filter), parameters, nowMs);
    const condition = allOf(scope, filter, query.extraFilter?.(parameters))!;
    const matching = { text: `select from ${this.record.from} where ${condition}`, values: [...parameters.values] };
    const records = this.record.from;
    const text = query.statement({ matches: `${records} where ${condition}`, records, parameters });
    const { values, comparisons } = parameters;
    const isExpensive = { isSorted: false, readsAll: true, hasMore: true } as const;
    return this.#bounded(client, { text, values, comparisons, matching, ...isExpensive }, () =>
      this.#explainTimeout(async () => (await client.query<R>(text, values)).rows),
    );
  }

  /** Returns the SQL of a field with few distinct values: a choice, a flag or a reference. */
  #countable(fieldPath: string): string {
    const { selectables, fields, declaration } = this.table;
    const hasFewValues = ({ path, shape }: Selectable) =>
      shape.kind === 'choice' ||
      shape.kind === 'flag' ||
      (shape.kind === 'integer' && shape.words !== undefined) ||
      (scalarType(shape) !== undefined && fields.get(path.split('.')[0]!)?.reference !== undefined);
    const selectable = selectables.get(fieldPath);
    if (selectable && hasFewValues(selectable)) return selectable.sql;
    const names = [...selectables.values()].filter(hasFewValues).map(({ path }) => path);
    const hint = names.length > 0 ? `use one of ${names.join(', ')}` : 'this resource has none';
    const message = `by: not a choice, flag or reference of ${declaration.title}; ${hint}.`;
    throw invalid([{ pointer: '?by', message }]);
  }

  #timeSql(): string {
    return this.table.selectables.get((this.table.declaration as Log).timeField)!.sql;
  }

  /** Returns the condition for visible rows that match. Throws 403 if the viewer has no permission for the resource. */
  matching(filter: readonly string[], parameters: Parameters, nowMs: number): string {
    const { declaration } = this.table;
    if (!this.visibility.mayView(declaration)) throw forbidden(declaration.permission, 'view');
    return allOf(this.#scope(parameters), this.#condition(parseFilters(filter), parameters, nowMs))!;
  }

  #condition(filter: Filter | undefined, parameters: Parameters, nowMs: number): string {
    return filter ? compileFilter(this.table, filter, parameters, nowMs, this.visibility) : 'true';
  }

  #run(client: pg.PoolClient, name: string, text: string, values: unknown[]): Promise<unknown[][]> {
    return this.#explainTimeout(async () =>
      name === ''
        ? (await client.query<unknown[]>({ text, values, rowMode: 'array' })).rows
        : prepared(client, name, text, values),
    );
  }

  /** Runs a read; if a read of a log times out, the error recommends a narrower time range. */
  async #explainTimeout<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw isLog(this.table.declaration) ? tooExpensive(this.table.declaration, error) : error;
    }
  }
}

/** The time steps that a log can be counted in. */
export const countSteps = ['minute', 'hour', 'day'] as const;

/** More values are cut off; more time steps are refused. */
const countedMax = 5_000;
const tooManySteps = `per: more than ${countedMax} lines; use longer steps or a shorter time.`;

export interface CountQuery {
  by: string;
  filter: readonly string[];
  per?: (typeof countSteps)[number] | undefined;
  restrict?: Condition | undefined;
  extraFilter?: Condition;
  /** A column of `r` whose distinct values are counted instead of rows. */
  distinct?: string;
}

/** A statement over all records that match. */
export interface SummaryQuery {
  filter: readonly string[];
  extraFilter?: Condition;
  /**
   * Returns the statement. `matches` goes after `from`: the matching rows as `r`, with their `where` clause. `records`: all rows as `r`, for
   * further columns of rows that were found among the matches.
   */
  statement(sql: { matches: string; records: string; parameters: Parameters }): string;
}

/** The fields, and the number of values of each. */
export interface FrequentQuery {
  fields: readonly string[];
  filter: readonly string[];
  count: number;
  restrict?: Condition | undefined;
}

export interface FrequentValue {
  name: string;
  count: number;
}

/** The number of records with a value, in one time step. */
export interface CountedBy {
  value: string | null;
  count: number;
  from: string | null;
}

/**
 * Returns the first id of the newest slices that together have `$2` rows, counted back from the newest or from before
 * the slice of `after`.
 */
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

/** The condition for rows that did not end before the time in the id `$1`. */
function endsAfterSql({ closedBy, openRows }: Log): string {
  const end = `r.${quoted(snakeCase(closedBy!))}`;
  return openRows ? `(${end} >= log_time($1) or ${end} is null)` : `${end} >= log_time($1)`;
}

/** Replaces a timeout of a log read: its time range is too long. */
const tooExpensive = ({ timeField, closedBy }: Log, cause: unknown): unknown =>
  (cause as { code?: string }).code === '57014'
    ? new Failure(
        'too-expensive',
        `This read exceeds the time limit; narrow the time range, such as ${closedBy ?? timeField}=ge=-24h.`,
        { cause },
      )
    : cause;

const allOf = (...conditions: (string | undefined)[]): string | undefined =>
  conditions.filter((condition) => condition !== undefined).join(' and ') || undefined;
