import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, everyRow, type JobRun, type WriteTx } from '../../../context.ts';
import { networkDevice } from '../../../device/network-device/network-device.ts';
import { refreshStatesOfHosts } from '../../../device/port/port.service.ts';
import { rejected } from '../../../kernel/failure.ts';
import { isGroupOrNullMac } from '../../../network/mac-exclusion/mac-exclusion.service.ts';
import { assignHostRoles } from '../../../policy/role/role.service.ts';
import { defaultRole } from '../../../policy/role/role.ts';
import { userAccount } from '../../../user/user-account/user-account.ts';
import { adapter } from '../../adapter/adapter.ts';
import { hostsImported } from '../host.events.ts';
import {
  batchSql,
  checkSql,
  createdSql,
  differencesSql,
  emptiedSql,
  formerSql,
  groupsSql,
  hostsSql,
  newUsersSql,
  pingablesSql,
  siblingsSql,
} from './import-sql.ts';
import type { StagedLine } from './read-file.ts';

const everyAdapter = everyRow(adapter, 'only callers who see every host can import a file');

/** An import as it is stored. */
interface HostImport {
  id: number;
  file: string;
  userName: string;
  dryRun: boolean;
  maxErrors: number;
  lines: number;
  created: number;
  updated: number;
  checked: boolean;
}

interface ReportItem {
  item: string;
  outcome: string;
  detail: string;
}

interface Failures {
  count: number;
  shown: ReportItem[];
}

const linesAtOnce = 2_000;
/** Pause before the next batch if another worker has locked all remaining lines. */
const otherWorkerMs = 500;
/** Maximum number of items in the report of a task. The first one is the summary of the file. */
const itemsMax = 10_000;
const failedShown = itemsMax - 1;
/** Maximum number of lines whose changes a dry run shows. */
const changesShown = 1_000;
const detailMax = 2_000;

const importSql = `select i.id, i.file, i.user_name as "userName", i.dry_run as "dryRun", i.max_errors as "maxErrors", i.lines, i.created, i.updated,
  i.checked_at is not null as checked from host_import i where i.id = $1`;

/** Returns the fault of a line with a group or null address, which needs no stored data to be checked. */
export function faultOfAddress({ host }: StagedLine): string | null {
  if (!host) return null;
  const wrong = [host.mac, ...(host.siblings ?? [])].find(isGroupOrNullMac);
  return wrong === undefined ? null : `adap.mac: ${wrong} is not a valid adapter address.`;
}

/**
 * Imports the staged lines: checks every line, refuses the file if too many fail, and writes the valid lines in batches. Each batch is one
 * transaction, so that another worker can continue after a crash.
 */
export async function runImport(id: number, run: JobRun<Context>): Promise<void> {
  const { context, signal, progress, report } = run;
  const [storedImport] = await context.query<HostImport>(importSql, [id]);
  if (!storedImport) throw rejected('The import no longer exists; upload the file again.');
  if (!storedImport.checked) await context.write((tx) => checkLines(tx, id));
  const failures = await failuresOf(context, id);
  const { dryRun, maxErrors, lines } = storedImport;
  const isRefused = failures.count > maxErrors;
  if (dryRun) return report(await context.write((tx) => previewOf(tx, storedImport, failures)));
  report([...summaryOf(storedImport, failures.count, isRefused), ...failures.shown]);
  if (isRefused)
    throw rejected(
      `${failures.count} of ${lines} lines failed, at most ${maxErrors} are allowed: nothing was imported.`,
    );
  const validLines = lines - failures.count;
  for (let remaining = validLines, measured = validLines; remaining > 0; ) {
    signal.throwIfAborted();
    const before = remaining;
    remaining = await context.write((tx) => writeBatch(tx, storedImport));
    // Another worker has locked the remaining lines: it was considered dead, but still runs.
    if (remaining === before) await sleep(otherWorkerMs, undefined, { signal }).catch(() => undefined);
    progress(validLines - remaining, validLines);
    if (needsNewStatistics(measured - remaining, validLines - remaining)) {
      await context.write(({ client }) => client.query('select measure_hosts()'));
      measured = remaining;
    }
  }
  const [finishedImport] = await context.query<HostImport>(importSql, [id]);
  await context.write((tx) => emitImported(tx, finishedImport!, failures.count));
  report([...summaryOf(finishedImport!, failures.count, false), ...failures.shown]);
}

