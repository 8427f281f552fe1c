import type pg from 'pg';
import { currentCredential } from '../database/shares.ts';
import { isLog } from '../declare/declaration.ts';
import { Failure, throttled, unavailable } from '../failure.ts';
import type { Table } from '../model/model.ts';

/** A comparison with a lowered text takes about 4 µs, so this is most of the time limit of a statement. */
const comparisonsMax = 2_000_000;
/** About a fifth of a second. Each credential runs one such read at a time. */
const heavyFrom = 50_000;
const heavyMax = 2;
const waitMsMax = 5_000;
const countedMs = 10_000;

const countsSql = `select c.table_name as name, sum(c.rows)::bigint as rows from (
  select table_name, rows from row_count union all select table_name, delta from row_count_delta) c group by 1`;

interface Statement {
  text: string;
  values: unknown[];
}

/** A read, with the figures that its cost is estimated from. */
export interface BoundedRead extends Statement {
  /** The number of values that a row of each table is compared with. */
  comparisons: ReadonlyMap<string, number>;
  /** Selects the rows that match the filter; it is planned and never run. */
  matching: Statement;
  /** True if the list is sorted by anything but the id. */
  isSorted: boolean;
  /** Reads every row that matches, not a page of them. */
  readsAll?: true;
  /** True if the read has conditions that the filter does not show, or reads more than a page. */
  hasMore: boolean;
}

/** Limits the cost of filters on a node: refuses reads that cost too much, and runs few expensive ones at a time. */
export class ReadBound {
  readonly #pool: pg.Pool;
  #rows: ReadonlyMap<string, number> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #counting: Promise<void> | undefined;
  readonly #heavy: (string | undefined)[] = [];
  readonly #waiting: { credential: string | undefined; admit(): void }[] = [];

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async start(): Promise<void> {
    await this.#count();
    this.#timer = setInterval(() => {
      // If counting fails, the previous counts remain.
      this.#counting ??= this.#count()
        .catch(() => undefined)
        .finally(() => {
          this.#counting = undefined;
        });
    }, countedMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#counting;
  }

  async #count(): Promise<void> {
    const { rows } = await this.#pool.query<{ name: string; rows: number }>(countsSql);
    this.#rows = new Map(rows.map((row) => [row.name, row.rows]));
  }

  /** Runs a read, or throws if its estimated cost is too high. */
  async run<T>(client: pg.PoolClient, table: Table, boundedRead: BoundedRead, work: () => Promise<T>): Promise<T> {
    const comparisons = sum(boundedRead.comparisons.values());
    // The cost without any index: a small table needs no estimate.
    const worstCase = sum(
      boundedRead.comparisons.entries().map(([name, values]) => values * (this.#rows.get(name) ?? 0)),
    );
    const isPaged = !boundedRead.isSorted && !boundedRead.readsAll;
    const isSmall = worstCase <= heavyFrom && (isPaged || (this.#rows.get(table.name) ?? 0) <= heavyFrom);
    if (isSmall) return boundedRead.hasMore ? work() : notTooExpensive(work);
    const look = async () => comparisons * (await rowsLookedAt(client, boundedRead.matching, comparisons));
    // Planning has a cost too: a read that will probably be refused is planned in the queue of the expensive ones.
    const planned = worstCase > comparisonsMax ? await this.#oneByOne(look) : comparisons > 0 ? await look() : 0;
    const price = Math.min(worstCase, planned);
    if (price > comparisonsMax) throw tooExpensive(table, comparisons, Math.ceil(price / comparisons));
    const isHeavy =
      price > heavyFrom ||
      (boundedRead.isSorted && (await rowsSorted(client, boundedRead)) > heavyFrom) ||
      (boundedRead.readsAll && (await rowsMatched(client, boundedRead.matching)) > heavyFrom);
    return isHeavy ? this.#oneByOne(work) : work();
  }

  async #oneByOne<T>(work: () => Promise<T>): Promise<T> {
    const credential = currentCredential();
    if (this.#mayRun(credential)) this.#heavy.push(credential);
    else await this.#wait(credential);
    try {
      return await work();
    } finally {
      this.#heavy.splice(this.#heavy.indexOf(credential), 1);
      const nextIndex = this.#waiting.findIndex((waiting) => this.#mayRun(waiting.credential));
      if (nextIndex >= 0) this.#waiting.splice(nextIndex, 1)[0]!.admit();
    }
  }

  #mayRun(credential: string | undefined): boolean {
    return this.#heavy.length < heavyMax && (credential === undefined || !this.#heavy.includes(credential));
  }

  #wait(credential: string | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = {
      credential,
      admit: () => {
        clearTimeout(timer);
        this.#heavy.push(credential);
        resolve();
      },
    };
    const timer = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      reject(throttled('Other reads without an index are running; send such reads one after the other.', 1));
    }, waitMsMax);
    this.#waiting.push(waiting);
    return promise;
  }
}

