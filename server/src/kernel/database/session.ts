import type { Socket } from 'node:net';
import pg from 'pg';
import { readDatabaseUrl, type ServerAddress } from './database-url.ts';

/**
 * The database has committed, but a cancel ended its wait for the synchronous standby: a fail-over may lose it. Nobody may acknowledge it.
 */
export class UnconfirmedCommit extends Error {
  override readonly name = 'UnconfirmedCommit';
}

/** What a session is opened with; of several servers it takes the primary. */
export interface SessionConfig extends pg.ClientConfig {
  servers?: readonly ServerAddress[];
}

export const sessionConfig = (url: string): SessionConfig => {
  const { servers, first } = readDatabaseUrl(url);
  return { connectionString: first, servers };
};

/** The parts of `pg`'s client and connection that its types leave out. */
interface Notice {
  routine?: string;
  message?: string;
}
interface Query {
  handleReadyForQuery(connection: unknown): void;
  handleError(error: Error, connection: unknown): void;
}
interface Inner {
  connection: {
    stream: Socket;
    on(event: 'notice', listener: (notice: Notice) => void): void;
    on(event: 'readyForQuery', listener: () => void): void;
  };
  _activeQuery: Query | null;
}

/** The function of PostgreSQL in which a commit waits for its standby; the text of its warning is translated, this is not. */
const standbyWait = 'SyncRepWaitForLSN';

const lookMs = 1_000;
/** A server that has sent nothing for so long during a statement is asked, on another connection, whether it is alive. */
const silenceMsMax = 8_000;
const probeMsMax = 2_000;
/** How long an answer of another server is waited for once one said that it is the primary: an old primary may still say so too. */
const rivalMs = 200;

type Connected = (error: Error | null, client?: Session) => void;

/**
 * Every session of the service. A commit that its standby has not confirmed is an error of the statement, not a notice; of several
 * servers the primary is found; and a server that has stopped answering does not hold anybody for ever.
 */
export class Session extends pg.Client {
  readonly #config: SessionConfig;
  #timer: NodeJS.Timeout | undefined;
  #watched: { query: Query; bytes: number; sinceMs: number } | undefined;
  #isAsking = false;

  constructor(config: SessionConfig = {}) {
    super(config);
    this.#config = config;
    const inner = this as unknown as Inner;
    let unconfirmed: UnconfirmedCommit | undefined;
    inner.connection.on('notice', ({ routine, message }) => {
      if (routine === standbyWait) unconfirmed = new UnconfirmedCommit(message);
    });
    // Registered before pg's own listener. A commit of the extended protocol comes after its CommandComplete, so only here all is known.
    inner.connection.on('readyForQuery', () => {
      const [error, query] = [unconfirmed, inner._activeQuery];
      unconfirmed = undefined;
      if (error && query) query.handleReadyForQuery = (connection) => query.handleError(error, connection);
    });
    this.once('end', () => clearInterval(this.#timer));
    // The statement fails by itself; without a listener the event would end the process.
    this.on('error', () => undefined);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    const opened = this.#open();
    if (!callback) return opened;
    opened.then(
      () => callback(null, this),
      (error: Error) => callback(error),
    );
    return undefined;
  }

  async #open(): Promise<pg.Client> {
    const { servers = [] } = this.#config;
    if (servers.length > 0) {
      const primary = await findPrimary(this.#config, servers);
      Object.assign(this, primary);
      if ((this as unknown as Inner).connection.stream.destroyed) throw new Error('Connection terminated');
    }
    await super.connect();
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
    return this;
  }

  /** Statements are bounded by the server; this is for a server that is frozen, or a network that swallows what is sent. */
  #look(): void {
    const { connection, _activeQuery: query } = this as unknown as Inner;
    const { bytesRead: bytes } = connection.stream;
    if (!query) {
      this.#watched = undefined;
      return;
    }
    if (this.#watched?.query !== query || this.#watched.bytes !== bytes) {
      this.#watched = { query, bytes, sinceMs: performance.now() };
      return;
    }
    if (this.#isAsking || performance.now() - this.#watched.sinceMs < silenceMsMax) return;
    this.#isAsking = true;
    void isAlive(this.#config, { host: this.host, port: this.port }).then((alive) => {
      this.#isAsking = false;
      if (this.#watched?.query !== query) return;
      if (alive) this.#watched.sinceMs = performance.now();
      else
        connection.stream.destroy(
          Object.assign(new Error('the database server has stopped answering'), { code: 'ETIMEDOUT' }),
        );
    });
  }
}

interface Probed extends ServerAddress {
  /** Undefined of a standby. */
  timeline: string | undefined;
}

const probeSql = `select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`;

async function probe(config: SessionConfig, { host, port }: ServerAddress): Promise<Probed> {
  const client = new pg.Client({
    ...config,
    application_name: 'portreeve-probe',
    connectionTimeoutMillis: probeMsMax,
    query_timeout: probeMsMax,
  });
  client.on('error', () => undefined);
  Object.assign(client, { host, port });
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: string | null }>(probeSql);
    return { host, port, timeline: rows[0]!.timeline ?? undefined };
  } finally {
    // A frozen server answers no goodbye.
    void client.end().catch(() => undefined);
  }
}

/** Asks every server; of two that both take themselves for the primary the one of the later promotion is it. */
async function findPrimary(config: SessionConfig, servers: readonly ServerAddress[]): Promise<ServerAddress> {
  const primaries: Probed[] = [];
  const reasons: string[] = [];
  const { promise: first, resolve: found } = Promise.withResolvers<void>();
  const all = Promise.all(
    servers.map((server) =>
      probe(config, server).then(
        (probed) => {
          if (probed.timeline === undefined) reasons.push(`${server.host}:${server.port} is a standby`);
          else {
            primaries.push(probed);
            found();
          }
        },
        (error: Error) => reasons.push(`${server.host}:${server.port}: ${error.message || 'it cannot be reached'}`),
      ),
    ),
  );
  await Promise.race([all, first.then(() => Promise.race([all, pause(rivalMs)]))]);
  const [primary] = primaries.sort((a, b) => b.timeline!.localeCompare(a.timeline!));
  if (!primary)
    throw Object.assign(new Error(`no server of the database is the primary (${reasons.join('; ')})`), {
      code: 'ECONNREFUSED',
    });
  return { host: primary.host, port: primary.port };
}

const pause = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms).unref();
  });

const asked = new Map<string, Promise<boolean>>();

/** Whether a server answers anything at all; many sessions that ask at once ask once. */
function isAlive(config: SessionConfig, server: ServerAddress): Promise<boolean> {
  const name = `${server.host}:${server.port}`;
  const asking =
    asked.get(name) ??
    probe(config, server)
      .then(
        () => true,
        // A refusal with an SQLSTATE, such as too many connections, is an answer.
        (error: { code?: string }) => /^[0-9A-Z]{5}$/.test(error.code ?? ''),
      )
      .finally(() => asked.delete(name));
  asked.set(name, asking);
  return asking;
}
