import type pg from 'pg';
import { prepared } from '../database/connect.ts';
import { Parameters } from '../database/parameters.ts';
import type { Log } from '../declare/declaration.ts';
import { invalid } from '../failure.ts';
import type { FeedEntry, FeedPage } from '../feed/feed.ts';
import { compileFilter } from '../filter/compile.ts';
import { type Filter, parseFilters } from '../filter/parse.ts';
import type { Reader } from '../read/reader.ts';
import { statementName } from '../read/select.ts';
import { isSnapshot } from '../values/snapshot.ts';
import { logIdAt } from '../values/time.ts';

/** A snapshot of the database, and the time when it was taken. */
export interface Moment {
  snapshot: string;
  ms: number;
}

/**
 * The position of a client of a log: rows that are visible in `upto` but not in `since`, after the id. Rows contain the
 * number of their transaction, so a log needs no feed. A row that is committed late belongs to a later window, and a
 * long transaction elsewhere delays no client.
 */
interface Position {
  since: Moment;
  upto: Moment | null;
  id: number;
}

const pollMax = 1_000;
/** Maximum number of waiting rows that are counted for a client that is far behind. */
const waitingMax = 100_000;
/** A row gets its id at most this long before its transaction gets a number: both happen in one statement. */
const idLeadMs = 10_000;
/** Running transactions have numbers of at most this many above the newest one that has ended. */
const runningMax = 1_000n;
/**
 * Transactions take less than this, so the rows of one that was open at a snapshot have ids that are at most this much
 * older.
 */
const transactionMsMax = 86_400_000;

const writePosition = ({ since, upto, id }: Position): string =>
  Buffer.from([since.snapshot, since.ms, upto?.snapshot ?? '', upto?.ms ?? 0, id].join('|')).toString('base64url');

function readPosition(text: string): Position {
  const parts = Buffer.from(text, 'base64url').toString('latin1').split('|');
  const [since, sinceMs, upto, uptoMs, id] = parts as [string, string, string, string, string];
  const areNumbers = [sinceMs, uptoMs, id].every((number) => /^\d{1,16}$/.test(number ?? ''));
  if (parts.length !== 5 || !isSnapshot(since) || (upto !== '' && !isSnapshot(upto)) || !areNumbers) {
    const message = 'position: not a valid monitor position; use the position of an entry unchanged.';
    throw invalid([{ pointer: '?position', message }]);
  }
  return {
    since: { snapshot: since, ms: Number(sinceMs) },
    upto: upto === '' ? null : { snapshot: upto, ms: Number(uptoMs) },
    id: Number(id),
  };
}

/** Checks that a position is well-formed. */
export const checkLogPosition = (text: string): void => void readPosition(text);

/** Returns the position after which every later commit is reported. */
export const currentLogPosition = async (client: pg.PoolClient): Promise<string> =>
  writePosition({ since: await currentMoment(client), upto: null, id: 0 });

export async function currentMoment(client: pg.PoolClient): Promise<Moment> {
  const { rows } = await client.query<Moment>(
    `select pg_current_snapshot()::text as snapshot, floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms`,
  );
  return rows[0]!;
}

/**
 * Returns the rows after a position, at most a thousand, the number of waiting rows, and the position after all of
 * them.
 */
export async function readLogFeed(
  client: pg.PoolClient,
  reader: Reader,
  position: string,
  filters: readonly string[],
  nowMs: number,
): Promise<FeedPage> {
  const filter = parseFilters(filters);
  const entries: FeedEntry[] = [];
  const now = await currentMoment(client);
  let waiting = 0;
  for (const window of windowsOf(readPosition(position), now)) {
    const query = new WindowQuery(reader, window, filter, nowMs);
    const rows = entries.length < pollMax ? await query.rows(client, pollMax - entries.length + 1) : [];
    const pageRows = rows.slice(0, pollMax - entries.length);
    entries.push(...pageRows.map(([id, ...row]) => added(reader, window, id as number, row)));
    waiting += pageRows.length === rows.length && entries.length < pollMax ? rows.length : await query.count(client);
  }
  return { entries, upto: writePosition({ since: now, upto: null, id: 0 }), waiting: Math.min(waiting, waitingMax) };
}

