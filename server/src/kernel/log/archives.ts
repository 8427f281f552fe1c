import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { inTransaction, withConnection } from '../database/transaction.ts';
import type { Origin } from '../declare/caller.ts';
import { isLog, type Log } from '../declare/declaration.ts';
import { quoted, snakeCase } from '../declare/names.ts';
import type { Job } from '../jobs/jobs.ts';
import type { Table } from '../model/model.ts';
import { logIdAt, writeInstant } from '../values/time.ts';
import type { Runtime, WriteTx } from '../write/runtime.ts';
import { ArchiveStore, archiveName, hashFile, linesOf, type Manifest, sliceEnd } from './archive-store.ts';
import { ArchivedRow, schemaVersionOf } from './archived-row.ts';
import { importArchives } from './import.ts';
import { type LogEventType, logArchiveCreated, logArchiveFailed, logPurged } from './log-event-types.ts';

export interface ArchivesOptions {
  runtime: Runtime;
  folder: string;
  productVersion: string;
  /** Returns the origin of what a job writes, for audit log and events. */
  originOf(job: string): Origin;
  /** Starts a job with a background task, and returns where its state is read. */
  startTask(tx: WriteTx, job: string, payload: unknown, message: string): Promise<{ id: number; location: string }>;
}

/** A log with its table and the format of its archived rows. */
export interface ArchivedLog {
  table: Table;
  log: Log;
  row: ArchivedRow;
}

interface Slice {
  log: string;
  slice: string;
}

/** A slice is archived an hour after its end: by then everything that was written in its last moments is committed. */
const settleMs = 3_600_000;
const batchRows = 5_000;
/**
 * How long detaching waits for transactions that use the log, while others wait behind it; then it pauses and tries
 * again. In a log with statements of several seconds all the time, it needs the longer wait in the end.
 */
const lockMs = 200;
const patientLockMs = 2_000;
const triesMax = 60;
const patientFrom = 30;
const pauseMs = 500;

/** Archives the slices of logs to files, removes them from the database, and imports them again. */
export class Archives {
  readonly options: ArchivesOptions;
  readonly store: ArchiveStore;
  readonly #rows = new Map<string, ArchivedRow>();

  constructor(options: ArchivesOptions) {
    this.options = options;
    this.store = new ArchiveStore(options.folder);
  }

  get runtime(): Runtime {
    return this.options.runtime;
  }

  get pool(): pg.Pool {
    return this.runtime.pool;
  }

  /** Returns a log by the name of its table; undefined if there is none. */
  find(name: string): ArchivedLog | undefined {
    const table = this.runtime.engine.model.tables.find((candidate) => candidate.name === name);
    if (!table || !isLog(table.declaration)) return undefined;
    const row = this.#rows.get(name) ?? new ArchivedRow(table);
    this.#rows.set(name, row);
    return { table, log: table.declaration, row };
  }

