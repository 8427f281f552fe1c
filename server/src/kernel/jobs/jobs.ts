import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type JobWithMetadata, PgBoss } from 'pg-boss';
import { connect } from '../database/connect.ts';
import { Attempt, sessionOf, type WhileOwn } from './attempt.ts';
import { QueueSessions } from './queue-sessions.ts';
import { RunningJob } from './running-job.ts';
import { Worker } from './worker.ts';

/** Work that takes longer than a request, or runs on a schedule. */
export interface Job<C> {
  kind: 'job';
  /** Kebab-case; also the name of the queue. */
  name: string;
  doc: string;
  /** A cron expression; such a job takes no input and has no background task. */
  at?: string;
  secondsMax: number;
  /** True: if its worker stops reporting, the job is retried on another node. False: it has then failed. */
  repeatable: boolean;
  /** The number of retries, if more than the default: for jobs that continue from their state in the database. */
  retriesMax?: number;
  /** How many of these jobs a node runs at the same time. Default: 1. */
  parallel?: number;
  run(payload: unknown, run: JobRun<C>): Promise<void>;
}

/** The context of one run of a job. */
export interface JobRun<C> {
  context: C;
  /**
   * Aborted if the job was cancelled or took too long, or if the node stops: the job should stop at the next safe
   * point.
   */
  signal: AbortSignal;
  progress(done: number, total: number, step?: string): void;
  report(items: readonly { item: string; outcome: string; detail: string }[]): void;
}

/**
 * Stores the progress of jobs in their background tasks, which implement it. Each method writes only while the attempt
 * is the current one.
 */
export interface JobFollower {
  /** Returns false if another attempt has the job, or the task was deleted. */
  begin(taskId: number, attempt: number, isOwn: WhileOwn): Promise<boolean>;
  /** Stores the progress; returns false if the job should stop. */
  storeProgress(taskId: number, state: JobState, isOwn: WhileOwn): Promise<boolean>;
  /** Stores the outcome, in the transaction in which `settle` ends the job in the queue. */
  end(
    taskId: number,
    outcome: { error: string | undefined; willRetry: boolean; report: readonly unknown[]; state: JobState },
    settle: WhileOwn,
  ): Promise<void>;
}

/** The progress of a job. */
export interface JobState {
  done: number;
  total: number;
  step: string;
}

interface Envelope {
  taskId?: number;
  payload?: unknown;
}

const retries = 3;
const retrySecondsMax = 8;
/** A worker that does not report for this long counts as dead. */
const silenceSecondsMax = 10;
/** The time that running jobs have to end when a node stops; then they return to the queue. */
const stopMsMax = 5_000;
/** The polling interval of queues that send notifications: new jobs are notified, but retries are not. */
const notifiedWaitMs = 5_000;
const waitMs = 1_000;

/** The job queue of one node: every node can queue jobs, and nodes with the worker role also run them. */
export class Jobs<C> {
  readonly #boss: PgBoss;
  readonly #sessions: QueueSessions;
  readonly #jobs: ReadonlyMap<string, Job<C>>;
  readonly #contextOf: (job: Job<C>) => C;
  readonly #onError: (error: Error) => void;
  readonly #workers: { name: string; worker: Worker<JobWithMetadata<Envelope>> }[] = [];
  readonly #running = new Set<RunningJob<C>>();
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
    this.#sessions = new QueueSessions(options.url, options.onError, {
      onNotification: (queue) => this.#wake(({ name }) => name === queue),
      onReconnect: () => this.#wake(() => true),
    });
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
    const existingQueues = new Set((await this.#boss.getQueues()).map((queue) => queue.name));
    for (const job of this.#jobs.values()) {
      if (!existingQueues.has(job.name)) await this.#boss.createQueue(job.name, queueOptions(job));
      if (job.at && works) await this.#boss.schedule(job.name, job.at);
      if (works) this.#work(job);
    }
  }

  async stop(): Promise<void> {
    const idle = Promise.all(this.#workers.map(({ worker }) => worker.stop()));
    const late = new AbortController();
    await Promise.race([idle, sleep(stopMsMax, undefined, { signal: late.signal, ref: false })]);
    late.abort();
    await Promise.all([...this.#running].map((running) => running.giveUp(new Error('The node stopped.'))));
    await this.#boss.stop({ graceful: false });
    await this.#sessions.close();
  }

  /** Queues a job in the caller's transaction: it exists only if the transaction is committed. */
  async enqueue(client: pg.PoolClient, name: string, envelope: Envelope): Promise<string> {
    const id = await this.#boss.send(name, envelope, { db: sessionOf(client) });
    if (!id) throw new Error(`the queue refused the job ${name}`);
    return id;
  }

  async cancel(client: pg.PoolClient, name: string, id: string): Promise<void> {
    await this.#boss.cancel(name, id, { db: sessionOf(client) });
  }

  #wake(concerned: (worker: { name: string }) => boolean): void {
    for (const entry of this.#workers.filter(concerned)) entry.worker.wake();
  }

  #work(job: Job<C>): void {
    for (let n = 0; n < (job.parallel ?? 1); n++) {
      const worker = new Worker<JobWithMetadata<Envelope>>({
        take: async () => (await this.#boss.fetch<Envelope>(job.name, { batchSize: 1, includeMetadata: true }))[0],
        run: (fetchedJob) => this.#run(job, fetchedJob),
        waitMs: () => (job.at || !this.#sessions.isListening ? waitMs : notifiedWaitMs),
        onError: this.#onError,
      });
      this.#workers.push({ name: job.name, worker });
      worker.start();
    }
  }

  async #run(job: Job<C>, fetchedJob: JobWithMetadata<Envelope>): Promise<void> {
    const { taskId, payload } = fetchedJob.data ?? {};
    const running = new RunningJob<C>({
      job,
      attempt: new Attempt(this.#boss, fetchedJob),
      sessions: this.#sessions,
      follow: taskId === undefined ? undefined : { taskId, follower: this.#follower! },
      onError: this.#onError,
    });
    this.#running.add(running);
    try {
      await running.run(payload, this.#contextOf(job));
    } finally {
      this.#running.delete(running);
    }
  }
}

const queueOptions = <C>(job: Job<C>) => ({
  expireInSeconds: job.secondsMax + 30,
  heartbeatSeconds: silenceSecondsMax,
  retryLimit: job.repeatable ? (job.retriesMax ?? retries) : 0,
  retryDelay: 1,
  retryBackoff: job.repeatable,
  ...(job.repeatable && { retryDelayMax: retrySecondsMax }),
  deleteAfterSeconds: 7 * 86_400,
  // A caller waits for a job that it started, so its workers are notified; a scheduled job can wait for the next poll.
  notify: !job.at,
});

/**
 * Creates or updates the tables of pg-boss as the owner of the database, and grants the service role access to them.
 */
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
