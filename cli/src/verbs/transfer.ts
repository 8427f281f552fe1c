import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { PortreeveError } from '@portreeve/sdk/runtime.ts';
import { pathOfRecord, type VerbContext } from '../context.ts';
import { exitCodeOfWord } from '../exit-codes.ts';
import { jsonFault, linesOf } from '../input.ts';
import { line } from '../output.ts';
import { ProgressBar } from '../progress.ts';
import type { JsonObject } from '../set.ts';
import { counted, escapedJson, escapeUnsafe, grouped } from '../text.ts';
import { ImportPreview, type Previewed } from './import-preview.ts';
import { printTemplate } from './import-template.ts';
import { selectionOf } from './list.ts';
import { withStoredIdentity } from './save.ts';

/** Writes every matching record as one line of JSON: the input format of `import`. */
export async function exportRecords(context: VerbContext): Promise<void> {
  const { screen, client, verb } = context;
  const query = await selectionOf(context);
  const { filtered = 0 } = await client.call(verb.operation, { query: { ...query, count: 0 } });
  // No progress bar if records go to the same terminal.
  const bar = screen.out.isTerminal ? undefined : new ProgressBar(screen.err, 'Exporting');
  let done = 0;
  for await (const record of client.walk<JsonObject>(verb.operation, { query: { ...query, count: 1_000 } })) {
    await line(screen.out, escapedJson(record));
    done++;
    if (bar && done % 100 === 0) await bar.show(done, Math.max(done, filtered));
  }
  await bar?.end();
  await line(screen.err, screen.err.style('dim', `${counted(done, 'record')} exported.`));
}

interface FailedLine {
  line: number;
  status: string;
  reason: string;
  record: unknown;
}

/** Returns the record of a line in a file of failed lines, so that the fixed file can be imported. */
const unwrapRecord = (value: JsonObject): JsonObject =>
  ['line', 'status', 'reason', 'record'].every((name) => name in value) ? (value.record as JsonObject) : value;

/** Status words after which all further lines would fail too. */
const fatalWords = ['unauthenticated', 'unreachable', 'unavailable'];

/** Creates or updates one record per line; a failed line does not stop the others. */
export async function importRecords(context: VerbContext): Promise<void> {
  const { screen, args } = context;
  if (args.has('template')) return printTemplate(context);
  const file = args.positionals[0]!;
  const dryRun = args.has('dry-run');
  const total = await countLines(file);
  const failed = new FailedLines(`${file === '-' ? 'stdin' : file}.failed.jsonl`);
  const bar = new ProgressBar(screen.err, dryRun ? 'Checking' : 'Importing');
  const sums = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const preview = new ImportPreview(context);
  const words = new Set<string>();
  let done = 0;
  let stop: { error: unknown; left: number } | undefined;
  try {
    for await (const { line: lineNumber, text } of linesOf(file)) {
      if (stop) {
        await failed.keep(text);
        stop.left++;
        continue;
      }
      const outcome = await importLine(
        context,
        text,
        dryRun ? (record, after) => preview.show(lineNumber, record, after) : undefined,
      );
      if (typeof outcome === 'string') sums[outcome]++;
      else if (fatalWords.includes(outcome.status)) {
        stop = { error: outcome.error, left: 1 };
        await failed.keep(text);
        continue;
      } else {
        sums.failed++;
        words.add(outcome.status);
        await failed.add({ ...outcome, line: lineNumber });
      }
      await bar.show(++done, total, sums.failed > 0 ? `${grouped(sums.failed)} failed` : '');
    }
  } finally {
    await bar.end();
    await failed.close();
  }
  if (stop) {
    await line(
      screen.err,
      `${screen.err.style('red', 'portreeve:')} ${leftText(sums, stop.left, failed.file, dryRun)}`,
    );
    throw stop.error;
  }
  const { unchanged, ...stored } = sums;
  if (args.has('json')) await line(screen.out, escapedJson(dryRun ? { ...stored, unchanged } : stored));
  else await emitSums(context, sums, failed.file);
  if (sums.failed > 0) process.exitCode = words.size === 1 ? exitCodeOfWord([...words][0]!) : 1;
}

interface Sums {
  created: number;
  updated: number;
  /** Counted only in a dry run. */
  unchanged: number;
  failed: number;
}

