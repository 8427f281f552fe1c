import type pg from 'pg';
import { Failure, notFound, rejected } from './failure.ts';
import { currentPosition, readFeed, readPosition, refuseForgotten, type Told } from './feed.ts';
import { Parameters } from './filter/compile.ts';
import { parseFilters } from './filter/parse.ts';
import { checkLogPosition, currentLogPosition, readLogFeed } from './log/log-feed.ts';
import { isLog } from './model.ts';
import type { Caller } from './operation.ts';
import type { Reader } from './read/list.ts';
import type { ObjectShape } from './shape.ts';
import { integerMax } from './shape.ts';

const monitorsMax = 20;
const idleMinutes = 15;

interface Monitor {
  id: number;
  filter: string[];
  acknowledged: string;
  clearUntil: string | null;
  frame: string | null;
  idle: boolean;
}

export const monitorStarted: ObjectShape = {
  kind: 'object',
  name: 'MonitorStarted',
  properties: {
    id: { kind: 'integer', min: 1, max: integerMax, doc: 'Identity of the monitor.' },
    position: { kind: 'text', max: 20_000, doc: 'Where the monitor begins.' },
  },
};

/** What a poll answers for records of a shape. */
export const feedEntryShape = (name: string, record: ObjectShape): ObjectShape => ({
  kind: 'object',
  name: `${name}FeedEntry`,
  properties: {
    position: {
      kind: 'text',
      max: 20_000,
      doc: 'Acknowledges everything up to this entry when sent with the next poll.',
    },
    change: { kind: 'choice', values: ['added', 'modified', 'removed'] },
    record: {
      ...record,
      name: `Changed${name}`,
      sparse: true,
      doc: 'The record as it is now; a removed one has its identity alone.',
    },
  },
});

/** A way to follow a table: from where on, and what came since. */
interface Following {
  current(client: pg.PoolClient): Promise<string>;
  check(position: string): void;
  read(client: pg.PoolClient, reader: Reader, from: string, filter: readonly string[], nowMs: number): Promise<Told>;
}

const collections: Following = {
  current: currentPosition,
  check: (position) => void readPosition(position),
  async read(client, reader, from, filter, nowMs) {
    await refuseForgotten(client, reader.table, from);
    return readFeed(client, reader, from, filter, nowMs);
  },
};

const logs: Following = {
  current: currentLogPosition,
  check: checkLogPosition,
  read: readLogFeed,
};

const followingOf = (reader: Reader): Following => (isLog(reader.table.declaration) ? logs : collections);

/** Starts to follow what changes, or is logged; the filter is checked now, so that a typing error is not found at the first poll. */
export async function startMonitor(
  client: pg.PoolClient,
  reader: Reader,
  caller: Caller,
  filter: readonly string[],
  nowMs: number,
): Promise<{ id: number; position: string }> {
  parseFilters(filter);
  if (filter.length > 0) await reader.fetchMany(client, [], filter, nowMs);
  const credential = caller.credential.publicId;
  await client.query(`delete from monitor where credential = $1 and polled_at < now() - make_interval(mins => $2)`, [
    credential,
    idleMinutes,
  ]);
  const { rows: running } = await client.query<{ count: number }>(
    'select count(*)::integer as count from monitor where credential = $1',
    [credential],
  );
  if (running[0]!.count >= monitorsMax)
    throw rejected(`At most ${monitorsMax} monitors run at a time for one token; stop one first.`);
  const position = await followingOf(reader).current(client);
  const { rows } = await client.query<{ id: number }>(
    'insert into monitor (table_name, credential, filter, acknowledged, frame) values ($1, $2, $3, $4, $5) returning id',
    [reader.table.name, credential, filter, position, await frameOf(client, reader)],
  );
  return { id: rows[0]!.id, position };
}

/** What the caller's sight is made of, where it is limited: while that stays, every row that comes or goes has an entry in the feed. */
async function frameOf(client: pg.PoolClient, { table, sight }: Reader): Promise<string | null> {
  const parameters = new Parameters();
  const frames = sight.limitsOn(table.declaration).map(({ frame }) => frame(parameters));
  if (frames.length === 0) return null;
  const { rows } = await client.query<{ frame: string }>(
    `select concat_ws(' ', ${frames.join(', ')}) as frame`,
    parameters.values,
  );
  return rows[0]!.frame;
}

async function find(client: pg.PoolClient, reader: Reader, caller: Caller, id: number): Promise<Monitor> {
  const { rows } = await client.query<Monitor>(
    `select m.id, m.filter, m.acknowledged, m.clear_until as "clearUntil", m.frame, m.polled_at < now() - make_interval(mins => $4) as idle
     from monitor m where m.id = $1 and m.table_name = $2 and m.credential = $3`,
    [id, reader.table.name, caller.credential.publicId, idleMinutes],
  );
  const monitor = rows[0];
  if (!monitor) throw notFound('monitor', id);
  if (monitor.idle)
    throw new Failure('gone', `Monitor ${id} ended after ${idleMinutes} minutes without a poll; start a new one.`);
  return monitor;
}

/** What follows the position, which is acknowledged by asking; without one, what follows the last acknowledged. */
export async function pollMonitor(
  client: pg.PoolClient,
  reader: Reader,
  caller: Caller,
  id: number,
  position: string | undefined,
  nowMs: number,
): Promise<Told> {
  const monitor = await find(client, reader, caller, id);
  const following = followingOf(reader);
  if (position !== undefined) following.check(position);
  const acknowledged = position ?? monitor.acknowledged;
  // A client that has nothing to do asks from the same place for days; what was found empty is not looked through again.
  const isClear = monitor.clearUntil !== null && acknowledged === monitor.acknowledged;
  const from = isClear ? monitor.clearUntil! : acknowledged;
  if ((await frameOf(client, reader)) !== monitor.frame)
    throw new Failure(
      'gone',
      `What you may see has changed since monitor ${id} began; read the list again and start a new one.`,
    );
  const told = await following.read(client, reader, from, monitor.filter, nowMs);
  await client.query('update monitor set acknowledged = $2, clear_until = $3, polled_at = now() where id = $1', [
    id,
    acknowledged,
    told.entries.length === 0 ? told.upto : isClear ? monitor.clearUntil : null,
  ]);
  return told;
}

export async function stopMonitor(client: pg.PoolClient, reader: Reader, caller: Caller, id: number): Promise<void> {
  await find(client, reader, caller, id);
  await client.query('delete from monitor where id = $1', [id]);
}
