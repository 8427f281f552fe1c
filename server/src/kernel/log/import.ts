import { withConnection } from '../database/transaction.ts';
import { quoted } from '../declare/names.ts';
import { Failure, rejected } from '../failure.ts';
import type { JobRun } from '../jobs/jobs.ts';
import { LoopShare } from '../values/loop-share.ts';
import { logIdAt } from '../values/time.ts';
import { archiveName, hashFile, linesOf, type Manifest, sliceEnd, sliceOf } from './archive-store.ts';
import { schemaVersionOf } from './archived-row.ts';
import type { ArchivedLog, Archives } from './archives.ts';
import { copyIn, copyLine } from './copy.ts';
import { logArchiveImported } from './log-event-types.ts';

interface ImportRequest {
  id: number;
  name: string;
  log: string;
  /** The random name of an upload; null for an archive of the store. */
  upload: string | null;
}

interface Imported {
  rows: number;
  inserted: number;
}

const progressMs = 1_000;
/** One invalid row is enough to import none; a few more are counted to show the author of the file what is wrong. */
const rejectedMax = 20;
const importMinutesMax = 110;

type Run = Pick<JobRun<unknown>, 'signal' | 'progress' | 'report'>;

/** Imports the requested archives one after the other. A failure is stored with its import; the others continue. */
export async function importArchives(archives: Archives, ids: readonly number[], run: Run): Promise<void> {
  const { pool } = archives;
  const outcomes: { item: string; outcome: string; detail: string }[] = [];
  for (const id of ids) {
    const { rows } = await pool.query<ImportRequest>(
      `update log_import set state = 'RUNNING', started_at = now(), rows_done = 0
       where id = $1 and state in ('QUEUED', 'RUNNING') returning id, name, log, upload`,
      [id],
    );
    const request = rows[0];
    // Completed already, by a worker that stopped before it could report it.
    if (!request) continue;
    try {
      const { rows: rowsRead, inserted } = await new Import(archives, request, run).run();
      await pool.query(
        `update log_import set state = 'DONE', finished_at = now(), rows_done = $2, inserted = $3, duplicates = $4 where id = $1`,
        [id, rowsRead, inserted, rowsRead - inserted],
      );
      outcomes.push({
        item: request.name,
        outcome: 'IMPORTED',
        detail: `${inserted} of ${rowsRead} rows were missing`,
      });
      const slice = { log: request.log, slice: request.name };
      await archives.report(logArchiveImported, 'log-import', slice, `${inserted} of ${rowsRead} rows were missing`);
    } catch (error) {
      if (run.signal.aborted) throw error;
      const detail = reasonOf(error);
      await pool.query(`update log_import set state = 'FAILED', finished_at = now(), error = $2 where id = $1`, [
        id,
        detail,
      ]);
      outcomes.push({ item: request.name, outcome: 'FAILED', detail });
      if (request.upload) await archives.store.remove(request.upload);
    } finally {
      await pool.query('select drop_log_leftovers()');
      run.report(outcomes);
    }
  }
}

/** Returns the message for the caller. A missing file is reported without its path. */
function reasonOf(error: unknown): string {
  if (error instanceof Failure) return error.message.slice(0, 2_000);
  if ((error as { code?: string }).code === 'ENOENT') return 'The file of the archive is missing.';
  return `The import failed: ${(error as Error).message}`.slice(0, 2_000);
}

/** Refuses a manifest that is not about a slice of a log of this service. */
export function refuseForeign(archives: Archives, manifest: Manifest): ArchivedLog {
  const archived = archives.find(manifest.log);
  if (!archived) throw rejected(`The manifest is for the log ${manifest.log}, which this service does not have.`);
  const slice = sliceOf(manifest);
  const isSlice = manifest.from === `${slice}T00:00:00.000Z` && isSliceStart(archived.log.slice, slice);
  if (!isSlice || manifest.to !== `${sliceEnd(archived.log.slice, slice)}T00:00:00.000Z`)
    throw rejected(`The manifest is of ${manifest.from} to ${manifest.to}, which is no slice of ${manifest.log}.`);
  if (Date.parse(manifest.to) > Date.now()) throw rejected('The manifest covers a time that is not over yet.');
  const supportedVersion = schemaVersionOf(archived.log);
  if (manifest.schemaVersion > supportedVersion)
    throw rejected(
      `The rows have version ${manifest.schemaVersion}; this release supports versions up to ${supportedVersion}.`,
    );
  return archived;
}

/**
 * Refuses an upload of rows that are still in the database, or that this cell should have archived but did not record.
 */