/**
 * Runs a read that is known to be small. If it times out, the database was overloaded or the rows were locked: the
 * caller receives 503.
 */
async function notTooExpensive<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: string }).code !== '57014') throw error;
    throw unavailable('The database was too busy to answer this small read in time; try again shortly.', error);
  }
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, value) => total + value, 0);

interface Plan {
  'Node Type': string;
  'Total Cost': number;
  'Plan Rows': number;
  'Parallel Aware'?: boolean;
  Filter?: string;
  Plans?: Plan[];
}

/** The planner's cost of a row and of a comparison, with the default settings of PostgreSQL. */
const rowCost = 0.01;
const comparisonCost = 0.00125;
/** The planner reports the cost of one worker for a parallel scan. */
const workersMax = 3;

/** Estimates for how many rows the filter is evaluated, from the plan with the indexes and slices that it would use. */
const rowsLookedAt = (client: pg.PoolClient, matching: Statement, comparisons: number): Promise<number> =>
  sumOfPlan(client, matching, ({ Filter, 'Total Cost': cost, 'Parallel Aware': isParallel }) =>
    Filter === undefined ? 0 : (cost * (isParallel ? workersMax : 1)) / (rowCost + comparisonCost * comparisons),
  );

/** Estimates how many rows are sorted because no index has that order. */
const rowsSorted = (client: pg.PoolClient, list: Statement): Promise<number> =>
  sumOfPlan(client, list, ({ 'Node Type': type, 'Plan Rows': rows }) => (type === 'Sort' ? rows : 0));

/** Estimates how many rows match. */
const rowsMatched = async (client: pg.PoolClient, matching: Statement): Promise<number> =>
  (await planOf(client, matching))['Plan Rows'];

async function sumOfPlan(
  client: pg.PoolClient,
  statement: Statement,
  priceOf: (plan: Plan) => number,
): Promise<number> {
  const ofPlan = (plan: Plan): number => priceOf(plan) + sum((plan.Plans ?? []).map(ofPlan));
  return Math.ceil(ofPlan(await planOf(client, statement)));
}

async function planOf(client: pg.PoolClient, { text, values }: Statement): Promise<Plan> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (format json) ${text}`, values);
  return rows[0]!['QUERY PLAN'][0].Plan;
}

function tooExpensive({ declaration, selectables }: Table, comparisons: number, rows: number): Failure {
  const exampleField = ['name', 'mac', 'hostName', 'userID'].find((name) => selectables.has(name)) ?? 'id';
  const advice = isLog(declaration)
    ? `add a time range, such as ${declaration.closedBy ?? declaration.timeField}=ge=-24h`
    : `add a comparison of an indexed field with ==, such as ${exampleField}==…`;
  return new Failure(
    'too-expensive',
    `No index serves this filter: it has ${comparisons} comparisons for about ${rows} rows, and ${comparisonsMax} in all are allowed; ${advice}, or send fewer comparisons.`,
  );
}
