import type pg from 'pg';
import { Parameters } from '../../database/parameters.ts';
import type { Caller } from '../../declare/caller.ts';
import { isLog } from '../../declare/declaration.ts';
import { pascalCase } from '../../declare/names.ts';
import { integerMax, type ObjectShape } from '../../declare/shape.ts';
import { Failure, notFound, rejected } from '../../failure.ts';
import { currentPosition, type FeedPage, readFeed, readPosition, refuseForgotten } from '../../feed/feed.ts';
import { parseFilters } from '../../filter/parse.ts';
import { checkLogPosition, currentLogPosition, readLogFeed } from '../../log/log-feed.ts';
import type { Reader } from '../../read/reader.ts';
import { filterParameter } from './list.ts';
import { apiRoot, type Draft, type PatternContext } from './pattern.ts';

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

const monitorStarted: ObjectShape = {
  kind: 'object',
  name: 'MonitorStarted',
  properties: {
    id: { kind: 'integer', min: 1, max: integerMax, doc: 'Identity of the monitor.' },
    position: { kind: 'text', max: 20_000, doc: 'Start position of the monitor.' },
  },
};

/** Returns the shape of what a poll returns for each changed record. */
const feedEntryShape = (name: string, record: ObjectShape): ObjectShape => ({
  kind: 'object',
  name: `${name}FeedEntry`,
  properties: {
    position: {
      kind: 'text',
      max: 20_000,
      doc: 'Position of this entry; sent with the next poll, it acknowledges everything up to here.',
    },
    change: { kind: 'choice', values: ['added', 'modified', 'removed'] },
    record: {
      ...record,
      name: `Changed${name}`,
      sparse: true,
      doc: 'Current state of the record; a removed record has only its identity.',
    },
  },
});

/** Returns the operations that start, poll and stop a monitor. */
export function monitor(context: PatternContext): Draft[] {
  const body: ObjectShape = {
    kind: 'object',
    name: 'MonitorStart',
    properties: {
      filter: { kind: 'list', item: filterParameter.shape, max: 16, doc: 'Report only matching records.' },
    },
  };
  const path = `${apiRoot}${context.declaration.path}/monitor`;
  return [
    {
      method: 'POST',
      at: '/monitor/start',
      verb: 'view',
      operationId: 'monitor-start',
      summary: `Start to follow ${isLog(context.declaration) ? 'new' : 'changes of'} ${context.noun} records`,
      body,
      bodyOptional: true,
      success: 201,
      result: monitorStarted,
      example: { filter: [`${context.declaration.label}==*`] },
      more: ['rejected'],
      run: (call) =>
        context.runtime.write(call, async ({ client }) => {
          const { filter = [] } = (call.body ?? {}) as { filter?: string[] };
          const started = await startMonitor(client, context.reader(call), call.caller, filter, call.nowMs);
          return { results: [started], location: `${path}/${started.id}` };
        }),
    },
    {
      method: 'GET',
      at: '/monitor/{id}',
      verb: 'view',
      operationId: 'monitor-poll',
      streams: true,
      summary: 'Read the next changes of a monitor',
      query: {
        position: {
          shape: { kind: 'text', min: 1, max: 20_000, doc: 'Position of the last entry that was processed.' },
        },
      },
      result: feedEntryShape(pascalCase(context.declaration.name), context.record),
      // A log also returns the number of rows that wait, including those in this response.
      ...(isLog(context.declaration) && { counted: true }),
      more: ['not-found', 'gone'],
      run: (call) =>
        context.runtime.read(async (client) => {
          const position = call.query.position as string | undefined;
          const { entries, waiting } = await pollMonitor(
            client,
            context.reader(call),
            call.caller,
            call.id,
            position,
            call.nowMs,
          );
          return { results: entries, ...(waiting !== undefined && { filtered: waiting, total: waiting }) };
        }),
    },
    {
      method: 'POST',
      at: '/monitor/{id}/stop',
      verb: 'view',
      operationId: 'monitor-stop',
      summary: 'Stop a monitor',
      more: ['not-found', 'gone'],
      run: (call) =>
        context.runtime.write(call, async ({ client }) => {
          await stopMonitor(client, context.reader(call), call.caller, call.id);
          return {};
        }),
    },
  ];
}

/** Reads the changes of a table after a position. */
interface Following {
  current(client: pg.PoolClient): Promise<string>;
  check(position: string): void;
  read(
    client: pg.PoolClient,
    reader: Reader,
    position: string,
    filter: readonly string[],
    nowMs: number,
  ): Promise<FeedPage>;
}

const collections: Following = {
  current: currentPosition,
  check: (position) => void readPosition(position),
  async read(client, reader, position, filter, nowMs) {
    await refuseForgotten(client, reader.table, position);
    return readFeed(client, reader, position, filter, nowMs);
  },
};

const logs: Following = {
  current: currentLogPosition,
  check: checkLogPosition,
  read: readLogFeed,
};

const followingOf = (reader: Reader): Following => (isLog(reader.table.declaration) ? logs : collections);

/**
 * Starts a monitor of changes or of new log rows. Checks the filter now, so that a typing error is not found at the
 * first poll.
 */
async function startMonitor(
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
    throw rejected(`At most ${monitorsMax} monitors can run at a time per token; stop one first.`);
  const position = await followingOf(reader).current(client);
  const { rows } = await client.query<{ id: number }>(
    'insert into monitor (table_name, credential, filter, acknowledged, frame) values ($1, $2, $3, $4, $5) returning id',
    [reader.table.name, credential, filter, position, await frameOf(client, reader)],
  );
  return { id: rows[0]!.id, position };
}

/**
 * Returns the fingerprint of a limited visibility: while it is unchanged, every row that becomes visible or invisible
 * has an entry in the feed.
 */
async function frameOf(client: pg.PoolClient, { table, visibility }: Reader): Promise<string | null> {
  const parameters = new Parameters();
  const frames = visibility.limitsOn(table.declaration).map(({ fingerprint: frame }) => frame(parameters));
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
    throw new Failure('gone', `Monitor ${id} expired after ${idleMinutes} minutes without a poll; start a new one.`);
  return monitor;
}

/**
 * Returns the entries after the position, which this acknowledges; without one, after the last acknowledged position.
 */
async function pollMonitor(
  client: pg.PoolClient,
  reader: Reader,
  caller: Caller,
  id: number,
  position: string | undefined,
  nowMs: number,
): Promise<FeedPage> {
  const monitor = await find(client, reader, caller, id);
  const following = followingOf(reader);
  if (position !== undefined) following.check(position);
  const acknowledged = position ?? monitor.acknowledged;
  // A client may poll from the same position for days: the entries that were found irrelevant are not read again.
  const isClear = monitor.clearUntil !== null && acknowledged === monitor.acknowledged;
  const startPosition = isClear ? monitor.clearUntil! : acknowledged;
  if ((await frameOf(client, reader)) !== monitor.frame)
    throw new Failure(
      'gone',
      `The records visible to you have changed since monitor ${id} started; read the list again and start a new monitor.`,
    );
  const reported = await following.read(client, reader, startPosition, monitor.filter, nowMs);
  await client.query('update monitor set acknowledged = $2, clear_until = $3, polled_at = now() where id = $1', [
    id,
    acknowledged,
    reported.entries.length === 0 ? reported.upto : isClear ? monitor.clearUntil : null,
  ]);
  return reported;
}

async function stopMonitor(client: pg.PoolClient, reader: Reader, caller: Caller, id: number): Promise<void> {
  await find(client, reader, caller, id);
  await client.query('delete from monitor where id = $1', [id]);
}