const added = (reader: Reader, window: Window, id: number, row: unknown[]): FeedEntry => ({
  position: writePosition({ ...window, id }),
  change: 'added',
  record: reader.record.assemble(row),
});

/** Returns how many rows of a log that the viewer sees were added between two moments, up to a maximum. */
export const countedBetween = (
  client: pg.PoolClient,
  reader: Reader,
  since: Moment,
  upto: Moment,
  nowMs: number,
): Promise<number> => new WindowQuery(reader, { since, upto, id: 0 }, undefined, nowMs).count(client);

type Window = Position & { upto: Moment };

/** Returns the rest of the window that the client is reading, and the window from there to now. */
const windowsOf = ({ since, upto, id }: Position, now: Moment): Window[] =>
  upto === null
    ? [{ since, upto: now, id }]
    : [
        { since, upto, id },
        { since: upto, upto: now, id: 0 },
      ];

/**
 * One window as SQL, in two parts: rows with ids from before it began, which are few and found by their transaction,
 * and later rows, found by their id.
 */
class WindowQuery {
  readonly #reader: Reader;
  readonly #isPrepared: boolean;
  readonly #values: unknown[];
  readonly #parts: string[];

  constructor(reader: Reader, { since, upto, id }: Window, filter: Filter | undefined, nowMs: number) {
    this.#reader = reader;
    this.#isPrepared = filter === undefined;
    const parameters = new Parameters([since.snapshot, upto.snapshot, id]);
    const visibleCondition = reader.visibility.condition(reader.table.declaration, parameters);
    const filterCondition = filter && compileFilter(reader.table, filter, parameters, nowMs, reader.visibility);
    const matches = [visibleCondition, filterCondition].filter((part) => part !== undefined).join(' and ') || 'true';
    const reported = `not pg_visible_in_snapshot(r.txid, $1::pg_snapshot) and pg_visible_in_snapshot(r.txid, $2::pg_snapshot)
      and r.id > $3::bigint and ${matches}`;
    const inTransactionsBefore = (until: string) =>
      `r.txid >= pg_snapshot_xmin($1::pg_snapshot) and r.txid < ${until} and ${reported}`;
    if ((reader.table.declaration as Log).closedBy) {
      this.#parts = [inTransactionsBefore('pg_snapshot_xmax($2::pg_snapshot)')];
    } else {
      const oldest = parameters.add(logIdAt(since.ms - transactionMsMax), '::bigint');
      const first = parameters.add(logIdAt(since.ms - idLeadMs), '::bigint');
      const endXid = parameters.add(String(BigInt(since.snapshot.split(':')[1]!) + runningMax), '::xid8');
      this.#parts = [
        `r.id >= ${oldest} and r.id < ${first} and ${inTransactionsBefore(endXid)}`,
        `r.id >= ${first} and ${reported}`,
      ];
    }
    this.#values = parameters.values;
  }

  async rows(client: pg.PoolClient, limit: number): Promise<unknown[][]> {
    const { selectList, from: fromClause } = this.#reader.record;
    const limited = `$${this.#values.length + 1}::bigint`;
    const parts = this.#parts.map(
      (condition) =>
        `(select r.id, ${selectList}\nfrom ${fromClause}\nwhere ${condition}\norder by r.id\nlimit ${limited})`,
    );
    const rows = await this.#run(client, parts.join('\nunion all\n'), [...this.#values, limit]);
    return rows.slice(0, limit);
  }

  async count(client: pg.PoolClient): Promise<number> {
    const parts = this.#parts.map((condition) => `(select from ${this.#reader.record.from} where ${condition})`);
    const [row] = await this.#run(
      client,
      `select count(*) from (select from (${parts.join(' union all ')}) w limit $${this.#values.length + 1}) w`,
      [...this.#values, waitingMax],
    );
    return row![0] as number;
  }

  async #run(client: pg.PoolClient, text: string, values: unknown[]): Promise<unknown[][]> {
    if (this.#isPrepared) return prepared(client, statementName(text), text, values);
    return (await client.query<unknown[]>({ text, values, rowMode: 'array' })).rows;
  }
}
