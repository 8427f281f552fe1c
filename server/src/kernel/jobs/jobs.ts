import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type JobWithMetadata, PgBoss } from 'pg-boss';
import { connect } from '../database/connect.ts';
import { Attempt, sessionOf, type WhileOwn } from './attempt.ts';
import { QueueSessions } from './queue-sessions.ts';
import { RunningJob } from './running-job.ts';
import { Worker } from './worker.ts';

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

/** Follows jobs for people. The group of background tasks provides it. Each writes only while the attempt is the current one. */
export interface JobFollower {
  /** False: another attempt has the job, or the task is gone. */
  begin(taskId: number, attempt: number, isOwn: WhileOwn): Promise<boolean>;
  /** Stores how far it has got, and says whether it is still wanted. */
  storeProgress(taskId: number, state: JobState, isOwn: WhileOwn): Promise<boolean>;
  /** Stores the end in the transaction in which `settle` ends the job in the queue. */
  end(
    taskId: number,
    outcome: { error: string | undefined; willRetry: boolean; report: readonly unknown[]; state: JobState },
    settle: WhileOwn,
  ): Promise<void>;
}

/** How far a job has got. */
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
/** A worker that does not report for so long is taken for dead. */
const silenceSecondsMax = 10;
/** What runs when a node stops may come to its end for so long; then its jobs go back to the queue. */
const stopMsMax = 5_000;
/** A job that was queued is notified, one that is to be begun again or runs by the clock is not. */
const notifiedWaitMs = 5_000;
const waitMs = 1_000;

/** The job queue of one node: every node may enqueue, and those with the worker role also work. */
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

  /** Queues a job in the caller's transaction: it exists exactly if the transaction does. */
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
