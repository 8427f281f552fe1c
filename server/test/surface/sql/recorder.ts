import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import type { Operation } from '../../../src/kernel/declare/operation.ts';
import type { Plan } from './plan.ts';

/** A statement as it was sent, and what PostgreSQL did for it. */
export interface Sent {
  text: string;
  values: readonly unknown[];
  /** Sent by name: the session parses it once. */
  prepared: boolean;
  /** The function that sent it, such as `kernel/write/records.ts lockMany`. */
  sender: string;
}

/** Everything that a piece of work caused in the database. */
export interface Recording {
  sent: Sent[];
  /** Of the statements, and of those that their triggers and functions run. */
  plans: Plan[];
}

type Query = (...args: unknown[]) => Promise<unknown>;

/** Writes down the statements that operations send; what a node does beside them is left out. */
export class SqlRecorder {
  readonly #pool: pg.Pool;
  readonly #current = new AsyncLocalStorage<Recording>();
  /** Who asked the pool itself: nobody is on the stack any more when it has found a session. */
  readonly #asking = new AsyncLocalStorage<string>();
  readonly #watched = new WeakSet<pg.PoolClient>();
  #armed: Recording | undefined;

  /** The sessions of the pool must be those of a database that tells its plans. */
  constructor(pool: pg.Pool, operations: readonly Operation[]) {
    this.#pool = pool;
    pool.on('acquire', (client) => this.#watch(client));
    // The pool's own way goes on in the context of whoever gave the session back.
    pool.query = ((...args: unknown[]) =>
      this.#asking.run(senderOf(stackHere()), () => this.#query(...args))) as typeof pool.query;
    for (const operation of operations) {
      const run = operation.run.bind(operation);
      operation.run = (call) => (this.#armed ? this.#current.run(this.#armed, () => run(call)) : run(call));
    }
  }

  /** What operations cause while the work is done. */
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

  /** What the work itself causes: the checks that come before an operation, and what is not waited for, too. */
  async during(work: () => Promise<unknown>): Promise<Recording> {
    const recording: Recording = { sent: [], plans: [] };
    await this.#current.run(recording, work);
    // There is one session, and who asks for it now gets it last.
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

/** Gathers the notifications of several calls for a while: which call it is sent in depends on the clock. */
const notAwaited = 'kernel/jobs/reconcile.ts emitAll';
/** Functions that send whatever they are given. */
const carriers = /^kernel\/database\/connect\.ts |^kernel\/read\/reader\.ts (run|fetchScoped)$/;
/** `at async Records.#lockMany (file:///…/server/src/kernel/write/records.ts:1:2)`: of a name the last word counts. */
const frame = /^\s*at (?:.*?([\w$]+)(?: \[as \w+\])? \()?.*\/server\/src\/([^:]+\.ts):\d+:\d+\)?$/;

/** The innermost function of ours on a stack that is not only a carrier: `kernel/write/records.ts lockMany`. */
export function senderOf(stack: string): string {
  const functions = stack.split('\n').flatMap((line) => {
    const [, name = '', file] = frame.exec(line) ?? [];
    return file && !carriers.test(`${file} ${name}`) ? [{ file, name }] : [];
  });
  const [innermost] = functions;
  if (!innermost) return 'unknown';
  // One without a name goes by that of the function around it.
  const { name } = functions.find((each) => each.file === innermost.file && each.name !== '') ?? innermost;
  return `${innermost.file} ${name}`.trim();
}
