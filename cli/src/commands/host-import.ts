import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { operations } from '@portreeve/sdk/generated/operations.ts';
import type { Client } from '@portreeve/sdk/runtime.ts';
import { importColumns } from '@portreeve/server/host/host/import/columns.ts';
import { readCsv } from '@portreeve/server/kernel/format/csv.ts';
import { faultOfFile } from '@portreeve/server/kernel/values/file-faults.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection, reasonOption } from '../connection.ts';
import { csvCell, csvLine } from '../csv.ts';
import { linesOf } from '../input.ts';
import { line, type Screen } from '../output.ts';
import { followTask, taskOf } from '../tasks.ts';
import { counted, escapeUnsafe, fill } from '../text.ts';
import { UsageError } from '../usage-error.ts';

/** Failed lines that a task report can hold. */
const failedLinesMax = 9_999;

/** Imports hosts with one upload and one background task instead of one request per line. */
export const hostImport: Command = {
  name: 'host import',
  positionals: ['FILE'],
  replacesVerb: 'always',
  doc: 'Import hosts from CSV or JSON lines; failed lines go to FILE.failed.csv',
  about: [
    'The CSV columns are adap.mac (required), host.host and others; --template prints all of them.',
    'The file is checked completely before anything is written. Existing MAC addresses are updated, and an empty cell keeps the stored value. Lines that remain to be imported are written to FILE.failed.csv or FILE.failed.jsonl: the failed lines, or all lines if more failed than --max-errors and nothing was imported. Fix the failed lines there and import that file. A task reports at most 9,999 failed lines: if it reports that many and the others are imported, fix them in FILE itself and import FILE again.',
  ],
  options: {
    template: { doc: 'Print a sample CSV file, and the meaning of its columns on standard error' },
    'dry-run': { doc: 'Check every line and show what would change, without writing anything' },
    'max-errors': { value: 'N', doc: 'Failed lines to tolerate (default: 0); with one more, nothing is imported' },
    'no-wait': { doc: 'Do not wait for the background task' },
    json: { doc: 'Print JSON, for scripts' },
    ...reasonOption,
    url: { value: 'URL', doc: 'URL of the service' },
    token: { value: 'TOKEN', doc: 'API token' },
  },
  async run(args, screen) {
    if (args.has('template')) return printTemplate(screen);
    const client = clientOf(await findConnection(args, screen.env), args);
    const file = args.positionals[0]!;
    const isJson = /\.(jsonl|ndjson)$/.test(file);
    const maxErrors = args.number('max-errors');
    const answer = await client.call(operations['host.import-hosts'], {
      file: await blobOf(file, isJson ? 'application/x-ndjson' : 'text/csv'),
      query: { fileName: basename(file).slice(0, 200), ...(maxErrors !== undefined && { maxErrors }) },
      ...(args.has('dry-run') && { dryRun: true }),
    });
    const task = taskOf(answer)!;
    if (args.has('no-wait')) return line(screen.out, `Started task ${task} to import ${escapeUnsafe(file)}.`);
    try {
      await followTask(screen, client, task, args.has('json'));
    } finally {
      const advice = await adviceOf(file, isJson, await endOf(client, task));
      if (advice !== undefined) {
        await line(screen.err, `${screen.err.style('red', 'portreeve:')} ${advice}`);
        process.exitCode ||= 1;
      }
    }
  },
};

/** Prints a header with all columns and a sample line that can be imported unchanged. */
async function printTemplate({ out, err }: Screen): Promise<void> {
  await line(out, csvLine(Object.keys(importColumns)));
  await line(out, csvLine(Object.values(importColumns).map(({ example }) => example)));
  const width = Math.max(...Object.keys(importColumns).map((name) => name.length));
  for (const [name, { doc }] of Object.entries(importColumns))
    await line(err, `${err.style('bold', fill(name, width))}  ${doc}`);
}

async function blobOf(file: string, type: string): Promise<Blob> {
  try {
    // openAsBlob reports no cause, and a folder can be opened but not read, so the file is opened and read once before.
    const opened = await open(file);
    try {
      await opened.read(Buffer.alloc(1), 0, 1, 0);
    } finally {
      await opened.close();
    }
    return await openAsBlob(file, { type });
  } catch (cause) {
    throw new UsageError(`${escapeUnsafe(file)} cannot be read: ${faultOfFile(cause)}.`);
  }
}

/** The result of an import. */
interface End {
  isOver: boolean;
  isCompleted: boolean;
  outcome: string;
  failed: ReadonlySet<number>;
}

async function endOf(client: Client, id: number): Promise<End> {
  interface Task {
    state: string;
    report: { item: string; outcome: string }[];
  }
  const { results } = await client.call<Task>(operations['background-task.fetch'], { path: { id } });
  const { state, report } = results[0]!;
  const lines = report.filter(({ outcome }) => outcome === 'FAILED');
  const numbers = lines.flatMap(({ item }) => /^line (\d+)$/.exec(item)?.[1] ?? []);
  return {
    isOver: ['COMPLETED', 'FAILED', 'CANCELLED'].includes(state),
    isCompleted: state === 'COMPLETED',
    outcome: report.find(({ item }) => item === 'file')?.outcome ?? '',
    failed: new Set(numbers.map(Number)),
  };
}

/** Writes the lines that remain to be imported and returns advice; undefined if nothing remains. */
async function adviceOf(file: string, isJson: boolean, end: End): Promise<string | undefined> {
  const { isOver, isCompleted, outcome, failed } = end;
  const count = counted(failed.size, 'line');
  if (!isOver) return undefined;
  if (outcome === 'REFUSED') {
    const failedFile = escapeUnsafe(await writeLines(file, isJson, () => true));
    return `Nothing was imported. ${failedFile} contains all lines, including those without errors. Fix the failed lines there and import that file.`;
  }
  if (!isCompleted) return `The import ended early. Import ${escapeUnsafe(file)} again: stored hosts are updated.`;
  if (failed.size === 0) return undefined;
  if (outcome === 'CHECKED') return `${count} would fail. Nothing was imported: fix them in ${escapeUnsafe(file)}.`;
  const failedFile = escapeUnsafe(await writeLines(file, isJson, (lineNumber) => failed.has(lineNumber)));
  return failed.size < failedLinesMax
    ? `${count} failed, all others are imported. Fix the failed lines in ${failedFile} and import that file.`
    : `${failedFile} contains the first ${failedLinesMax} failed lines; lines without errors are imported. Fix the failed lines in ${escapeUnsafe(file)} and import it again.`;
}

/** Writes lines unchanged to a file, so that they can be fixed and imported again. */
async function writeLines(file: string, isJson: boolean, isWanted: (line: number) => boolean): Promise<string> {
  const target = `${file}.failed.${isJson ? 'jsonl' : 'csv'}`;
  // Records can be personal, so only the owner can read the file.
  const out = createWriteStream(target, { mode: 0o600 });
  const lines = isJson ? jsonLines(file, isWanted) : csvLines(file, isWanted);
  await pipeline(lines, out);
  return target;
}

async function* jsonLines(file: string, isWanted: (line: number) => boolean): AsyncGenerator<string> {
  for await (const { line: lineNumber, text } of linesOf(file)) if (isWanted(lineNumber)) yield `${text}\n`;
}

async function* csvLines(file: string, isWanted: (line: number) => boolean): AsyncGenerator<string> {
  let isHeader = true;
  for await (const { line: lineNumber, cells } of readCsv(createReadStream(file))) {
    if (isHeader || isWanted(lineNumber)) yield `${cells.map(csvCell).join(',')}\n`;
    isHeader = false;
  }
}
