import { AsyncLocalStorage } from 'node:async_hooks';
import { throttled, unavailable } from '../failure.ts';

/** Kinds of work that use sessions of the pool; each lane has reserved sessions. */
type Lane = 'health' | 'identity' | 'read' | 'write' | 'background';

/** The caller and the purpose that a session is counted for. */
export interface Work {
  lane: Lane;
  /** Public id of the token or session that sent the request, and its account. */
  credential?: string;
  account?: string;
  /** The resource it works on, which mostly means a table. */
  subject?: string;
}

interface Running extends Work {
  /** Number of sessions in use by it: a further session is never refused because of the first. */
  held: number;
}

const current = new AsyncLocalStorage<Running | undefined>();

/** Runs `work`; the sessions it takes from the pool, also later and in callbacks, are counted for the given caller. */
export const onBehalfOf = <T>(caller: Work, work: () => T): T => current.run({ ...caller, held: 0 }, work);

/** Runs work that a request starts but does not wait for; not counted for the caller. */
export const inBackground = <T>(work: () => T): T => current.run(undefined, work);

/** Credential of the current request, if any. */
export const currentCredential = (): string | undefined => current.getStore()?.credential;

/** Part of the pool that is reserved for each lane. */
const reserved: Readonly<Record<Lane, number>> = {
  health: 0.1,
  identity: 0.1,
  read: 0.2,
  write: 0.2,
  background: 0.2,
};

interface Bound {
  /** The key that sessions are counted by; undefined: the bound does not apply. */
  key(work: Work): string | undefined;
  /** Part of the pool. */
  part: number;
  /** True if the caller can avoid the refusal by sending fewer requests. */
  isOwn: boolean;
}

/** Bounds within a lane. Work that waits for a locked table holds its sessions for seconds, so no table may use the complete lane. */
const bounds: readonly Bound[] = [
  { key: ({ credential }) => credential, part: 0.25, isOwn: true },
  { key: ({ account }) => account, part: 0.35, isOwn: true },
  { key: ({ credential, subject }) => credential && subject && `${credential} ${subject}`, part: 0.2, isOwn: true },
  { key: ({ subject }) => subject, part: 0.3, isOwn: false },
];

interface Waiting {
  work: Running;
  /** Number of requests of the same caller that ended meanwhile. */
  finished: number;
  admit(): void;
}

const waitMsMax = 5_000;
/** While requests of the caller still end, the next of them waits up to this many times as long. */
const triesMax = 3;
const waitingMax = 200;

/** Counts the sessions of a pool by caller, and queues requests whose share is used up. */
export class Shares {
  readonly #max: number;
  readonly #inUse = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  readonly #waitMsMax: number;

  constructor(max: number, waitMs = waitMsMax) {
    this.#max = max;
    this.#waitMsMax = waitMs;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Acquires a session; returns its release function. After the wait limit it throws 429 if the caller's own share is used up, else 503.
   * `isDone`: count the request as ended for the callers that wait.
   */
  async take(): Promise<(isDone: boolean) => void> {
    const work = current.getStore() ?? { lane: 'background', held: 0 };
    if (this.#fits(work)) this.#count(work, 1);
    else await this.#wait(work);
    let isGivenBack = false;
    return (isDone) => {
      if (isGivenBack) return;
      isGivenBack = true;
      this.#count(work, -1);
      for (const waiting of this.#waiting) if (isDone && isOfSameCaller(waiting.work, work)) waiting.finished++;
      this.#admitWaiting();
    };
  }

  #wait(work: Running): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const ahead = this.#waiting.filter((waiting) => isOfSameCaller(waiting.work, work));
    if (work.credential && ahead.length >= waitingMax) throw this.#refusal(work, Number.POSITIVE_INFINITY);
    const waiting: Waiting = {
      work,
      finished: 0,
      admit: () => {
        clearTimeout(timer);
        this.#count(work, 1);
        resolve();
      },
    };
    let finishedBefore = 0;
    const late = (tries: number) => () => {
      if (waiting.finished > finishedBefore && tries < triesMax) {
        finishedBefore = waiting.finished;
        timer = setTimeout(late(tries + 1), this.#waitMsMax);
        return;
      }
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      reject(this.#refusal(work, waiting.finished));
    };
    let timer = setTimeout(late(1), this.#waitMsMax);
    this.#waiting.push(waiting);
    return promise;
  }

  #admitWaiting(): void {
    const index = this.#waiting.findIndex(({ work }) => this.#fits(work));
    if (index >= 0) this.#waiting.splice(index, 1)[0]!.admit();
  }

  #fits(work: Running): boolean {
    if (work.held > 0) return true;
    return this.#hasRoom(work.lane) && !this.#boundReached(work);
  }

  #hasRoom(lane: Lane): boolean {
    let [all, reservedSessions] = [0, 0];
    for (const [otherLane, part] of Object.entries(reserved)) {
      const inUse = this.#inUse.get(otherLane) ?? 0;
      all += inUse;
      if (otherLane !== lane) reservedSessions += Math.max(0, this.#sessions(part) - inUse);
    }
    return all + reservedSessions < this.#max;
  }

  #boundReached(work: Work): Bound | undefined {
    return bounds.find((bound) => {
      const key = countedAs(work, bound);
      return key !== undefined && (this.#inUse.get(key) ?? 0) >= Math.max(1, this.#sessions(bound.part));
    });
  }

  #sessions(part: number): number {
    return Math.floor(this.#max * part);
  }

  #count(work: Running, change: 1 | -1): void {
    work.held += change;
    const keys = [work.lane, ...bounds.map((bound) => countedAs(work, bound))];
    for (const key of keys) {
      if (key === undefined) continue;
      const inUse = (this.#inUse.get(key) ?? 0) + change;
      if (inUse > 0) this.#inUse.set(key, inUse);
      else this.#inUse.delete(key);
    }
  }

  /** 429 only if at least one share of the caller's requests ended meanwhile; otherwise the database is slow, which is 503. */
  #refusal(work: Running, finished: number) {
    const reached = this.#boundReached(work);
    const share = reached && Math.max(1, this.#sessions(reached.part));
    if (!reached?.isOwn || finished < share!)
      return unavailable('The database has not finished earlier requests; try again shortly.');
    return throttled(
      `This caller has ${share} requests at work in the database already, which is its share of this node; wait for their responses before sending more.`,
      1,
    );
  }
}

const isOfSameCaller = (work: Work, otherWork: Work): boolean =>
  work.lane === otherWork.lane && work.credential === otherWork.credential;

const countedAs = (work: Work, bound: Bound): string | undefined => {
  const key = bound.key(work);
  return key === undefined ? undefined : `${work.lane} ${bounds.indexOf(bound)} ${key}`;
};
