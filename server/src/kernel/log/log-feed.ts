import type pg from 'pg';
import { prepared } from '../database/connect.ts';
import { Parameters } from '../database/parameters.ts';
import type { Log } from '../declare/declaration.ts';
import { invalid } from '../failure.ts';
import { type FeedEntry, type FeedPage, isSnapshot } from '../feed/feed.ts';
import { compileFilter } from '../filter/compile.ts';
import { type Filter, parseFilters } from '../filter/parse.ts';
import type { Reader } from '../read/reader.ts';
import { statementName } from '../read/select.ts';
import { logIdAt } from '../values/time.ts';

/** A snapshot of the database, and when the database took it. */
export interface Moment {
  snapshot: string;
  ms: number;
}

/**
 * How far a client of a log has got: what is visible in `upto` and was not in `since`, behind the id. Rows carry their transaction
 * themselves, so a log needs no feed; one that commits late belongs to a later window, and a long transaction elsewhere keeps nobody waiting.
 */
interface Position {
  since: Moment;
  upto: Moment | null;
  id: number;
}

const pollMax = 1_000;
/** More than these are not counted for a client that is far behind. */
const waitingMax = 100_000;
/** A row is given its id at most this long before its transaction has a number: both happen in one statement. */
const idLeadMs = 10_000;
/** Transactions that run have numbers below this many above the newest one that has ended. */
const runningMax = 1_000n;
/** Transactions last less than this, so rows of one that was open at a snapshot have ids from after it. */
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

/** The position after which every later commit is reported. */
export const currentLogPosition = async (client: pg.PoolClient): Promise<string> =>
  writePosition({ since: await present(client), upto: null, id: 0 });

export async function present(client: pg.PoolClient): Promise<Moment> {
  const { rows } = await client.query<Moment>(
    `select pg_current_snapshot()::text as snapshot, floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms`,
  );
  return rows[0]!;
}

/** The rows that follow a position, at most a thousand, and how many wait; and the position behind all of them. */
export async function readLogFeed(
  client: pg.PoolClient,
  reader: Reader,
  from: string,
  filters: readonly string[],
  nowMs: number,
): Promise<FeedPage> {
  const filter = parseFilters(filters);
  const entries: FeedEntry[] = [];
  const now = await present(client);
  let waiting = 0;
  for (const window of windowsOf(readPosition(from), now)) {
    const query = new WindowQuery(reader, window, filter, nowMs);
    const rows = entries.length < pollMax ? await query.rows(client, pollMax - entries.length + 1) : [];
    const taken = rows.slice(0, pollMax - entries.length);
    entries.push(...taken.map(([id, ...row]) => added(reader, window, id as number, row)));
    waiting += taken.length === rows.length && entries.length < pollMax ? rows.length : await query.count(client);
  }
  return { entries, upto: writePosition({ since: now, upto: null, id: 0 }), waiting: Math.min(waiting, waitingMax) };
}

const added = (reader: Reader, window: Window, id: number, row: unknown[]): FeedEntry => ({
  position: writePosition({ ...window, id }),
  change: 'added',
  record: reader.record.assemble(row),
});

/** How many rows of a log came between two moments, as far as the reader's viewer sees them; no more than are counted. */
export const countedBetween = (
  client: pg.PoolClient,
  reader: Reader,
  since: Moment,
  upto: Moment,
  nowMs: number,
): Promise<number> => new WindowQuery(reader, { since, upto, id: 0 }, undefined, nowMs).count(client);

type Window = Position & { upto: Moment };

/** What is left of the window a client stands in, and what has happened since that. */
const windowsOf = ({ since, upto, id }: Position, now: Moment): Window[] =>
  upto === null
    ? [{ since, upto: now, id }]
    : [
        { since, upto, id },
        { since: upto, upto: now, id: 0 },
      ];

/** One window as SQL, in two parts: rows from before it began, which are few and found by their transaction; and those from then on, by their id. */
class WindowQuery {
  readonly #reader: Reader;
  readonly #named: boolean;
  readonly #values: unknown[];
  readonly #parts: string[];

  constructor(reader: Reader, { since, upto, id }: Window, filter: Filter | undefined, nowMs: number) {
    this.#reader = reader;
    this.#named = filter === undefined;
    const parameters = new Parameters([since.snapshot, upto.snapshot, id]);
    const seen = reader.visibility.condition(reader.table.declaration, parameters);
    const asked = filter && compileFilter(reader.table, filter, parameters, nowMs, reader.visibility);
    const matches = [seen, asked].filter((each) => each !== undefined).join(' and ') || 'true';
    const reported = `not pg_visible_in_snapshot(r.txid, $1::pg_snapshot) and pg_visible_in_snapshot(r.txid, $2::pg_snapshot)
      and r.id > $3::bigint and ${matches}`;
    const written = (until: string) =>
      `r.txid >= pg_snapshot_xmin($1::pg_snapshot) and r.txid < ${until} and ${reported}`;
    if ((reader.table.declaration as Log).closedBy) {
      this.#parts = [written('pg_snapshot_xmax($2::pg_snapshot)')];
    } else {
      const oldest = parameters.add(logIdAt(since.ms - transactionMsMax), '::bigint');
      const first = parameters.add(logIdAt(since.ms - idLeadMs), '::bigint');
      const begun = parameters.add(String(BigInt(since.snapshot.split(':')[1]!) + runningMax), '::xid8');
      this.#parts = [`r.id >= ${oldest} and r.id < ${first} and ${written(begun)}`, `r.id >= ${first} and ${reported}`];
    }
    this.#values = parameters.values;
  }

  async rows(client: pg.PoolClient, limit: number): Promise<unknown[][]> {
    const { selectList, from } = this.#reader.record;
    const limited = `$${this.#values.length + 1}::bigint`;
    const parts = this.#parts.map(
      (condition) => `(select r.id, ${selectList}\nfrom ${from}\nwhere ${condition}\norder by r.id\nlimit ${limited})`,
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
    if (this.#named) return prepared(client, statementName(text), text, values);
    return (await client.query<unknown[]>({ text, values, rowMode: 'array' })).rows;
  }
}
