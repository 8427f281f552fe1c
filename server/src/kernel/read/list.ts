import { createHash } from 'node:crypto';
import type pg from 'pg';
import { prepared } from '../database/connect.ts';
import { invalid } from '../failure.ts';
import { compileFilter, isNetworkOrAddress, Parameters } from '../filter/compile.ts';
import { type Filter, parseFilters } from '../filter/parse.ts';
import type { Selectable, Table } from '../model.ts';
import { isLog } from '../model.ts';
import { literal } from '../names.ts';
import { scalarType } from '../scalar-type.ts';
import { type Condition, type Sight, wholeSight } from '../scope.ts';
import { instantOf } from '../time.ts';
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
}

export interface Page {
  records: RecordValue[];
  filtered: number;
  total: number;
  /** Where the walk goes on, when rows remain. */
  next?: string | undefined;
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
  fetchSql: string;
  fetchName: string;
}

function compile(table: Table): Compiled {
  const record = recordReader(table);
  // The version comes along for the ETag, also of records that do not show it.
  const version = isLog(table.declaration) ? 'null' : 'r.version';
  const fetchSql = `select ${record.selectList}, ${version}\nfrom ${record.from}\nwhere r.id = $1`;
  return { record, fetchSql, fetchName: statementName(fetchSql) };
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
    const parameters = new Parameters([id]);
    const scope = this.#scope(parameters, further);
    const { fetchSql, fetchName } = this.#compiled;
    const text = scope ? `${fetchSql} and ${scope}` : fetchSql;
    const name = scope ? statementName(text) : fetchName;
    const [row] = await prepared(client, name, text, parameters.values);
    return (
      row && { record: this.record.assemble(row), version: (row[this.record.width] as number | null) ?? undefined }
    );
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
    const scope = this.#scope(parameters) ?? 'true';
    const condition = this.#condition(parseFilters(filter), parameters, nowMs);
    const text = `select ${this.record.selectList}\nfrom ${this.record.from}\nwhere r.id = any($1::bigint[]) and ${scope} and ${condition}`;
    const { rows } = await client.query<unknown[]>({ text, values: parameters.values, rowMode: 'array' });
    return rows.map((row) => this.record.assemble(row));
  }

  async list(client: pg.PoolClient, query: ListQuery, nowMs: number): Promise<Page> {
    const filter = parseFilters(query.filter);
    const parameters = new Parameters();
    const isLimited = this.sight.limitsOn(this.table.declaration).length > 0;
    const scope = isLimited ? await this.#scopeAmong(client, parameters, query.scope) : query.scope?.(parameters);
    const matches = this.#condition(filter, parameters, nowMs);
    const condition = scope ? `${scope} and ${matches}` : matches;
    const counts = this.#countsSql(filter, condition, scope);
    // What a sight is made of stands in the statement, so that one is for this moment only.
    const named = !isLimited && (filter === undefined || filter.kind === 'compare');
    const order = this.#order(query);
    if (query.count === 0) {
      // Nothing is sorted or walked here, but what cannot be sorted or walked by is still a fault.
      if (query.after !== undefined) readAfter(query, order);
      const [row] = await this.#run(client, named, counts, parameters.values);
      return { records: [], filtered: row![0] as number, total: row![1] as number };
    }
    const page =
      query.start > 0
        ? this.#offsetSql(order, condition, query, parameters)
        : this.#keysetSql(order, condition, query, parameters);
    // The offset keeps the planner from writing the count into every place that uses it, and counting that often.
    const text = `select n.filtered, n.total, p.*\nfrom (${counts} offset 0) n\nleft join lateral (${page}) p on true`;
    return this.#page(await this.#run(client, named, text, parameters.values), order, query);
  }

  async count(
    client: pg.PoolClient,
    filter: readonly string[],
    nowMs: number,
  ): Promise<{ filtered: number; total: number }> {
    const { filtered, total } = await this.list(client, { filter, start: 0, count: 0 }, nowMs);
    return { filtered, total };
  }

  #condition(filter: Filter | undefined, parameters: Parameters, nowMs: number): string {
    return filter ? compileFilter(this.table, filter, parameters, nowMs, this.sight) : 'true';
  }

  /** With a scope the total is counted: it must tell nothing of rows the caller may not see. */
  #countsSql(filter: Filter | undefined, condition: string, scope: string | undefined): string {
    const total = scope
      ? `(select count(*) from ${this.record.from} where ${scope})`
      : `row_total(${literal(this.table.name)})`;
    // Without the offset the planner would count once for each of the two.
    if (!filter)
      return `select t.total as filtered, t.total from (select ${total} as total${scope ? ' offset 0' : ''}) t`;
    return `select (select count(*) from ${this.record.from} where ${condition}) as filtered, ${total} as total`;
  }

  #run(client: pg.PoolClient, named: boolean, text: string, values: unknown[]): Promise<unknown[][]> {
    if (named) return prepared(client, statementName(text), text, values);
    return client.query<unknown[]>({ text, values, rowMode: 'array' }).then((result) => result.rows);
  }

  /** `rank` where there is one, newest first for logs, else identity; ties always broken by id. */
  #order(query: ListQuery): Order {
    const { declaration } = this.table;
    const key = query.sortKey ?? (this.table.fields.has('rank') ? 'rank' : declaration.identity);
    const newestFirst = isLog(declaration) && query.sortKey === undefined;
    const descending = query.sortDir === undefined ? newestFirst : query.sortDir === 'desc';
    const byTime = isLog(declaration) && key === declaration.timeField;
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

  #rowsSql(order: Order, condition: string): string {
    return `select ${order.sql}::text as sort_key, r.id as sort_id, ${this.record.selectList}\nfrom ${this.record.from}\nwhere ${condition}`;
  }

  /** A walk: what follows the last row of the page before, found by key and not by counting. */
  #keysetSql(order: Order, condition: string, query: ListQuery, parameters: Parameters): string {
    const behind = query.after === undefined ? 'true' : keysetCondition(order, readAfter(query, order), parameters);
    const limit = parameters.add(query.count + 1, '::bigint');
    return `${this.#rowsSql(order, `(${condition}) and ${behind}`)}\n${orderBy(order, order.descending)}\nlimit ${limit}`;
  }

  /** An offset, counted from the nearer end: the last page costs what the first one does. */
  #offsetSql(order: Order, condition: string, query: ListQuery, parameters: Parameters): string {
    const start = parameters.add(query.start, '::bigint');
    const limit = parameters.add(query.count + 1, '::bigint');
    const rows = this.#rowsSql(order, condition);
    const nearer = `${start} * 2 <= n.filtered`;
    return `select false as backwards, f.* from (${rows}
${orderBy(order, order.descending)}
limit case when ${nearer} then ${limit} else 0 end offset ${start}) f
union all
select true, b.* from (${rows}
${orderBy(order, !order.descending)}
limit case when ${nearer} then 0 else greatest(least(${limit}, n.filtered - ${start}), 0) end
offset greatest(n.filtered - ${start} - ${limit}, 0)) b`;
  }

  #page(rows: unknown[][], order: Order, query: ListQuery): Page {
    const first = rows[0]!;
    const page = { filtered: first[0] as number, total: first[1] as number };
    const lead = query.start > 0 ? 3 : 2;
    // The outer join gives one row of nulls when the page is empty; a row always has an id.
    let cells = rows.map((row) => row.slice(lead)).filter((row) => row[1] !== null && row[1] !== undefined);
    if (query.start > 0 && first[2] === true) cells = cells.reverse();
    const hasMore = cells.length > query.count;
    if (hasMore) cells.length = query.count;
    const last = cells.at(-1);
    const next = hasMore && last ? writeAfter(query, order, last[0] as string | null, last[1] as number) : undefined;
    return { ...page, records: cells.map((row) => this.record.assemble(row.slice(2))), next };
  }
}

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