export async function refuseLive(archives: Archives, manifest: Manifest): Promise<void> {
  const slice = sliceOf(manifest);
  const { rows } = await archives.pool.query<{ own: boolean; live: boolean; noted: string | null }>(
    `select $3 = cell_landscape() as own, $3 = cell_landscape() and is_log_slice($1, $2::date) as live, (select a.sha256 from log_archive a where a.name = $4) as noted`,
    [manifest.log, slice, manifest.landscape, archiveName(manifest.log, slice, manifest.landscape)],
  );
  const { own: isOwn, live, noted } = rows[0]!;
  if (noted !== null && noted !== manifest.sha256)
    throw rejected('This service already has another archive of this log, slice and landscape; its hash differs.');
  if (noted === null && live) throw rejected('The rows of this slice are live here and need no import.');
  // Without a record anyone who can write a file could add any row: an archive of this cell must have the recorded
  // hash.
  if (noted === null && isOwn)
    throw rejected('According to the manifest this cell wrote the archive, but its hash is not recorded here.');
}

function isSliceStart(width: 'day' | 'week' | 'month', slice: string): boolean {
  const day = new Date(`${slice}T00:00:00Z`);
  return width === 'day' || (width === 'week' ? day.getUTCDay() === 1 : day.getUTCDate() === 1);
}

/** The import of one archive: checks it, reads it into a separate table, and attaches that as a slice. */
class Import {
  readonly #archives: Archives;
  readonly #request: ImportRequest;
  readonly #progress: Run['progress'];
  readonly #signal: AbortSignal;
  #rejected = 0;
  #reason = '';
  #rows = 0;

  constructor(archives: Archives, request: ImportRequest, { progress, signal }: Run) {
    this.#archives = archives;
    this.#request = request;
    this.#progress = progress;
    this.#signal = signal;
  }

  async run(): Promise<Imported> {
    const { store, pool } = this.#archives;
    const { id, log, upload, name } = this.#request;
    const manifest = await store.readManifest(upload ?? name);
    const archived = refuseForeign(this.#archives, manifest);
    const slice = sliceOf(manifest);
    if (manifest.log !== log || archiveName(log, slice, manifest.landscape) !== name)
      throw rejected(`The manifest of ${name} belongs to another archive.`);
    await this.#refuseChanged(manifest);
    if (upload) await refuseLive(this.#archives, manifest);
    await pool.query('update log_import set rows_total = $2 where id = $1', [id, manifest.rows]);
    await this.#fill(archived, manifest);
    if (upload) await this.#adopt(upload, manifest);
    return { rows: this.#rows, inserted: await this.#finish(slice) };
  }

  /** Refuses a file that differs from its manifest, or from the hash that was recorded when it was written. */
  async #refuseChanged({ sha256, bytes }: Manifest): Promise<void> {
    const { store, pool } = this.#archives;
    const { name, upload } = this.#request;
    const file = await hashFile(store.dataPath(upload ?? name));
    const { rows } = await pool.query<{ sha256: string }>('select sha256 from log_archive where name = $1', [name]);
    const noted = rows[0]?.sha256 ?? sha256;
    if (file.sha256 !== sha256 || file.bytes !== bytes || noted !== sha256)
      throw rejected(`The file of ${name} was changed after archiving: its hash differs.`);
  }

  async #fill(archived: ArchivedLog, manifest: Manifest): Promise<void> {
    const { pool } = this.#archives;
    const { id, log } = this.#request;
    const { rows } = await pool.query<{ table: string }>('select begin_log_import($1, $2, $3) as table', [
      log,
      sliceOf(manifest),
      id,
    ]);
    const columns = [...archived.row.columns, 'txid'].map(quoted).join(', ');
    await withConnection(pool, async (client) => {
      await client.query(`begin; set local statement_timeout = '${importMinutesMax}min'`);
      try {
        await copyIn(client, `copy ${quoted(rows[0]!.table)} (${columns}) from stdin`, this.#cells(archived, manifest));
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw error;
      }
    });
  }

  /** Returns every valid row in the format of COPY; throws at the end if a row was invalid. */
  async *#cells(archived: ArchivedLog, manifest: Manifest): AsyncGenerator<Buffer> {
    const { store, pool } = this.#archives;
    const { id, name, upload } = this.#request;
    const check = new RowCheck(archived, manifest);
    const share = new LoopShare();
    let reportedMs = performance.now();
    for await (const lines of linesOf(store.dataPath(upload ?? name))) {
      this.#signal.throwIfAborted();
      if (this.#rows + lines.length > manifest.rows)
        throw rejected(`The archive has more rows than the ${manifest.rows} of its manifest.`);
      let text = '';
      for (const line of lines) {
        const checked = check.read(line);
        this.#rows++;
        if ('cells' in checked) text += copyLine([...checked.cells, 0]);
        else if (this.#reject(checked.fault) === rejectedMax) return this.#refuseRows();
        if (share.isUsedUp()) await share.pause();
      }
      if (text) yield Buffer.from(text);
      if (performance.now() - reportedMs > progressMs) {
        reportedMs = performance.now();
        this.#progress(this.#rows, manifest.rows, name);
        await pool.query('update log_import set rows_done = $2, rejected = $3 where id = $1', [
          id,
          this.#rows,
          this.#rejected,
        ]);
      }
    }
    if (this.#rows < manifest.rows)
      throw rejected(`The archive has ${this.#rows} rows; its manifest lists ${manifest.rows}.`);
    if (this.#rejected > 0) await this.#refuseRows();
  }

  async #refuseRows(): Promise<never> {
    await this.#archives.pool.query('update log_import set rows_done = $2, rejected = $3 where id = $1', [
      this.#request.id,
      this.#rows,
      this.#rejected,
    ]);
    const rest = this.#rejected < rejectedMax ? '' : ' The rest of the archive was not read.';
    throw rejected(
      `${this.#rejected} of ${this.#rows} rows are not valid for the log, the first in ${this.#reason}${rest}`,
    );
  }

  /** Counts an invalid row, and returns the number of all of them. */
  #reject(fault: string): number {
    this.#reason ||= `line ${this.#rows}: ${fault}${fault.endsWith('.') ? '' : '.'}`;
    return ++this.#rejected;
  }

  /** Stores an uploaded archive under its permanent name, as if it had been written here. */
  async #adopt(upload: string, manifest: Manifest): Promise<void> {
    const { store, pool } = this.#archives;
    const { name } = this.#request;
    const { rows } = await pool.query<{ missing: boolean }>('select missing from log_archive where name = $1', [name]);
    if (rows[0]?.missing === false) return store.remove(upload);
    await store.rename(upload, name);
    if (rows[0]) await pool.query('update log_archive set missing = false where name = $1', [name]);
    else await this.#archives.record(name, manifest);
  }

