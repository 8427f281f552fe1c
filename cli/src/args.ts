import { parseArgs } from 'node:util';
import { suggestion } from './nearest.ts';
import { UsageError } from './usage-error.ts';

interface Option {
  /** Placeholder of its value in the help; an option without one is a flag. */
  value?: string;
  /** The value is optional. */
  isOptional?: boolean;
  many?: boolean;
  short?: string;
  doc: string;
  /** Candidates that shell completion offers for the value. */
  completes?: 'fields' | 'filters' | 'settings' | 'files' | readonly string[];
}

export type Options = Readonly<Record<string, Option>>;

/** The arguments after a command, checked against its options. */
export class Arguments {
  readonly positionals: readonly string[];
  readonly #given: ReadonlyMap<string, readonly string[]>;

  constructor(positionals: readonly string[], values: ReadonlyMap<string, readonly string[]>) {
    this.positionals = positionals;
    this.#given = values;
  }

  /** Returns the arguments with the only positional as the value of an option. */
  named(option: string): Arguments {
    return new Arguments([], new Map([...this.#given, [option, this.positionals]]));
  }

  text(name: string): string | undefined {
    return this.#given.get(name)?.[0];
  }

  texts(name: string): readonly string[] {
    return this.#given.get(name) ?? [];
  }

  has(name: string): boolean {
    return this.#given.has(name);
  }

  /** Returns the value as a non-negative integer. */
  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${name} takes a whole number, not ${JSON.stringify(text)}.`);
    return Number(text);
  }
}

/**
 * Parses the arguments of a command with these positionals. An unknown option is an error. A word after an option with an optional
 * value is taken as that value if the command has all its positionals without it.
 */
export function readArguments(
  args: readonly string[],
  options: Options,
  names: readonly string[],
  help?: string,
): Arguments {
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value, isOptional, short }]) => [
        name,
        {
          type: value === undefined || isOptional ? ('boolean' as const) : ('string' as const),
          multiple: true,
          ...(short && { short }),
        },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const positionals: string[] = [];
  const valuesByOption = new Map<string, string[]>();
  /** The positional right after an option with an optional value. */
  let optionalValue: { option: string; at: number } | undefined;
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    if (token.kind === 'positional') {
      const isAfter = before?.kind === 'option' && options[before.name]?.isOptional && before.value === undefined;
      if (isAfter) optionalValue = { option: before.name, at: positionals.length };
      positionals.push(token.value);
    }
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!option) {
      const near = suggestion(token.name, Object.keys(options)).replace('mean ', 'mean --');
      throw new UsageError(`This command has no option ${token.rawName}.${near}`, help);
    }
    const values = valuesByOption.get(token.name) ?? [];
    if (values.length > 0 && option.value !== undefined && !option.many)
      throw new UsageError(`--${token.name} is given twice.`, help);
    valuesByOption.set(token.name, [...values, valueFrom(token, option, help)]);
  }
  const isOneMore = positionals.length === names.length + 1 && !names.at(-1)?.endsWith('…');
  if (optionalValue && isOneMore) valuesByOption.set(optionalValue.option, positionals.splice(optionalValue.at, 1));
  return new Arguments(positionals, valuesByOption);
}

function valueFrom(
  token: { name: string; value?: string; inlineValue?: boolean },
  option: Option,
  help?: string,
): string {
  if (option.isOptional) return token.value ?? '';
  if (option.value === undefined) {
    if (token.inlineValue) throw new UsageError(`--${token.name} takes no value.`, help);
    return '';
  }
  // `--filter --json` is a forgotten value, not a filter called --json.
  const isForgotten = token.value === undefined || (!token.inlineValue && token.value.startsWith('--'));
  if (isForgotten) throw new UsageError(`--${token.name} needs a value: --${token.name} ${option.value}`, help);
  return token.value!;
}

/** Requires exactly these positionals. `…` at the end of a name means one or more. */
export function requirePositionals(args: Arguments, names: readonly string[], command: string): readonly string[] {
  const many = names.at(-1)?.endsWith('…') ?? false;
  const missing = names[args.positionals.length];
  if (missing !== undefined)
    throw new UsageError(`${missing.replace('…', '')} is missing. Usage: ${command} ${names.join(' ')}`);
  const extra = args.positionals[names.length];
  if (extra !== undefined && !many)
    throw new UsageError(`Unexpected argument ${JSON.stringify(extra)}. Usage: ${[command, ...names].join(' ')}`);
  return args.positionals;
}
