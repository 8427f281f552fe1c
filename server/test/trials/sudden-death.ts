import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { CellNode } from '@portreeve/testbed/cell.ts';
import { container } from '../../src/device/container/container.ts';
import { aaaServer } from '../../src/integration/aaa-server/aaa-server.ts';
import { brewing, brewMessage } from '../overlay/job-on-create.ts';
import { teaMachine } from '../overlay/tea-machine.ts';
import { openCell, type ServedCell } from '../world/cell.ts';
import { idOf, type NodeReply } from '../world/node-client.ts';
import { promised } from '../world/patience.ts';
import { generator } from './storm.ts';

export interface DeathReport {
  writes: number;
  acknowledged: number;
  /** Refused with a reason, for example because the record was deleted. */
  refused: number;
  /** 503, or no response at all. */
  unanswered: number;
  /** How many of those without a response had been done. */
  doneUnanswered: number;
  nodeKills: number;
  postgresKills: number;
  /** Writes in progress at each kill. */
  inFlight: number[];
  /** Probes while PostgreSQL was down, and how many got 503 with Retry-After. */
  probes: number;
  probes503: number;
  /** From the time PostgreSQL accepts connections until a node writes again. */
  recoveryMs: number[];
  changes: number;
  jobs: number;
  jobsDone: number;
  counts: Record<string, { counter: number; counted: number }>;
  faults: string[];
}

type Kind = 'ADD' | 'MODIFY' | 'DELETE';

/** One write and its result, from the client's view. */
interface Write {
  key: string;
  table: Table;
  kind: Kind;
  path: string;
  body: Record<string, unknown>;
  outcome: 'acknowledged' | 'refused' | 'unanswered';
}

/** The resources that are written, and the field of each that identifies the last write. */
const groups = {
  container: { path: container.path!, column: 'notes', field: 'notes' },
  aaa_server: { path: aaaServer.path!, column: 'check_user', field: 'checkUser' },
  tea_machine: { path: teaMachine.path!, column: 'name', field: 'name' },
} as const;
type Table = keyof typeof groups;
const tables = Object.keys(groups) as Table[];

/** A cell whose nodes queue a job with every tea machine. */
export const openKillableCell = (): Promise<ServedCell> =>
  openCell({
    nodes: 2,
    program: fileURLToPath(new URL('../overlay/job-on-create-node.ts', import.meta.url)),
    groups: brewing.groups,
  });

const writers = 8;
const recoveryMsMax = 5_000;

/** Sends random writes while nodes and PostgreSQL are killed; then checks that all data is consistent. */
export async function suddenDeath(
  cell: ServedCell,
  options: { writes: number; nodeKills: number; postgresKills: number; seed: number; jobsMustEnd: boolean },
): Promise<DeathReport> {
  const run = new Run(cell, options.seed);
  const { rows } = await cell.sql.query<{ base: number }>('select max(seq)::integer as base from change_feed');
  const inspect = () => new Inspection(cell, rows[0]!.base, run.ledger, run.report).all();
  const deaths = [
    ...Array.from({ length: options.nodeKills }, () => 'node' as const),
    ...Array.from({ length: options.postgresKills }, () => 'postgres' as const),
  ].sort(() => run.random() - 0.5);
  // Each kill has its share of the writes: writers wait for it when the share is used up, so every kill happens during
  // writes.
  const share = Math.floor(options.writes / (deaths.length + 1));
  const killer = async (): Promise<void> => {
    for (const [n, death] of deaths.entries()) {
      run.allowed = (n + 1) * share;
      while (run.ledger.length < n * share + writers) await sleep(1);
      await sleep(run.random() * 50);
      await (death === 'node' ? run.killNode() : run.killPostgres());
    }
    run.allowed = options.writes;
  };
  await Promise.all([...Array.from({ length: writers }, () => run.write(options.writes)), killer()]);
  await inspect();
  // Writes without a response are sent again with the same key, and must not be done twice.
  await run.askAgain();
  await inspect();
  if (options.jobsMustEnd) await jobsEnded(cell, run.report);
  return run.report;
}

