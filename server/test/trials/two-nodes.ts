import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CellNode } from '@portreeve/testbed/cell.ts';
import { container } from '../../src/device/container/container.ts';
import { logicalNetwork } from '../../src/policy/logical-network/logical-network.ts';
import type { ServedCell } from '../world/cell.ts';
import { idOf, isRefused, type NodeReply } from '../world/node-client.ts';
import { until } from '../world/patience.ts';
import { generator } from './storm.ts';

/** The state of the connection on which a node receives notifications: working, cut off, or silent without an error. */
export const notificationPaths = ['listening', 'cut', 'deaf'] as const;
export type NotificationPath = (typeof notificationPaths)[number];

const refusedMsMax = 1_000;

/**
 * Returns the milliseconds from the response of a revocation on node B until node A refuses the token, one for each
 * round.
 */
export async function revoke(cell: ServedCell, ear: NotificationPath, rounds: number): Promise<number[]> {
  const [a, b] = [cell.client(cell.nodes[0]!), cell.client(cell.nodes[1]!)];
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const issued = (await a.post('/auth/tokens', { name: `to revoke ${ear} ${round}` })).body.results![0]!;
    const holder = a.as(String(issued.token));
    // Called twice: the second time the token is cached.
    for (let n = 0; n < 2; n++) await expectCode(holder.get('/auth/tokens'), 200);
    // At any time between two reads of the counter.
    await sleep((1_000 * round) / rounds);
    await expectCode(holder.get('/auth/tokens'), 200);
    const hear = await trouble(cell, ear);
    try {
      await expectCode(b.call('DELETE', `/auth/tokens/${issued.id}`), 200);
      const since = performance.now();
      while ((await holder.get('/auth/tokens')).code !== 401) {
        if (performance.now() - since > 60 * refusedMsMax) throw new Error('a revoked token was accepted for 60 s');
        await sleep(2);
      }
      took.push(performance.now() - since);
    } finally {
      await hear();
      holder.close();
    }
    // Waits until both listen again; otherwise the next round would start on a node with an empty cache.
    await until('two nodes that listen', async () => (await listeners(cell)).length === 2);
  }
  return took;
}

/**
 * Returns the milliseconds from the response of a policy write on node B until node A decides by it, one for each
 * round.
 */
export async function decideElsewhere(cell: ServedCell, ear: NotificationPath, rounds: number): Promise<number[]> {
  const [a, b] = [cell.client(cell.nodes[0]!), cell.client(cell.nodes[1]!)];
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await sleep((1_000 * round) / rounds);
    const hear = await trouble(cell, ear);
    try {
      const id = idOf(await b.post(logicalNetwork.path!, { name: `decides ${ear} ${round}` }));
      const since = performance.now();
      const { rows } = await cell.sql.query<{ generation: number }>(
        'select generation::integer from policy_generation',
      );
      while ((await decidingGeneration(a)) < rows[0]!.generation) {
        if (performance.now() - since > 60 * refusedMsMax) throw new Error('a policy took no effect for 60 s');
        await sleep(2);
      }
      took.push(performance.now() - since);
      await expectCode(b.call('DELETE', `${logicalNetwork.path}/${id}`), 200);
    } finally {
      await hear();
    }
    await until('two nodes that listen', async () => (await listeners(cell)).length === 2);
  }
  return took;
}

/** Returns the generation that a node decides by, from its readiness. */
async function decidingGeneration(node: ReturnType<ServedCell['client']>): Promise<number> {
  const { results = [] } = (await node.get('/readyz')).body;
  const policies = results?.find(({ name }) => name === 'policies');
  return Number(/^generation (\d+)$/.exec(String(policies?.detail))?.[1] ?? 0);
}

