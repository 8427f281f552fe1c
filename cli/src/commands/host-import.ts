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

/** So many failed lines fit into the report of a task. */
const failedTold = 9_999;

/** Hosts in bulk: one upload and one task, instead of a request for each line. */
export const hostImport: Command = {
  name: 'host import',
  positionals: ['FILE'],
  doc: 'Import hosts from CSV (adap.mac, host.host, …) or JSON lines; failed lines go to a file beside it',
  about: [
    'The file is checked whole before anything is written. Existing addresses are updated, and an',
    'empty cell keeps what is there. Lines that failed are written to FILE.failed.csv or',
    'FILE.failed.jsonl: mend them there and import that. A task tells of 9,999 of them at',
    'most: when it does, mend those in FILE itself and import it again, which tells of the next.',
  ],
  options: {
    'dry-run': { doc: 'Check every line and write none' },
    'max-errors': { value: 'N', doc: 'So many lines may fail (0); one more, and nothing is imported' },
    'no-wait': { doc: 'Do not follow the background task' },
    json: { doc: 'Answer as JSON, for scripts' },
    url: { value: 'URL', doc: 'Where the service is' },
    token: { value: 'TOKEN', doc: 'Who you are' },
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
        const beside = await writeBeside(file, isJson, failed);
        const what =
          failed.size < failedTold
            ? `${counted(failed.size, 'line')} failed; mend and import ${harmless(beside)}.`
            : `${harmless(beside)} has the first ${failedTold} lines that failed; mend them in ${harmless(file)} and import it again.`;
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

/** The lines that failed as they were, so that they can be mended and sent again. */
async function writeBeside(file: string, isJson: boolean, failed: ReadonlySet<number>): Promise<string> {
  const beside = `${file}.failed.${isJson ? 'jsonl' : 'csv'}`;
  const texts: string[] = [];
  if (isJson) {
    for await (const { line: at, text } of linesOf(file)) if (failed.has(at)) texts.push(text);
  } else {
    for await (const { line: at, cells } of readCsv(createReadStream(file)))
      if (texts.length === 0 || failed.has(at)) texts.push(cells.map(quoted).join(','));
  }
  await writeFile(beside, `${texts.join('\n')}\n`, { mode: 0o600 });
  return beside;
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
