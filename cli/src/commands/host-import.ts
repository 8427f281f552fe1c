import { createReadStream, openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { operations } from '@portreeve/sdk/generated/operations.ts';
import type { Client } from '@portreeve/sdk/runtime.ts';
import { readCsv } from '@portreeve/server/kernel/format/csv.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection } from '../connection.ts';
import { linesOf } from '../input.ts';
import { line } from '../output.ts';
import { followTask, taskOf } from '../tasks.ts';
import { counted, harmless } from '../text.ts';
import { UsageError } from '../usage-error.ts';

/** Failed lines that a task report can hold. */
const failedLinesMax = 9_999;

/** Bulk import of hosts: one upload and one background task instead of one request per line. */
export const hostImport: Command = {
  name: 'host import',
  positionals: ['FILE'],
  doc: 'Import hosts from CSV (adap.mac, host.host, …) or JSON lines; failed lines go to FILE.failed.csv',
  about: [
    'The whole file is checked before anything is written. Existing MAC addresses are updated, and an',
    'empty cell keeps the stored value. Failed lines are written to FILE.failed.csv or',
    'FILE.failed.jsonl: fix them there and import that file. A task reports at most 9,999 failed',
    'lines: if it reports that many, fix them in FILE itself and import FILE again for the rest.',
  ],
  usesApi: true,
  options: {
    'dry-run': { doc: 'Check every line without writing anything' },
    'max-errors': { value: 'N', doc: 'Failed lines to tolerate (0); with one more, nothing is imported' },
    'no-wait': { doc: 'Do not wait for the background task' },
    json: { doc: 'Print JSON, for scripts' },
    url: { value: 'URL', doc: 'URL of the service' },
    token: { value: 'TOKEN', doc: 'API token' },
  },
  async run(args, screen) {
    const client = clientOf(await findConnection(args, screen.env));
    const file = args.positionals[0]!;
    const isJson = /\.(jsonl|ndjson)$/.test(file);
    const maxErrors = args.number('max-errors');
    const answer = await client.call(operations['host.import-hosts'], {
      file: await blobOf(file, isJson ? 'application/x-ndjson' : 'text/csv'),
      query: { fileName: basename(file).slice(0, 200), ...(maxErrors !== undefined && { maxErrors }) },
      ...(args.has('dry-run') && { dryRun: true }),
    });
    const task = taskOf(answer)!;
    if (args.has('no-wait')) return line(screen.out, `Task ${task} imports ${harmless(file)}.`);
    try {
      await followTask(screen, client, task, args.has('json'));
    } finally {
      const failed = await failedLines(client, task);
      if (failed.size > 0) {
        const failedFile = await writeFailedLines(file, isJson, failed);
        const what =
          failed.size < failedLinesMax
            ? `${counted(failed.size, 'line')} failed. Fix them in ${harmless(failedFile)} and import that file.`
            : `${harmless(failedFile)} has the first ${failedLinesMax} failed lines. Fix them in ${harmless(file)} and import it again.`;
        await line(screen.err, `${screen.err.style('red', 'portreeve:')} ${what}`);
        process.exitCode ||= 1;
      }
    }
  },
};

async function blobOf(file: string, type: string): Promise<Blob> {
  try {
    return await openAsBlob(file, { type });
  } catch (cause) {
    throw new UsageError(`${harmless(file)} cannot be read: ${(cause as Error).message}.`);
  }
}

async function failedLines(client: Client, id: number): Promise<Set<number>> {
  const { results } = await client.call<{ report: { item: string }[] }>(operations['background-task.fetch'], {
    path: { id },
  });
  const numbers = results[0]!.report.flatMap(({ item }) => /^line (\d+)$/.exec(item)?.[1] ?? []);
  return new Set(numbers.map(Number));
}

/** Writes the failed lines unchanged to a file, so that they can be fixed and imported again. */
async function writeFailedLines(file: string, isJson: boolean, failed: ReadonlySet<number>): Promise<string> {
  const failedFile = `${file}.failed.${isJson ? 'jsonl' : 'csv'}`;
  const texts: string[] = [];
  if (isJson) {
    for await (const { line: at, text } of linesOf(file)) if (failed.has(at)) texts.push(text);
  } else {
    for await (const { line: at, cells } of readCsv(createReadStream(file)))
      if (texts.length === 0 || failed.has(at)) texts.push(cells.map(quoted).join(','));
  }
  await writeFile(failedFile, `${texts.join('\n')}\n`, { mode: 0o600 });
  return failedFile;
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
