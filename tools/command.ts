import { parseArgs } from 'node:util';
import { suggestion } from '../cli/src/nearest.ts';

/** An option of a command of the project, and its default value. */
interface Option<Value> {
  kind: 'flag' | 'number' | 'text';
  doc: string;
  fallback: Value;
}

export const flag = (doc: string): Option<boolean> => ({ kind: 'flag', doc, fallback: false });
export const number = (fallback: number, doc: string): Option<number> => ({ kind: 'number', doc, fallback });
export const maybeNumber = (doc: string): Option<number | undefined> => ({ kind: 'number', doc, fallback: undefined });
export const text = <Fallback extends string | undefined>(
  fallback: Fallback,
  doc: string,
): Option<string | Fallback> => ({
  kind: 'text',
  doc,
  fallback,
});

export type Options = Readonly<Record<string, Option<unknown>>>;
export type ValuesOf<Given extends Options> = {
  [Name in keyof Given]: Given[Name] extends Option<infer Value> ? Value : never;
};

interface Command<Given extends Options> {
  /** How it is called: `npm run demo`. */
  usage: string;
  /** What it does, in a sentence. */
  doc: string;
  /** Positional arguments, as the usage names them: `NAME`; without it there are none. */
  takes?: string;
  options?: Given;
}

/**
 * Reads the arguments of a command. `--help` prints its usage; unknown arguments are refused with a hint; both end the
 * process.
 */
export function readCommand<const Given extends Options = Record<never, never>>(
  command: Command<Given>,
  args: readonly string[] = process.argv.slice(2),
): { values: ValuesOf<Given>; positionals: string[] } {
  const options: Options = command.options ?? {};
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { kind }]) => [name, { type: kind === 'flag' ? 'boolean' : 'string' }]),
    ),
  });
  const values: Record<string, unknown> = Object.fromEntries(
    Object.entries(options).map(([name, { fallback }]) => [name, fallback]),
  );
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'option' && (token.name === 'help' || token.name === 'h')) {
      console.log(usageOf(command));
      process.exit(0);
    }
    if (token.kind === 'positional') {
      if (!command.takes) refuse(command, `Unexpected argument "${token.value}".`);
      positionals.push(token.value);
    }
    if (token.kind !== 'option') continue;
    const option = options[token.name];
    if (!option) refuse(command, `Unknown option ${token.rawName}.${hintFor(token.name, options)}`);
    values[token.name] = readValue(command, token.rawName, option, token.value);
  }
  return { values: values as ValuesOf<Given>, positionals };
}

function readValue(command: Command<Options>, name: string, { kind }: Option<unknown>, value?: string): unknown {
  if (kind === 'flag') return value === undefined || refuse(command, `${name} takes no value.`);
  if (value === undefined || value.startsWith('--')) return refuse(command, `${name} needs a value.`);
  if (kind === 'number' && !/^\d+(\.\d+)?$/.test(value))
    return refuse(command, `${name} takes a number, not "${value}".`);
  return kind === 'number' ? Number(value) : value;
}

const hintFor = (name: string, options: Options): string =>
  suggestion(
    `--${name}`,
    [...Object.keys(options), 'help'].map((knownName) => `--${knownName}`),
  );

/** Ends the process with exit code 2 and a hint to the usage. */
export function refuse(command: Pick<Command<Options>, 'usage'>, why: string): never {
  const separator = command.usage.includes(' -- ') ? '' : ' --';
  console.error(`${why} See ${command.usage}${separator} --help.`);
  process.exit(2);
}

function usageOf({ usage, doc, takes, options = {} as never }: Command<Options>): string {
  const rows = Object.entries(options).map(([name, { kind, doc: about, fallback }]) => {
    const synopsis = `  --${name}${kind === 'flag' ? '' : kind === 'number' ? ' N' : ' TEXT'}`;
    return { left: synopsis, right: fallback === undefined || kind === 'flag' ? about : `${about} (${fallback})` };
  });
  rows.push({ left: '  --help', right: 'print this' });
  const width = Math.max(...rows.map(({ left }) => left.length));
  const separator = usage.includes(' -- ') ? '' : ' --';
  return [
    `Usage: ${usage}${separator}${takes ? ` ${takes}` : ''} [options]`,
    '',
    doc,
    '',
    ...rows.map(({ left, right }) => `${left.padEnd(width)}  ${right}`),
  ].join('\n');
}
