import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const levels: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

/** Fields of every log line that a reader does not need. */
const bookkeeping: ReadonlySet<string> = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'node']);

/** Formats a log line for a reader: time, level, message, and the rest as `name=value`. Other lines stay unchanged. */
export function readableLine(line: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  if (typeof entry !== 'object' || entry === null || typeof entry.level !== 'number') return line;
  const time = new Date(Number(entry.time)).toISOString().slice(11, 23);
  const { stack, ...error } = (entry.err ?? {}) as { stack?: string };
  const otherFields = { ...entry, ...(entry.err !== undefined && { err: error }) };
  const rest = Object.entries(otherFields)
    .filter(([name, value]) => !bookkeeping.has(name) && !(name === 'err' && Object.keys(value as object).length === 0))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const head = [time, (levels[entry.level] ?? String(entry.level)).padEnd(5), String(entry.msg ?? ''), ...rest];
  return [head.filter((word) => word !== '').join(' '), ...(stack ? [stack] : [])].join('\n');
}

/** Prints the log of a service that was started. */
export async function printLog(log: Readable): Promise<void> {
  for await (const line of createInterface({ input: log })) console.log(readableLine(line));
}
