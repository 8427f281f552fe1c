import type pg from 'pg';
import { type Context, everyRow, type WriteTx } from '../../context.ts';
import { duplicate } from '../../kernel/failure.ts';
import { container } from '../container/container.ts';
import type { Span } from './allowed-ranges.ts';
import { discoveryCompleted, discoveryStarted, discoveryStopped } from './discovery.events.ts';
import { itemsMax, type Outcome, type RunState } from './discovery.ts';

const everyContainer = everyRow(container, 'the worker of a run has no caller');

/** Options of a run. */
export interface RunOptions {
  /** The request has seeds: the ranges only limit the run, which follows neighbours from device to device. */
  isSeeded: boolean;
  useLLDP: boolean;
  useCDP: boolean;
  maxHops: number;
  addPingable: boolean;
  probesPerSecond: number;
}

/** Stores the work of a new run, where every node finds it. A container has one run at a time. */
export async function storeWork(
  { client }: WriteTx,
  run: { id: number; containerID: number; containerName: string },
  { allowedRanges, starts, options }: { allowedRanges: readonly Span[]; starts: readonly Span[]; options: RunOptions },
): Promise<void> {
  const { rowCount } = await client.query(
    `insert into discovery_work (run_id, container_id, fence, options) values ($1, $2, $3, $4)
     on conflict (container_id) do nothing`,
    [run.id, run.containerID, JSON.stringify(allowedRanges), JSON.stringify(options)],
  );
  if (rowCount === 0)
    throw duplicate(`A discovery into ${run.containerName} is already running; stop it, or wait until it ends.`);
  const { rowCount: addresses } = await client.query(
    `insert into discovery_address (run_id, address, hop)
     select $1, s.first + n, 0
     from jsonb_to_recordset($2::jsonb) s(first inet, last inet)
     cross join lateral generate_series(0::bigint, s.last - s.first) n`,
    [run.id, JSON.stringify(starts)],
  );
  await client.query('update discovery_run set addresses_total = $2 where id = $1', [run.id, addresses]);
}

export async function storeTaskID({ client }: WriteTx, runID: number, taskID: number): Promise<void> {
  await client.query('update discovery_work set task_id = $2 where run_id = $1', [runID, taskID]);
}

/**
 * A run that this worker holds until it ends, is released, or is taken by another worker because this one seemed dead.
 */
export interface TakenRun {
  id: number;
  worker: string;
  containerID: number;
  landscape: number;
  suffix: string | null;
  allowedRanges: readonly Span[];
  options: RunOptions;
}

/** Seconds without a heartbeat after which a worker is considered dead. */
const silentSeconds = 10;

/** Claims a run; undefined if it has ended, `'held'` if another worker has it. */
export async function takeRun(tx: WriteTx, id: number, worker: string): Promise<TakenRun | 'held' | undefined> {
  const { rows } = await tx.client.query<{ isFree: boolean }>(
    `select coalesce(w.beat_at < now() - make_interval(secs => ${silentSeconds}), true) as "isFree"
     from discovery_work w where w.run_id = $1 for update`,
    [id],
  );
  if (!rows[0]) return undefined;
  if (!rows[0].isFree) return 'held';
  const { rows: claimedRun } = await tx.client.query<
    Omit<TakenRun, 'worker'> & { state: RunState; name: string; total: number }
  >(
    `update discovery_work w set worker = $2, beat_at = now()
     from discovery_run r join ${everyContainer} c on c.id = r.container_id
     where w.run_id = $1 and r.id = w.run_id
     returning r.id, r.container_id as "containerID", c.name, c.landscape, c.suffix, w.fence as "allowedRanges", w.options, r.state, r.addresses_total as total`,
    [id, worker],
  );
  const { state, name, total, ...run } = claimedRun[0]!;
  if (state === 'QUEUED') {
    await tx.client.query(`update discovery_run set state = 'RUNNING' where id = $1`, [id]);
    await tx.emit({
      type: discoveryStarted,
      element: { id: run.containerID, name },
      attributes: { addresses: total, discovery: id },
    });
  }
  return { ...run, worker };
}