class Run {
  readonly #cell: ServedCell;
  readonly random: () => number;
  readonly #seed: number;
  readonly ledger: Write[] = [];
  /** How many writes may have been started by now. */
  allowed = 0;
  #inFlight = 0;
  readonly #ids: Record<Table, number[]> = { container: [], aaa_server: [], tea_machine: [] };
  readonly report: DeathReport = {
    writes: 0,
    acknowledged: 0,
    refused: 0,
    unanswered: 0,
    doneUnanswered: 0,
    nodeKills: 0,
    postgresKills: 0,
    inFlight: [],
    probes: 0,
    probes503: 0,
    recoveryMs: [],
    changes: 0,
    jobs: 0,
    jobsDone: 0,
    counts: {},
    faults: [],
  };

  constructor(cell: ServedCell, seed: number) {
    this.#cell = cell;
    this.#seed = seed;
    this.random = generator(seed);
  }

  async write(until: number): Promise<void> {
    while (this.ledger.length < until) {
      if (this.ledger.length >= this.allowed) {
        await sleep(5);
        continue;
      }
      const write = this.#next();
      this.ledger.push(write);
      this.#inFlight++;
      const { outcome, reply } = await this.#send(write, this.#someNode());
      this.#inFlight--;
      write.outcome = outcome;
      this.report[outcome]++;
      this.report.writes++;
      if (reply && outcome === 'acknowledged' && write.kind === 'ADD') this.#ids[write.table].push(idOf(reply));
      // Waits as Retry-After requests, only shorter.
      if (outcome === 'unanswered') await sleep(200);
    }
  }

