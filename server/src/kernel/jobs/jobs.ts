import type pg from 'pg';
import { type JobWithMetadata, PgBoss } from 'pg-boss';
import { connect } from '../database/connect.ts';
import { Failure } from '../failure.ts';
import { QueueSessions } from './queue-sessions.ts';

/** Work that takes longer than a request, or runs by the clock. */
export interface Job<C> {
  kind: 'job';
  /** Kebab-case; the queue's name too. */
  name: string;
  doc: string;
  /** A cron line; such a job takes no input and nobody follows it. */
  at?: string;
  secondsMax: number;
  /** May be begun again on another node when its worker dies; otherwise it has then failed. */
  repeatable: boolean;
  /** How often it may be begun again, where that is more than usual: its state is in the database, and each beginning goes on. */
  retriesMax?: number;
  /** How many of them a node works on side by side; one, unless said otherwise. */
  parallel?: number;
  run(payload: unknown, run: JobRun<C>): Promise<void>;
}

/** What a job is given. */
export interface JobRun<C> {
  context: C;
  /** Set when the job was cancelled, took too long, or the node stops: stop at the next safe point. */
  signal: AbortSignal;
  progress(done: number, total: number, step?: string): void;
  report(items: readonly { item: string; outcome: string; detail: string }[]): void;
}

/** Follows jobs for people. The group of background tasks provides it. */
export interface JobFollower {
  begun(taskId: number, attempt: number): Promise<void>;
  /** Stores how far it has got, and says whether it is still wanted. */
  seen(taskId: number, state: { done: number; total: number; step: string }): Promise<boolean>;
  ended(
    taskId: number,
    outcome: {
      error: string | undefined;
      willRetry: boolean;
      report: readonly unknown[];
      state: { done: number; total: number; step: string };
    },
  ): Promise<void>;
}

interface Envelope {
  taskId?: number;
  payload?: unknown;
}

const followMs = 1_000;
const retries = 3;
const retrySecondsMax = 8;

/** The job queue of one node: every node may enqueue, and those with the worker role also work. */
export class Jobs<C> {
  readonly #boss: PgBoss;
  readonly #sessions: QueueSessions;
  readonly #jobs: ReadonlyMap<string, Job<C>>;
  readonly #contextOf: (job: Job<C>) => C;
  readonly #onError: (error: Error) => void;
  #follower: JobFollower | undefined;

