import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { catalogue } from '../../../src/catalogue.ts';
import { withConnection } from '../../../src/kernel/database/transaction.ts';
import { currentPosition, readFeed } from '../../../src/kernel/feed/feed.ts';
import { Reader } from '../../../src/kernel/read/reader.ts';
import { modelFor } from '../../../src/node/start-service.ts';
import type { ServedCell } from '../../world/cell.ts';

interface ReportedChange {
  position: string;
  record: Record<string, unknown>;
}

type FetchPage = (position: string) => Promise<{ entries: readonly ReportedChange[]; upto?: string }>;

const pauseMs = 100;
const lateMsMax = 120_000;

/** Follows a table, and records the reported changes with their place in the feed or log. */
export class Follower {
  readonly table: string;
  /** The snapshot after which every change must be reported. */
  readonly since: string;
  readonly reported: { place: number; record: Record<string, unknown> }[] = [];
  polls = 0;
  #position: string;
  readonly #ask: FetchPage;

  constructor(table: string, position: string, ask: FetchPage) {
    this.table = table;
    this.since = partsOf(position)[0]!;
    this.#position = position;
    this.#ask = ask;
  }

  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) if ((await this.#poll()) === 0) await sleep(pauseMs);
  }

  /** Polls until this many changes were reported, or until none has arrived for too long. */
  async catchUp(count: number): Promise<void> {
    const end = Date.now() + lateMsMax;
    while (this.reported.length < count && Date.now() < end) if ((await this.#poll()) === 0) await sleep(pauseMs);
    await this.#poll();
  }

  async #poll(): Promise<number> {
    const { entries, upto } = await this.#ask(this.#position);
    this.polls++;
    for (const { position, record } of entries) this.reported.push({ place: Number(partsOf(position).at(-1)), record });
    this.#position = upto ?? entries.at(-1)?.position ?? this.#position;
    return entries.length;
  }
}

const partsOf = (position: string): string[] => Buffer.from(position, 'base64url').toString('latin1').split('|');

/** Follows by the operations of the API, alternating between the nodes. */
export async function followByApi(cell: ServedCell, table: string, path: string): Promise<Follower> {
  const clients = cell.nodes.map((node) => cell.client(node));
  const { body } = await clients[0]!.post(`${path}/monitor/start`, {});
  const { id, position } = body.results![0]!;
  let turn = 0;
  return new Follower(table, String(position), async (position) => {
    const reply = await clients[turn++ % clients.length]!.get(`${path}/monitor/${id}?position=${position}`);
    if (reply.code !== 200)
      throw new Error(`the monitor of ${path} returned ${reply.code}: ${reply.body.errorMessage}`);
    return { entries: reply.body.results as unknown as ReportedChange[] };
  });
}

/**
 * Follows a table that has no monitor operation with the functions behind the operations, on a database session like a
 * node's.
 */
export async function followFeed(pool: pg.Pool, name: string): Promise<Follower> {
  const table = modelFor(catalogue).byName(name);
  const reader = new Reader(table);
  return new Follower(table.name, await withConnection(pool, currentPosition), (position) =>
    withConnection(pool, (client) => readFeed(client, reader, position, [], Date.now())),
  );
}
