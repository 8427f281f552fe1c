import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@portreeve/testbed/free-ports.ts';
import { type Standby, startStandby } from '@portreeve/testbed/standby.ts';
import pg from 'pg';
import { container } from '../../src/device/container/container.ts';
import { connect } from '../../src/kernel/database/connect.ts';
import { UnconfirmedCommit } from '../../src/kernel/database/session.ts';
import { LogWriter } from '../../src/kernel/log/log-writer.ts';
import { openCell, type ServedCell } from '../world/cell.ts';
import type { NodeReply } from '../world/node-client.ts';

export interface ReplicationReport {
  rounds: number;
  /** Commits that were cancelled while they waited for the standby. */
  cancelled: number;
  /** Requests that got 503 while the standby was frozen. */
  unknown: number;
  /** Requests that were acknowledged once the standby had them. */
  acknowledged: number;
  /** From the promotion of the standby until the node wrote there. */
  promotedMs: number;
  faults: string[];
}

/** A node with the addresses of a primary and its synchronous standby. */
export interface ReplicatedCell extends ServedCell {
  standby: Standby;
}

/** Opens such a cell. The nodes have the addresses of both servers, or one address for both. */
export async function openReplicatedCell(addressOf?: (serviceUrl: string) => Promise<string>): Promise<ReplicatedCell> {
  const standbyPort = await freePort();
  const cell = await openCell({ nodes: 1, standbyPort, lifeSeconds: 1_500, ...(addressOf && { addressOf }) });
  try {
    const primaryPort = Number(new URL(cell.ownerUrl).port);
    await cell.sql.query('create table trial_log (n integer)');
    await cell.sql.query('grant insert, select on trial_log to portreeve_service');
    const standby = await startStandby({ folder: cell.folder, primaryPort, name: 'spare', port: standbyPort });
    await cell.sql.query(`alter system set synchronous_standby_names = 'spare'`);
    await cell.sql.query('select pg_reload_conf()');
    const close = async () => {
      await standby.stop();
      await cell.close();
    };
    return { ...cell, standby, close };
  } catch (error) {
    await cell.close();
    throw error;
  }
}

const answerMsMax = 30_000;

/**
 * Each round freezes the standby, cancels the commits that wait for it, and checks that none of them was acknowledged.
 * At the end the primary is killed and the standby promoted: it must have everything that was acknowledged.
 */
export async function replication(cell: ReplicatedCell, options: { rounds: number }): Promise<ReplicationReport> {
  const report: ReplicationReport = {
    rounds: options.rounds,
    cancelled: 0,
    unknown: 0,
    acknowledged: 0,
    promotedMs: 0,
    faults: [],
  };
  const copy = new pg.Pool({ connectionString: cell.serviceUrl.replace(/:\d+\//, `:${cell.standby.port}/`), max: 1 });
  copy.on('error', () => undefined);
  const pool = connect({ url: cell.serviceUrl, connectionsMax: 4 });
  const names: string[] = [];
  try {
    for (let round = 0; round < options.rounds; round++) {
      const name = `round ${round}`;
      await oneRound(cell, pool, name, round, report);
      names.push(name);
      const { rows } = await copy.query<{ count: number }>(
        'select (select count(*)::integer from container where name = $1) + (select count(*)::integer from trial_log where n = $2) as count',
        [name, round],
      );
      if (rows[0]!.count !== 2) report.faults.push(`${name}: ${rows[0]!.count} of 2 rows are on the standby`);
    }
    await pool.end();
    await promote(cell, report);
    const { rows } = await copy.query<{ name: string }>('select name from container');
    const there = new Set(rows.map(({ name }) => name));
    for (const name of names)
      if (!there.has(name)) report.faults.push(`${name}: acknowledged, and lost in the fail-over`);
  } finally {
    await copy.end();
    if (!pool.ending) await pool.end();
  }
  return report;
}

async function oneRound(
  cell: ReplicatedCell,
  pool: pg.Pool,
  name: string,
  round: number,
  report: ReplicationReport,
): Promise<void> {
  const client = cell.client(cell.nodes[0]!);
  const send = () => client.post(container.path!, { name }, { 'idempotency-key': `replication-${round}` });
  const writer = new LogWriter({
    pool,
    table: 'trial_log',
    columns: ['n'],
    onOverload: () => undefined,
    onError: () => undefined,
    batchMs: 1,
  });
  await cell.standby.freeze();
  let isLogged = false;
  let logged: Promise<void> | undefined;
  try {
    // The first time the commit of the write waits, the second time that of the stored response.
    for (const what of ['the write', 'its repetition']) {
      const reply = await cancelling(cell, send(), report);
      if (reply.code === 503) report.unknown++;
      else report.faults.push(`${name}: ${what} returned ${reply.code}, and a fail-over would lose it`);
    }
    const statement = await cancelling(
      cell,
      pool.query('insert into trial_log values (-1)').then(
        () => undefined,
        (error: unknown) => error,
      ),
      report,
    );
    if (!(statement instanceof UnconfirmedCommit))
      report.faults.push(`${name}: a single statement was treated as stored: ${String(statement)}`);
    logged = writer.write([round]).then(() => {
      isLogged = true;
    });
    const before = report.cancelled;
    for (const untilMs = performance.now() + 2_000; report.cancelled < before + 2 && performance.now() < untilMs; ) {
      await cancelWaiting(cell, report);
      await sleep(5);
    }
    if (isLogged) report.faults.push(`${name}: a row of a log was treated as stored`);
  } finally {
    await cell.standby.thaw();
  }
  await logged;
  await writer.close();
  const reply = await send();
  if (reply.code === 201) report.acknowledged++;
  else report.faults.push(`${name}: with the standby back it returned ${reply.code}: ${reply.body.errorMessage}`);
  await caughtUp(cell);
}

/** Cancels every commit of the service that waits for the standby, until the work is done. */
async function cancelling<T>(cell: ReplicatedCell, work: Promise<T>, report: ReplicationReport): Promise<T> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  for (const untilMs = performance.now() + answerMsMax; !isDone && performance.now() < untilMs; await sleep(5))
    await cancelWaiting(cell, report);
  return done;
}

async function cancelWaiting(cell: ReplicatedCell, report: ReplicationReport): Promise<void> {
  const { rows } = await cell.sql.query<{ sent: number }>(
    `select count(*) filter (where pg_cancel_backend(pid))::integer as sent from pg_stat_activity
     where wait_event = 'SyncRep' and application_name like 'portreeve%'`,
  );
  report.cancelled += rows[0]!.sent;
}

async function caughtUp(cell: ReplicatedCell): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const { rows } = await cell.sql.query<{ behind: boolean }>(
      `select not exists (select from pg_stat_replication where replay_lsn >= pg_current_wal_flush_lsn()) as behind`,
    );
    if (!rows[0]!.behind) return;
    await sleep(5);
  }
}

async function promote(cell: ReplicatedCell, report: ReplicationReport): Promise<void> {
  const client = cell.client(cell.nodes[0]!);
  await cell.killPostgres();
  await cell.standby.promote();
  const begunMs = performance.now();
  let reply: NodeReply | undefined;
  for (let n = 0; performance.now() - begunMs < answerMsMax; n++) {
    reply = await client.post(container.path!, { name: `promoted ${n}` }, {});
    if (reply.code === 201) {
      report.promotedMs = performance.now() - begunMs;
      return;
    }
    if (reply.code !== 503) report.faults.push(`during the fail-over a write returned ${reply.code}`);
    await sleep(50);
  }
  report.faults.push(`the node did not write to the promoted standby: ${reply?.code} ${reply?.body.errorMessage}`);
}
