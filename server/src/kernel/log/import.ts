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

interface Asked {
  id: number;
  name: string;
  log: string;
  /** The random name of what was uploaded; null for an archive of the store. */
  upload: string | null;
}

interface Imported {
  rows: number;
  inserted: number;
}

const progressMs = 1_000;
/** One wrong row is enough to import none; a few more show the author of the file what is wrong with it. */
const rejectedMax = 20;
const importMinutesMax = 110;

type Run = Pick<JobRun<unknown>, 'signal' | 'progress' | 'report'>;

/** Imports the requested archives one after the other. A failure is stored with its import; the others continue. */
export async function importArchives(archives: Archives, ids: readonly number[], run: Run): Promise<void> {
  const { pool } = archives;
  const outcomes: { item: string; outcome: string; detail: string }[] = [];
  for (const id of ids) {
    const { rows } = await pool.query<Asked>(
      `update log_import set state = 'RUNNING', started_at = now(), rows_done = 0
       where id = $1 and state in ('QUEUED', 'RUNNING') returning id, name, log, upload`,
      [id],
    );
    const asked = rows[0];
    // Done already, by the worker that died before this one.
    if (!asked) continue;
    try {
      const { rows: read, inserted } = await new Import(archives, asked, run).run();
      await pool.query(
        `update log_import set state = 'DONE', finished_at = now(), rows_done = $2, inserted = $3, duplicates = $4 where id = $1`,
        [id, read, inserted, read - inserted],
      );
      outcomes.push({ item: asked.name, outcome: 'IMPORTED', detail: `${inserted} of ${read} rows were missing` });
      const slice = { log: asked.log, slice: asked.name };
      await archives.report(logArchiveImported, 'log-import', slice, `${inserted} of ${read} rows were missing`);
    } catch (error) {
      if (run.signal.aborted) throw error;
      const detail = reasonOf(error);
      await pool.query(`update log_import set state = 'FAILED', finished_at = now(), error = $2 where id = $1`, [
        id,
        detail,
      ]);
      outcomes.push({ item: asked.name, outcome: 'FAILED', detail });
      if (asked.upload) await archives.store.remove(asked.upload);
    } finally {
      await pool.query('select drop_log_leftovers()');
      run.report(outcomes);
    }
  }
}

/** The message for the caller; an internal error says only that, without paths. */
function reasonOf(error: unknown): string {
  if (error instanceof Failure) return error.message.slice(0, 2_000);
  if ((error as { code?: string }).code === 'ENOENT') return 'The file of the archive is missing.';
  return `The import failed: ${(error as Error).message}`.slice(0, 2_000);
}

/** The manifest of an archive must be one of a log here, and of one of its slices. */
export function refuseForeign(archives: Archives, manifest: Manifest): ArchivedLog {
  const archived = archives.find(manifest.log);
  if (!archived) throw rejected(`The manifest is for the log ${manifest.log}, which this service does not have.`);
  const slice = sliceOf(manifest);
  const isSlice = manifest.from === `${slice}T00:00:00.000Z` && isSliceStart(archived.log.slice, slice);
  if (!isSlice || manifest.to !== `${sliceEnd(archived.log.slice, slice)}T00:00:00.000Z`)
    throw rejected(`The manifest is of ${manifest.from} to ${manifest.to}, which is no slice of ${manifest.log}.`);
  if (Date.parse(manifest.to) > Date.now()) throw rejected('The manifest covers a time that is not over yet.');
  const known = schemaVersionOf(archived.log);
  if (manifest.schemaVersion > known)
    throw rejected(`The rows have version ${manifest.schemaVersion}; this release supports versions up to ${known}.`);
  return archived;
}

/** What this cell still has and has not archived itself cannot come from outside. */
export async function refuseLive(archives: Archives, manifest: Manifest): Promise<void> {
  const slice = sliceOf(manifest);
  const { rows } = await archives.pool.query<{ own: boolean; live: boolean; noted: string | null }>(
    `select $3 = cell_landscape() as own, $3 = cell_landscape() and is_log_slice($1, $2::date) as live, (select a.sha256 from log_archive a where a.name = $4) as noted`,
    [manifest.log, slice, manifest.landscape, archiveName(manifest.log, slice, manifest.landscape)],
  );
  const { own, live, noted } = rows[0]!;
  if (noted !== null && noted !== manifest.sha256)
    throw rejected('This service already has another archive of this log, slice and landscape; its hash differs.');
  if (noted === null && live) throw rejected('The rows of this slice are live here and need no import.');
  // Whoever can write a file could give any row to anybody; what this cell archived it knows by its hash.
  if (noted === null && own)
    throw rejected('The manifest says that this cell wrote the archive, but its hash is not recorded here.');
}

