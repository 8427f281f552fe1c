import {
  clearNetworkLogins,
  type FailedNetworkLogin,
  type NetworkLogin,
  reportFailedNetworkLogins,
} from '../../auth/auth.service.ts';
import type { Runtime, WriteTx } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import type { EventEntry } from '../../kernel/declare/event-type.ts';
import { isRefusal } from './store-answers.ts';

/** Results and events to write after replies. */
interface Work {
  succeeded: NetworkLogin[];
  failed: FailedNetworkLogin[];
  events: EventEntry[];
  /** Events of rejects, which a setting can turn off. */
  failureEvents: EventEntry[];
}

const batchMs = 200;
/** Limit for each kind, so that an attacker cannot fill the memory of a node whose database is slow. */
const waitingMax = 5_000;

const nothing = (): Work => ({ succeeded: [], failed: [], events: [], failureEvents: [] });
const isEmpty = (work: Work): boolean => Object.values(work).every((queue: unknown[]) => queue.length === 0);

/** Writes events and the results of password logins after the replies were sent, many in one transaction. */
export class AfterReply {
  readonly #runtime: Runtime;
  readonly #onError: (error: Error) => void;
  #waiting = nothing();
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(runtime: Runtime, onError: (error: Error) => void) {
    this.#runtime = runtime;
    this.#onError = onError;
  }

  loginSucceeded(login: NetworkLogin): void {
    this.#add(this.#waiting.succeeded, login);
  }

  loginFailed(login: FailedNetworkLogin): void {
    this.#add(this.#waiting.failed, login);
  }

  event(entry: EventEntry): void {
    this.#add(this.#waiting.events, entry);
  }

  failureEvent(entry: EventEntry): void {
    this.#add(this.#waiting.failureEvents, entry);
  }

  /** Writes everything in the queues. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      if (!isEmpty(this.#waiting)) this.#writeSoon();
    });
    return this.#writing;
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.flush();
    clearTimeout(this.#timer);
  }

  #add<T>(queue: T[], item: T): void {
    if (queue.length < waitingMax) queue.push(item);
    else this.#dropped += 1;
    this.#writeSoon();
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => void this.flush(), batchMs).unref();
  }

  async #writeAll(): Promise<void> {
    const work = this.#waiting;
    if (isEmpty(work)) return;
    this.#waiting = nothing();
    try {
      await this.#runtime.transact(systemOrigin('radius'), (tx) => write(tx, work));
      this.#reportDropped();
    } catch (error) {
      this.#onError(error as Error);
      if (!isRefusal(error)) this.#putBack(work);
    }
  }

  /** Puts failed work back for the next batch: a right password that stays counted as an attempt could lock its account. */
  #putBack(work: Work): void {
    const newer = this.#waiting;
    const concatenate = <T>(first: readonly T[], second: readonly T[]): T[] =>
      [...first, ...second].slice(0, waitingMax);
    this.#waiting = {
      succeeded: concatenate(work.succeeded, newer.succeeded),
      failed: concatenate(work.failed, newer.failed),
      events: concatenate(work.events, newer.events),
      failureEvents: concatenate(work.failureEvents, newer.failureEvents),
    };
  }

  #reportDropped(): void {
    if (this.#dropped === 0) return;
    this.#onError(
      new Error(`${this.#dropped} results and events of RADIUS replies were not written: the queue was full`),
    );
    this.#dropped = 0;
  }
}

const sendsFailuresSql = 'select s.send_failure_events as "isOn" from radius_global s';

async function write(tx: WriteTx, { succeeded, failed, events, failureEvents }: Work): Promise<void> {
  if (succeeded.length > 0) await clearNetworkLogins(tx, succeeded);
  if (failed.length > 0) await reportFailedNetworkLogins(tx, failed);
  for (const event of events) await tx.emit(event);
  if (failureEvents.length === 0) return;
  const { rows } = await tx.client.query<{ isOn: boolean }>(sendsFailuresSql);
  if (rows[0]?.isOn) for (const event of failureEvents) await tx.emit(event);
}