/** Returns the report of a dry run: how many hosts the file would create and update, and the changes of the first lines. */
async function previewOf({ client }: WriteTx, { id, lines }: HostImport, failures: Failures): Promise<ReportItem[]> {
  // A file with 250,000 existing hosts takes longer than the time limit of reads.
  await client.query(`set local statement_timeout = '5min'`);
  const { rows: counted } = await client.query<{ created: number }>(createdSql, [id]);
  const { created } = counted[0]!;
  const { rows: differing } = await client.query<{ line: number; changes: string; updated: number }>(differencesSql, [
    id,
    changesShown,
  ]);
  const updated = differing[0]?.updated ?? 0;
  const unchanged = lines - failures.count - created - updated;
  const detail = `${created} would be created, ${updated} updated, ${unchanged} unchanged, ${failures.count} failed`;
  const changes = differing.map(({ line, changes: text }) => ({
    item: `line ${line}`,
    outcome: 'CHANGES',
    detail: text.slice(0, detailMax),
  }));
  const failed = failures.shown.slice(0, failedShown - changes.length);
  const rest = truncationNote(failures.count, failed.length);
  return [{ item: 'file', outcome: 'CHECKED', detail: detail + rest }, ...failed, ...changes];
}

/** True if so many of the written lines are new that the table statistics must be updated for good query plans. */
const needsNewStatistics = (fresh: number, writtenLines: number): boolean =>
  fresh >= linesAtOnce && fresh > writtenLines / 2;

const summaryOf = ({ lines, created, updated }: HostImport, failed: number, isRefused: boolean): ReportItem[] => {
  const outcome = isRefused ? 'REFUSED' : 'IMPORTED';
  const detail = isRefused
    ? `${lines - failed} of ${lines} lines valid, ${failed} failed`
    : `${created} created, ${updated} updated, ${failed} failed`;
  return [{ item: 'file', outcome, detail: detail + truncationNote(failed, failedShown) }];
};

const truncationNote = (failed: number, shown: number): string =>
  failed > shown ? `; the first ${shown} of those follow` : '';

async function checkLines({ client }: WriteTx, id: number): Promise<void> {
  await client.query(`set local statement_timeout = '10min'`);
  for (const sql of checkSql) await client.query(sql, [id]);
  await client.query('update host_import set checked_at = now() where id = $1', [id]);
}

async function failuresOf({ query }: Context, id: number): Promise<Failures> {
  const [counted] = await query<{ count: number }>(
    'select count(*)::integer as count from host_import_line l where l.import_id = $1 and l.fault is not null',
    [id],
  );
  const rows = await query<{ line: number; fault: string }>(
    `select l.line, l.fault from host_import_line l where l.import_id = $1 and l.fault is not null order by l.line limit ${failedShown}`,
    [id],
  );
  const shown = rows.map(({ line, fault }) => ({
    item: `line ${line}`,
    outcome: 'FAILED',
    detail: fault.slice(0, detailMax),
  }));
  return { count: counted!.count, shown };
}

/** Writes a batch of lines and deletes them from the staging table, in one transaction. Returns the number of remaining lines. */
async function writeBatch(tx: WriteTx, storedImport: HostImport): Promise<number> {
  const { client } = tx;
  await client.query(`set local statement_timeout = '5min'`);
  const { rows } = await client.query<{ line: number }>(batchSql, [storedImport.id, linesAtOnce]);
  if (rows.length > 0)
    await writeLines(
      tx,
      storedImport,
      rows.map(({ line }) => line),
    );
  const { rows: remaining } = await client.query<{ count: number }>(
    'select count(*)::integer as count from host_import_line l where l.import_id = $1 and l.fault is null',
    [storedImport.id],
  );
  return remaining[0]!.count;
}