  /** Archives every slice that ended more than an hour ago and has no file yet. */
  async archiveAll(signal: AbortSignal): Promise<void> {
    await this.#withLock('portreeve-log-archive', signal, async () => {
      for (const slice of await this.#slicesToArchive()) {
        if (signal.aborted) return;
        await this.#archiveOrReport(slice);
      }
    });
  }

  /** Runs on one node at a time. A node that takes over the job of a stalled node waits until that one has stopped. */
  async #withLock(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    await withConnection(this.pool, async (client) => {
      const take = async () =>
        (await client.query<{ mine: boolean }>('select pg_try_advisory_lock(hashtext($1)) as mine', [name])).rows[0]!
          .mine;
      while (!(await take())) await sleep(pauseMs, undefined, { signal });
      try {
        await work();
      } finally {
        await client.query('select pg_advisory_unlock(hashtext($1))', [name]);
      }
    });
  }

  async #slicesToArchive(): Promise<Slice[]> {
    const { rows } = await this.pool.query<Slice>(
      `select t.table_name as log, to_date(right(c.relname, 8), 'YYYYMMDD')::text as slice
       from log_table t
       join pg_inherits i on i.inhparent = to_regclass(quote_ident(t.table_name))
       join pg_class c on c.oid = i.inhrelid
       where log_slice_end(t.slice, to_date(right(c.relname, 8), 'YYYYMMDD'))::timestamp at time zone 'UTC' < now() - make_interval(secs => $1)
         and not exists (select from log_archive a where a.log = t.table_name and a.slice = to_date(right(c.relname, 8), 'YYYYMMDD')
           and a.landscape = cell_landscape() and not a.missing)
       order by 2, 1`,
      [settleMs / 1_000],
    );
    return rows.filter(({ log }) => this.find(log));
  }

  /** Writes the file of a slice; a failure emits an event, and the other slices are still archived. */
  async #archiveOrReport(slice: Slice): Promise<boolean> {
    try {
      const manifest = await this.archive(slice.log, slice.slice);
      if (manifest)
        await this.report(logArchiveCreated, 'log-archive', slice, `${manifest.rows} rows in ${manifest.bytes} bytes`);
      return true;
    } catch (error) {
      await this.report(logArchiveFailed, 'log-archive', slice, (error as Error).message);
      return false;
    }
  }

  async report(type: LogEventType, job: string, { log, slice }: Slice, outcome: string): Promise<void> {
    await this.runtime.transact(this.options.originOf(job), (tx) =>
      tx.emit({ type, element: { id: 0, name: job }, attributes: { log, slice, outcome } }),
    );
  }

  /**
   * Writes one slice of this cell's rows to a file, reads the file back, and records it. A slice without rows needs no
   * file.
   */
  async archive(name: string, slice: string): Promise<Manifest | undefined> {
    const archived = this.find(name)!;
    const landscape = await this.#landscape();
    const writing = new ArchiveWriting();
    // Taken before the first row is read: a row that is deleted from now on may be in the file, and counts as contained
    // in it.
    const createdAt = writeInstant(Date.now());
    const file = archiveName(name, slice, landscape);
    const endDay = sliceEnd(archived.log.slice, slice);
    const lines = this.#lines(archived, landscape, slice, endDay);
    const first = await lines.next();
    if (first.done) return undefined;
    await this.store.writeData(file, (handle) => writing.write(handle, first.value, lines));
    const storedFile = await hashFile(this.store.dataPath(file));
    if (storedFile.sha256 !== writing.sha256 || storedFile.bytes !== writing.bytes)
      throw new Error('the archive read back differs from what was written');
    await this.#readBack(file, writing);
    const manifest: Manifest = {
      log: name,
      landscape,
      from: `${slice}T00:00:00.000Z`,
      to: `${endDay}T00:00:00.000Z`,
      rows: writing.rows,
      minID: writing.minID,
      maxID: writing.maxID,
      ...storedFile,
      schemaVersion: schemaVersionOf(archived.log),
      productVersion: this.options.productVersion,
      createdAt,
    };
    await this.store.writeManifest(file, manifest);
    await this.record(file, manifest);
    return manifest;
  }

  async #landscape(): Promise<number> {
    return (await this.pool.query<{ landscape: number }>('select cell_landscape() as landscape')).rows[0]!.landscape;
  }

  /**
   * Reads the rows as lines in the order of their key, some at a time: no statement takes long, and none waits for the
   * file.
   */
  async *#lines(
    { table, log, row }: ArchivedLog,
    landscape: number,
    slice: string,
    endDay: string,
  ): AsyncGenerator<Batch> {
    const end = log.closedBy && `r.${quoted(snakeCase(log.closedBy))}`;
    const key = end ?? 'r.id';
    const type = end ? 'timestamptz' : 'bigint';
    const [lowerBound, upperBound] = [slice, endDay].map((day) =>
      end ? `${day}T00:00:00Z` : logIdAt(Date.parse(day)),
    );
    const text = `select r.id, ${end ? `${end}::text` : 'null'} as "end", ${row.sql} as line from ${quoted(table.name)} r
      where r.landscape = $1 and ${key} >= $2::${type} and ${key} < $3::${type} and ${end ? `(${end}, r.id) > ($5::timestamptz, $4::bigint)` : 'r.id > $4::bigint'}
      order by ${end ? `${end}, r.id` : 'r.id'} limit ${batchRows}`;
    let after: { id: number; end: string | null } = { id: -1, end: '-infinity' };
    for (;;) {
      const values = [landscape, lowerBound, upperBound, after.id, ...(end ? [after.end] : [])];
      const { rows } = await this.pool.query<Batch[number]>(text, values);
      if (rows.length > 0) yield rows;
      if (rows.length < batchRows) return;
      after = rows.at(-1)!;
    }
  }

  async #readBack(file: string, writing: ArchiveWriting): Promise<void> {
    const hash = createHash('sha256');
    let rows = 0;
    for await (const lines of linesOf(this.store.dataPath(file))) {
      rows += lines.length;
      hash.update(`${lines.join('\n')}\n`);
    }
    if (rows !== writing.rows || hash.digest('hex') !== writing.content)
      throw new Error(`${rows} of ${writing.rows} rows could be read back as they were`);
  }

  /** Records an archive that is in the store; the database refuses one that lacks rows of its slice. */
  async record(name: string, manifest: Manifest): Promise<void> {
    const { log, landscape, rows, minID, maxID, bytes, sha256, schemaVersion, productVersion, createdAt } = manifest;
    const entry = {
      name,
      log,
      slice: manifest.from.slice(0, 10),
      landscape,
      rows,
      min_id: minID,
      max_id: maxID,
      bytes,
      sha256,
      schema_version: schemaVersion,
      product_version: productVersion,
      created_at: createdAt,
      missing: false,
    };
    await this.pool.query('select record_log_archive(jsonb_populate_record(null::log_archive, $1))', [
      JSON.stringify(entry),
    ]);
  }

  /** Removes expired slices from the database, deletes expired files, and checks that the other files exist. */
  async ageAll(signal: AbortSignal): Promise<void> {
    await this.#withLock('portreeve-log-age', signal, async () => {
      const { rows: due } = await this.pool.query<Slice>('select log, slice::text from log_slices_due()');
      const failed: unknown[] = [];
      for (const slice of due.filter(({ log }) => this.find(log))) {
        if (signal.aborted) return;
        await this.#purge(slice).catch((error) => failed.push(error));
      }
      await this.pool.query('select drop_log_leftovers()');
      await this.#checkFiles();
      const { rows: forgotten } = await this.pool.query<{ name: string }>('select forget_log_archives() as name');
      for (const { name } of forgotten) await this.store.remove(name);
      await this.store.sweep(Date.now() - 24 * settleMs);
      // The job is retried for the slices that could not be removed.
      if (failed.length > 0) throw failed[0];
    });
  }

  async #purge(slice: Slice): Promise<void> {
    const { rows } = await this.pool.query<{ needed: boolean }>(
      `select (t.always_archived or log_setting('archiveBeforePurge') = 1) and not is_log_slice_archived(t.table_name, $2::date) as needed
       from log_table t where t.table_name = $1`,
      [slice.log, slice.slice],
    );
    // A slice that has more rows than its file is archived again, completely.
    if (rows[0]!.needed && !(await this.#archiveOrReport(slice))) return;
    const removedRows = await this.detach(slice.log, slice.slice);
    await this.report(logPurged, 'log-age', slice, `${removedRows} rows are no longer online`);
  }

  /**
   * Detaches a slice, which needs an exclusive lock on the log for a moment. It retries instead of interrupting
   * readers.
   */
  async detach(log: string, slice: string): Promise<number> {
    return this.whenFree(async (client) => {
      const { rows } = await client.query<{ gone: number }>('select detach_log_slice($1, $2) as gone', [log, slice]);
      return rows[0]!.gone;
    });
  }

  async whenFree<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await inTransaction(this.pool, async (client) => {
          await client.query(`set local lock_timeout = ${tries < patientFrom ? lockMs : patientLockMs}`);
          return work(client);
        });
      } catch (error) {
        if ((error as { code?: string }).code !== '55P03' || tries === triesMax) throw error;
        await sleep(pauseMs * (0.5 + Math.random()));
      }
    }
  }

  async #checkFiles(): Promise<void> {
    const { rows } = await this.pool.query<{ name: string; missing: boolean }>(
      'select a.name, a.missing from log_archive a',
    );
    for (const { name, missing } of rows) {
      const isMissing = !(await this.store.has(name));
      if (isMissing !== missing)
        await this.pool.query('update log_archive set missing = $2 where name = $1', [name, isMissing]);
    }
  }
}

