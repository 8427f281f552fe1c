import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { faultOfFile } from '@portreeve/server/kernel/values/file-faults.ts';
import { isObject, type JsonObject } from './set.ts';
import { UsageError } from './usage-error.ts';

/** An input record and its line number. */
export interface InputRecord {
  line: number;
  record: JsonObject;
}

const open = (file: string): NodeJS.ReadableStream => (file === '-' ? process.stdin : createReadStream(file));

const nameOf = (file: string): string => (file === '-' ? 'standard input' : file);

/** Yields the non-empty lines of a file one at a time, so that large files are never in memory. */
export async function* linesOf(file: string): AsyncGenerator<{ line: number; text: string }> {
  let line = 0;
  const input = open(file);
  // readline does not report read errors of its input.
  const failed = new Promise<never>((_, fail) => input.once('error', fail));
  failed.catch(() => undefined);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const iteration = await Promise.race([lines.next(), failed]);
      if (iteration.done) return;
      line++;
      // A byte order mark is not part of the first record.
      const text = line === 1 ? iteration.value.replace(/^\ufeff/, '') : iteration.value;
      if (text.trim() !== '') yield { line, text };
    }
  } catch (cause) {
    throw new UsageError(`${nameOf(file)} cannot be read: ${faultOfFile(cause)}.`);
  }
}

export const jsonFault = (text: string): string | undefined => {
  try {
    return isObject(JSON.parse(text)) ? undefined : 'it is not an object';
  } catch (error) {
    return (error as Error).message;
  }
};

/** Reads the records of a small file: one JSON object, an array of objects, or one object per line. */
export async function readRecords(file: string): Promise<InputRecord[]> {
  const lines = await Array.fromAsync(linesOf(file));
  if (lines.length === 0) throw new UsageError(`${nameOf(file)} contains no record.`);
  const document = parsed(lines.map(({ text }) => text).join('\n'));
  const values = Array.isArray(document) ? document : document === undefined ? undefined : [document];
  const records = values
    ? values.map((record, index) => ({ line: index + 1, record }))
    : lines.map(({ line, text }) => ({ line, record: parsed(text) }));
  const wrong = records.find(({ record }) => !isObject(record));
  if (wrong)
    throw new UsageError(
      `${nameOf(file)}: record ${wrong.line} is not a JSON object${values ? '' : ` (line ${wrong.line})`}.`,
    );
  return records as InputRecord[];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not a single JSON text: then each line must be one; the first invalid record is reported by number.
    return undefined;
  }
}