  constructor(options: {
    url: string;
    jobs: readonly Job<C>[];
    contextOf: (job: Job<C>) => C;
    onError: (error: Error) => void;
  }) {
    this.#jobs = new Map(options.jobs.map((job) => [job.name, job]));
    this.#contextOf = options.contextOf;
    this.#onError = options.onError;
    this.#sessions = new QueueSessions(options.url, options.onError);
    this.#boss = new PgBoss({
      db: this.#sessions,
      migrate: false,
      createSchema: false,
      reindex: false,
      superviseIntervalSeconds: 5,
      monitorIntervalSeconds: 5,
      cronMonitorIntervalSeconds: 15,
      useListenNotify: true,
    });
    this.#boss.on('error', (error) => this.#onError(error));
  }

  async start(follower: JobFollower, works: boolean): Promise<void> {
    this.#follower = follower;
    await this.#boss.start();
    const known = new Set((await this.#boss.getQueues()).map((queue) => queue.name));
    for (const job of this.#jobs.values()) {
      if (!known.has(job.name)) await this.#boss.createQueue(job.name, queueOptions(job));
      if (job.at && works) await this.#boss.schedule(job.name, job.at);
      if (works) await this.#work(job);
    }
  }

  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: 5_000 });
    await this.#sessions.close();
  }

  /** Queues a job in the caller's transaction: it exists exactly if the transaction does. */
  async enqueue(client: pg.PoolClient, name: string, envelope: Envelope): Promise<string> {
    const id = await this.#boss.send(name, envelope, { db: sessionOf(client) });
    if (!id) throw new Error(`the queue refused the job ${name}`);
    return id;
  }

  async cancel(client: pg.PoolClient, name: string, id: string): Promise<void> {
    await this.#boss.cancel(name, id, { db: sessionOf(client) });
  }

  async #work(job: Job<C>): Promise<void> {
    const worker = await this.#boss.work(
      job.name,
      // A retry sends no notification; by default the queue polls for it only every 30 seconds.
      {
        batchSize: 1,
        localConcurrency: job.parallel ?? 1,
        pollingIntervalSeconds: 1,
        notifyPollingIntervalSeconds: 5,
        // Half of it, as usual, would leave a node that gets little time a single chance.
        heartbeatRefreshSeconds: 2,
        includeMetadata: true,
      },
      async ([taken]) => {
        const { data, retryCount, retryLimit, signal } = taken as JobWithMetadata<Envelope>;
        // Notifications that came while a job ran, or while nobody listened, are one: look again until nothing waits.
        this.#boss.notifyWorker(worker);
        await this.#run(job, data ?? {}, retryCount + 1, retryCount < retryLimit, signal);
      },
    );
  }

  async #run(
    job: Job<C>,
    { taskId, payload }: Envelope,
    attempt: number,
    willRetry: boolean,
    stopping: AbortSignal,
  ): Promise<void> {
    const cancelled = new AbortController();
    const signal = AbortSignal.any([cancelled.signal, stopping, AbortSignal.timeout(job.secondsMax * 1_000)]);
    const state = { done: 0, total: 0, step: '' };
    let report: readonly unknown[] = [];
    const follow = taskId === undefined ? undefined : this.#follow(taskId, state, cancelled);
    let error: string | undefined;
    let isAnswer = false;
    try {
      if (taskId !== undefined) await this.#follower!.begun(taskId, attempt);
      await job.run(payload, {
        context: this.#contextOf(job),
        signal,
        progress: (done, total, step = '') => void Object.assign(state, { done, total, step }),
        report: (items) => {
          report = items;
        },
      });
    } catch (cause) {
      error = cause instanceof Error ? cause.message : String(cause);
      // A failure of the contract is an answer: it would be the same the next time.
      isAnswer = cause instanceof Failure;
      if (!isAnswer) throw cause;
    } finally {
      await follow?.end();
      if (taskId !== undefined)
        await this.#follower!.ended(taskId, {
          error,
          willRetry: error !== undefined && willRetry && !isAnswer,
          report,
          state,
        });
    }
  }

  /** Once a second: writes the progress, and notices that nobody wants the job any more. */
  #follow(taskId: number, state: { done: number; total: number; step: string }, cancelled: AbortController) {
    let writing: Promise<void> = Promise.resolve();
    const timer = setInterval(() => {
      writing = writing
        .then(async () => {
          if (!(await this.#follower!.seen(taskId, state))) cancelled.abort(new Error('The job was cancelled.'));
        })
        .catch((error: Error) => this.#onError(error));
    }, followMs);
    return {
      async end() {
        clearInterval(timer);
        await writing;
      },
    };
  }
}

const sessionOf = (client: pg.PoolClient) => ({
  executeSql: async (text: string, values?: unknown[]) => client.query(text, values),
});

/** A worker that stops heart-beating for ten seconds is taken for dead. */
const queueOptions = <C>(job: Job<C>) => ({
  expireInSeconds: job.secondsMax + 30,
  heartbeatSeconds: 10,
  retryLimit: job.repeatable ? (job.retriesMax ?? retries) : 0,
  retryDelay: 1,
  retryBackoff: job.repeatable,
  ...(job.repeatable && { retryDelayMax: retrySecondsMax }),
  deleteAfterSeconds: 7 * 86_400,
  // Somebody waits for a job that was asked for; nobody for one that runs by the clock.
  notify: !job.at,
});

/** Puts the queue's own tables in place, as the owner of the database, and lets the serving role use them. */
export async function migrateQueue(url: string): Promise<void> {
  const sessions = new QueueSessions(url, () => undefined);
  try {
    const boss = new PgBoss({ db: sessions, supervise: false, schedule: false });
    await boss.start();
    await boss.stop({ graceful: false });
  } finally {
    await sessions.close();
  }
  const pool = connect({ url, connectionsMax: 1 });
  try {
    await pool.query(`grant usage on schema pgboss to portreeve_service;
      grant select, insert, update, delete on all tables in schema pgboss to portreeve_service;
      grant usage, select on all sequences in schema pgboss to portreeve_service;
      grant execute on all functions in schema pgboss to portreeve_service;`);
  } finally {
    await pool.end();
  }
}
