import { type Context, everyRow, type WriteTx } from '../../context.ts';
import { singleId } from '../../kernel/declare/declaration.ts';
import { duplicate, notFound } from '../../kernel/failure.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { l3ScanCompleted } from './l3-scan.events.ts';
import { l3Scan } from './l3-scan.ts';
import { type Evidence, recommendedFrom } from './score.ts';

const everyDevice = everyRow(networkDevice, "the event at the end of a scan is the service's");

type Reader = Pick<Context, 'query'>;

const isOpenSql = `exists (select from background_task t where t.id = s.task_id and t.state in ('QUEUED', 'RUNNING', 'RETRYING'))`;

/** True if a scan is running or queued. */
export async function isRunning({ query }: Reader): Promise<boolean> {
  const [scanRow] = await query<{ isOpen: boolean }>(`select ${isOpenSql} as "isOpen" from l3_scan s`, []);
  return scanRow!.isOpen;
}

/**
 * Returns the state of the scan and locks it until the end of the transaction, so that only one of two callers starts a
 * scan.
 */
async function heldState({ client }: WriteTx): Promise<string> {
  const { rows } = await client.query<{ state: string; isOpen: boolean }>(
    `select s.state, ${isOpenSql} as "isOpen" from l3_scan s for update of s`,
  );
  return rows[0]!.isOpen ? rows[0]!.state : 'DONE';
}

/** Starts a scan of these devices, or of all SNMP devices that the caller sees. */
export async function beginScan(tx: WriteTx, ids: readonly number[] | undefined, nowMs: number): Promise<void> {
  const state = await heldState(tx);
  if (state === 'RUNNING' || state === 'STOPPING')
    throw duplicate('An L3 scan is already running; stop it, or wait until it ends.');
  await tx.client.query('delete from l3_scan_device');
  const { rows } = await tx.client.query<{ id: number }>(
    `insert into l3_scan_device (device_id)
     select r.id from ${tx.visible(networkDevice)} r
     where ${ids ? 'r.id = any($1::bigint[])' : `r.protocol like 'SNMP%'`}
     returning device_id as id`,
    ids ? [ids] : [],
  );
  const foundIds = new Set(rows.map(({ id }) => id));
  const unknown = ids?.find((id) => !foundIds.has(id));
  if (unknown !== undefined) throw notFound(networkDevice.title, unknown);
  await tx.records.observe(l3Scan, singleId, {
    state: 'RUNNING',
    startedBy: tx.origin.user,
    startedAt: new Date(nowMs).toISOString(),
    finishedAt: null,
    total: rows.length,
    scanned: 0,
  });
}

/** Requests the scanning node to stop; without one the scan ends here. Returns false if no scan is running. */
export async function stopScan(tx: WriteTx, nowMs: number): Promise<boolean> {
  const { rows } = await tx.client.query<{ state: string }>('select s.state from l3_scan s for update of s');
  if (rows[0]!.state !== 'RUNNING' && rows[0]!.state !== 'STOPPING') return false;
  if ((await heldState(tx)) === 'DONE') await endScan(tx, nowMs);
  else await tx.records.observe(l3Scan, singleId, { state: 'STOPPING' });
  return true;
}

export async function scanState({ query }: Reader): Promise<string> {
  const [scan] = await query<{ state: string }>('select s.state from l3_scan s', []);
  return scan!.state;
}

export const waitingDevices = async ({ query }: Reader, count: number): Promise<number[]> => {
  const rows = await query<{ id: number }>(
    'select x.device_id as id from l3_scan_device x where x.scanned_at is null order by x.device_id limit $1',
    [count],
  );
  return rows.map(({ id }) => id);
};

/** The scan result of one device. */
export interface Scanned {
  deviceID: number;
  score: number;
  evidence: Evidence;
  error: string | null;
}

/**
 * Stores results that are not stored yet: a delayed node may return results after another node has scanned the device.
 */
export async function storeScanned(tx: WriteTx, scanned: readonly Scanned[]): Promise<{ done: number; total: number }> {
  await tx.client.query(
    `update l3_scan_device x set scanned_at = now(), score = s.score, evidence = s.evidence, error = s.error
     from jsonb_to_recordset($1::jsonb) s("deviceID" bigint, score integer, evidence jsonb, error text)
     where x.device_id = s."deviceID" and x.scanned_at is null`,
    [JSON.stringify(scanned)],
  );
  const { rows } = await tx.client.query<{ done: number; total: number }>(
    'select count(x.scanned_at)::integer as done, count(*)::integer as total from l3_scan_device x',
  );
  await tx.records.observe(l3Scan, singleId, { scanned: rows[0]!.done });
  return rows[0]!;
}

const namesListedMax = 20;

/** Ends the scan, once. */
export async function endScan(tx: WriteTx, nowMs: number): Promise<void> {
  const { rows: running } = await tx.client.query(`select from l3_scan s where s.state <> 'DONE' for update of s`);
  if (running.length === 0) return;
  await tx.records.observe(l3Scan, singleId, { state: 'DONE', finishedAt: new Date(nowMs).toISOString() });
  const { rows } = await tx.client.query<{ scanned: number; total: number; names: string[] }>(
    `select s.scanned, s.total, array(
       select d.name from l3_scan_device x join ${everyDevice} d on d.id = x.device_id
       where x.score >= ${recommendedFrom} and not d.l3_polling_enabled order by x.score desc, d.id limit ${namesListedMax}) as names
     from l3_scan s`,
  );
  const { scanned, total, names } = rows[0]!;
  await tx.emit({
    type: l3ScanCompleted,
    element: { id: 0, name: l3Scan.title },
    attributes: { scanned, total, recommended: names.join(', ') || 'none' },
  });
}

/** Returns the visible devices of the last scan, by score. */
export const scannedDevices = ({ query, visible }: Context, count: number): Promise<object[]> =>
  query(
    `select r.id as "deviceID", r.name as "deviceName", host(r.ip_address) as "ipAddress", x.score, x.evidence,
       r.l3_polling_enabled as "l3PollingEnabled", x.score >= ${recommendedFrom} as recommended, x.error
     from l3_scan_device x join ${visible(networkDevice)} r on r.id = x.device_id
     where x.scanned_at is not null
     order by x.score desc, r.id limit $1`,
    [count],
  );