/** Returns the message after an import that had to stop. */
function leftText({ created, updated, failed }: Sums, remainingLines: number, file: string, dryRun: boolean): string {
  if (dryRun) return 'The check stopped; nothing was imported.';
  const stored = `${counted(created, 'record')} created, ${grouped(updated)} updated or unchanged`;
  const rest = `the ${counted(remainingLines, 'line')} that ${remainingLines === 1 ? 'remains' : 'remain'} to be imported`;
  const wrong = failed > 0 ? `, and ${grouped(failed)} that failed` : '';
  return `The import stopped: ${stored}. ${escapeUnsafe(file)} contains ${rest}${wrong}. Import that file later.`;
}

interface LineFault extends Omit<FailedLine, 'line'> {
  error: unknown;
}

async function importLine(
  context: VerbContext,
  text: string,
  preview?: (record: JsonObject, after: JsonObject) => Promise<Previewed>,
): Promise<Previewed | LineFault> {
  const { client, verb, group } = context;
  const fault = jsonFault(text);
  if (fault !== undefined)
    return { status: 'invalid', reason: `Not a JSON object: ${fault}`, record: text, error: undefined };
  const record = withStoredIdentity(unwrapRecord(JSON.parse(text)), context.document.body(verb.operation), group);
  const id = group.identity === undefined ? undefined : Number(record[group.identity] ?? 0);
  const path = pathOfRecord(context, verb.operation, record);
  const missing = Object.keys(path).find((name) => path[name] === '');
  if (missing !== undefined)
    return { status: 'invalid', reason: `The record has no ${missing}.`, record, error: undefined };
  try {
    const { httpCode, results } = await client.call<JsonObject>(verb.operation, {
      ...(preview && { dryRun: true }),
      path: {
        ...(verb.operation.path.includes('{id}') && { id: id ?? 0 }),
        ...path,
      },
      body: record,
    });
    if (preview && results[0]) return await preview(record, results[0]);
    return httpCode === 201 ? 'created' : 'updated';
  } catch (error) {
    if (!(error instanceof PortreeveError)) throw error;
    return { status: error.word, reason: error.message, record, error };
  }
}

async function countLines(file: string): Promise<number> {
  if (file === '-') return 0;
  let lines = 0;
  for await (const _ of linesOf(file)) lines++;
  return lines;
}

async function emitSums({ screen, args }: VerbContext, sums: Sums, failedFile: string): Promise<void> {
  const { created, updated, unchanged, failed } = sums;
  const done = args.has('dry-run')
    ? `${counted(created, 'record')} would be created, ${grouped(updated)} updated, ${grouped(unchanged)} unchanged`
    : `${counted(created, 'record')} created, ${grouped(updated)} updated or unchanged`;
  await line(screen.out, failed === 0 ? `${done}.` : `${done}, ${grouped(failed)} failed.`);
  if (failed > 0)
    await line(
      screen.err,
      `${screen.err.style('red', 'portreeve:')} Failed lines and reasons are in ${escapeUnsafe(failedFile)}. ${adviceOf(args)}`,
    );
  if (args.has('dry-run')) await line(screen.err, screen.err.style('yellow', 'Dry run: nothing was changed.'));
}

/** Returns advice for failed lines. After a dry run nothing is stored, so the complete file must be imported. */
function adviceOf(args: VerbContext['args']): string {
  if (!args.has('dry-run')) return 'All other lines are imported. Fix the failed lines there and import that file.';
  const file = args.positionals[0]!;
  return `Nothing was imported. Fix the lines in ${file === '-' ? 'the input' : escapeUnsafe(file)}.`;
}

/** The file of failed lines next to the imported one, created with the first failed line. */
class FailedLines {
  readonly file: string;
  #stream: WriteStream | undefined;

  constructor(file: string) {
    this.file = file;
  }

  async add({ line: lineNumber, status, reason, record }: FailedLine): Promise<void> {
    await this.keep(JSON.stringify({ line: lineNumber, status, reason, record }));
  }

  /** Writes a line that was not sent. */
  async keep(text: string): Promise<void> {
    // Records can contain secrets, so only the owner can read the file.
    this.#stream ??= createWriteStream(this.file, { mode: 0o600 });
    if (!this.#stream.write(`${text}\n`)) await once(this.#stream, 'drain');
  }

  async close(): Promise<void> {
    if (!this.#stream) return;
    this.#stream.end();
    await once(this.#stream, 'finish');
  }
}