  #someNode(): CellNode {
    const alive = this.#cell.nodes.filter((node) => node.isRunning());
    return alive[Math.floor(this.random() * alive.length)] ?? this.#cell.nodes[0]!;
  }

  #next(): Write {
    const key = `death-${this.#seed}-${this.ledger.length}`;
    const dice = this.random();
    const common = { key, outcome: 'unanswered' as const };
    // Every fifth queues a job.
    if (dice < 0.2) {
      const body = { name: key };
      return { ...common, table: 'tea_machine', kind: 'ADD', path: teaMachine.path!, body };
    }
    const table = this.random() < 0.5 ? 'container' : 'aaa_server';
    const { path, field } = groups[table];
    const ids = this.#ids[table];
    const place = Math.floor(this.random() * ids.length);
    const id = ids[place];
    if (id === undefined || dice < 0.5) {
      const body =
        table === 'container' ? { name: key } : { name: key, netId: `${key}.example`, secret: `secret-${key}` };
      return { ...common, table, kind: 'ADD', path, body: { ...body, [field]: key } };
    }
    if (dice < 0.85) return { ...common, table, kind: 'MODIFY', path, body: { id, [field]: key } };
    ids.splice(place, 1);
    return { ...common, table, kind: 'DELETE', path: `${path}/delete`, body: { id: [id] } };
  }

  async #send(write: Write, node: CellNode): Promise<{ outcome: Write['outcome']; reply?: NodeReply }> {
    try {
      const headers = { 'idempotency-key': write.key };
      const reply = await this.#cell.client(node).post(write.path, write.body, headers);
      if (reply.code < 300) return { outcome: 'acknowledged', reply };
      this.#refuseOdd(reply, write, node);
      return { outcome: reply.code === 503 ? 'unanswered' : 'refused', reply };
    } catch {
      // The node died during the request; only the database shows whether it was done.
      return { outcome: 'unanswered' };
    }
  }

  /**
   * During an outage only 503 with Retry-After is allowed, and errors about a record that another writer deleted: an
   * unknown identity would create.
   */
  #refuseOdd(reply: NodeReply, { key, kind }: Write, node: CellNode): void {
    const isGone = (kind === 'DELETE' && reply.code === 404) || (kind === 'MODIFY' && [400, 404].includes(reply.code));
    if (isGone || (reply.code === 503 && reply.headers['retry-after'])) return;
    this.report.faults.push(`${key} on node ${node.name} got ${reply.code}: ${reply.body.errorMessage}`);
  }

  #noteMidst(): void {
    this.report.inFlight.push(this.#inFlight);
    if (this.#inFlight === 0) this.report.faults.push('no write was in progress during a kill');
  }

  async killNode(): Promise<void> {
    const victim = this.#someNode();
    this.#noteMidst();
    await this.#cell.kill9(victim);
    this.report.nodeKills++;
    await sleep(300 + this.random() * 500);
    await this.#cell.startNode(victim);
  }

  async killPostgres(): Promise<void> {
    this.#noteMidst();
    await this.#cell.killPostgres();
    this.report.postgresKills++;
    const until = Date.now() + 800 + this.random() * 1_200;
    while (Date.now() < until) {
      await Promise.all(this.#cell.nodes.map((node) => this.#probe(node)));
      await sleep(50);
    }
    await this.#cell.restartPostgres();
    const since = performance.now();
    await Promise.all(this.#cell.nodes.map((node) => this.#recovered(node, since)));
  }

  async #probe(node: CellNode): Promise<void> {
    for (const path of [groups.container.path, '/readyz']) {
      const reply = await this.#cell.client(node).get(path);
      this.report.probes++;
      if (reply.code === 503 && reply.headers['retry-after']) this.report.probes503++;
      else this.report.faults.push(`without PostgreSQL, ${path} on node ${node.name} returned ${reply.code}`);
    }
  }

  /** Waits until a node is ready and writes. */
  async #recovered(node: CellNode, since: number): Promise<void> {
    const client = this.#cell.client(node);
    for (;;) {
      const isReady = (await client.get('/readyz')).code === 200;
      // A dry run uses everything that a write needs.
      const dry = isReady && (await client.post(`${groups.container.path}?dryRun=true`, { name: 'recovered' }));
      if (dry && dry.code === 200) break;
      if (performance.now() - since > 20 * recoveryMsMax) throw new Error(`node ${node.name} did not recover`);
      await sleep(10);
    }
    const ms = performance.now() - since;
    this.report.recoveryMs.push(ms);
    if (ms > promised(recoveryMsMax)) this.report.faults.push(`node ${node.name} took ${ms.toFixed(0)} ms to recover`);
  }

  async askAgain(): Promise<void> {
    for (const write of this.ledger.filter(({ outcome }) => outcome === 'unanswered')) {
      const { outcome } = await this.#send(write, this.#someNode());
      if (outcome === 'unanswered') this.report.faults.push(`${write.key} got no response the second time either`);
      write.outcome = outcome;
    }
  }
}

interface Trace {
  keys: string[];
  feed: { seq: number; table: Table; id: number; change: string; version: number }[];
  audit: { table: Table; id: number; action: Kind; text: string }[];
}

const changeOf: Record<Kind, string> = { ADD: 'added', MODIFY: 'modified', DELETE: 'removed' };

/** Compares the database with the responses that clients got. All rows of one write have the same transaction id. */
class Inspection {
  readonly #cell: ServedCell;
  readonly #ledger: ReadonlyMap<string, Write>;
  readonly #report: DeathReport;

  readonly #base: number;

  constructor(cell: ServedCell, base: number, ledger: readonly Write[], report: DeathReport) {
    this.#cell = cell;
    this.#base = base;
    this.#ledger = new Map(ledger.map((write) => [write.key, write]));
    this.#report = report;
  }

