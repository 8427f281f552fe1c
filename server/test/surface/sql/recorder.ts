import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import type { Operation } from '../../../src/kernel/declare/operation.ts';
import type { Plan } from './plan.ts';

/** A statement as it was sent. */
export interface Sent {
  text: string;
  values: readonly unknown[];
  /** True if it was sent by name: the session parses it once. */
  prepared: boolean;
  /** The function that sent it, such as `kernel/write/records.ts lockMany`. */
  sender: string;
}

/** All statements and plans that an operation caused in the database. */
export interface Recording {
  sent: Sent[];
  /** Plans of the statements, and of those that their triggers and functions run. */
  plans: Plan[];
}

type Query = (...args: unknown[]) => Promise<unknown>;

/** Records the statements that operations send; other statements of the node are left out. */
export class SqlRecorder {
  readonly #pool: pg.Pool;
  readonly #current = new AsyncLocalStorage<Recording>();
  /** The function that called the pool: it is no longer on the stack when the pool has found a session. */
  readonly #asking = new AsyncLocalStorage<string>();
  readonly #watched = new WeakSet<pg.PoolClient>();
  #armed: Recording | undefined;

  /** The sessions of the pool must be those of a database that logs its plans. */
  constructor(pool: pg.Pool, operations: readonly Operation[]) {
    this.#pool = pool;
    pool.on('acquire', (client) => this.#watch(client));
    // The pool itself continues in the async context of the code that released the session.
    pool.query = ((...args: unknown[]) =>
      this.#asking.run(senderOf(stackHere()), () => this.#query(...args))) as typeof pool.query;
    for (const operation of operations) {
      const run = operation.run.bind(operation);
      operation.run = (call) => (this.#armed ? this.#current.run(this.#armed, () => run(call)) : run(call));
    }
  }

  /** Records the statements of the operations that run during the work. */
  async duringOperations(work: () => Promise<unknown>): Promise<Recording> {
    const recording: Recording = { sent: [], plans: [] };
    this.#armed = recording;
    try {
      await work();
    } finally {
      this.#armed = undefined;
    }
    return recording;
  }

  /**
   * Records the statements of the work itself, including the checks before an operation and calls that are not awaited.
   */
  async during(work: () => Promise<unknown>): Promise<Recording> {
    const recording: Recording = { sent: [], plans: [] };
    await this.#current.run(recording, work);
    // There is one session, so this query runs after all others.
    await this.#query('select');
    return recording;
  }

  async #query(...args: unknown[]): Promise<unknown> {
    const client = await this.#pool.connect();
    try {
      return await (client.query as Query)(...args);
    } finally {
      client.release();
    }
  }

  #watch(client: pg.PoolClient): void {
    if (this.#watched.has(client)) return;
    this.#watched.add(client);
    let running: Recording | undefined;
    client.on('notice', ({ message = '' }) => {
      const plan = /plan:\s*(\{.*\})\s*$/s.exec(message)?.[1];
      if (plan) running?.plans.push(JSON.parse(plan).Plan);
    });
    const query = client.query.bind(client) as Query;
    const watched = async (...args: unknown[]): Promise<unknown> => {
      const sender = this.#asking.getStore() ?? senderOf(stackHere());
      running = sender === notAwaited ? undefined : this.#current.getStore();
      running?.sent.push(sentOf(args, sender));
      return query(...args);
    };
    Object.assign(client, { query: watched });
  }
}

function sentOf([first, second]: readonly unknown[], sender: string): Sent {
  const { text, values, name }: { text: string; values?: unknown; name?: string } =
    typeof first === 'string' ? { text: first, values: second } : (first as { text: string });
  return { text, values: Array.isArray(values) ? values : [], prepared: name !== undefined, sender };
}

function stackHere(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 40;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return stack;
}

/** Collects the notifications of several calls for a while: the clock decides in which call they are sent. */
const notAwaited = 'kernel/jobs/reconcile.ts emitAll';
/** Functions that send the statements of their callers. */
const carriers = /^kernel\/database\/connect\.ts |^kernel\/read\/reader\.ts (run|fetchScoped)$/;
/**
 * Matches `at async Records.#lockMany (file:///…/server/src/kernel/write/records.ts:1:2)`; the last word of the name is
 * used.
 */
const frame = /^\s*at (?:.*?([\w$]+)(?: \[as \w+\])? \()?.*\/server\/src\/([^:]+\.ts):\d+:\d+\)?$/;

/**
 * Returns the innermost function of this project on a stack that is not only a carrier: `kernel/write/records.ts
 * lockMany`.
 */
export function senderOf(stack: string): string {
  const functions = stack.split('\n').flatMap((line) => {
    const [, name = '', file] = frame.exec(line) ?? [];
    return file && !carriers.test(`${file} ${name}`) ? [{ file, name }] : [];
  });
  const [innermost] = functions;
  if (!innermost) return 'unknown';
  // A function without a name gets the name of the function around it.
  const { name } = functions.find((entry) => entry.file === innermost.file && entry.name !== '') ?? innermost;
  return `${innermost.file} ${name}`.trim();
}