function isSliceStart(width: 'day' | 'week' | 'month', slice: string): boolean {
  const day = new Date(`${slice}T00:00:00Z`);
  return width === 'day' || (width === 'week' ? day.getUTCDay() === 1 : day.getUTCDate() === 1);
}

/** One archive on its way back: checked, read into a table of its own, and made a slice again. */
class Import {
  readonly #archives: Archives;
  readonly #asked: Asked;
  readonly #progress: Run['progress'];
  readonly #signal: AbortSignal;
  #rejected = 0;
  #reason = '';
  #rows = 0;

  constructor(archives: Archives, asked: Asked, { progress, signal }: Run) {
    this.#archives = archives;
    this.#asked = asked;
    this.#progress = progress;
    this.#signal = signal;
  }

  async run(): Promise<Imported> {
    const { store, pool } = this.#archives;
    const { id, log, upload, name } = this.#asked;
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

  /** What the file is now must be what its manifest says, and what was noted when it was written. */
  async #refuseChanged({ sha256, bytes }: Manifest): Promise<void> {
    const { store, pool } = this.#archives;
    const { name, upload } = this.#asked;
    const found = await hashFile(store.dataPath(upload ?? name));
    const { rows } = await pool.query<{ sha256: string }>('select sha256 from log_archive where name = $1', [name]);
    const noted = rows[0]?.sha256 ?? sha256;
    if (found.sha256 !== sha256 || found.bytes !== bytes || noted !== sha256)
      throw rejected(`The file of ${name} was changed after archiving: its hash differs.`);
  }

  async #fill(archived: ArchivedLog, manifest: Manifest): Promise<void> {
    const { pool } = this.#archives;
    const { id, log } = this.#asked;
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

  /** Every row that fits, in the form of COPY; when one does not, none is taken in the end. */
  async *#cells(archived: ArchivedLog, manifest: Manifest): AsyncGenerator<Buffer> {
    const { store, pool } = this.#archives;
    const { id, name, upload } = this.#asked;
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
      this.#asked.id,
      this.#rows,
      this.#rejected,
    ]);
    const rest = this.#rejected < rejectedMax ? '' : ' The rest of the archive was not read.';
    throw rejected(
      `${this.#rejected} of ${this.#rows} rows are not valid for the log, the first in ${this.#reason}${rest}`,
    );
  }

  /** Returns how many there are by now. */
  #reject(fault: string): number {
    this.#reason ||= `line ${this.#rows}: ${fault}${fault.endsWith('.') ? '' : '.'}`;
    return ++this.#rejected;
  }

  /** An uploaded archive is kept under its own name from here on, as if it had been written here. */
  async #adopt(upload: string, manifest: Manifest): Promise<void> {
    const { store, pool } = this.#archives;
    const { name } = this.#asked;
    const { rows } = await pool.query<{ missing: boolean }>('select missing from log_archive where name = $1', [name]);
    if (rows[0]?.missing === false) return store.remove(upload);
    await store.rename(upload, name);
    if (rows[0]) await pool.query('update log_archive set missing = false where name = $1', [name]);
    else await this.#archives.record(name, manifest);
  }

  /** Attaching, the count, and until when the rows stay are one transaction: nobody may find them due in between. */
  #finish(slice: string): Promise<number> {
    const { id, log, name } = this.#asked;
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

/** Holds rows against the shape of their version, the bounds of the slice, the landscape and the order. */
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
    const [from, to] = [Date.parse(manifest.from), Date.parse(manifest.to)];
    this.#bounds = endColumn === undefined ? [logIdAt(from), logIdAt(to)] : [from, to];
  }

  read(line: string): { cells: unknown[] } | { fault: string } {
    const read = this.#archived.row.read(line, this.#manifest.schemaVersion);
    if ('fault' in read) return read;
    const { id, landscape, end } = this.#place;
    const key = end < 0 ? (read.cells[id] as number) : Date.parse(read.cells[end] as string);
    const [from, to] = this.#bounds;
    if (read.cells[landscape] !== this.#manifest.landscape) return { fault: 'it belongs to another landscape' };
    if (key < from || key >= to) return { fault: 'it is outside the time of the archive' };
    const [lastKey, lastId] = this.#last;
    if (key < lastKey || (key === lastKey && (read.cells[id] as number) <= lastId))
      return { fault: 'it is out of order or a duplicate' };
    this.#last = [key, read.cells[id] as number];
    return read;
  }
}
