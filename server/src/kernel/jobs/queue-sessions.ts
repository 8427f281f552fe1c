import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Session, type SessionConfig, sessionConfig } from '../database/session.ts';
import { inTransaction } from '../database/transaction.ts';
import type { QueueSql } from './attempt.ts';

const sessionsMax = 4;
const connectMsMax = 10_000;
const heartbeatMs = 5_000;
const retryMs = 1_000;

/** Receiver of notifications about queued jobs. */
interface QueueListener {
  onNotification(queue: string): void;
  /** Jobs that were queued while the session was lost were not notified. */
  onReconnect(): void;
}

/**
 * The database sessions of the job queue. They are sessions of this service, so that the queue also finds the primary
 * and never takes an unconfirmed commit for done.
 */
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

  /** True while queued jobs are notified. */
  get isListening(): boolean {
    return this.#isListening;
  }

  /** Runs single statements. */
  get sql(): QueueSql {
    return this.#pool;
  }

  /** Listens on a separate session, and opens another one when it is lost. */
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