/** Releases an unfinished run, so that the next worker need not wait. */
export async function releaseRun({ query }: Pick<Context, 'query'>, { id, worker }: TakenRun): Promise<void> {
  await query('update discovery_work set worker = null, beat_at = null where run_id = $1 and worker = $2', [
    id,
    worker,
  ]);
}

/** Renews the heartbeat and returns the requested state; undefined if another worker owns the run now. */
export async function renewHeartbeat(
  { query }: Pick<Context, 'query'>,
  { id, worker }: TakenRun,
): Promise<{ state: RunState; isWanted: boolean; probed: number; total: number; added: number } | undefined> {
  const rows = await query<{ state: RunState; isWanted: boolean; probed: number; total: number; added: number }>(
    `update discovery_work w set beat_at = now()
     from discovery_run r
     where w.run_id = $1 and w.worker = $2 and r.id = w.run_id
     returning r.state, exists (select from background_task t where t.id = w.task_id) as "isWanted",
       r.addresses_probed as probed, r.addresses_total as total, r.devices_added as added`,
    [id, worker],
  );
  return rows[0];
}

/** Returns addresses that are not probed yet, those nearest to the seeds first. */
export const waitingAddresses = (
  { query }: Pick<Context, 'query'>,
  { id }: TakenRun,
  busy: readonly string[],
  count: number,
): Promise<{ address: string; hop: number }[]> =>
  query(
    `select host(a.address) as address, a.hop from discovery_address a
     where a.run_id = $1 and not a.is_probed and a.address <> all($2::inet[])
     order by a.hop, a.address limit $3`,
    [id, busy, count],
  );

/** Thrown if another worker has taken the run, or it has ended: nothing more is stored for it. */
export class RunLost extends Error {
  override readonly name = 'RunLost';
}

/**
 * Locks the run for this transaction: outcomes are stored one at a time, and none by a worker that has lost the run.
 */
export async function holdRun(client: pg.PoolClient, { id, worker }: TakenRun): Promise<void> {
  const { rowCount } = await client.query(
    'select from discovery_work w where w.run_id = $1 and w.worker = $2 for update',
    [id, worker],
  );
  if (rowCount === 0) throw new RunLost(`Discovery ${id} is no longer processed by this node.`);
}

export async function storeSilent(tx: WriteTx, run: TakenRun, addresses: readonly string[]): Promise<void> {
  await holdRun(tx.client, run);
  await markProbed(tx.client, run.id, addresses);
  await tx.client.query('update discovery_run set addresses_probed = addresses_probed + $2 where id = $1', [
    run.id,
    addresses.length,
  ]);
}

async function markProbed(client: pg.PoolClient, id: number, addresses: readonly string[]): Promise<void> {
  await client.query('update discovery_address set is_probed = true where run_id = $1 and address = any($2::inet[])', [
    id,
    addresses,
  ]);
}

/** The outcome of one address. */
export interface Item {
  ipAddress: string;
  outcome: Outcome;
  deviceID: number | null;
  name: string | null;
  detail: string | null;
}

const columnOf: Readonly<Record<Outcome, string>> = {
  ADDED: 'devices_added',
  PINGABLE_ADDED: 'devices_added',
  UPDATED: 'devices_updated',
  KNOWN: 'skipped',
  DUPLICATE: 'skipped',
  NO_SNMP: 'skipped',
  FAILED: 'errors',
};

export async function storeItem({ client }: WriteTx, { id }: TakenRun, item: Item): Promise<void> {
  await markProbed(client, id, [item.ipAddress]);
  await client.query(
    `insert into discovery_item (run_id, ip_address, outcome, device_id, name, detail) values ($1, $2, $3, $4, $5, $6)`,
    [id, item.ipAddress, item.outcome, item.deviceID, item.name, item.detail?.slice(0, 2_000).toWellFormed() ?? null],
  );
  const column = columnOf[item.outcome];
  await client.query(
    `update discovery_run set addresses_probed = addresses_probed + 1, responded = responded + $2, ${column} = ${column} + 1 where id = $1`,
    [id, item.outcome === 'FAILED' ? 0 : 1],
  );
}

