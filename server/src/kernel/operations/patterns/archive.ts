import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { type Log, tableOf } from '../../declare/declaration.ts';
import type { Answer, Call, FilePart, QueryParameter } from '../../declare/operation.ts';
import { allows, type Verb } from '../../declare/permissions.ts';
import { integerMax, type ObjectShape, type Shape } from '../../declare/shape.ts';
import { Failure, forbidden, invalid, notFound, rejected } from '../../failure.ts';
import { archiveName, type Manifest, manifestBytesMax, readManifest, sliceOf } from '../../log/archive-store.ts';
import type { Archives } from '../../log/archives.ts';
import { refuseForeign, refuseLive } from '../../log/import.ts';
import { logArchiveImported } from '../../log/log-event-types.ts';
import { instantSql } from '../../values/time.ts';
import type { Runtime, WriteTx } from '../../write/runtime.ts';
import type { Draft, PatternContext } from './pattern.ts';

const uploadBytesMax = 67_108_864;
const namesMax = 100;
const shownMax = 1_000;

const number: Shape = { kind: 'integer', min: 0, max: integerMax };
const nameShape: Shape = {
  kind: 'text',
  min: 1,
  max: 120,
  doc: 'Name of an archive, as returned by the list of archives.',
};

const archiveShape: ObjectShape = {
  kind: 'object',
  name: 'LogArchive',
  properties: {
    name: { kind: 'text', max: 120, doc: 'Key of the archive.' },
    log: { kind: 'text', max: 60, doc: 'Log of its rows.' },
    landscape: { ...number, doc: 'Number of the cell that owns the rows.' },
    from: { kind: 'time', doc: 'Start of its time range.' },
    to: { kind: 'time', doc: 'End of its time range, exclusive.' },
    rows: number,
    bytes: { ...number, doc: 'Size of the file.' },
    sha256: { kind: 'text', max: 64, doc: 'Hash of the file.' },
    createdAt: { kind: 'time' },
    imported: { kind: 'flag', doc: 'True while its rows are imported.' },
    importedUntil: { kind: 'time', nullable: true, doc: 'Time when the imported rows are removed again.' },
    importedBy: { kind: 'text', max: 120, nullable: true, doc: 'Account that imported them.' },
    importedAt: { kind: 'time', nullable: true, doc: 'Time of the import.' },
    location: { kind: 'choice', values: ['LOCAL', 'REMOTE', 'BOTH'], doc: 'Where the file is stored.' },
    state: {
      kind: 'choice',
      values: ['ONLINE', 'OFFLINE', 'IMPORTED', 'MISSING'],
      doc: 'ONLINE: the rows are still in the log; OFFLINE: only in the file; IMPORTED: temporarily imported; MISSING: the file no longer exists.',
    },
  },
  columns: ['name', 'rows', 'bytes', 'state', 'importedUntil'],
};

const statusShape: ObjectShape = {
  kind: 'object',
  name: 'ImportStatus',
  properties: {
    taskID: { ...number, doc: 'Background task of the import.' },
    name: { kind: 'text', max: 120, doc: 'The archive.' },
    state: { kind: 'choice', values: ['QUEUED', 'RUNNING', 'DONE', 'FAILED'] },
    rowsDone: { ...number, doc: 'Rows read so far.' },
    rowsTotal: { ...number, doc: 'Rows of the archive.' },
    inserted: { ...number, doc: 'Rows that were added.' },
    duplicates: { ...number, doc: 'Rows skipped because they exist or were deleted by an administrator.' },
    rejected: { ...number, doc: 'Invalid rows; a single one stops the complete import.' },
    startedAt: { kind: 'time', nullable: true },
    finishedAt: { kind: 'time', nullable: true },
    error: { kind: 'text', max: 2_000, nullable: true, doc: 'Reason of the failure.' },
  },
  columns: ['taskID', 'name', 'state', 'rowsDone', 'rowsTotal', 'error'],
};

const importShape: ObjectShape = {
  kind: 'object',
  name: 'ArchiveImport',
  properties: {
    name: nameShape,
    names: { kind: 'list', item: nameShape, min: 1, max: namesMax, doc: 'Several archives, instead of one.' },
  },
};

