import { execFile } from 'node:child_process';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { signalAll } from '@portreeve/testbed/standby.ts';
import pg from 'pg';
import { container } from '../../src/device/container/container.ts';
import { withDatabase } from '../../src/kernel/database/database-url.ts';
import { ensureDatabase, migrateDatabase } from '../../src/node/migrate-database.ts';
import type { NodeReply } from '../world/node-client.ts';
import { asSuper, type Fault, openFaultCell, postmasterOf, takeAllSessions } from './fault-cells.ts';
import { nodeFaults } from './node-faults.ts';
import type { ReplicatedCell } from './replication.ts';

const run = promisify(execFile);

export interface FaultRow {
  name: string;
  acknowledged: number;
  lost: number;
  /** How often each response occurred during the fault, such as `201 × 20`. */
  answers: string;
  /** The responses of /readyz during the fault. */
  ready: string;
  recoverySeconds: number;
}

export interface FaultsReport {
  rows: FaultRow[];
  faults: string[];
}

export interface FaultsOptions {
  lockSeconds: number;
  freezeSeconds: number;
  /** Names of faults to cause; all if absent. */
  only?: readonly string[];
}

const writers = 6;
const recoveryMsMax = 60_000;
/** Long, so that a few rows fill a page and the disk is soon full. */
const notes = 'x'.repeat(1_000);

async function lockTable(cell: ReplicatedCell, table: string, seconds: number): Promise<void> {
  const client = await cell.sql.connect();
  try {
    await client.query(`begin; lock table ${table} in access exclusive mode`);
    await sleep(seconds * 1_000);
    await client.query('rollback');
  } finally {
    client.release();
  }
}

/** Changes a setting of the server for a while, and resets it. */
async function withSetting(cell: ReplicatedCell, name: string, value: string, seconds: number): Promise<void> {
  await asSuper(cell, `alter system set ${name} = ${value}`);
  await asSuper(cell, 'select pg_reload_conf()');
  try {
    await sleep(seconds * 1_000);
  } finally {
    // The observer's own sessions may be read-only now; ALTER SYSTEM runs without a transaction.
    await asSuper(cell, `alter system reset ${name}`);
    await asSuper(cell, 'select pg_reload_conf()');
  }
}

/** Moves a table to a file system of eight megabytes, and fills it. */
async function fillDisk(cell: ReplicatedCell): Promise<void> {
  const folder = join(cell.folder, 'small-disk');
  await mkdir(folder);
  await run('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=8m,mode=0700,uid=${cell.owner?.uid ?? process.getuid!()}`,
    'tmpfs',
    folder,
  ]);
  await asSuper(cell, `create tablespace small location '${folder}'`);
  for (const table of ['container', 'idempotency_key'])
    await asSuper(cell, `alter table ${table} set tablespace small`);
  await asSuper(cell, 'create table filler (text text) tablespace small');
  await asSuper(cell, 'alter table filler alter column text set storage plain');
  const fill = async () => {
    for (let n = 0; n < 100_000; n++) await asSuper(cell, `insert into filler values (repeat('x', 7000))`);
  };
  await fill().catch((error: { code?: string }) => {
    if (error.code !== '53100') throw error;
  });
  await sleep(5_000);
  await asSuper(cell, 'drop table filler');
  for (const table of ['container', 'idempotency_key'])
    await asSuper(cell, `alter table ${table} set tablespace pg_default`);
  await asSuper(cell, 'drop tablespace small');
  await run('umount', [folder]);
}

async function takeSessions(cell: ReplicatedCell): Promise<void> {
  const giveBack = await takeAllSessions(cell);
  await asSuper(
    cell,
    `select pg_terminate_backend(pid) from (select pid from pg_stat_activity where application_name = 'portreeve' and state = 'idle' limit 3) s`,
  );
  await sleep(3_000);
  await giveBack();
}

async function killMigrate(cell: ReplicatedCell): Promise<void> {
  const url = withDatabase(cell.ownerUrl, 'other');
  await ensureDatabase(url);
  // Ends the database sessions of a migration, as a kill of its process would.
  for (let n = 0; n < 7; n++) {
    const migrating = migrateDatabase(url).catch(() => undefined);
    await sleep(100 + n * 60);
    await asSuper(cell, `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'other'`);
    await migrating;
  }
  await migrateDatabase(url);
  if ((await migrateDatabase(url)).length > 0) throw new Error('a migration was applied twice');
}

const faultsOf = ({ lockSeconds, freezeSeconds }: FaultsOptions): Fault[] => [
  { name: 'migrate ended 7 times', cause: killMigrate, ready: 200 },
  { name: 'table locked', cause: (cell) => lockTable(cell, 'container', lockSeconds), ready: 200 },
  { name: 'job queue locked', cause: (cell) => lockTable(cell, 'pgboss.job', lockSeconds), ready: 200 },
  { name: 'disk full', cell: 'alone', cause: fillDisk, ready: 503, words: /no space left/ },
  {
    name: 'read-only',
    cause: (cell) => withSetting(cell, 'default_transaction_read_only', 'on', 3),
    ready: 503,
    words: /read-only/,
  },
  { name: 'too many connections', cause: takeSessions },
  {
    name: 'standby frozen',
    async cause(cell) {
      await cell.standby.freeze();
      await sleep(3_000);
      await cell.standby.thaw();
    },
    ready: 200,
  },
  {
    name: 'SIGTERM of the node',
    async cause(cell) {
      await cell.stopNode(cell.nodes[0]!);
      await cell.startNode(cell.nodes[0]!);
    },
  },
  {
    name: 'key file gone',
    async cause(cell) {
      const file = join(cell.folder, 'master.key');
      await rename(file, `${file}.away`);
      await sleep(3_000);
      await rename(`${file}.away`, file);
    },
    ready: 200,
  },
  {
    name: 'PostgreSQL killed',
    async cause(cell) {
      await cell.killPostgres();
      await sleep(1_000);
      await cell.restartPostgres();
    },
    ready: 503,
  },
  {
    name: 'PostgreSQL frozen',
    async cause(cell) {
      const pid = await postmasterOf(cell);
      await signalAll(pid, 'SIGSTOP');
      await sleep(freezeSeconds * 1_000);
      await signalAll(pid, 'SIGCONT');
    },
    ready: 503,
  },
  {
    name: 'standby promoted',
    promotes: true,
    async cause(cell) {
      await cell.killPostgres();
      await sleep(1_000);
      await cell.standby.promote();
    },
    ready: 503,
  },
  ...nodeFaults,
];

