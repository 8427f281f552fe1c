import type pg from 'pg';
import { adapter } from '../host/adapter/adapter.ts';
import { everyRow } from '../kernel/access/visible-tables.ts';
import type { Caller } from '../kernel/declare/caller.ts';
import { isLog } from '../kernel/declare/declaration.ts';
import type { Call, Operation } from '../kernel/declare/operation.ts';
import { integerMax, type ObjectShape } from '../kernel/declare/shape.ts';
import { shapes } from '../kernel/declare/shapes.ts';
import { forbidden, invalid } from '../kernel/failure.ts';
import { changedBetween, changedIdsMax, positionAt, refuseForgotten } from '../kernel/feed/feed.ts';
import { countedBetween, currentMoment, type Moment } from '../kernel/log/log-feed.ts';
import type { Reader } from '../kernel/read/reader.ts';
import { isSnapshot } from '../kernel/values/snapshot.ts';
import type { Runtime } from '../kernel/write/runtime.ts';
import { consoleOperation } from './console-operation.ts';

const everyAdapter = everyRow(adapter, 'only visible adapters are passed, and visibleIds then limits their hosts');

/** Streams poll each second. A result that is younger than this is shared by all streams. */
const freshMs = 500;
/** Number of cached windows, at least one minute. A stream with an older position causes its own query. */
const windowsMax = 120;
/** After this number of windows without changes, a stream still receives a new position. */
const windowsIdle = 30;

/** The changes of a resource: the ids of changed records, or the number of new log rows. */
interface TopicChange {
  ids: number[];
  many: boolean;
  added: number;
}

const noChange: TopicChange = { ids: [], many: false, added: 0 };

/** The time between two moments. Each query about it runs only once. */
class Window {
  readonly since: Moment;
  readonly upto: Moment;
  readonly #changes = new Map<string, Promise<TopicChange>>();

  constructor(since: Moment, upto: Moment) {
    this.since = since;
    this.upto = upto;
  }

  changes(key: string, load: (window: Window) => Promise<TopicChange>): Promise<TopicChange> {
    const cachedChange = this.#changes.get(key);
    if (cachedChange) return cachedChange;
    const pendingChange = load(this);
    this.#changes.set(key, pendingChange);
    // A failed query is repeated by the next request.
    pendingChange.catch(() => this.#changes.delete(key));
    return pendingChange;
  }
}

/** The resources to follow, and the position to continue from; without a position from now on. */
export type FeedCall = Call<unknown, { topic: string[]; position?: string }>;

/**
 * Reports changes of resources to all consoles that are connected to this node, and queries the database once for all of them. Positions are
 * snapshots of the database, so that a stream can continue on another node.
 */
export class ConsoleFeed {
  readonly #runtime: Runtime;
  readonly #monotonicMs: () => number;
  readonly #windows: Window[] = [];
  #last: Moment | undefined;
  #loadedMs = Number.NEGATIVE_INFINITY;
  #pendingLoad: Promise<Moment> | undefined;

  constructor(runtime: Runtime, monotonicMs: () => number) {
    this.#runtime = runtime;
    this.#monotonicMs = monotonicMs;
  }

  /** Returns the changes after a position. Without a position, returns the current one. */
  async changes(call: FeedCall): Promise<{ results: unknown[] }> {
    const { topic: topics, position } = call.query;
    const readers = [...new Set(topics)].map((topic) => this.#reader(topic, call.caller));
    if (position === undefined) return { results: [{ position: writePosition(await this.#start()), changes: [] }] };
    const upto = await this.#now();
    const since = readPosition(position);
    const windowIndex = this.#windows.findIndex((window) => window.since.snapshot === since.snapshot);
    if (windowIndex < 0 && since.snapshot === upto.snapshot) return { results: [] };
    if (windowIndex < 0) await this.#refuseForgotten(readers, since);
    const windows = windowIndex < 0 ? [new Window(since, upto)] : this.#windows.slice(windowIndex);
    const last = windows.at(-1)!.upto;
    const changes = [];
    for (const reader of readers) {
      const change = await this.#inTopic(reader, windows, call);
      if (change.many || change.added > 0 || change.ids.length > 0)
        changes.push({ topic: reader.table.declaration.name, ...change });
    }
    if (changes.length === 0 && windows.length < windowsIdle) return { results: [] };
    return { results: [{ position: writePosition(last), changes }] };
  }

  #reader(topic: string, caller: Caller): Reader {
    const reader = this.#runtime.reader(topic, caller);
    const { declaration } = reader.table;
    if (!reader.visibility.mayView(declaration)) throw forbidden(declaration.permission, 'view');
    return reader;
  }

  /** Returns the current moment for a new stream, not a cached one. */
  async #start(): Promise<Moment> {
    await this.#pendingLoad;
    return this.#loadOnce();
  }

  /** Returns the end of the newest window, and adds a window if the last one is too old. */
  #now(): Promise<Moment> {
    if (this.#last && this.#monotonicMs() - this.#loadedMs < freshMs) return Promise.resolve(this.#last);
    return this.#loadOnce();
  }

  #loadOnce(): Promise<Moment> {
    this.#pendingLoad ??= this.#load().finally(() => {
      this.#pendingLoad = undefined;
    });
    return this.#pendingLoad;
  }