async function writeLines(tx: WriteTx, { id, userName }: HostImport, lines: readonly number[]): Promise<void> {
  const { client, records } = tx;
  const lineParameters = [id, lines];
  const { rows: users } = await client.query(newUsersSql, lineParameters);
  for (const user of users) await records.create(userAccount, user);
  const { rows: sums } = await client.query<{ created: number; updated: number }>(hostsSql, [
    ...lineParameters,
    userName,
    defaultRole,
  ]);
  await joinSiblings(tx, lineParameters, userName);
  const { rowCount: joined } = await client.query(groupsSql, lineParameters);
  if (joined) await assignGroupRoles(tx, lineParameters);
  await addPingables(tx, lineParameters);
  await refreshPorts(tx, lineParameters);
  await client.query('delete from host_import_line l where l.import_id = $1 and l.line = any($2)', lineParameters);
  await client.query('update host_import set created = created + $2, updated = updated + $3 where id = $1', [
    id,
    sums[0]!.created,
    sums[0]!.updated,
  ]);
}

async function joinSiblings({ client }: WriteTx, lineParameters: readonly unknown[], userName: string): Promise<void> {
  const { rows: former } = await client.query<{ id: number }>(formerSql, [...lineParameters]);
  await client.query(siblingsSql, [...lineParameters, userName]);
  await client.query(emptiedSql, [former.map(({ id }) => id)]);
}

async function assignGroupRoles(tx: WriteTx, lineParameters: readonly unknown[]): Promise<void> {
  const { rows } = await tx.client.query<{ id: number }>(
    `select distinct a.host_id as id from host_import_line l join ${everyAdapter} a on a.physical_address = l.mac
     where l.import_id = $1 and l.line = any($2) and l.host ? 'groups'`,
    [...lineParameters],
  );
  await assignHostRoles(
    tx,
    rows.map(({ id }) => id),
  );
}

/** Updates the connection states of the ports that the imported hosts are connected to. */
async function refreshPorts({ client }: WriteTx, lineParameters: readonly unknown[]): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    `select distinct a.host_id as id from host_import_line l join ${everyAdapter} a on a.physical_address = l.mac
     where l.import_id = $1 and l.line = any($2)`,
    [...lineParameters],
  );
  await refreshStatesOfHosts(
    client,
    rows.map(({ id }) => id),
  );
}

interface Pingable {
  mac: string;
  ip: string | null;
  name: string;
  containerID: number;
  deviceType: string;
}

async function addPingables({ client, records }: WriteTx, lineParameters: readonly unknown[]): Promise<void> {
  const { rows } = await client.query<Pingable>(pingablesSql, [...lineParameters]);
  for (const { mac, ip, name, containerID, deviceType } of rows)
    await records.create(networkDevice, {
      name,
      ipAddress: ip,
      physicalAddress: mac,
      containerID,
      deviceTypeOverride: deviceType,
      protocol: 'PING',
    });
}

/** Emits one event per file. The audit row was written with the request. A worker that continues after a crash does not emit it again. */
async function emitImported(
  tx: WriteTx,
  { id, file, userName, created, updated }: HostImport,
  failed: number,
): Promise<void> {
  const { rowCount } = await tx.client.query(
    'update host_import set finished_at = now() where id = $1 and finished_at is null',
    [id],
  );
  if (rowCount === 0) return;
  await tx.emit({
    type: hostsImported,
    element: { id: 0, name: file },
    userName,
    attributes: { file, created, updated, failed },
    message: `${userName} imported ${file}`,
  });
}