  async all(): Promise<void> {
    const traces = await this.#traces();
    const done = new Map<string, Trace>();
    for (const [xid, trace] of traces) {
      const fault = this.#faultOf(trace);
      if (fault) this.#fault(`transaction ${xid}: ${fault}`);
      for (const key of trace.keys) done.set(key, trace);
    }
    this.#report.changes = traces.size;
    this.#acknowledged(done);
    await this.#rows(traces);
    await this.#jobs(done);
    await this.#counts();
  }

  #fault(text: string): void {
    this.#report.faults.push(text);
  }

  async #traces(): Promise<Map<string, Trace>> {
    const traces = new Map<string, Trace>();
    const traceOf = (xid: string): Trace => {
      const trace = traces.get(xid) ?? { keys: [], feed: [], audit: [] };
      traces.set(xid, trace);
      return trace;
    };
    const { sql, userID } = this.#cell;
    const keys = await sql.query<{ xid: string; key: string }>(
      'select k.xmin::text as xid, k.key from idempotency_key k where k.answer is not null',
    );
    for (const { xid, key } of keys.rows) traceOf(xid).keys.push(key);
    const feed = await sql.query<Trace['feed'][number] & { xid: string }>(
      `select f.txid::xid::text as xid, f.seq::integer as seq, f.table_name as table, f.record_id::integer as id, f.change, f.version
       from change_feed f where f.table_name = any($1) and f.seq > $2`,
      [tables, this.#base],
    );
    for (const { xid, ...entry } of feed.rows) traceOf(xid).feed.push(entry);
    const audit = await sql.query<Trace['audit'][number] & { xid: string }>(
      `select a.txid::xid::text as xid, a.db_table_name as table, a.live_dbid::integer as id, a.action, a.changes::text as text
       from audit_record a where a.db_table_name = any($1) and a."user" = $2`,
      [tables, userID],
    );
    for (const { xid, ...entry } of audit.rows) traceOf(xid).audit.push(entry);
    return traces;
  }

  /** Each write must have one key, one feed entry and one audit row, of the same record. */
  #faultOf({ keys, feed, audit }: Trace): string | undefined {
    const [key, entry, row] = [keys[0], feed[0], audit[0]];
    const parts = `${keys.join()}: ${keys.length} keys, ${feed.length} feed entries, ${audit.length} audit rows`;
    if (keys.length !== 1 || feed.length !== 1 || audit.length !== 1 || !key || !entry || !row) return parts;
    const write = this.#ledger.get(key);
    if (!write) return `${key} was never sent`;
    if (entry.table !== write.table || row.table !== write.table || entry.id !== row.id)
      return `${key} changed ${entry.table} ${entry.id} and audited ${row.table} ${row.id}`;
    if (row.action !== write.kind || entry.change !== changeOf[write.kind])
      return `${key} was to ${write.kind}, is ${entry.change} in the feed and ${row.action} in the audit log`;
    if (write.kind !== 'DELETE' && !row.text.includes(key)) return `${key} is not in its audit row`;
    return undefined;
  }

  /** Acknowledged writes must exist, refused ones must not; unanswered ones may. */
  #acknowledged(done: ReadonlyMap<string, Trace>): void {
    let doneUnanswered = 0;
    for (const { key, outcome } of this.#ledger.values()) {
      if (outcome === 'acknowledged' && !done.has(key)) this.#fault(`${key} was acknowledged and is lost`);
      if (outcome === 'refused' && done.has(key)) this.#fault(`${key} was refused and is done`);
      if (outcome === 'unanswered' && done.has(key)) doneUnanswered++;
    }
    this.#report.doneUnanswered = Math.max(this.#report.doneUnanswered, doneUnanswered);
  }

  /** The rows must match the feed: the same records, each as its last write left it. */
  async #rows(traces: ReadonlyMap<string, Trace>): Promise<void> {
    const reported = new Map<string, { version: number; key: string }>();
    const entries = [...traces.values()].flatMap(({ feed, keys }) =>
      feed.map((entry) => ({ ...entry, key: keys[0]! })),
    );
    for (const { table, id, change, version, key } of entries.sort((a, b) => a.seq - b.seq)) {
      const before = reported.get(`${table} ${id}`)?.version ?? 0;
      if (version !== (change === 'removed' ? before : before + 1))
        this.#fault(`${table} ${id}: ${change} ${version} came after version ${before}`);
      if (change === 'removed') reported.delete(`${table} ${id}`);
      else reported.set(`${table} ${id}`, { version, key });
    }
    for (const table of tables) {
      const { rows } = await this.#cell.sql.query<{ id: number; version: number; mark: string }>(
        `select r.id::integer as id, r.version, r.${groups[table].column} as mark from ${table} r`,
      );
      for (const { id, version, mark } of rows) {
        const last = reported.get(`${table} ${id}`);
        reported.delete(`${table} ${id}`);
        if (!last && table === 'container' && mark === null) continue;
        if (last?.version !== version || last.key !== mark)
          this.#fault(
            `${table} ${id} has version ${version} by ${mark}; the feed has ${last?.version} by ${last?.key}`,
          );
      }
    }
    for (const record of reported.keys()) this.#fault(`${record} is in the feed and does not exist`);
  }

  /** Each tea machine must have its task and its job in the queue, and there must be no others. */
  async #jobs(done: ReadonlyMap<string, Trace>): Promise<void> {
    const { rows } = await this.#cell.sql.query<{ message: string; queued: boolean }>(
      `select t.message, exists (select from pgboss.job j where j.id::text = t.queue_job_id and j.name = t.job_name) as queued
       from background_task t`,
    );
    const { rows: queue } = await this.#cell.sql.query<{ count: number }>(
      `select count(*)::integer as count from pgboss.job where name = 'brew'`,
    );
    const tasks = new Map(rows.map(({ message, queued }) => [message, queued]));
    const machines = [...done].filter(([, { feed }]) => feed[0]?.table === 'tea_machine').map(([key]) => key);
    for (const machine of machines)
      if (tasks.get(brewMessage(machine)) !== true) this.#fault(`${machine} has no task with a job`);
    if (rows.length !== machines.length || queue[0]!.count !== machines.length)
      this.#fault(`${machines.length} machines, ${rows.length} tasks, ${queue[0]!.count} jobs`);
    this.#report.jobs = queue[0]!.count;
  }

  async #counts(): Promise<void> {
    for (const table of [...tables, 'background_task', 'audit_record', 'event']) {
      const { rows } = await this.#cell.sql.query<{ counter: number; counted: number }>(
        `select row_total('${table}')::integer as counter, (select count(*) from ${table})::integer as counted`,
      );
      this.#report.counts[table] = rows[0]!;
      if (rows[0]!.counter !== rows[0]!.counted)
        this.#fault(`${table}: counter ${rows[0]!.counter}, count(*) ${rows[0]!.counted}`);
    }
  }
}

const jobsMsMax = 120_000;

/** Waits until every job is done, also those whose node died: another node starts them again. */
async function jobsEnded(cell: ServedCell, report: DeathReport): Promise<void> {
  for (const end = Date.now() + jobsMsMax; ; await sleep(500)) {
    const { rows } = await cell.sql.query<{ done: number }>(
      `select count(*)::integer as done from background_task where state = 'COMPLETED'`,
    );
    report.jobsDone = rows[0]!.done;
    if (report.jobsDone >= report.jobs) return;
    if (Date.now() < end) continue;
    const { rows: unfinished } = await cell.sql.query<{ state: string; queue: string; count: number }>(
      `select t.state, j.state::text as queue, count(*)::integer as count from background_task t
       join pgboss.job j on j.id::text = t.queue_job_id and j.name = t.job_name where t.state <> 'COMPLETED' group by 1, 2`,
    );
    report.faults.push(`after ${jobsMsMax / 1_000} s not every job is done: ${JSON.stringify(unfinished)}`);
    return;
  }
}