const archivesSql = `
select a.name, a.log, a.landscape, ${instantSql(`a.slice::timestamp at time zone 'UTC'`)} as "from",
  ${instantSql(`log_slice_end(t.slice, a.slice)::timestamp at time zone 'UTC'`)} as "to", a.rows, a.bytes, a.sha256,
  ${instantSql('a.created_at')} as "createdAt", a.imported_until is not null as imported, ${instantSql('a.imported_until')} as "importedUntil",
  case when a.imported_until is not null then a.imported_by end as "importedBy",
  case when a.imported_until is not null then ${instantSql('a.imported_at')} end as "importedAt",
  'LOCAL' as location,
  case when a.missing then 'MISSING' when a.imported_until is not null then 'IMPORTED'
    when a.landscape = cell_landscape() and is_log_slice(a.log, a.slice) then 'ONLINE' else 'OFFLINE' end as state
from log_archive a join log_table t on t.table_name = a.log
where a.log = $1
order by a.slice desc, a.landscape
limit ${shownMax}`;

const statusSql = `
select i.task_id as "taskID", i.name, i.state, i.rows_done as "rowsDone", i.rows_total as "rowsTotal", i.inserted, i.duplicates, i.rejected,
  ${instantSql('i.started_at')} as "startedAt", ${instantSql('i.finished_at')} as "finishedAt", i.error
from log_import i
where i.log = $1
order by i.id desc
limit ${shownMax}`;

export const archive = ({ declaration, runtime, archives }: PatternContext): Draft[] =>
  new ArchiveOperations(declaration as Log, runtime, archives).drafts();

/** The operations on the archives of a log: the list, the import, and the state of imports. */
class ArchiveOperations {
  readonly #declaration: Log;
  readonly #runtime: Runtime;
  readonly #store: Archives | undefined;

  /** A node without an archive store serves only the lists. */
  constructor(declaration: Log, runtime: Runtime, archives: Archives | undefined) {
    this.#declaration = declaration;
    this.#runtime = runtime;
    this.#store = archives;
  }

  get #archives(): Archives {
    if (!this.#store) throw new Error('this node was started without a store of archives');
    return this.#store;
  }