async function listeners(cell: ServedCell): Promise<number[]> {
  const { rows } = await cell.sql.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'portreeve-listen' and query like 'listen %'`,
  );
  return rows.map(({ pid }) => pid);
}

/** Disturbs the sessions on which nodes listen, and returns a function that ends the disturbance. */
async function trouble(cell: ServedCell, ear: NotificationPath): Promise<() => Promise<void>> {
  const pids = await listeners(cell);
  if (ear === 'cut') await cell.sql.query('select pg_terminate_backend(p) from unnest($1::integer[]) p', [pids]);
  if (ear !== 'deaf') return async () => undefined;
  // A stopped backend looks like a dead network: the connection stays open, and nothing arrives.
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return async () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
}

export interface MonitorReport {
  writes: number;
  polls: number;
  /** Pages that the client lost and requested again. */
  lostPages: number;
  /** Requests that a killed node did not answer. */
  unanswered: number;
  committed: number;
  audited: number;
  delivered: number;
  faults: string[];
}

/**
 * Follows containers on both nodes in turn while eight clients write them, and one node is killed and started again.
 */
export async function followThroughDeath(
  cell: ServedCell,
  options: { writers: number; seconds: number; seed: number },
): Promise<MonitorReport> {
  const random = generator(options.seed);
  const pair = new Pair(cell, random);
  const report: MonitorReport = {
    writes: 0,
    polls: 0,
    lostPages: 0,
    unanswered: 0,
    committed: 0,
    audited: 0,
    delivered: 0,
    faults: [],
  };
  const { rows: base } = await cell.sql.query<{ seq: string }>('select coalesce(max(seq), 0) as seq from change_feed');
  const started = (await pair.call('POST', `${container.path}/monitor/start`, {})).body.results![0]!;
  const ids: number[] = [];
  const endsAt = Date.now() + options.seconds * 1_000;
  const writer = async (name: number): Promise<void> => {
    for (let n = 0; Date.now() < endsAt; n++) {
      await writeContainer(pair, random, ids, `follow-${options.seed}-${name}-${n}`);
      report.writes++;
    }
  };
  let isWriting = true;
  const delivered: Delivered[] = [];
  const follower = async (): Promise<void> => {
    let position: string | undefined = String(started.position);
    for (let turn = 0, empty = 0; isWriting || empty < 4; turn++) {
      const path: string = `${container.path}/monitor/${started.id}${position ? `?position=${position}` : ''}`;
      const entries: Entry[] = (await pair.call('GET', path, undefined, turn % 2)).body.results as never;
      report.polls++;
      empty = entries.length === 0 ? empty + 1 : 0;
      if (entries.length > 0 && random() < 0.1) {
        // Simulates a lost page or a client that died with it: without a position, the page is reported again.
        report.lostPages++;
        position = undefined;
        continue;
      }
      delivered.push(...entries.map(deliveredOf));
      position = entries.at(-1)?.position ?? position;
      await sleep(10);
    }
  };
  const victim = cell.nodes[1]!;
  const killer = async (): Promise<void> => {
    await sleep((options.seconds * 1_000) / 3);
    await cell.kill9(victim);
    await sleep((options.seconds * 1_000) / 4);
    await until('a request to the killed node', () => pair.unanswered > 0);
    await cell.startNode(victim);
  };
  const following = follower();
  await Promise.all([...Array.from({ length: options.writers }, (_, name) => writer(name)), killer()]);
  isWriting = false;
  await following;
  report.unanswered = pair.unanswered;
  report.delivered = delivered.length;
  await compare(cell, Number(base[0]!.seq), delivered, report);
  return report;
}

interface Entry {
  position: string;
  change: string;
  record: { id: number; version?: number };
}

interface Delivered {
  seq: number;
  id: number;
  change: string;
  version: number | undefined;
}

/** The sequence number of the feed is the last part of a position. */
const deliveredOf = ({ position, change, record }: Entry): Delivered => ({
  seq: Number(Buffer.from(position, 'base64url').toString('latin1').split('|').at(-1)),
  id: record.id,
  change,
  version: record.version,
});

/** Compares the reported changes with the feed, and the feed with the audit log. */
async function compare(
  cell: ServedCell,
  base: number,
  delivered: readonly Delivered[],
  report: MonitorReport,
): Promise<void> {
  const { rows: feed } = await cell.sql.query<{ seq: number; id: number; change: string; version: number }>(
    `select f.seq::integer as seq, f.record_id::integer as id, f.change, f.version from change_feed f
     where f.table_name = 'container' and f.seq > $1 order by f.seq`,
    [base],
  );
  const { rows: unlike } = await cell.sql.query<{ txid: string }>(
    `with told as (select f.txid, f.record_id, count(*) from change_feed f where f.table_name = 'container' and f.seq > $1 group by 1, 2),
       audited as (select a.txid, a.live_dbid as record_id, count(*) from audit_record a where a.db_table_name = 'container' and a."user" = $2 group by 1, 2)
     select coalesce(t.txid, a.txid)::text as txid from told t full join audited a using (txid, record_id) where t.count is distinct from a.count`,
    [base, cell.userID],
  );
  const { rows: audited } = await cell.sql.query<{ count: number }>(
    `select count(*)::integer as count from audit_record where db_table_name = 'container' and "user" = $1`,
    [cell.userID],
  );
  report.committed = feed.length;
  report.audited = audited[0]!.count;
  report.faults.push(...unlike.map(({ txid }) => `transaction ${txid}: feed and audit log differ`));
  const bySeq = new Map(feed.map((row) => [row.seq, row]));
  const times = new Map<number, number>();
  const versions = new Map<number, number>();
  for (const { seq, id, change, version } of delivered) {
    const row = bySeq.get(seq);
    times.set(seq, (times.get(seq) ?? 0) + 1);
    if (!row || row.id !== id) {
      report.faults.push(`entry ${seq} of record ${id} is not in the feed`);
      continue;
    }
    const before = versions.get(id) ?? 0;
    const expectedVersion = row.change === 'removed' ? before : before + 1;
    if (row.version !== expectedVersion)
      report.faults.push(`record ${id}: version ${row.version} came after ${before}`);
    versions.set(id, row.version);
    // The monitor returns the record at the time of the poll, so it may be newer than the change, never older.
    if (change !== 'removed' && (change !== row.change || version! < row.version))
      report.faults.push(
        `entry ${seq} was reported as ${change} ${version}, the feed has ${row.change} ${row.version}`,
      );
  }
  for (const { seq } of feed) {
    const reported = times.get(seq) ?? 0;
    if (reported !== 1) report.faults.push(`entry ${seq} was reported ${reported} times`);
  }
}

/** A client of two nodes that uses the other one if the first does not respond. */
export class Pair {
  readonly #cell: ServedCell;
  readonly #random: () => number;
  #keys = 0;
  unanswered = 0;

  constructor(cell: ServedCell, random: () => number) {
    this.#cell = cell;
    this.#random = random;
  }

  /** Every write has an idempotency key, so that sending it again cannot do it twice. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    first = Math.floor(this.#random() * 2),
    accepted: readonly number[] = [200, 201],
  ): Promise<NodeReply> {
    const headers: Record<string, string> =
      method === 'POST' ? { 'idempotency-key': `pair-${process.pid}-${++this.#keys}-${Date.now()}` } : {};
    for (let tries = 0; ; tries++) {
      const node = this.#cell.nodes[(first + tries) % 2]!;
      try {
        const reply = await this.#cell.client(node).call(method, path, body, headers);
        if (accepted.includes(reply.code)) return reply;
        throw new Wrong(`${method} ${path} on node ${node.name} returned ${reply.code}: ${reply.body.errorMessage}`);
      } catch (error) {
        if (error instanceof Wrong || tries > 20) throw error;
        this.unanswered++;
        await sleep(5);
      }
    }
  }
}

