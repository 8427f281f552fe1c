import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Session, type SessionConfig, sessionConfig } from '../database/session.ts';
import { inTransaction } from '../database/transaction.ts';
import type { QueueSql } from './attempt.ts';

const sessionsMax = 4;
const connectMsMax = 10_000;
const heartbeatMs = 5_000;
const retryMs = 1_000;

/** Who wants to know what is queued. */
interface QueueListener {
  onNotification(queue: string): void;
  /** What was queued meanwhile was not notified. */
  onReconnect(): void;
}

/** The sessions of the job queue. They are ours, so that it too finds the primary and takes no unconfirmed commit for done. */
export class QueueSessions {
  readonly #config: SessionConfig;
  readonly #pool: pg.Pool;
  readonly #onError: (error: Error) => void;
  readonly #listener: QueueListener | undefined;
  #isListening = false;

  constructor(url: string, onError: (error: Error) => void, listener?: QueueListener) {
    this.#onError = onError;
    this.#listener = listener;
    this.#config = {
      ...sessionConfig(url),
      application_name: 'portreeve-jobs',
      connectionTimeoutMillis: connectMsMax,
      keepAlive: true,
    };
    this.#pool = new pg.Pool({ ...this.#config, Client: Session, max: sessionsMax });
    this.#pool.on('error', onError);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  executeSql(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    return this.#pool.query(text, values);
  }

  /** Runs work in one transaction. */
  transact<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return inTransaction(this.#pool, work);
  }

  /** Whether what is queued is notified at the moment. */
  get isListening(): boolean {
    return this.#isListening;
  }

  /** For single statements. */
  get sql(): QueueSql {
    return this.#pool;
  }

  /** Listens on a session of its own, and opens another one when that is lost. */
  async listen(channel: string, onNotification: (payload: string) => void, onReconnect: () => void) {
    const closing = new AbortController();
    const open = async (): Promise<Session> => {
      const session = new Session(this.#config);
      session.on('error', () => undefined);
      session.on('notification', ({ payload }) => {
        if (payload === undefined) return;
        onNotification(payload);
        this.#listener?.onNotification(payload);
      });
      try {
        await session.connect();
        await session.query(`listen "${channel}"`);
      } catch (error) {
        void session.end().catch(() => undefined);
        throw error;
      }
      this.#isListening = true;
      onReconnect();
      this.#listener?.onReconnect();
      return session;
    };
    const watching = this.#keepOpen(await open(), open, closing.signal);
    return {
      async close() {
        closing.abort();
        await watching;
      },
    };
  }

  async #keepOpen(first: Session, open: () => Promise<Session>, closing: AbortSignal): Promise<void> {
    let session: Session | undefined = first;
    while (!closing.aborted) {
      try {
        session ??= await open();
        await session.query('select');
        await sleep(heartbeatMs, undefined, { signal: closing });
      } catch (error) {
        if (closing.aborted) break;
        this.#isListening = false;
        this.#onError(error as Error);
        void session?.end().catch(() => undefined);
        session = undefined;
        await sleep(retryMs, undefined, { signal: closing }).catch(() => undefined);
      }
    }
    await session?.end().catch(() => undefined);
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }
}
