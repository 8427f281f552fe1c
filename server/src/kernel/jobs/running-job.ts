import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.ts';
import type { Attempt } from './attempt.ts';
import type { Job, JobFollower, JobState } from './jobs.ts';
import type { QueueSessions } from './queue-sessions.ts';

/** The queue waits ten seconds for a report: a node with little processor time has five chances. */
const touchMs = 2_000;
const followMs = 1_000;
const endTriesMax = 5;
const endPauseMs = 1_000;
/** A job that ignores the end of its time keeps its worker this much longer at most. */
const ignoredMsMax = 30_000;

interface Options<C> {
  job: Job<C>;
  attempt: Attempt;
  sessions: QueueSessions;
  /** The background task that shows its progress. */
  follow: { taskId: number; follower: JobFollower } | undefined;
  onError(error: Error): void;
}

/** A job that a worker of this node runs. */
export class RunningJob<C> {
  readonly #options: Options<C>;
  readonly #stopped = new AbortController();
  readonly #state: JobState = { done: 0, total: 0, step: '' };
  #report: readonly unknown[] = [];
  #hasEnded = false;

  constructor(options: Options<C>) {
    this.#options = options;
  }

  async run(payload: unknown, context: C): Promise<void> {
    const { attempt, sessions, follow } = this.#options;
    using _touching = this.#every(touchMs, () => attempt.touch(sessions.sql));
    if (follow && !(await follow.follower.begin(follow.taskId, attempt.number, attempt.isOwn))) return;
    using _following =
      follow && this.#every(followMs, () => follow.follower.storeProgress(follow.taskId, this.#state, attempt.isOwn));
    await this.#end(await this.#fault(payload, context));
  }

  /** Returns the job to the queue because the node stops, and aborts its code. */
  async giveUp(cause: Error): Promise<void> {
    await this.#end(cause, 1).catch(this.#options.onError);
    this.#stopped.abort(cause);
  }

  /** Runs the job and returns its error, if it fails. */
  async #fault(payload: unknown, context: C): Promise<Error | undefined> {
    const { job } = this.#options;
    const msMax = job.secondsMax * 1_000;
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(msMax)]);
    const ended = new AbortController();
    const ignored = async () => {
      await sleep(msMax + ignoredMsMax, undefined, { signal: ended.signal, ref: false });
      throw new Error(`The job did not end within ${job.secondsMax} s.`);
    };
    const work = job.run(payload, {
      context,
      signal,
      progress: (done, total, step = '') => void Object.assign(this.#state, { done, total, step }),
      report: (items) => {
        this.#report = items;
      },
    });
    try {
      await Promise.race([work, ignored()]);
      return undefined;
    } catch (cause) {
      return cause instanceof Error ? cause : new Error(String(cause));
    } finally {
      ended.abort();
    }
  }

  /** Stores the outcome, once. An attempt that lost its job was stopped before, and stores nothing. */
  async #end(fault: Error | undefined, triesMax = endTriesMax): Promise<void> {
    if (this.#hasEnded || this.#stopped.signal.aborted) return;
    this.#hasEnded = true;
    for (let tries = 1; ; tries++) {
      try {
        await this.#settle(fault);
        return;
      } catch (error) {
        // The queue retries a job whose end was not stored, if the job is repeatable.
        if (tries >= triesMax) throw error;
        this.#options.onError(error as Error);
        await sleep(endPauseMs);
      }
    }
  }

  async #settle(fault: Error | undefined): Promise<void> {
    const { attempt, sessions, follow } = this.#options;
    // A failure of the contract is a result: it would be the same in the next attempt.
    const isFailed = fault !== undefined && !(fault instanceof Failure);
    const settle = isFailed ? attempt.fail(fault) : attempt.complete;
    if (follow) {
      const willRetry = isFailed && attempt.willRetry;
      const outcome = { error: fault?.message, willRetry, report: this.#report, state: this.#state };
      await follow.follower.end(follow.taskId, outcome, settle);
    } else if (isFailed) {
      await sessions.transact(settle);
    } else {
      await settle(sessions.sql);
    }
  }

  /**
   * Repeats a check, one at a time, and stops the job when the check returns false: it was cancelled, or another
   * attempt has it.
   */
  #every(ms: number, isWanted: () => Promise<boolean>): Disposable {
    let isBusy = false;
    const look = async () => {
      if (isBusy) return;
      isBusy = true;
      try {
        const isOver = !(await isWanted()) && !this.#hasEnded;
        if (isOver) this.#stopped.abort(new Error('The job was cancelled, or another worker has taken it over.'));
      } catch (error) {
        this.#options.onError(error as Error);
      } finally {
        isBusy = false;
      }
    };
    const timer = setInterval(look, ms);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }
}