/** A response that is not allowed. */
class Wrong extends Error {}

/** Creates, changes or deletes a container; one that another writer deleted meanwhile is 404. */
async function writeContainer(pair: Pair, random: () => number, ids: number[], name: string): Promise<void> {
  const dice = random();
  const place = Math.floor(random() * ids.length);
  const id = ids[place];
  if (id === undefined || dice < 0.3) {
    ids.push(idOf(await pair.call('POST', container.path!, { name })));
  } else if (dice < 0.9) {
    await pair.call('POST', container.path!, { id, name: `renamed-${name}` }, undefined, [200, 201, 404]);
  } else {
    ids.splice(place, 1);
    await pair.call('POST', `${container.path}/delete`, { id: [id] }, undefined, [200, 404]);
  }
}

export interface RestartReport {
  requests: number;
  failed: string[];
  /** Requests that were refused and went to the other node. */
  refused: number;
  /** Responses with `Connection: close`, after which the client uses the other node. */
  moved: number;
  restarts: number;
  stopMsMax: number;
  faults: string[];
}

const restartClients = 8;

/** Stops and starts each node, one after the other, while clients send requests. */
export async function rollingRestart(
  cell: ServedCell,
  options: { rounds: number; seed: number },
): Promise<RestartReport> {
  const random = generator(options.seed);
  const report: RestartReport = {
    requests: 0,
    failed: [],
    refused: 0,
    moved: 0,
    restarts: 0,
    stopMsMax: 0,
    faults: [],
  };
  let isOver = false;
  const client = async (number: number): Promise<void> => {
    let nodeIndex = number % 2;
    for (let n = 0; !isOver; n++) {
      // Some clients send seldom, like scripts: their connection may have been closed meanwhile.
      if (number % 4 === 3) await sleep(900);
      const [method, path, body] = someRequest(random, `restart-${options.seed}-${number}-${n}`);
      for (let tries = 0; tries < 2; tries++) {
        const node = cell.nodes[nodeIndex]!;
        try {
          const reply = await cell.client(node).call(method, path, body);
          report.requests++;
          if (reply.code >= 300) report.failed.push(`${method} ${path} on node ${node.name} returned ${reply.code}`);
          if (reply.headers.connection === 'close') {
            report.moved++;
            nodeIndex = 1 - nodeIndex;
          }
          break;
        } catch (error) {
          nodeIndex = 1 - nodeIndex;
          if (isRefused(error) && tries === 0) report.refused++;
          else report.failed.push(`${method} ${path} on node ${node.name}: ${(error as Error).message}`);
        }
      }
    }
  };
  const clients = Promise.all(Array.from({ length: restartClients }, (_, number) => client(number)));
  try {
    for (let round = 0; round < options.rounds; round++) {
      for (const node of cell.nodes) {
        await sleep(300);
        report.stopMsMax = Math.max(report.stopMsMax, await stopInOrder(cell, node, report.faults));
        await cell.startNode(node);
        report.restarts++;
      }
    }
    await sleep(300);
  } finally {
    isOver = true;
    await clients;
  }
  return report;
}

