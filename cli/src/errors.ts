import { type Fault, PortreeveError } from '@portreeve/sdk/runtime.ts';
import { faultOfFile } from '@portreeve/server/kernel/values/file-faults.ts';
import { line, type Pen } from './output.ts';
import { isSecretName } from './set.ts';
import { escapeUnsafe, wrap } from './text.ts';
import { UsageError } from './usage-error.ts';

const hints: Readonly<Record<string, string>> = {
  stale: 'The record was changed in the meantime. Check it with `get`, then try again.',
  unreachable: 'Check the URL and that the service is running. Run `portreeve doctor` on the node.',
};

/** Prints an error in sentences and marks each faulty field on the command line. A bug is printed with its stack trace. */
export async function printError(pen: Pen, error: unknown, argv: readonly string[]): Promise<void> {
  if (error instanceof UsageError) {
    await line(pen, `${pen.style('red', 'portreeve:')} ${escapeUnsafe(error.message)}`);
    if (error.help) await line(pen, `See ${error.help}`);
    return;
  }
  if (error instanceof PortreeveError) return printRefusal(pen, error, argv);
  const isSentence = typeof (error as { word?: unknown })?.word === 'string' || isExpected(error);
  if (isSentence) return line(pen, `${pen.style('red', 'portreeve:')} ${sentenceOf(error as Error)}`);
  await line(pen, error instanceof Error ? (error.stack ?? error.message) : String(error));
}

/** System errors, such as a port in use: a stack trace would not help. */
function isExpected(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return error instanceof Error && (typeof code === 'string' || /^The |^\d/.test(error.message));
}

function sentenceOf(error: Error): string {
  const { path, code } = error as NodeJS.ErrnoException;
  const text = path ? `${path}: ${faultOfFile(error)}` : error.message || code || error.name;
  return escapeUnsafe(/[.!?]$/.test(text) ? text : `${text}.`);
}

async function printRefusal(pen: Pen, error: PortreeveError, argv: readonly string[]): Promise<void> {
  const faults: readonly Fault[] = error.faults.length > 0 ? error.faults : [{ detail: error.message }];
  for (const fault of faults) {
    const field = nameOf(fault);
    const typed = field && typedFor(field, argv);
    if (typed) {
      await line(pen, `  ${escapeUnsafe(typed.before + typed.marked)}`);
      await line(
        pen,
        `  ${' '.repeat(escapeUnsafe(typed.before).length)}${pen.style('red', '^'.repeat(Math.max(1, escapeUnsafe(typed.marked).length)))}`,
      );
    }
    await line(pen, `${pen.style('red', 'portreeve:')} ${marked(pen, escapeUnsafe(fault.detail), field)}`);
  }
  const hint = hints[error.word];
  if (hint) for (const hintLine of wrap(hint, pen.width ?? 120)) await line(pen, pen.style('dim', hintLine));
  if (error.httpCode >= 500 && error.requestId) await line(pen, pen.style('dim', `Request ${error.requestId}`));
}

/** Returns the field name of a fault: `attributes.building` for `#/attributes/building`. */
const nameOf = ({ pointer, parameter }: Fault): string | undefined =>
  parameter ??
  (pointer && pointer.length > 2
    ? pointer
        .replace(/^#?\//, '')
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
        .join('.')
    : undefined);

const marked = (pen: Pen, detail: string, field: string | undefined): string =>
  field !== undefined && detail.startsWith(field)
    ? pen.style(['bold', 'red'], field) + detail.slice(field.length)
    : detail;

/** Query parameters whose option has another name. */
const optionsFor: Readonly<Record<string, string>> = { sortKey: '--sort', sortDir: '--desc' };

/** Returns the part of the command line that a fault refers to, without secrets. */
function typedFor(field: string, argv: readonly string[]): { before: string; marked: string } | undefined {
  for (const [index, word] of argv.entries()) {
    const [option, value] = word.startsWith('--set=') ? ['--set', word.slice(6)] : [argv[index - 1], word];
    if (option === '--set' && (value.startsWith(`${field}=`) || value.startsWith(`${field.split('.')[0]}=`))) {
      return { before: '--set ', marked: isSecretName(field) ? `${value.slice(0, value.indexOf('='))}=…` : value };
    }
    const query = optionsFor[field] ?? `--${field}`;
    if (option === query && argv.filter((argument) => argument === query).length === 1)
      return { before: `${query} `, marked: value };
  }
  return undefined;
}
