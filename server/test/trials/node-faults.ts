import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { container } from '../../src/device/container/container.ts';
import { asSuper, type Fault, takeAllSessions } from './fault-cells.ts';
import type { ReplicatedCell } from './replication.ts';

const run = promisify(execFile);
const streamEndMsMax = 10_000;

/** Revokes a token while it streams: the stream must send a failure and end. */
async function endToken(cell: ReplicatedCell): Promise<void> {
  const node = cell.nodes[0]!;
  const client = cell.client(node);
  const createdToken = await client.post('/auth/tokens', { name: 'streaming' });
  const token = String(createdToken.body.results![0]!.token);
  const holder = client.as(token);
  const monitor = await holder.post(`${container.path}/monitor/start`, {});
  holder.close();
  const streamRequest = request({
    host: '127.0.0.1',
    port: node.port,
    path: `/api/v2${container.path}/monitor/${monitor.body.results![0]!.id}`,
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  }).end();
  const [response] = (await once(streamRequest, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the stream returned ${response.statusCode}`);
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const ended = once(response, 'end');
  await client.call('DELETE', `/auth/tokens/${createdToken.body.results![0]!.id}`);
  const isEnded = await Promise.race([ended.then(() => true), sleep(streamEndMsMax, false)]);
  streamRequest.destroy();
  if (!isEnded || !text.includes('event: failure')) throw new Error(`the stream did not end with a failure: ${text}`);
}

const bodies = 60;
const lists = 40;

/** Sends many bodies near the size limit, and requests large lists, at once. */
async function fillHeap(cell: ReplicatedCell): Promise<void> {
  const client = cell.client(cell.nodes[0]!);
  await asSuper(
    cell,
    `insert into event (name, element_type, element_id, message, event_format_string, event_type_id, category, attributes)
     select 'WRITTEN', 2, n, repeat('x', 1000), 'written', 1, 'DEVICE', '{}' from generate_series(1, 2000) n`,
  );
  const name = 'x'.repeat(1_000_000);
  const replies = await Promise.all([
    ...Array.from({ length: bodies }, () => client.post(container.path!, { name })),
    ...Array.from({ length: lists }, () => client.get('/logging/event?count=1000')),
  ]);
  const codes = new Set(replies.map(({ code }) => code));
  const unexpected = [...codes].filter((code) => ![200, 400, 429, 503].includes(code));
  if (unexpected.length > 0) throw new Error(`answered ${unexpected.join(', ')}`);
  if (!codes.has(200)) throw new Error('no list was returned');
  if (!cell.nodes[0]!.isRunning()) throw new Error('the node ended');
}

/** A node that gets no database session must end with an error, so that its supervisor starts it again. */
async function startWithoutSessions(cell: ReplicatedCell): Promise<void> {
  const node = cell.nodes[0]!;
  await cell.stopNode(node);
  const giveBack = await takeAllSessions(cell);
  const started = await cell.startNode(node).then(
    () => '',
    (error: Error) => error.message,
  );
  await giveBack();
  if (!started.includes('ended before it was ready'))
    throw new Error(`the node did not end: ${started || 'it is running'}`);
  await cell.startNode(node);
}

/**
 * Moves the write-ahead log to a small file system and fills it: PostgreSQL ends, and is started manually once there is
 * space.
 */
async function fillWal(cell: ReplicatedCell): Promise<void> {
  const [wal, aside, small] = ['data/pg_wal', 'data/pg_wal.aside', 'small-wal'].map((name) => join(cell.folder, name));
  const uid = String(cell.owner?.uid ?? process.getuid!());
  await asSuper(cell, `alter system set wal_keep_size = '1GB'`);
  await cell.killPostgres();
  await mkdir(small!);
  await run('mount', ['-t', 'tmpfs', '-o', `size=192m,mode=0700,uid=${uid}`, 'tmpfs', small!]);
  try {
    await run('cp', ['-a', `${wal}/.`, small!]);
    await rename(wal!, aside!);
    await symlink(small!, wal!);
    await cell.restartPostgres();
    await asSuper(cell, 'create table filler (text text)');
    await asSuper(cell, 'alter table filler alter column text set storage external');
    const fill = async () => {
      for (let n = 0; n < 100; n++)
        await asSuper(cell, `insert into filler select repeat(md5(n::text), 200) from generate_series(1, 2000) n`);
    };
    const reason = await fill().then(
      () => 'the log did not fill',
      () => '',
    );
    if (reason) throw new Error(reason);
    await sleep(3_000);
  } finally {
    await run('mount', ['-o', 'remount,size=1g', small!]);
    await cell.killPostgres().catch(() => undefined);
    await rm(wal!, { force: true });
    await cp(small!, wal!, { recursive: true, preserveTimestamps: true });
    if (cell.owner) await run('chown', ['-R', uid, wal!]);
    await run('chmod', ['0700', wal!]);
    await run('umount', [small!]);
    await rm(aside!, { recursive: true, force: true });
    await cell.restartPostgres();
    await asSuper(cell, 'alter system reset wal_keep_size');
    await asSuper(cell, 'drop table if exists filler');
  }
}

export const nodeFaults: readonly Fault[] = [
  { name: 'token ends while streaming', cell: 'alone', cause: endToken, ready: 200 },
  { name: 'node starts without a session', cell: 'alone', cause: startWithoutSessions },
  { name: 'write-ahead log full', cell: 'alone', cause: fillWal, ready: 503 },
  { name: 'heap of 96 MB', cell: 'small heap', cause: fillHeap },
  {
    name: 'promoted behind one address',
    cell: 'one address',
    promotes: true,
    async cause(cell) {
      await cell.killPostgres();
      await sleep(1_000);
      await cell.standby.promote();
    },
    ready: 503,
  },
];