  async #load(): Promise<Moment> {
    const upto = await this.#runtime.read(currentMoment);
    const since = this.#last;
    const now = this.#monotonicMs();
    // After a minute without requests, the windows are dropped instead of adding one for the whole gap.
    if (since && now - this.#loadedMs < windowsMax * freshMs) {
      if (since.snapshot !== upto.snapshot) this.#windows.push(new Window(since, upto));
      if (this.#windows.length > windowsMax) this.#windows.shift();
    } else {
      this.#windows.length = 0;
    }
    this.#last = since?.snapshot === upto.snapshot ? since : upto;
    this.#loadedMs = now;
    return this.#last;
  }

  async #refuseForgotten(readers: readonly Reader[], since: Moment): Promise<void> {
    await this.#runtime.read(async (client) => {
      for (const { table } of readers)
        if (!isLog(table.declaration)) await refuseForgotten(client, table, positionAt(since.snapshot));
    });
  }

  async #inTopic(reader: Reader, windows: readonly Window[], { caller, nowMs }: Call): Promise<TopicChange> {
    const { declaration } = reader.table;
    const adapters = this.#connected(reader, caller);
    // Callers without row limits share the results.
    const isLimited = [reader, adapters].some(
      (limitedReader) => limitedReader && limitedReader.visibility.limitsOn(limitedReader.table.declaration).length > 0,
    );
    const key = `${declaration.name} ${isLimited ? caller.accountId : ''}`;
    const sums: TopicChange[] = [];
    for (const window of windows)
      sums.push(
        await window.changes(key, ({ since, upto }) =>
          this.#runtime.read((client) => readTopic(client, reader, adapters, since, upto, nowMs)),
        ),
      );
    return sums.reduce(merge, noChange);
  }

  /** Returns the reader of adapters for hosts, because a change of an adapter also changes its host. */
  #connected(reader: Reader, caller: Caller): Reader | undefined {
    return reader.table.declaration.name === 'host' ? this.#runtime.reader('adapter', caller) : undefined;
  }
}

const merge = (a: TopicChange, b: TopicChange): TopicChange => {
  const ids = [...new Set([...a.ids, ...b.ids])];
  const many = a.many || b.many || ids.length > changedIdsMax;
  return { ids: many ? [] : ids, many, added: a.added + b.added };
};

async function readTopic(
  client: pg.PoolClient,
  reader: Reader,
  adapters: Reader | undefined,
  since: Moment,
  upto: Moment,
  nowMs: number,
): Promise<TopicChange> {
  if (isLog(reader.table.declaration))
    return { ...noChange, added: await countedBetween(client, reader, since, upto, nowMs) };
  const { ids, isMany } = await changedBetween(client, reader, since.snapshot, upto.snapshot);
  const hostChange = { ids, many: isMany, added: 0 };
  if (!adapters || isMany) return hostChange;
  const moved = await changedBetween(client, adapters, since.snapshot, upto.snapshot);
  return merge(hostChange, { ids: await visibleHostsOf(client, reader, moved.ids), many: moved.isMany, added: 0 });
}

async function visibleHostsOf(client: pg.PoolClient, hosts: Reader, adapterIds: readonly number[]): Promise<number[]> {
  if (adapterIds.length === 0) return [];
  const { rows } = await client.query<{ id: number }>(
    `select distinct a.host_id as id from ${everyAdapter} a where a.id = any($1::bigint[]) and a.host_id is not null`,
    [adapterIds],
  );
  return [
    ...(await hosts.visibleIds(
      client,
      rows.map(({ id }) => id),
    )),
  ];
}

const writePosition = ({ snapshot, ms }: Moment): string => Buffer.from(`${snapshot}|${ms}`).toString('base64url');

function readPosition(text: string): Moment {
  const [snapshot, ms, ...rest] = Buffer.from(text, 'base64url').toString('latin1').split('|');
  if (rest.length > 0 || !isSnapshot(snapshot) || !/^\d{1,16}$/.test(ms ?? ''))
    throw invalid([{ pointer: '?position', message: 'position: not a position of this feed; use one unchanged.' }]);
  return { snapshot: snapshot!, ms: Number(ms) };
}

/** More than the contract has groups. */
const topicsMax = 250;

/** Returns the operation of the feed. `topics` are the resources that can be followed. */
export function feedOperation(feed: ConsoleFeed, topics: readonly string[]): Operation {
  const topic = { kind: 'choice', values: topics } as const;
  const position = { kind: 'text', min: 1, max: 20_000 } as const;
  const entry = {
    kind: 'object',
    name: 'ConsoleChanges',
    properties: {
      position: { ...position, doc: 'Position of this entry, to continue from on any node.' },
      changes: {
        kind: 'list',
        max: topicsMax,
        item: {
          kind: 'object',
          name: 'TopicChanges',
          properties: {
            topic,
            ids: {
              kind: 'list',
              item: shapes.id,
              max: changedIdsMax,
              doc: 'Records that were added, changed or removed.',
            },
            many: { kind: 'flag', doc: 'True: too many changes to list; read the list again.' },
            added: { kind: 'integer', min: 0, max: integerMax, doc: 'New rows of a log.' },
          },
        },
      },
    },
  } as const satisfies ObjectShape;
  return consoleOperation({
    operationId: 'console.feed',
    method: 'GET',
    path: '/feed',
    summary: 'Stream the ids of changed records and counts of log rows',
    query: {
      topic: { shape: { ...topic, example: 'host' }, many: true, required: true },
      position: { shape: { ...position, doc: 'Position of the last entry; none: from now on.' } },
    },
    streams: true,
    result: entry,
    errors: ['gone'],
    run: (call) => feed.changes(call),
  });
}