type Batch = { id: number; end: string | null; line: string }[];

/** Compresses lines into a file, and counts and hashes them. */
class ArchiveWriting {
  rows = 0;
  minID = Number.MAX_SAFE_INTEGER;
  maxID = 0;
  bytes = 0;
  sha256 = '';
  /** The hash of the uncompressed lines. */
  content = '';

  async write(file: FileHandle, first: Batch, rest: AsyncGenerator<Batch>): Promise<void> {
    const gzip = createGzip();
    const content = createHash('sha256');
    const packed = this.#pack(file, gzip);
    const push = async (batch: Batch) => {
      const text = batch.map(({ line }) => `${line}\n`).join('');
      content.update(text);
      this.rows += batch.length;
      for (const { id } of batch) {
        this.minID = Math.min(this.minID, id);
        this.maxID = Math.max(this.maxID, id);
      }
      if (!gzip.write(text)) await new Promise((done) => gzip.once('drain', done));
    };
    try {
      await push(first);
      for await (const batch of rest) await push(batch);
    } finally {
      gzip.end();
    }
    await packed;
    this.content = content.digest('hex');
  }

  async #pack(file: FileHandle, gzip: AsyncIterable<Buffer>): Promise<void> {
    const hash = createHash('sha256');
    for await (const chunk of gzip) {
      hash.update(chunk);
      this.bytes += chunk.length;
      await file.write(chunk);
    }
    this.sha256 = hash.digest('hex');
  }
}

/**
 * The jobs of the log engine. Each brings the logs into a defined state, so it may run on another node, after a
 * restart, or twice.
 */
export const logJobs = <C>(archives: Archives): Job<C>[] => [
  {
    kind: 'job',
    name: 'log-archive',
    doc: 'Archive closed slices of logs to files',
    at: '20 * * * *',
    secondsMax: 3_300,
    repeatable: true,
    run: (_payload, { signal }) => archives.archiveAll(signal),
  },
  {
    kind: 'job',
    name: 'log-age',
    doc: 'Remove expired slices of logs',
    // Each hour: a scheduled job starts only within its minute, in which no node may be running.
    at: '30 2-23 * * *',
    secondsMax: 3_300,
    repeatable: true,
    run: (_payload, { signal }) => archives.ageAll(signal),
  },
  {
    kind: 'job',
    name: 'log-import',
    doc: 'Import archived rows of logs',
    secondsMax: 7_200,
    repeatable: true,
    run: (payload, run) => importArchives(archives, (payload as { imports: number[] }).imports, run),
  },
];
