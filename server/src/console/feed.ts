import type pg from 'pg';
import { adapter } from '../host/adapter/adapter.ts';
import { everyRow } from '../kernel/access/visible-tables.ts';
import type { Caller } from '../kernel/declare/caller.ts';
import { isLog } from '../kernel/declare/declaration.ts';
import type { Call, Operation } from '../kernel/declare/operation.ts';
import { integerMax, type ObjectShape } from '../kernel/declare/shape.ts';
import { shapes } from '../kernel/declare/shapes.ts';
import { forbidden, invalid } from '../kernel/failure.ts';
import { changedBetween, changedIdsMax, isSnapshot, positionAt, refuseForgotten } from '../kernel/feed/feed.ts';
import { countedBetween, type Moment, present } from '../kernel/log/log-feed.ts';
import type { Reader } from '../kernel/read/reader.ts';
import type { Runtime } from '../kernel/write/runtime.ts';
import { consoleOperation } from './console-operation.ts';

const everyAdapter = everyRow(
  adapter,
  'adapters that the viewer sees; their hosts are then filtered for the same viewer',
);

/** Streams ask each second; what one of them made the node read is young enough for the others. */
const youngMs = 500;
/** A minute or more: who is further behind has the database read for them alone. */
const windowsMax = 120;
/** Who has come no further for so many windows is given a position all the same. */
const windowsIdle = 30;

/** What happened in a group: which records changed, or how many rows are new. */
interface TopicChange {
  ids: number[];
  many: boolean;
  added: number;
}

const nothing: TopicChange = { ids: [], many: false, added: 0 };

/** What lies between two moments; each question about it is asked once. */
class Window {
  readonly since: Moment;
  readonly upto: Moment;
  readonly #answers = new Map<string, Promise<TopicChange>>();

  constructor(since: Moment, upto: Moment) {
    this.since = since;
    this.upto = upto;
  }

  changes(key: string, read: (window: Window) => Promise<TopicChange>): Promise<TopicChange> {
    const known = this.#answers.get(key);
    if (known) return known;
    const asked = read(this);
    this.#answers.set(key, asked);
    // What failed is asked again by the next.
    asked.catch(() => this.#answers.delete(key));
    return asked;
  }
}

/** The groups that are followed, and from where on; without a position from now on. */
export type FeedCall = Call<unknown, { topic: string[]; position?: string }>;

/**
 * What changed in which group, for every console that is open at this node: it looks once, however many ask. It holds nothing that
 * another node would need: a position is a snapshot of the database.
 */
export class ConsoleFeed {
  readonly #runtime: Runtime;
  readonly #monotonicMs: () => number;
  readonly #windows: Window[] = [];
  #last: Moment | undefined;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #looking: Promise<Moment> | undefined;

  constructor(runtime: Runtime, monotonicMs: () => number) {
    this.#runtime = runtime;
    this.#monotonicMs = monotonicMs;
  }

  /** What followed a position in the topics; without one, from where to go on. */
  async changes(call: FeedCall): Promise<{ results: unknown[] }> {
    const { topic: topics, position } = call.query;
    const readers = [...new Set(topics)].map((topic) => this.#reader(topic, call.caller));
    if (position === undefined) return { results: [{ position: writePosition(await this.#begin()), changes: [] }] };
    const upto = await this.#now();
    const since = readPosition(position);
    const at = this.#windows.findIndex((window) => window.since.snapshot === since.snapshot);
    if (at < 0 && since.snapshot === upto.snapshot) return { results: [] };
    if (at < 0) await this.#refuseForgotten(readers, since);
    const windows = at < 0 ? [new Window(since, upto)] : this.#windows.slice(at);
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

  /** Who begins, begins now, and not with what was young before. */
  async #begin(): Promise<Moment> {
    await this.#looking;
    return this.#lookOnce();
  }

  /** The end of the newest window, which is begun when the last one is not young any more. */
  #now(): Promise<Moment> {
    if (this.#last && this.#monotonicMs() - this.#lookedMs < youngMs) return Promise.resolve(this.#last);
    return this.#lookOnce();
  }

  #lookOnce(): Promise<Moment> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<Moment> {
    const upto = await this.#runtime.read(present);
    const since = this.#last;
    const now = this.#monotonicMs();
    // A node that nobody asked for a minute does not keep one window for all of it.
    if (since && now - this.#lookedMs < windowsMax * youngMs) {
      if (since.snapshot !== upto.snapshot) this.#windows.push(new Window(since, upto));
      if (this.#windows.length > windowsMax) this.#windows.shift();
    } else {
      this.#windows.length = 0;
    }
    this.#last = since?.snapshot === upto.snapshot ? since : upto;
    this.#lookedMs = now;
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
    // Who sees every row shares with all others who do.
    const isLimited = [reader, adapters].some(
      (each) => each && each.visibility.limitsOn(each.table.declaration).length > 0,
    );
    const key = `${declaration.name} ${isLimited ? caller.accountId : ''}`;
    const sums: TopicChange[] = [];
    for (const window of windows)
      sums.push(
        await window.changes(key, ({ since, upto }) =>
          this.#runtime.read((client) => readTopic(client, reader, adapters, since, upto, nowMs)),
        ),
      );
    return sums.reduce(added, nothing);
  }

  /** A host is where its adapters are. */
  #connected(reader: Reader, caller: Caller): Reader | undefined {
    return reader.table.declaration.name === 'host' ? this.#runtime.reader('adapter', caller) : undefined;
  }
}

const added = (a: TopicChange, b: TopicChange): TopicChange => {
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
    return { ...nothing, added: await countedBetween(client, reader, since, upto, nowMs) };
  const { ids, isMany } = await changedBetween(client, reader, since.snapshot, upto.snapshot);
  const own = { ids, many: isMany, added: 0 };
  if (!adapters || isMany) return own;
  const moved = await changedBetween(client, adapters, since.snapshot, upto.snapshot);
  return added(own, { ids: await hostsOf(client, reader, moved.ids), many: moved.isMany, added: 0 });
}

async function hostsOf(client: pg.PoolClient, hosts: Reader, adapterIds: readonly number[]): Promise<number[]> {
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

/** The feed as an operation; `topics`: the groups that are served. */
export function feedOperation(feed: ConsoleFeed, topics: readonly string[]): Operation {
  const topic = { kind: 'choice', values: topics } as const;
  const position = { kind: 'text', min: 1, max: 20_000 } as const;
  const entry = {
    kind: 'object',
    name: 'ConsoleChanges',
    properties: {
      position: { ...position, doc: 'Where this entry ends; a stream goes on there, at any node.' },
      changes: {
        kind: 'list',
        max: topics.length,
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
            many: { kind: 'flag', doc: 'More changed than are listed: read the list again.' },
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
    summary: 'Follow which records of some groups change, and how many rows logs get; never what is in them',
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
