import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CellNode } from '@portreeve/testbed/cell.ts';
import { container } from '../../src/device/container/container.ts';
import { logicalNetwork } from '../../src/policy/logical-network/logical-network.ts';
import type { ServedCell } from '../world/cell.ts';
import { idOf, isRefused, type NodeReply } from '../world/node-client.ts';
import { until } from '../world/patience.ts';
import { generator } from './storm.ts';

/** How a node's ear for revocations is troubled: not at all, cut off, or deaf without knowing it. */
export const notificationPaths = ['listening', 'cut', 'deaf'] as const;
export type NotificationPath = (typeof notificationPaths)[number];

const refusedMsMax = 1_000;

/** Milliseconds from the answer of a revocation on node B until node A refuses the token, one for each round. */
export async function revoke(cell: ServedCell, ear: NotificationPath, rounds: number): Promise<number[]> {
  const [a, b] = [cell.client(cell.nodes[0]!), cell.client(cell.nodes[1]!)];
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const issued = (await a.post('/auth/tokens', { name: `to revoke ${ear} ${round}` })).body.results![0]!;
    const holder = a.as(String(issued.token));
    // Asked twice: the second time it is remembered.
    for (let n = 0; n < 2; n++) await expectCode(holder.get('/auth/tokens'), 200);
    // At any moment between two looks at the counter.
    await sleep((1_000 * round) / rounds);
    await expectCode(holder.get('/auth/tokens'), 200);
    const hear = await trouble(cell, ear);
    try {
      await expectCode(b.call('DELETE', `/auth/tokens/${issued.id}`), 200);
      const since = performance.now();
      while ((await holder.get('/auth/tokens')).code !== 401) {
        if (performance.now() - since > 60 * refusedMsMax) throw new Error('a revoked token was served for 60 s');
        await sleep(2);
      }
      took.push(performance.now() - since);
    } finally {
      await hear();
      holder.close();
    }
    // Both listen again, or the next round would start on a node that remembers nothing.
    await until('two nodes that listen', async () => (await listeners(cell)).length === 2);
  }
  return took;
}

/** Milliseconds from the answer of a write that decides on node B until node A decides by it, one for each round. */
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
        if (performance.now() - since > 60 * refusedMsMax) throw new Error('a policy did not decide for 60 s');
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

/** The generation that a node decides by, as its readiness has it. */
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

/** Troubles the sessions by which nodes listen, and answers how that is ended. */
async function trouble(cell: ServedCell, ear: NotificationPath): Promise<() => Promise<void>> {
  const pids = await listeners(cell);
  if (ear === 'cut') await cell.sql.query('select pg_terminate_backend(p) from unnest($1::integer[]) p', [pids]);
  if (ear !== 'deaf') return async () => undefined;
  // A stopped backend is what a dead network looks like: the connection stands, and nothing comes.
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return async () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
}

export interface MonitorReport {
  writes: number;
  polls: number;
  /** Pages that the client lost and asked for again. */
  lostPages: number;
  /** Requests that a dead node did not answer. */
  unanswered: number;
  committed: number;
  audited: number;
  delivered: number;
  faults: string[];
}

/** A client follows containers on both nodes in turn while eight others write them, and one node is killed and comes back. */
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
  const seen: Delivered[] = [];
  const follower = async (): Promise<void> => {
    let position: string | undefined = String(started.position);
    for (let turn = 0, empty = 0; isWriting || empty < 4; turn++) {
      const path: string = `${container.path}/monitor/${started.id}${position ? `?position=${position}` : ''}`;
      const entries: Entry[] = (await pair.call('GET', path, undefined, turn % 2)).body.results as never;
      report.polls++;
      empty = entries.length === 0 ? empty + 1 : 0;
      if (entries.length > 0 && random() < 0.1) {
        // Lost on the way, or the client died with it: asked without a position, it comes again.
        report.lostPages++;
        position = undefined;
        continue;
      }
      seen.push(...entries.map(deliveredOf));
      position = entries.at(-1)?.position ?? position;
      await sleep(10);
    }
  };
  const victim = cell.nodes[1]!;
  const killer = async (): Promise<void> => {
    await sleep((options.seconds * 1_000) / 3);
    await cell.kill9(victim);
    await sleep((options.seconds * 1_000) / 4);
    await until('a request that met the dead node', () => pair.unanswered > 0);
    await cell.startNode(victim);
  };
  const following = follower();
  await Promise.all([...Array.from({ length: options.writers }, (_, name) => writer(name)), killer()]);
  isWriting = false;
  await following;
  report.unanswered = pair.unanswered;
  report.delivered = seen.length;
  await compare(cell, Number(base[0]!.seq), seen, report);
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

/** The place in the feed is the last part of a position. */
const deliveredOf = ({ position, change, record }: Entry): Delivered => ({
  seq: Number(Buffer.from(position, 'base64url').toString('latin1').split('|').at(-1)),
  id: record.id,
  change,
  version: record.version,
});

