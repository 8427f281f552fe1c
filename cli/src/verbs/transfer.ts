import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { PortreeveError } from '@portreeve/sdk/runtime.ts';
import { pathOfRecord, type VerbContext } from '../context.ts';
import { exitCodeOfWord } from '../exit-codes.ts';
import { jsonFault, linesOf } from '../input.ts';
import { line } from '../output.ts';
import { ProgressBar } from '../progress.ts';
import type { JsonObject } from '../set.ts';
import { counted, grouped, harmless, harmlessJson } from '../text.ts';
import { selectionOf } from './list.ts';

/** Writes every matching record as one line of JSON: the input format of `import`. */
export async function exportRecords(context: VerbContext): Promise<void> {
  const { screen, client, verb } = context;
  const query = selectionOf(context);
  const { filtered = 0 } = await client.call(verb.operation, { query: { ...query, count: 0 } });
  // No progress bar if records go to the same terminal.
  const bar = screen.out.isTerminal ? undefined : new ProgressBar(screen.err, 'Exporting');
  let done = 0;
  for await (const record of client.walk<JsonObject>(verb.operation, { query: { ...query, count: 1_000 } })) {
    await line(screen.out, harmlessJson(record));
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

/** A line of a failed-lines file contains the record, so the fixed file can be imported as it is. */
const unwrapped = (value: JsonObject): JsonObject =>
  ['line', 'status', 'reason', 'record'].every((name) => name in value) ? (value.record as JsonObject) : value;

/** Creates or updates one record per line; a failed line does not stop the others. */
export async function importRecords(context: VerbContext): Promise<void> {
  const { screen, args } = context;
  const file = args.positionals[0]!;
  const dryRun = args.has('dry-run');
  const total = await countLines(file);
  const failed = new FailedLines(`${file === '-' ? 'stdin' : file}.failed.jsonl`);
  const bar = new ProgressBar(screen.err, dryRun ? 'Trying' : 'Importing');
  const sums = { created: 0, updated: 0, failed: 0 };
  const words = new Set<string>();
  let done = 0;
  try {
    for await (const { line: at, text } of linesOf(file)) {
      const outcome = await importLine(context, text, dryRun);
      if (typeof outcome === 'string') sums[outcome]++;
      else {
        sums.failed++;
        words.add(outcome.status);
        await failed.add({ ...outcome, line: at });
        // The next lines would fail in the same way.
        if (['unauthenticated', 'unreachable', 'unavailable'].includes(outcome.status)) throw outcome.error;
      }
      await bar.show(++done, total, sums.failed > 0 ? `${grouped(sums.failed)} failed` : '');
    }
  } finally {
    await bar.end();
    await failed.close();
  }
  if (args.has('json')) await line(screen.out, harmlessJson(sums));
  else await emitSums(context, sums, failed.file);
  if (sums.failed > 0) process.exitCode = words.size === 1 ? exitCodeOfWord([...words][0]!) : 1;
}

interface LineFault extends Omit<FailedLine, 'line'> {
  error: unknown;
}

async function importLine(
  context: VerbContext,
  text: string,
  dryRun: boolean,
): Promise<'created' | 'updated' | LineFault> {
  const { client, verb, group } = context;
  const fault = jsonFault(text);
  if (fault !== undefined)
    return { status: 'invalid', reason: `Not a JSON object: ${fault}`, record: text, error: undefined };
  const record = unwrapped(JSON.parse(text));
  const id = group.identity === undefined ? undefined : Number(record[group.identity] ?? 0);
  const path = pathOfRecord(context, verb.operation, record);
  const missing = Object.keys(path).find((name) => path[name] === '');
  if (missing !== undefined)
    return { status: 'invalid', reason: `The record has no ${missing}.`, record, error: undefined };
  try {
    const { httpCode } = await client.call(verb.operation, {
      ...(dryRun && { dryRun }),
      path: {
        ...(verb.operation.path.includes('{id}') && { id: id ?? 0 }),
        ...path,
      },
      body: record,
    });
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

async function emitSums(
  { screen, args }: VerbContext,
  sums: { created: number; updated: number; failed: number },
  file: string,
): Promise<void> {
  const { created, updated, failed } = sums;
  // A dry run cannot distinguish a creation from an update.
  const done = args.has('dry-run')
    ? `${counted(created + updated, 'record')} would be imported`
    : `${counted(created, 'record')} created, ${grouped(updated)} updated or unchanged`;
  await line(screen.out, failed === 0 ? `${done}.` : `${done}, ${grouped(failed)} failed.`);
  if (failed > 0)
    await line(
      screen.err,
      `${screen.err.style('red', 'portreeve:')} Failed lines and reasons are in ${harmless(file)}. Fix them there and import that file.`,
    );
  if (args.has('dry-run')) await line(screen.err, screen.err.style('yellow', 'Dry run: nothing was changed.'));
}

/** The file of failed lines next to the imported one, created with the first failed line. */
class FailedLines {
  readonly file: string;
  #stream: WriteStream | undefined;

  constructor(file: string) {
    this.file = file;
  }

  async add({ line: at, status, reason, record }: FailedLine): Promise<void> {
    // Records can contain secrets, so only the owner can read the file.
    this.#stream ??= createWriteStream(this.file, { mode: 0o600 });
    const text = `${JSON.stringify({ line: at, status, reason, record })}\n`;
    if (!this.#stream.write(text)) await once(this.#stream, 'drain');
  }

  async close(): Promise<void> {
    if (!this.#stream) return;
    this.#stream.end();
    await once(this.#stream, 'finish');
  }
}
