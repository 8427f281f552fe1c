import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { action, type Context, copyIn, copyLine, type WriteTx } from '../../../context.ts';
import type { Answer, Call } from '../../../kernel/declare/operation.ts';
import { allows } from '../../../kernel/declare/permissions.ts';
import { Failure, forbidden, invalid } from '../../../kernel/failure.ts';
import { backgroundTask } from '../../../system/background-task/background-task.ts';
import { hostsImported } from '../host.events.ts';
import { hostImport } from '../host.jobs.ts';
import { host } from '../host.ts';
import { readFile } from '../import/read-file.ts';
import { faultOfAddress } from '../import/run-import.ts';

const bytesMax = 67_108_864;
const linesAtOnce = 1_000;

/** Stores the upload in a temporary file first, so that no transaction is open while a slow client sends it. */
async function withTemporaryFile<T>(call: Call, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-import-'));
  const path = join(folder, 'hosts');
  try {
    let files = 0;
    for await (const { field, content } of call.files ?? []) {
      if (field !== 'file' || ++files > 1) throw invalid('Send exactly one file, in the form field "file".');
      const target = await open(path, 'wx', 0o600);
      try {
        for await (const chunk of content) await target.write(chunk);
      } finally {
        await target.close();
      }
    }
    if (files === 0)
      throw invalid('The file is missing; send text/csv, application/x-ndjson, or the form field "file".');
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Yields the lines of a file in the text format of COPY. */
async function* copyLines(path: string, importID: number, count: (lines: number) => void): AsyncGenerator<Buffer> {
  let text = '';
  let lines = 0;
  for await (const staged of readFile(createReadStream(path))) {
    const fault = staged.fault ?? faultOfAddress(staged);
    text += copyLine([importID, staged.line, staged.host?.mac ?? null, JSON.stringify(staged.host ?? {}), fault]);
    if (++lines % linesAtOnce !== 0) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text) yield Buffer.from(text);
  count(lines);
}

/** The query parameters of an import. */
interface ImportQuery {
  fileName?: string;
  dryRun?: boolean;
  maxErrors?: number;
}

async function stage(tx: WriteTx, path: string, query: ImportQuery): Promise<number> {
  const { client, origin } = tx;
  const { fileName = 'hosts', dryRun = false, maxErrors = 0 } = query;
  await client.query(`set local statement_timeout = '5min'`);
  const { rows } = await client.query<{ id: number }>(
    'insert into host_import (file, user_name, dry_run, max_errors) values ($1, $2, $3, $4) returning id',
    [fileName, origin.user, dryRun, maxErrors],
  );
  const { id } = rows[0]!;
  let lines = 0;
  const chunks = copyLines(path, id, (count) => {
    lines = count;
  });
  await copyIn(client, 'copy host_import_line (import_id, line, mac, host, fault) from stdin', chunks);
  await client.query('update host_import set lines = $2 where id = $1', [id, lines]);
  await client.query('select measure_import_lines()');
  await tx.engine.sinks.audit(client, origin, [
    {
      action: 'EXECUTE',
      table: 'host',
      recordId: 0,
      recordName: fileName,
      eventTag: hostsImported.name,
      summary: `${dryRun ? 'tries' : 'imports'} ${lines} lines of ${fileName}`,
      changes: [],
    },
  ]);
  return id;
}

async function start(query: ImportQuery, context: Context, path: string): Promise<Answer> {
  const { fileName = 'hosts', dryRun } = query;
  const task = await context.write(async (tx) => {
    const importID = await stage(tx, path, query);
    return context.startTask(hostImport, { importID }, `${dryRun ? 'Try' : 'Import'} ${fileName}`.slice(0, 500), tx);
  });
  return { httpCode: 202, location: `/api/v2${backgroundTask.path}/${task}` };
}

export const importHosts = action(host, {
  name: 'import-hosts',
  method: 'POST',
  path: '/import-hosts',
  doc: 'Import hosts from CSV or JSON lines',
  transaction: false,
  uploads: {
    bytesMax,
    fields: {
      file: 'CSV with a header, or one JSON object per line; `adap.mac` is required. The background task reports up to 9,999 failed lines.',
    },
    types: ['text/csv', 'application/x-ndjson'],
  },
  query: {
    dryRun: { shape: { kind: 'flag', doc: 'Check every line without writing anything.' } },
    maxErrors: {
      shape: {
        kind: 'integer',
        min: 0,
        max: 1_000_000,
        doc: 'Failed lines to tolerate; with one more, nothing is imported. Default: 0.',
        help: 'Maximum number of failed lines. With more, nothing is imported. Default: 0.',
      },
    },
    fileName: {
      shape: {
        kind: 'text',
        min: 1,
        max: 200,
        doc: 'File name, shown in the task.',
        help: 'Name of the file, shown in the background task.',
      },
    },
  },
  success: 202,
  errors: ['rejected'],
  example: 'adap.mac,host.host,host.os\n00:50:C2:FD:00:01,ward-7-cart,Windows 11\n',
  async run(call, context) {
    if (!allows(call.caller.rights, host.permission, 'add')) throw forbidden(host.permission, 'add');
    if (context.visibleRow(host) !== '')
      throw new Failure(
        'forbidden',
        'Only a caller who sees every host can import a file; your profile limits the visible hosts.',
      );
    return withTemporaryFile(call, (path) => start(call.query, context, path));
  },
});
