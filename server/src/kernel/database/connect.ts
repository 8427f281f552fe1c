import pg from 'pg';
import { type RowBytes, readBytes } from './row-bytes.ts';
import { Session, sessionConfig } from './session.ts';
import { Shares } from './shares.ts';

export interface DatabaseOptions {
  url: string;
  connectionsMax?: number;
}

/** Timeout of a statement in a read; a statement of a write has six times as long. */
const readTimeoutMs = 5_000;

/** Integers fit JSON by declaration, so they are numbers; instants stay text, written by the database. */
const typeParsers: Readonly<Record<number, (text: string) => unknown>> = {
  20: Number, // int8
  1016: (text) => JSON.parse(`[${text.slice(1, -1)}]`), // int8[], of ids: none is null
  1700: Number, // numeric
  1114: (text) => text,
  1184: (text) => text,
};

const connectionsMaxDefault = 20;

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (error?: boolean | Error) => void,
) => void;

/** A pool that limits each caller to a share of its sessions. */
export class SharedPool extends pg.Pool {
  readonly #shares: Shares;

  constructor(config: pg.PoolConfig) {
    super(config);
    this.#shares = new Shares(config.max ?? connectionsMaxDefault);
  }

  /** The number of requests that wait for a session or for their share. */
  get wanted(): number {
    return this.waitingCount + this.#shares.waiting;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const connected = this.#connect();
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  async #connect(): Promise<pg.PoolClient> {
    const giveBack = await this.#shares.take();
    try {
      const client = await super.connect();
      const release = client.release;
      client.release = (error) => {
        release.call(client, error);
        giveBack(!error);
      };
      return client;
    } catch (error) {
      giveBack(false);
      throw error;
    }
  }
}

/**
 * Creates the pool of one node. Its sessions use UTC and stop a statement that runs too long.
 * Without JIT: compiling the many small expressions of a list takes seconds, running them milliseconds.
 * Parallel workers only for long statements: starting them takes longer than most others run.
 */
export function connect(options: DatabaseOptions): SharedPool {
  const pool = new SharedPool({
    ...sessionConfig(options.url),
    Client: Session,
    max: options.connectionsMax ?? connectionsMaxDefault,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'portreeve',
    options: `-c timezone=UTC -c jit=off -c parallel_setup_cost=10000 -c statement_timeout=${readTimeoutMs} -c idle_in_transaction_session_timeout=60000 -c lock_timeout=10000`,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        typeParsers[oid] ?? pg.types.getTypeParser(oid, format as 'text'),
    } as pg.CustomTypesConfig,
  });
  // An idle session that the server ends (57P01) must not end the process; the next query gets a new one or fails by
  // itself.
  pool.on('error', () => undefined);
  // An error of a session in use fails its query, but the session also emits it, possibly without a listener.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Anything that runs SQL: the pool, or the session of an open transaction. */
export type Sql = Pick<pg.Pool, 'query'> | pg.PoolClient;

/** The field in which `pg` stores the statements that a session has parsed; not in its types. */
interface Preparing {
  connection?: { parsedStatements: Record<string, unknown> };
}

const preparedMax = 200;
const preparedNames = new WeakMap<object, Map<string, true>>();

/**
 * Runs a named statement, so that a session parses and plans it once. A session keeps the 200 most recently used: thousands of prepared
 * shapes cost a backend hundreds of megabytes.
 */
export const prepared = (client: pg.PoolClient, name: string, text: string, values: unknown[]): Promise<unknown[][]> =>
  runPrepared(client, name, async () => {
    const { rows } = await client.query<unknown[]>({ name, text, values, rowMode: 'array' });
    return rows;
  });

/** The same, with the rows as bytes. */
export const preparedBytes = (
  client: pg.PoolClient,
  name: string,
  text: string,
  values: unknown[],
): Promise<RowBytes> => runPrepared(client, name, () => readBytes(client, name, text, values));

async function runPrepared<T>(client: pg.PoolClient, name: string, run: () => Promise<T>): Promise<T> {
  const names = preparedNames.get(client) ?? new Map<string, true>();
  preparedNames.set(client, names);
  names.delete(name);
  names.set(name, true);
  if (names.size > preparedMax) {
    const oldest = names.keys().next().value as string;
    names.delete(oldest);
    delete (client as unknown as Preparing).connection?.parsedStatements[oldest];
    await client.query(`deallocate "${oldest}"`);
  }
  try {
    return await run();
  } catch (error) {
    // A statement that failed to parse does not exist on the server, so it could not be deallocated.
    if (!(client as unknown as Preparing).connection?.parsedStatements[name]) names.delete(name);
    throw error;
  }
}

/** Checks at start that the database orders text by code point, as every sort and comparison requires on every machine. */
export async function refuseOtherLocale(sql: Sql): Promise<void> {
  const { rows } = await sql.query<{ collate: string; encoding: string }>(
    `select datcollate as "collate", pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()`,
  );
  const { collate, encoding } = rows[0]!;
  if (encoding !== 'UTF8' || !/^C\.(UTF-8|utf8)$/.test(collate)) {
    throw new Error(
      `The database must be created with encoding UTF8 and locale C.UTF-8; it has ${encoding} and ${collate}.`,
    );
  }
}