/**
 * Causes one fault after the other under writes, then checks that every acknowledged write is stored, with its audit
 * row.
 */
export async function causeFaults(options: FaultsOptions): Promise<FaultsReport> {
  const report: FaultsReport = { rows: [], faults: [] };
  const chosen = faultsOf(options).filter(({ name }) => !options.only || options.only.includes(name));
  for (const kind of new Set(chosen.map((fault) => fault.cell))) {
    const cell = await openFaultCell(kind);
    try {
      for (const fault of chosen.filter((candidate) => candidate.cell === kind)) await causeOne(cell, fault, report);
    } finally {
      await cell.close();
    }
  }
  return report;
}

async function causeOne(cell: ReplicatedCell, fault: Fault, report: FaultsReport): Promise<void> {
  const client = cell.client(cell.nodes[0]!);
  const acknowledged: string[] = [];
  const answers = new Map<string, number>();
  const words: string[] = [];
  const ready = new Set<number>();
  let isOver = false;
  let count = 0;
  const write = async () => {
    while (!isOver) {
      const name = `${fault.name} ${count++}`;
      const reply: NodeReply | undefined = await client.post(container.path!, { name, notes }).catch(() => undefined);
      const answer = reply ? String(reply.code) : 'no answer';
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
      if (reply?.code === 201) acknowledged.push(name);
      else if (reply) words.push(`${reply.code} ${reply.body.errorMessage}`);
      await sleep(reply?.code === 201 ? 20 : 100);
    }
  };
  const probe = async () => {
    while (!isOver) {
      const reply = await client.get('/readyz').catch(() => undefined);
      if (reply && !isOver) ready.add(reply.code);
      await sleep(100);
    }
  };
  const working = Promise.all([...Array.from({ length: writers }, write), probe()]);
  await sleep(300);
  try {
    await fault.cause(cell);
  } catch (error) {
    report.faults.push(`${fault.name}: could not be caused: ${(error as Error).message}`);
  }
  const overMs = performance.now();
  isOver = true;
  const recovered = await recovery(client, fault.name);
  await working;
  const lost = await lostOf(cell, fault, acknowledged);
  report.rows.push({
    name: fault.name,
    acknowledged: acknowledged.length,
    lost,
    answers: [...answers].map(([answer, times]) => `${answer} × ${times}`).join(', '),
    ready: [...ready].sort().join(', '),
    recoverySeconds: (recovered - overMs) / 1_000,
  });
  if (lost > 0) report.faults.push(`${fault.name}: ${lost} acknowledged writes are lost`);
  for (const text of new Set(words.filter((text) => !text.startsWith('503'))))
    report.faults.push(`${fault.name}: answered ${text}`);
  if (fault.words && !words.some((text) => fault.words!.test(text)))
    report.faults.push(
      `${fault.name}: no response gives the reason ${fault.words}: ${[...new Set(words)].join(' | ')}`,
    );
  if (fault.ready && !ready.has(fault.ready))
    report.faults.push(`${fault.name}: /readyz never returned ${fault.ready}, but ${[...ready].join(', ')}`);
  if (fault.ready === 200 && ready.size > 1)
    report.faults.push(`${fault.name}: /readyz answered ${[...ready].join(', ')}`);
  if (Number.isNaN(recovered)) report.faults.push(`${fault.name}: the node did not recover`);
}

/** Returns the time at which the node wrote and was ready again. */
async function recovery(client: ReturnType<ReplicatedCell['client']>, name: string): Promise<number> {
  for (
    const begunMs = performance.now(), untilMs = begunMs + recoveryMsMax;
    performance.now() < untilMs;
    await sleep(50)
  ) {
    const wrote = await client
      .post(container.path!, { name: `${name} after ${performance.now()}` })
      .catch(() => undefined);
    if (wrote?.code !== 201) continue;
    if ((await client.get('/readyz').catch(() => undefined))?.code === 200) return performance.now();
  }
  return Number.NaN;
}

async function lostOf(cell: ReplicatedCell, fault: Fault, names: readonly string[]): Promise<number> {
  const url = fault.promotes ? cell.serviceUrl.replace(/:\d+\//, `:${cell.standby.port}/`) : cell.serviceUrl;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ lost: number }>(
      `select count(*)::integer as lost from unnest($1::text[]) n
       where not exists (select from container c where c.name = n and exists (
         select from audit_record a where a.db_table_name = 'container' and a.live_dbid = c.id))`,
      [names],
    );
    return rows[0]!.lost;
  } finally {
    await client.end();
  }
}