/** Holds what the client was told against the feed, and the feed against the audit log. */
async function compare(
  cell: ServedCell,
  base: number,
  seen: readonly Delivered[],
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
  for (const { seq, id, change, version } of seen) {
    const row = bySeq.get(seq);
    times.set(seq, (times.get(seq) ?? 0) + 1);
    if (!row || row.id !== id) {
      report.faults.push(`entry ${seq} of record ${id} is not in the feed`);
      continue;
    }
    const before = versions.get(id) ?? 0;
    const wanted = row.change === 'removed' ? before : before + 1;
    if (row.version !== wanted) report.faults.push(`record ${id}: version ${row.version} came after ${before}`);
    versions.set(id, row.version);
    // The record is told as it is at the poll, so it may be newer than the change, never older.
    if (change !== 'removed' && (change !== row.change || version! < row.version))
      report.faults.push(`entry ${seq} tells ${change} ${version}, the feed ${row.change} ${row.version}`);
  }
  for (const { seq } of feed) {
    const reported = times.get(seq) ?? 0;
    if (reported !== 1) report.faults.push(`entry ${seq} was told ${reported} times`);
  }
}

/** Two nodes as a client sees them that goes to the other one when the first does not answer. */
export class Pair {
  readonly #cell: ServedCell;
  readonly #random: () => number;
  #keys = 0;
  unanswered = 0;

  constructor(cell: ServedCell, random: () => number) {
    this.#cell = cell;
    this.#random = random;
  }

  /** Every write has a key, so that asking again cannot do it twice. */
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
        throw new Wrong(`${method} ${path} on node ${node.name} answered ${reply.code}: ${reply.body.errorMessage}`);
      } catch (error) {
        if (error instanceof Wrong || tries > 20) throw error;
        this.unanswered++;
        await sleep(5);
      }
    }
  }
}

/** An answer, but not one that may come. */
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
  /** Requests that found nobody and went to the other node. */
  refused: number;
  /** Answers that asked the client to come back elsewhere. */
  moved: number;
  restarts: number;
  stopMsMax: number;
  faults: string[];
}

const restartClients = 8;

/** Each node is told to stop and started again, one after the other, while clients go on. */
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
    let at = number % 2;
    for (let n = 0; !isOver; n++) {
      // Some ask seldom, as scripts do: theirs is the connection that was closed meanwhile.
      if (number % 4 === 3) await sleep(900);
      const [method, path, body] = someRequest(random, `restart-${options.seed}-${number}-${n}`);
      for (let tries = 0; tries < 2; tries++) {
        const node = cell.nodes[at]!;
        try {
          const reply = await cell.client(node).call(method, path, body);
          report.requests++;
          if (reply.code >= 300) report.failed.push(`${method} ${path} on node ${node.name} answered ${reply.code}`);
          if (reply.headers.connection === 'close') {
            report.moved++;
            at = 1 - at;
          }
          break;
        } catch (error) {
          at = 1 - at;
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

/** Stops a node that is in the middle of a write and of a stream; answers how long it took. */
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
    // One that we came too late for has been followed by the end of the listener.
    await until('a readiness that says no', () => client.get('/readyz').then(({ code }) => code === 503, isRefused));
    // With the listener closed nothing but what is in flight is left.
    await until('a node that takes no connection', () => client.get('/healthz').then(() => false, isRefused));
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  const reply = await write;
  if (reply.code !== 200) faults.push(`the write in flight on node ${node.name} was answered ${reply.code}`);
  if (reply.headers.connection !== 'close') faults.push(`node ${node.name} kept its connection`);
  const code = await stopped;
  if (code !== 0) faults.push(`node ${node.name} ended with ${code}: ${node.log().slice(-500)}`);
  await stream.ended;
  const { rows } = await cell.sql.query('select from container where id = $1 and notes is not null', [id]);
  if (rows.length !== 1) faults.push(`the write in flight on node ${node.name} is not there`);
  return performance.now() - since;
}

async function isWaiting(cell: ServedCell): Promise<boolean> {
  const { rows } = await cell.sql.query(
    `select from pg_stat_activity where application_name = 'portreeve' and wait_event_type = 'Lock' and query like '%container%'`,
  );
  return rows.length > 0;
}

/** A stream of changes that a client leaves open, once it runs. */
async function openStream(cell: ServedCell, node: CellNode): Promise<{ ended: Promise<void> }> {
  const client = cell.client(node);
  const { id } = (await client.post(`${container.path}/monitor/start`, {})).body.results![0]!;
  let ended: Promise<void> = Promise.resolve();
  await new Promise<void>((done, fail) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port: node.port,
        path: `/api/v2${container.path}/monitor/${id}`,
        headers: { ...client.authorization, accept: 'text/event-stream' },
      },
      (response) => {
        response.resume();
        ended = new Promise((over) => response.once('close', over));
        done();
      },
    );
    asked.once('error', fail).end();
  });
  return { ended };
}

async function expectCode(asked: Promise<NodeReply>, code: number): Promise<void> {
  const reply = await asked;
  if (reply.code !== code) throw new Error(`answered ${reply.code} instead of ${code}: ${reply.body.errorMessage}`);
}