/** Adds addresses reported by neighbours, unless they were probed already. */
export async function storeNextHop(
  { client }: WriteTx,
  { id }: TakenRun,
  addresses: readonly string[],
  hop: number,
  addressesMax: number,
): Promise<void> {
  if (addresses.length === 0) return;
  await client.query(
    `with added as (
       insert into discovery_address (run_id, address, hop)
       select $1, a, $3 from unnest($2::inet[]) a
       limit greatest(0, $4 - (select r.addresses_total from discovery_run r where r.id = $1))
       on conflict do nothing returning hop
     )
     update discovery_run r set addresses_total = r.addresses_total + n.count, hop = greatest(r.hop, n.hop)
     from (select count(*) as count, max(hop) as hop from added) n
     where r.id = $1 and n.count > 0`,
    [id, addresses, hop, addressesMax],
  );
}

type EndState = 'DONE' | 'STOPPED' | 'FAILED';

/** Ends a run: deletes its work and credentials and keeps its outcomes. */
export async function endRun(tx: WriteTx, id: number, state: EndState): Promise<void> {
  await tx.client.query('delete from discovery_work where run_id = $1', [id]);
  const { rows } = await tx.client.query<Counts & { containerID: number; name: string }>(
    `update discovery_run r set state = $2, finished_at = now(), credentials = null
     where r.id = $1 and r.finished_at is null
     returning r.container_id as "containerID", r.container_name as name, r.devices_added as added,
       r.devices_updated as updated, r.skipped, r.errors`,
    [id, state],
  );
  await tx.client.query(
    `delete from discovery_item i where i.run_id = $1 and i.id < (
       select min(x.id) from (select y.id from discovery_item y where y.run_id = $1 order by y.id desc limit ${itemsMax}) x)`,
    [id],
  );
  const type = { DONE: discoveryCompleted, STOPPED: discoveryStopped, FAILED: undefined }[state];
  if (!rows[0] || !type) return;
  const { containerID, name, ...counts } = rows[0];
  await tx.emit({ type, element: { id: containerID, name }, attributes: { ...counts, discovery: id } });
}

interface Counts {
  added: number;
  updated: number;
  skipped: number;
  errors: number;
}

/** Requests the node that works on the run to stop; a run that has not started ends here. */
export async function stopRun(tx: WriteTx, id: number): Promise<void> {
  const { rows } = await tx.client.query<{ isBegun: boolean }>(
    'select w.worker is not null as "isBegun" from discovery_work w where w.run_id = $1 for update',
    [id],
  );
  if (rows[0]?.isBegun)
    await tx.client.query(`update discovery_run set state = 'STOPPING' where id = $1 and state = 'RUNNING'`, [id]);
  else await endRun(tx, id, 'STOPPED');
}

const runsKept = 50;
/** Minutes without a heartbeat after which the job has been given up, so that no other worker continues it. */
const abandonedMinutes = 2;

/** Ends abandoned runs and deletes old ones. */
export async function tidyRuns(tx: WriteTx): Promise<void> {
  const { rows } = await tx.client.query<{ id: number; state: RunState }>(
    `select r.id, r.state from discovery_work w join discovery_run r on r.id = w.run_id
     where w.beat_at < now() - make_interval(mins => ${abandonedMinutes})
       or (w.beat_at is null and not exists (
         select from background_task t where t.id = w.task_id and t.state in ('QUEUED', 'RUNNING', 'RETRYING')))
     order by r.id limit 1000 for update of w skip locked`,
  );
  for (const { id, state } of rows) await endRun(tx, id, state === 'STOPPING' ? 'STOPPED' : 'FAILED');
  await tx.client.query(
    `delete from discovery_run r where r.finished_at is not null and r.id <= (
       select x.id from discovery_run x where x.finished_at is not null order by x.id desc offset ${runsKept} limit 1)`,
  );
}