  drafts(): Draft[] {
    const { title } = this.#declaration;
    return [
      {
        method: 'GET',
        at: '/archive',
        verb: 'view',
        operationId: 'archive-list',
        summary: `List the archives of ${title} records, newest first`,
        query: this.#logParameter(),
        result: archiveShape,
        run: (call) => this.#read(call, archivesSql),
      },
      {
        method: 'POST',
        at: '/archive/import',
        verb: 'modify',
        operationId: 'archive-import',
        summary: `Import archived ${title} records, from stored or uploaded files`,
        query: this.#logParameter(),
        body: importShape,
        uploads: {
          bytesMax: uploadBytesMax,
          fields: { manifest: 'The manifest of the archive.', archive: 'The archive file, unchanged.' },
        },
        success: 202,
        example: { name: archiveName(tableOf(this.#declaration), '2026-01-31', 1) },
        more: ['not-found', 'rejected'],
        run: (call) => (call.files ? this.#importFiles(call, call.files) : this.#importStored(call)),
      },
      {
        method: 'GET',
        at: '/archive/import/status',
        verb: 'view',
        operationId: 'archive-import-status',
        summary: `List imports of ${title} records with their state, newest first`,
        query: this.#logParameter(),
        result: statusShape,
        run: (call) => this.#read(call, statusSql),
      },
    ];
  }

  /** This log, and the other logs whose archives are served here. */
  get #logs(): readonly string[] {
    const { model } = this.#runtime.engine;
    const otherLogs = (this.#declaration.archivesOf ?? []).filter((name) => model.has(name));
    return [this.#declaration.name, ...otherLogs].map((name) => model.byName(name).name);
  }

  #logParameter(): Record<string, QueryParameter> {
    const values = this.#logs;
    if (values.length === 1) return {};
    return { log: { shape: { kind: 'choice', values, doc: `Log to use. Default: ${values[0]}.` } } };
  }

  /** Returns the log of a call; the log of another resource requires the permission of that resource. */
  #logOf(call: Call, verb: Verb): string {
    const requestedLog = (call.query.log as string | undefined) ?? this.#logs[0]!;
    const { permission } = this.#runtime.engine.model.tables.find(({ name }) => name === requestedLog)!.declaration;
    if (!allows(call.caller.rights, permission, verb)) throw forbidden(permission, verb);
    return requestedLog;
  }

  async #read(call: Call, sql: string): Promise<Answer> {
    const log = this.#logOf(call, 'view');
    const { rows } = await this.#runtime.pool.query(sql, [log]);
    return { results: rows };
  }

  async #importStored(call: Call): Promise<Answer> {
    const { name, names } = call.body as { name?: string; names?: string[] };
    if ((name === undefined) === (names === undefined)) throw invalid('Send either name or names.');
    const log = this.#logOf(call, 'modify');
    const requestedNames = [...new Set(names ?? [name!])];
    return this.#runtime.write(call, async (tx) => {
      const { rows } = await tx.client.query<{ name: string; missing: boolean }>(
        'select a.name, a.missing from log_archive a where a.log = $1 and a.name = any($2)',
        [log, requestedNames],
      );
      const archivesByName = new Map(rows.map((row) => [row.name, row]));
      for (const requestedName of requestedNames) {
        if (!archivesByName.has(requestedName)) throw notFound('archive', requestedName);
        if (archivesByName.get(requestedName)!.missing)
          throw rejected(`The file of ${requestedName} is missing; upload it together with its manifest.`);
      }
      return this.#start(
        tx,
        log,
        requestedNames.map((requestedName) => ({ name: requestedName, upload: null })),
      );
    });
  }

  /**
   * Stores the files under a generated name, and checks what does not require reading the rows; the job reads those.
   */
  async #importFiles(call: Call, files: AsyncIterable<FilePart>): Promise<Answer> {
    const archives = this.#archives;
    const log = this.#logOf(call, 'modify');
    const upload = archives.store.newUpload();
    try {
      const manifest = await receive(archives, upload, files);
      refuseForeign(archives, manifest);
      if (manifest.log !== log) throw rejected(`The manifest is for the log ${manifest.log}, not for ${log}.`);
      await refuseLive(archives, manifest);
      const name = archiveName(log, sliceOf(manifest), manifest.landscape);
      const answer = await this.#runtime.write(call, (tx) => this.#start(tx, log, [{ name, upload }]));
      if (call.dryRun) await archives.store.remove(upload);
      return answer;
    } catch (error) {
      await archives.store.remove(upload);
      throw error;
    }
  }

  /** Writes an audit row for each import and starts the job in the same transaction. */
  async #start(
    tx: WriteTx,
    log: string,
    requestedImports: readonly { name: string; upload: string | null }[],
  ): Promise<Answer> {
    const { client, engine, origin } = tx;
    const { rows } = await client.query<{ id: number }>(
      `insert into log_import (name, log, upload, requested_by) select e.name, $1, e.upload, $3 from jsonb_to_recordset($2) e(name text, upload text) returning id`,
      [log, JSON.stringify(requestedImports), origin.user],
    );
    const imports = rows.map(({ id }) => id);
    await engine.sinks.audit(
      client,
      origin,
      requestedImports.map(({ name, upload }, index) => ({
        action: 'EXECUTE',
        table: log,
        recordId: imports[index]!,
        recordName: name,
        eventTag: logArchiveImported.name,
        summary: upload ? 'import of uploaded files' : 'import of a stored archive',
        changes: [],
      })),
    );
    const message = `Import ${requestedImports.map(({ name }) => name).join(', ')}`.slice(0, 500);
    const task = await this.#archives.options.startTask(tx, 'log-import', { imports }, message);
    await client.query('update log_import set task_id = $2 where id = any($1)', [imports, task.id]);
    return { httpCode: 202, location: task.location };
  }
}

/** Receives both files, in either order. */
async function receive({ store }: Archives, upload: string, files: AsyncIterable<FilePart>): Promise<Manifest> {
  let manifest: Manifest | undefined;
  let data: { sha256: string; bytes: number } | undefined;
  for await (const { field, content } of files) {
    if (field === 'manifest' && !manifest) manifest = readManifest(await textOf(content));
    else if (field === 'archive' && !data) data = await store.writeData(upload, (file) => pour(content, file));
    else
      throw invalid(
        `The field ${JSON.stringify(field)} is unexpected or sent twice; send the fields manifest and archive.`,
      );
  }
  if (!manifest || !data) throw invalid('Send two files, in the form fields manifest and archive.');
  if (data.sha256 !== manifest.sha256 || data.bytes !== manifest.bytes)
    throw rejected('The archive does not match the manifest: its hash differs.');
  await store.writeManifest(upload, manifest);
  return manifest;
}

async function textOf(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > manifestBytesMax) throw new Failure('too-large', 'The manifest exceeds the size limit.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function pour(content: AsyncIterable<Buffer>, file: FileHandle): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    bytes += chunk.length;
    await file.write(chunk);
  }
  return { sha256: hash.digest('hex'), bytes };
}
