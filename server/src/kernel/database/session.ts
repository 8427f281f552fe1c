import type { Socket } from 'node:net';
import pg from 'pg';
import { readDatabaseUrl, type ServerAddress } from './database-url.ts';

/**
 * The database has committed, but a cancel ended its wait for the synchronous standby, so a fail-over may lose the commit. It must not
 * be acknowledged.
 */
export class UnconfirmedCommit extends Error {
  override readonly name = 'UnconfirmedCommit';
}

/** Configuration of a session; with several servers it connects to the primary. */
export interface SessionConfig extends pg.ClientConfig {
  servers?: readonly ServerAddress[];
}

export const sessionConfig = (url: string): SessionConfig => {
  const { servers, first } = readDatabaseUrl(url);
  return { connectionString: first, servers };
};

/** Parts of `pg`'s client and connection that its types omit. */
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

/** The PostgreSQL function in which a commit waits for its standby. The text of its warning is translated; this name is not. */
const standbyWait = 'SyncRepWaitForLSN';

const checkMs = 1_000;
/** After this long without data during a statement, the server is probed on another connection. */
const silenceMsMax = 8_000;
const probeMsMax = 2_000;
/** How long to wait for other servers after one reported to be the primary: an old primary may report the same. */
const rivalMs = 200;

type Connected = (error: Error | null, client?: Session) => void;

/**
 * Every database session of the service. Fails a statement whose commit the standby has not confirmed (PostgreSQL sends only a notice),
 * finds the primary among several servers, and ends statements on a server that has stopped responding.
 */
export class Session extends pg.Client {
  readonly #config: SessionConfig;
  #timer: NodeJS.Timeout | undefined;
  #watched: { query: Query; bytes: number; sinceMs: number } | undefined;
  #isQuerying = false;

  constructor(config: SessionConfig = {}) {
    super(config);
    this.#config = config;
    const inner = this as unknown as Inner;
    let unconfirmed: UnconfirmedCommit | undefined;
    inner.connection.on('notice', ({ routine, message }) => {
      if (routine === standbyWait) unconfirmed = new UnconfirmedCommit(message);
    });
    // Registered before pg's own listener. In the extended protocol the commit follows CommandComplete, so its result is complete only here.
    inner.connection.on('readyForQuery', () => {
      const [error, query] = [unconfirmed, inner._activeQuery];
      unconfirmed = undefined;
      if (error && query) query.handleReadyForQuery = (connection) => query.handleError(error, connection);
    });
    this.once('end', () => clearInterval(this.#timer));
    // The statement fails with the error; without a listener the event would end the process.
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
    this.#timer = setInterval(() => this.#checkSilence(), checkMs).unref();
    return this;
  }

  /** The server limits the time of statements; this detects a frozen server or a network that drops packets. */
  #checkSilence(): void {
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
    if (this.#isQuerying || performance.now() - this.#watched.sinceMs < silenceMsMax) return;
    this.#isQuerying = true;
    void isAlive(this.#config, { host: this.host, port: this.port }).then((alive) => {
      this.#isQuerying = false;
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
  /** Undefined for a standby. */
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
    // A frozen server does not reply to the termination message.
    void client.end().catch(() => undefined);
  }
}

/** Probes every server. If two report that they are the primary, returns the one with the later timeline. */
async function findPrimary(config: SessionConfig, servers: readonly ServerAddress[]): Promise<ServerAddress> {
  const primaries: Probed[] = [];
  const reasons: string[] = [];
  const { promise: first, resolve: resolveFirst } = Promise.withResolvers<void>();
  const all = Promise.all(
    servers.map((server) =>
      probe(config, server).then(
        (probed) => {
          if (probed.timeline === undefined) reasons.push(`${server.host}:${server.port} is a standby`);
          else {
            primaries.push(probed);
            resolveFirst();
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

const runningProbes = new Map<string, Promise<boolean>>();

/** Returns true if a server responds at all; sessions that check at the same time share one probe. */
function isAlive(config: SessionConfig, server: ServerAddress): Promise<boolean> {
  const name = `${server.host}:${server.port}`;
  const runningProbe =
    runningProbes.get(name) ??
    probe(config, server)
      .then(
        () => true,
        // An error with an SQLSTATE, such as too many connections, shows that the server responds.
        (error: { code?: string }) => /^[0-9A-Z]{5}$/.test(error.code ?? ''),
      )
      .finally(() => runningProbes.delete(name));
  runningProbes.set(name, runningProbe);
  return runningProbe;
}
