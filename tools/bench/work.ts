import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMsOf } from '@portreeve/testbed/cpu.ts';
import pg from 'pg';
import type { Bench, Contestant } from './bench.ts';
import { onDatabaseUrl } from './on-database-url.ts';
import { endProgram, postmasterPid, startProgram } from './processes.ts';
import type { WorkAnswer, WorkOrder } from './programs/work-clients.ts';
import type { Measured, Stage } from './stage.ts';
import { workTableSql } from './work-overlay.ts';

/** Slow enough that the machine is not the limit: the delay of notifications is measured. */
const pace = 200;
const settleMsMax = 60_000;

/** Commits that cause work, compared with the same commits without work. */
export const work: Bench = {
  name: 'work',
  doc: 'commits of two rows by 16 clients that each cause work, against the same rows bare; beside them a job for each commit, and how long until the work starts, against a bare LISTEN',
  limit: 'a third row in each commit, and the reconciler that runs beside',
  missed:
    'PostgreSQL works half as long again for such a commit: the row of the reconcile request, and a time limit that is set for each transaction (without it 0.83 was measured, in a short run). Tried: the request in the packet of the commit, packets that are kept, a table without a log, longer rests between runs. Next: sessions that keep their time limit.',
  comparisons: [
    { label: '', of: 'notified', to: 'bare', measure: 'rate', goal: { atLeast: 0.8 } },
    {
      label: 'commit to start, p99,',
      of: 'notified, 200 a second',
      to: 'bare LISTEN, 200 a second',
      measure: 'p99',
      goal: { atMost: 10 },
    },
  ],
  async contestants(stage, { small }) {
    const ground = await WorkGround.open(stage, small);
    stage.onClose(() => ground.close());
    const contestant = (name: string, order: Omit<WorkOrder, 'seconds' | 'seed'>): Contestant => ({
      name,
      run: (seconds) => ground.measure({ ...order, seconds, seed: stage.seed }),
    });
    return [
      contestant('notified', { way: 'notify', work: 'look' }),
      contestant('bare', { way: 'bare', work: 'look' }),
      contestant('job for each commit', { way: 'job', work: 'look' }),
      contestant('notified, 200 a second', { way: 'notify', work: 'mark', pace }),
      contestant('bare LISTEN, 200 a second', { way: 'listen', work: 'mark', pace }),
      contestant('job, 200 a second', { way: 'job', work: 'mark', pace }),
    ];
  },
};

/** The node that works, the clients that commit, and the session that listens: three processes. */
class WorkGround {
  readonly #node: ChildProcess;
  readonly #clients: ChildProcess;
  readonly #listener: ChildProcess;
  readonly #sql: pg.Client;

  constructor(processes: readonly [ChildProcess, ChildProcess, ChildProcess], sql: pg.Client) {
    [this.#node, this.#clients, this.#listener] = processes;
    this.#sql = sql;
  }

  static async open(stage: Stage, ports: number): Promise<WorkGround> {
    const { ownerUrl, serviceUrl } = await stage.database('ports', ports);
    await onDatabaseUrl(ownerUrl, (client) => client.query(workTableSql));
    const environment = { ...process.env, ...(await stage.deployment(ports)), PORTREEVE_LOG_LEVEL: 'warn' };
    const node = await startProgram('programs/work-node.ts', [], environment);
    const clients = await startProgram('programs/work-clients.ts', [], environment);
    const listener = await startProgram('programs/work-listener.ts', [serviceUrl]);
    const sql = new pg.Client({ connectionString: ownerUrl });
    await sql.connect();
    return new WorkGround([node.child, clients.child, listener.child], sql);
  }

  async close(): Promise<void> {
    await this.#sql.end();
    for (const child of [this.#clients, this.#listener, this.#node]) await endProgram(child);
  }

  async measure(order: WorkOrder): Promise<Measured> {
    await this.#sql.query('truncate bench_work');
    const [nodeMs, postgresMs] = [cpuMsOf(this.#node.pid!), cpuMsOf(postmasterPid())];
    const answer = await this.#ask(order);
    const cpuMs = { node: cpuMsOf(this.#node.pid!) - nodeMs, postgres: cpuMsOf(postmasterPid()) - postgresMs };
    const { faults, latenciesMs } = await this.#settled(order, answer);
    const sorted = (order.pace ? latenciesMs : answer.tookMs).toSorted((a, b) => a - b);
    const perCommit = (ms: number) => (ms * 1_000) / Math.max(1, answer.commits);
    return {
      perSecond: answer.commits / order.seconds,
      p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
      p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
      cpu: { server: perCommit(cpuMs.node), postgres: perCommit(cpuMs.postgres), generator: perCommit(answer.cpuMs) },
      faults,
    };
  }

  async #ask(order: WorkOrder): Promise<WorkAnswer> {
    this.#clients.send(order);
    const [answer] = (await once(this.#clients, 'message')) as [WorkAnswer | { error: string }];
    if ('error' in answer) throw new Error(answer.error);
    return answer;
  }

  /** Checks that every commit has stored its rows, and that every request and job was processed. */
  async #settled(order: WorkOrder, answer: WorkAnswer): Promise<{ faults: string[]; latenciesMs: number[] }> {
    const faults: string[] = [];
    const { rows } = await this.#sql.query<{ rows: string }>('select count(*) as rows from bench_work');
    if (Number(rows[0]!.rows) !== answer.commits * 2)
      faults.push(`${answer.commits} commits left ${rows[0]!.rows} rows`);
    for (const started = performance.now(); ; await sleep(20)) {
      const { rows: waiting } = await this.#sql.query<{ notifications: string; jobs: string; unmarked: string }>(
        `select (select count(*) from reconcile_request) as notifications, (select count(*) from pgboss.job where name ~ '^bench-' and state < 'completed') as jobs,
          (select count(*) from bench_work where begun_ns is null) as unmarked`,
      );
      const { notifications, jobs, unmarked } = waiting[0]!;
      const isMarked = unmarked === '0' || order.work === 'look' || order.way === 'listen';
      if (notifications === '0' && (jobs === '0' || order.work === 'look') && isMarked) break;
      if (performance.now() - started < settleMsMax) continue;
      faults.push(
        `after ${settleMsMax / 1_000} s there are ${notifications} requests, ${jobs} jobs and ${unmarked} rows nobody worked on`,
      );
      break;
    }
    await this.#sql.query(`delete from pgboss.job where name ~ '^bench-' and state < 'active'`);
    return { faults, latenciesMs: order.pace ? await this.#latencies(order, answer) : [] };
  }

  /** Returns the time from sending a commit until its work began, or until its notification arrived. */
  async #latencies(order: WorkOrder, { sentNs }: WorkAnswer): Promise<number[]> {
    const begunNs = new Map(order.way === 'listen' ? await this.#learned() : await this.#marked());
    return sentNs.map(([commit, sentAtNs]) => {
      const startNs = begunNs.get(commit);
      return startNs === undefined ? settleMsMax : Number(BigInt(startNs) - BigInt(sentAtNs)) / 1e6;
    });
  }

  async #learned(): Promise<[string, string][]> {
    this.#listener.send('take');
    const [receivedPairs] = (await once(this.#listener, 'message')) as [[string, string][]];
    return receivedPairs;
  }

  async #marked(): Promise<[string, string][]> {
    const { rows } = await this.#sql.query<{ commit: string; begun: string }>(
      'select commit_id as commit, min(begun_ns) as begun from bench_work group by commit_id',
    );
    return rows.map(({ commit, begun }) => [commit, begun]);
  }
}