function someRequest(random: () => number, name: string): [method: string, path: string, body?: unknown] {
  if (random() < 0.3) return ['POST', container.path!, { name }];
  return ['GET', `${container.path}?filter=name==restart-*&count=20`];
}

/** Stops a node during a write and an open stream; returns how long it took. */
async function stopInOrder(cell: ServedCell, node: CellNode, faults: string[]): Promise<number> {
  const client = cell.client(node);
  const id = idOf(await client.post(container.path!, { name: `held-${node.name}-${Date.now()}` }));
  const stream = await openStream(cell, node);
  const holder = await cell.sql.connect();
  let write: Promise<NodeReply>;
  let stopped: Promise<number | null>;
  const since = performance.now();
  try {
    await holder.query('begin');
    await holder.query('select from container where id = $1 for update', [id]);
    write = client.post(container.path!, { id, notes: 'written while the node stops' });
    await until('a write that waits for the row', () => isWaiting(cell));
    stopped = cell.stopNode(node);
    // A refused connection means that the listener is closed already.
    await until('a readiness of 503', () => client.get('/readyz').then(({ code }) => code === 503, isRefused));
    // With the listener closed only the requests in progress remain.
    await until('a node that accepts no connection', () => client.get('/healthz').then(() => false, isRefused));
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  const reply = await write;
  if (reply.code !== 200) faults.push(`the write in progress on node ${node.name} returned ${reply.code}`);
  if (reply.headers.connection !== 'close') faults.push(`node ${node.name} kept its connection open`);
  const code = await stopped;
  if (code !== 0) faults.push(`node ${node.name} ended with ${code}: ${node.log().slice(-500)}`);
  await stream.ended;
  const { rows } = await cell.sql.query('select from container where id = $1 and notes is not null', [id]);
  if (rows.length !== 1) faults.push(`the write in progress on node ${node.name} was not stored`);
  return performance.now() - since;
}

async function isWaiting(cell: ServedCell): Promise<boolean> {
  const { rows } = await cell.sql.query(
    `select from pg_stat_activity where application_name = 'portreeve' and wait_event_type = 'Lock' and query like '%container%'`,
  );
  return rows.length > 0;
}

/** Opens a stream of changes and resolves once it is running. */
async function openStream(cell: ServedCell, node: CellNode): Promise<{ ended: Promise<void> }> {
  const client = cell.client(node);
  const { id } = (await client.post(`${container.path}/monitor/start`, {})).body.results![0]!;
  let ended: Promise<void> = Promise.resolve();
  await new Promise<void>((done, fail) => {
    const streamRequest = request(
      {
        host: '127.0.0.1',
        port: node.port,
        path: `/api/v2${container.path}/monitor/${id}`,
        headers: { ...client.authorization, accept: 'text/event-stream' },
      },
      (response) => {
        response.resume();
        ended = new Promise((resolve) => response.once('close', resolve));
        done();
      },
    );
    streamRequest.once('error', fail).end();
  });
  return { ended };
}

async function expectCode(pendingReply: Promise<NodeReply>, code: number): Promise<void> {
  const reply = await pendingReply;
  if (reply.code !== code) throw new Error(`returned ${reply.code} instead of ${code}: ${reply.body.errorMessage}`);
}