  /**
   * Attaches the slice, counts its rows and sets their expiry in one transaction: otherwise they could be removed as
   * expired in between.
   */
  #finish(slice: string): Promise<number> {
    const { id, log, name } = this.#request;
    return this.#archives.whenFree(async (client) => {
      await client.query(`set local statement_timeout = '${importMinutesMax}min'`);
      const { rows } = await client.query<{ added: number }>('select finish_log_import($1, $2, $3) as added', [
        log,
        slice,
        id,
      ]);
      await client.query(
        `update log_archive a set imported_by = i.requested_by, imported_at = now(),
           imported_until = case when a.offline_since is not null or a.landscape <> cell_landscape()
             then now() + make_interval(days => log_setting('importedKeepDays')) else a.imported_until end
         from log_import i where a.name = $1 and i.id = $2`,
        [name, id],
      );
      return rows[0]!.added;
    });
  }
}

/** Checks rows against the shape of their version, the bounds of the slice, the landscape and the order. */
class RowCheck {
  readonly #archived: ArchivedLog;
  readonly #manifest: Manifest;
  readonly #place: { id: number; landscape: number; end: number };
  readonly #bounds: readonly [number, number];
  #last: readonly [number, number] = [-1, -1];

  constructor(archived: ArchivedLog, manifest: Manifest) {
    const { columns } = archived.row;
    const { closedBy } = archived.log;
    this.#archived = archived;
    this.#manifest = manifest;
    const endColumn = closedBy && archived.row.columnOf(closedBy);
    this.#place = {
      id: columns.indexOf('id'),
      landscape: columns.indexOf('landscape'),
      end: endColumn === undefined ? -1 : columns.indexOf(endColumn),
    };
    const [startMs, endMs] = [Date.parse(manifest.from), Date.parse(manifest.to)];
    this.#bounds = endColumn === undefined ? [logIdAt(startMs), logIdAt(endMs)] : [startMs, endMs];
  }

  read(line: string): { cells: unknown[] } | { fault: string } {
    const parsedRow = this.#archived.row.read(line, this.#manifest.schemaVersion);
    if ('fault' in parsedRow) return parsedRow;
    const { id, landscape, end } = this.#place;
    const key = end < 0 ? (parsedRow.cells[id] as number) : Date.parse(parsedRow.cells[end] as string);
    const [lowerBound, upperBound] = this.#bounds;
    if (parsedRow.cells[landscape] !== this.#manifest.landscape) return { fault: 'it belongs to another landscape' };
    if (key < lowerBound || key >= upperBound) return { fault: 'it is outside the time of the archive' };
    const [lastKey, lastId] = this.#last;
    if (key < lastKey || (key === lastKey && (parsedRow.cells[id] as number) <= lastId))
      return { fault: 'it is out of order or a duplicate' };
    this.#last = [key, parsedRow.cells[id] as number];
    return parsedRow;
  }
}
