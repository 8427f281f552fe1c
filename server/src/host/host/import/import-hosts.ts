import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { action, type Context, job } from '../../../context.ts';
import { forbidden, invalid } from '../../../kernel/failure.ts';
import { copyIn, copyLine } from '../../../kernel/log/copy.ts';
import type { Answer, Call } from '../../../kernel/operation.ts';
import { allows } from '../../../kernel/permissions.ts';
import type { WriteTx } from '../../../kernel/runtime.ts';
import { backgroundTask } from '../../../system/background-task/background-task.ts';
import { hostsImported } from '../../host-event-types.ts';
import { host } from '../host.ts';
import { readFile } from './read-file.ts';
import { faultOfAddress, runImport } from './run-import.ts';

const bytesMax = 67_108_864;
const linesAtOnce = 1_000;

/** Writes the hosts of a file, and keeps the lines that failed for a week. */
export const hostImport = job('host-import', {
  doc: 'Import hosts from a file',
  secondsMax: 3_600,
  repeatable: true,
  run: (payload, run) => runImport((payload as { importID: number }).importID, run),
});

/** Forgets imports, and with them the lines that failed. */
export const hostImportSweep = job('host-import-sweep', {
  doc: 'Forget imports of hosts after a week',
  at: '17 * * * *',
  secondsMax: 60,
  repeatable: true,
  async run(_payload, { context }) {
    await context.query(`delete from host_import where created_at < now() - interval '7 days'`, []);
  },
});

/** Keeps the file while it is read: nobody waits for a slow client with a transaction open. */
async function spooled<T>(call: Call, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-import-'));
  const path = join(folder, 'hosts');
  try {
    let files = 0;
    for await (const { field, content } of call.files ?? []) {
      if (field !== 'file' || ++files > 1) throw invalid('Send one file, as the field file.');
      const target = await open(path, 'wx', 0o600);
      try {
        for await (const chunk of content) await target.write(chunk);
      } finally {
        await target.close();
      }
    }
    if (files === 0) throw invalid('Send a file: text/csv, application/x-ndjson, or the field file of a form.');
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The lines of a file in the form of COPY. */
async function* copied(path: string, importID: number, count: (lines: number) => void): AsyncGenerator<Buffer> {
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

async function stage(tx: WriteTx, path: string, call: Call): Promise<number> {
  const { client, origin } = tx;
  const {
    fileName = 'hosts',
    dryRun = false,
    maxErrors = 0,
  } = call.query as { fileName?: string; dryRun?: boolean; maxErrors?: number };
  await client.query(`set local statement_timeout = '5min'`);
  const { rows } = await client.query<{ id: number }>(
    'insert into host_import (file, user_name, dry_run, max_errors) values ($1, $2, $3, $4) returning id',
    [fileName, origin.user, dryRun, maxErrors],
  );
  const { id } = rows[0]!;
  let lines = 0;
  const chunks = copied(path, id, (count) => {
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

async function start(call: Call, context: Context, path: string): Promise<Answer> {
  const { fileName = 'hosts', dryRun } = call.query as { fileName?: string; dryRun?: boolean };
  const task = await context.write(async (tx) => {
    const importID = await stage(tx, path, call);
    return context.startTask(hostImport, { importID }, `${dryRun ? 'Try' : 'Import'} ${fileName}`.slice(0, 500), tx);
  });
  return { httpCode: 202, location: `/api/v2${backgroundTask.path}/${task}` };
}

export const importHosts = action(host, {
  name: 'import-hosts',
  method: 'POST',
  path: '/import-hosts',
  doc: 'Import hosts from CSV or JSON lines; the background task names up to 9,999 lines that failed',
  asks: 'upload',
  uploads: {
    bytesMax,
    fields: { file: 'CSV with a header, or a JSON object a line; `adap.mac` is required.' },
    types: ['text/csv', 'application/x-ndjson'],
  },
  query: {
    dryRun: { shape: { kind: 'flag', doc: 'Check every line and write none.' } },
    maxErrors: {
      shape: {
        kind: 'integer',
        min: 0,
        max: 1_000_000,
        doc: 'So many lines may fail; one more, and nothing is imported. 0 unless said otherwise.',
      },
    },
    fileName: {
      shape: { kind: 'text', min: 1, max: 200, doc: 'What the file is called, for those who look at the task.' },
    },
  },
  success: 202,
  errors: ['rejected'],
  example: 'adap.mac,host.host,host.os\n00:50:C2:FD:00:01,ward-7-cart,Windows 11\n',
  async run(call, context) {
    if (!allows(call.caller.rights, host.permission, 'add')) throw forbidden(host.permission, 'add');
    if (context.andSeen(host) !== '')
      throw invalid('A file is imported by who sees every host; the profile of the caller shows only some.');
    return spooled(call, (path) => start(call, context, path));
  },
});
