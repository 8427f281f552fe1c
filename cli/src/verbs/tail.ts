import { setTimeout as sleep } from 'node:timers/promises';
import { PortreeveError } from '@portreeve/sdk/runtime.ts';
import { columnAt, columnsByPriority, valueAt } from '../columns.ts';
import { operationOf, type VerbContext } from '../context.ts';
import type { Schema } from '../document.ts';
import { GrowingTable } from '../growing-table.ts';
import { line } from '../output.ts';
import { printerFor } from '../printer.ts';
import { isTime } from '../schema.ts';
import type { JsonObject } from '../set.ts';
import { displayText, showFor, textOf } from '../shown-value.ts';
import { escapeUnsafe } from '../text.ts';
import { columnsOf, filtersOf } from './list.ts';

const pollMs = 1_000;

interface Entry {
  position: string;
  change: 'added' | 'modified' | 'removed';
  record: JsonObject;
}

/** Temporary: no response, or the node is shutting down. Another node continues at the same position. */
const temporaryFailures: ReadonlySet<string> = new Set(['unreachable', 'unavailable', 'throttled']);

/** The monitor does not exist any more: it was not polled for 15 minutes, or the database was restored. */
const expiredWords: ReadonlySet<string> = new Set(['gone', 'not-found']);

/** Prints new entries until Ctrl-C. Printed entries are acknowledged, so that none is printed twice or missed. */
export async function tail(context: VerbContext): Promise<void> {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const follower = new Follower(context, stopped.signal);
  await follower.start();
  await remark(context, 'Waiting for new entries. Press Ctrl-C to stop.');
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

/** A monitor of the service, and the position of the last printed entry. */
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
    const { client } = this.#context;
    const { results } = await client.call<{ id: number; position: string }>(
      operationOf(this.#context, 'monitor-start'),
      { body: { filter: filtersOf(this.#context) } },
    );
    this.#id = results[0]!.id;
    this.#position = results[0]!.position;
  }

  /** Prints entries since the last poll; retries while the service is unavailable. */
  async look(): Promise<void> {
    try {
      const { results } = await this.#context.client.call<Entry>(operationOf(this.#context, 'monitor-poll'), {
        path: { id: this.#id },
        query: { position: this.#position },
        signal: this.#signal,
      });
      if (this.#isLost) await remark(this.#context, 'The service is available again.');
      this.#isLost = false;
      for (const entry of results) {
        await this.#print(entry);
        this.#position = entry.position;
      }
    } catch (error) {
      await this.#handleFailure(error);
    }
  }

  async #handleFailure(error: unknown): Promise<void> {
    const word = error instanceof PortreeveError ? error.word : '';
    if (expiredWords.has(word)) {
      await this.start();
      await remark(this.#context, 'The monitor had expired and was restarted. Entries in between may be missing.');
    } else if (!temporaryFailures.has(word)) throw error;
    else if (!this.#isLost) await remark(this.#context, `${(error as Error).message} Retrying.`);
    this.#isLost = temporaryFailures.has(word);
  }

  /** Stops the monitor; if that fails, it expires after 15 minutes. */
  async end(): Promise<void> {
    const signal = AbortSignal.timeout(5_000);
    const stop = operationOf(this.#context, 'monitor-stop');
    await this.#context.client.call(stop, { path: { id: this.#id }, signal }).catch(() => undefined);
  }
}

const remark = ({ screen }: VerbContext, text: string): Promise<void> =>
  line(screen.err, screen.err.style('dim', escapeUnsafe(text)));

/** Returns the function that prints an entry: in the output format, or its most important fields. */
function printer(context: VerbContext): (entry: Entry) => Promise<void> {
  const { screen, args, document, group } = context;
  // Only the monitor of a log returns counts; its entries are always new.
  const isLog = operationOf(context, 'monitor-poll').counted;
  const printer = isLog
    ? printerFor({ ...context, schema: group.record }, 'lines')
    : printerFor({ ...context, schema: withChange(group.record), always: ['change'] }, 'lines');
  if (printer) return ({ change, record }) => printer.print([isLog ? record : { change, ...record }]);
  const columns =
    columnsOf(context)?.map((path) => columnAt(path, group.record, document)) ??
    columnsByPriority(group.record, document).filter(({ isAlways }) => isAlways);
  const show = showFor(screen.out.isTerminal, args.has('raw'));
  const heads = columns.map(({ path }) => path);
  const table = new GrowingTable(screen.out, isLog ? heads : ['change', ...heads]);
  return ({ change, record }) => {
    // Prints the time itself, because the distance of a new entry is always zero.
    const cells = columns.map(({ field, schema }) => {
      const value = valueAt(record, field);
      return schema && isTime(schema) ? textOf(value) : displayText(value, schema, document, show);
    });
    return table.print(isLog ? cells : [change, ...cells]);
  };
}

/** Adds the kind of change to the schema of a record. */
const withChange = (record: Schema | undefined): Schema => ({
  ...record,
  properties: { change: { type: 'string' }, ...record?.properties },
  'x-columns': ['change', ...(record?.['x-columns'] ?? [])],
});
