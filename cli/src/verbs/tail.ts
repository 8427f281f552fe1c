import { setTimeout as sleep } from 'node:timers/promises';
import { PortreeveError } from '@portreeve/sdk/runtime.ts';
import { columnAt, columnsByWorth } from '../columns.ts';
import { operationOf, type VerbContext } from '../context.ts';
import { line } from '../output.ts';
import type { JsonObject } from '../set.ts';
import { harmless, harmlessJson } from '../text.ts';
import { columnsOf } from './list.ts';

const pollMs = 1_000;

interface Entry {
  position: string;
  change: 'added' | 'modified' | 'removed';
  record: JsonObject;
}

/** Nobody answered, or a node is on its way out: its successor goes on where it was. */
const passing: ReadonlySet<string> = new Set(['unreachable', 'unavailable', 'throttled']);

/** The service forgot the monitor: nobody asked for a quarter of an hour, or its database was put back. */
const forgotten: ReadonlySet<string> = new Set(['gone', 'not-found']);

/** Prints what is new, as it comes, until Ctrl-C. What was printed is acknowledged, so nothing is printed twice or missed. */
export async function tail(context: VerbContext): Promise<void> {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const follower = new Follower(context, stopped.signal);
  await follower.start();
  await remark(context, 'Following; Ctrl-C ends it.');
  try {
    for (;;) {
      await follower.look();
      await sleep(pollMs, undefined, { signal: stopped.signal });
    }
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await follower.end();
  }
}

/** A monitor of the service, and how far its entries are printed. */
class Follower {
  readonly #context: VerbContext;
  readonly #signal: AbortSignal;
  readonly #print: (entry: Entry) => Promise<void>;
  #id = 0;
  #position = '';
  #isLost = false;

  constructor(context: VerbContext, signal: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
    this.#print = printer(context);
  }

  async start(): Promise<void> {
    const { client, args } = this.#context;
    const { results } = await client.call<{ id: number; position: string }>(
      operationOf(this.#context, 'monitor-start'),
      { body: { filter: args.texts('filter') } },
    );
    this.#id = results[0]!.id;
    this.#position = results[0]!.position;
  }

  /** Prints what came since the last look; a service that is away for a while is waited for. */
  async look(): Promise<void> {
    try {
      const { results } = await this.#context.client.call<Entry>(operationOf(this.#context, 'monitor-poll'), {
        path: { id: this.#id },
        query: { position: this.#position },
        signal: this.#signal,
      });
      if (this.#isLost) await remark(this.#context, 'The service answers again.');
      this.#isLost = false;
      for (const entry of results) {
        await this.#print(entry);
        this.#position = entry.position;
      }
    } catch (error) {
      await this.#bear(error);
    }
  }

  async #bear(error: unknown): Promise<void> {
    const word = error instanceof PortreeveError ? error.word : '';
    if (forgotten.has(word)) {
      await this.start();
      await remark(this.#context, 'The service had forgotten where this was; what came meanwhile may be missing.');
    } else if (!passing.has(word)) throw error;
    else if (!this.#isLost) await remark(this.#context, `${(error as Error).message} Trying again.`);
    this.#isLost = passing.has(word);
  }

  /** A monitor that cannot be ended ends itself after a quarter of an hour. */
  async end(): Promise<void> {
    const signal = AbortSignal.timeout(5_000);
    const stop = operationOf(this.#context, 'monitor-stop');
    await this.#context.client.call(stop, { path: { id: this.#id }, signal }).catch(() => undefined);
  }
}

const remark = ({ screen }: VerbContext, text: string): Promise<void> =>
  line(screen.err, screen.err.style('dim', harmless(text)));

/** A record a line: as JSON, or its most telling fields. */
function printer(context: VerbContext): (entry: Entry) => Promise<void> {
  const { screen, args, document, group } = context;
  // Only a log says how many rows wait: of it everything is new, and nothing changes later.
  const isLog = operationOf(context, 'monitor-poll').counted;
  if (args.has('json'))
    return (entry) => line(screen.out, harmlessJson(isLog ? entry.record : { change: entry.change, ...entry.record }));
  const columns =
    columnsOf(context)?.map((path) => columnAt(path, group.record, document)) ??
    columnsByWorth(group.record, document).filter(({ isAlways }) => isAlways);
  return ({ change, record }) => {
    const cells = columns.map(({ path }) => harmless(String(valueAt(record, path) ?? '')));
    return line(screen.out, [...(isLog ? [] : [change]), ...cells].join(screen.out.isTerminal ? '  ' : '\t'));
  };
}

const valueAt = (record: JsonObject, path: string): unknown =>
  path.split('.').reduce<unknown>((value, step) => (value as JsonObject | undefined)?.[step], record);
