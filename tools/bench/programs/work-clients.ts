import { setTimeout as sleep } from 'node:timers/promises';
import { systemOrigin } from '@portreeve/server/kernel/declare/caller.ts';
import type { WriteTx } from '@portreeve/server/kernel/write/runtime.ts';
import { readMasterKey } from '@portreeve/server/kernel/write/secrets.ts';
import { readConfig } from '@portreeve/server/node/config.ts';
import { openProtocols } from '@portreeve/server/node/open-protocols.ts';
import { startService } from '@portreeve/server/node/start-service.ts';
import { outboundGuard } from '@portreeve/server/protocols/outbound/outbound.ts';
import { probeGuard } from '@portreeve/server/protocols/outbound/probe-guard.ts';
import pg from 'pg';
import { randomFrom } from '../load.ts';
import { workOverlay } from '../work-overlay.ts';

/** Sixteen clients that commit two rows each time: bare, or through the kernel with work that the commit causes. */
export interface WorkOrder {
  way: 'bare' | 'listen' | 'notify' | 'job';
  work: 'look' | 'mark';
  seconds: number;
  /** Commits per second of all clients together; absent: as many as possible. */
  pace?: number | undefined;
  seed: number;
}

export interface WorkAnswer {
  commits: number;
  cpuMs: number;
  tookMs: number[];
  /** When each commit was sent, by its id, in nanoseconds. */
  sentNs: [commit: string, ns: string][];
}

const clients = 16;
const config = await readConfig();
const service = await startService({
  databaseUrl: config.databaseUrl,
  masterKey: () => readMasterKey(config.keyFile),
  parts: openProtocols(
    probeGuard({ ...config.outbound, networks: config.probeNetworks }),
    outboundGuard(config.outbound),
  ),
  jobs: 'enqueue',
  limits: config.limits,
  logger: false,
  overlay: workOverlay,
});
const bareClients = await Promise.all(
  Array.from({ length: clients }, async () => {
    const client = new pg.Client({ connectionString: config.databaseUrl });
    await client.connect();
    return client;
  }),
);

const insert = (commit: number) => ({
  name: 'insert',
  text: `insert into bench_work (commit_id, note) values ($1, 'first'), ($1, 'second')`,
  values: [commit],
});

type Commit = (client: number, commit: number, order: WorkOrder) => Promise<void>;

const bare: Commit = async (client, commit, { way }) => {
  const session = bareClients[client]!;
  await session.query('begin');
  await session.query(insert(commit));
  if (way === 'listen') await session.query(`select pg_notify('bench_work', '${commit}')`);
  await session.query('commit');
};

const caused =
  (cause: (tx: WriteTx, order: WorkOrder) => unknown): Commit =>
  (_client, commit, order) =>
    service.runtime.transact(systemOrigin('bench'), async (tx) => {
      await tx.client.query(insert(commit));
      await cause(tx, order);
    });

const ways: Readonly<Record<WorkOrder['way'], Commit>> = {
  bare,
  listen: bare,
  notify: caused((tx, { work }) => tx.notify(`bench-${work}`)),
  job: caused((tx, { work }) => service.jobs!.enqueue(tx.client, `bench-${work}-job`, {})),
};

let commits = 0;

async function work(order: WorkOrder): Promise<WorkAnswer> {
  const [tookMs, sentNs]: [number[], WorkAnswer['sentNs']] = [[], []];
  const random = randomFrom(order.seed);
  const cpu = process.cpuUsage();
  const deadline = performance.now() + order.seconds * 1_000;
  const drive = async (client: number) => {
    while (performance.now() < deadline) {
      // Between zero and twice the mean, so that clients do not synchronise.
      if (order.pace) await sleep((random(2_000) / 1_000) * ((1_000 * clients) / order.pace));
      const commit = ++commits;
      const startMs = performance.now();
      if (order.pace) sentNs.push([String(commit), String(process.hrtime.bigint())]);
      await ways[order.way](client, commit, order);
      tookMs.push(performance.now() - startMs);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => drive(client)));
  const { user, system } = process.cpuUsage(cpu);
  return { commits: tookMs.length, cpuMs: (user + system) / 1_000, tookMs, sentNs };
}

process.on('message', (order: WorkOrder) => {
  work(order).then(
    (answer) => process.send!(answer),
    (error: Error) => process.send!({ error: error.stack }),
  );
});
process.on('disconnect', () => process.exit(0)).on('SIGTERM', () => process.exit(0));
process.send!('ready');
