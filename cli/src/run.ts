import { readArguments, requirePositionals } from './args.ts';
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { completeFor } from './completion.ts';
import { clientOf, findConnection } from './connection.ts';
import type { VerbContext } from './context.ts';
import { type Group, shippedGroups, type Verb, verbOf } from './groups.ts';
import { printCommandHelp, printGroupHelp, printHelp, printTopic, printVerbHelp } from './help.ts';
import { suggestionByName } from './nearest.ts';
import { line, type Screen } from './output.ts';
import { followTask } from './tasks.ts';
import { UsageError } from './usage-error.ts';
import { optionNameOf, optionsOf, requestedParameter } from './verb-options.ts';
import { call } from './verbs/call.ts';
import { remove } from './verbs/delete.ts';
import { get } from './verbs/get.ts';
import { count, list } from './verbs/list.ts';
import { create, update } from './verbs/save.ts';
import { tail } from './verbs/tail.ts';
import { exportRecords, importRecords } from './verbs/transfer.ts';

const verbs: Readonly<Record<Verb['kind'], (context: VerbContext) => Promise<void>>> = {
  list,
  get,
  create,
  update,
  delete: remove,
  count,
  export: exportRecords,
  import: importRecords,
  tail,
  watch: ({ screen, client, args }) => followTask(screen, client, Number(args.positionals[0]), args.has('json')),
  call,
};

const helpWords: ReadonlySet<string> = new Set(['help', '--help', '-h']);

/** Runs one command line; throws on errors. */
export async function run(argv: readonly string[], screen: Screen): Promise<void> {
  const [first, second = '', ...rest] = leadingOptionsLast(argv);
  if (first === undefined) return printHelp(screen.out);
  if (first === '__complete') return screen.out.write(completeFor(second, rest));
  if (first === '--version' || first === 'version') return line(screen.out, shippedGroups().document.version);
  if (helpWords.has(first))
    return help(
      screen,
      [second, ...rest].filter((word) => word !== ''),
    );
  const command = commandFor(first, second, rest);
  if (command) return runCommand(command, command.name.includes(' ') ? rest : dropEmpty(second, rest), screen);
  const group = groupFor(first, second);
  if (second === '' || helpWords.has(second)) return printGroupHelp(screen.out, group);
  return runVerb(group, verbOf(group, second), rest, screen);
}

const dropEmpty = (second: string, rest: readonly string[]): string[] =>
  second === '' ? [...rest] : [second, ...rest];

/** Moves leading options to the end: `portreeve --url U container list` is `portreeve container list --url U`. */
function leadingOptionsLast(argv: readonly string[]): string[] {
  let words = 0;
  while (/^(--(url|token|json|output)\b|-o$)/.test(argv[words] ?? ''))
    words += argv[words]!.includes('=') || argv[words] === '--json' ? 1 : 2;
  return [...argv.slice(words), ...argv.slice(0, words)];
}

/**
 * Finds a command. A verb of a resource and a command can have the same name: `token create` without a user is an API operation.
 * An option that only one of both has decides, otherwise whether an argument follows.
 */
function commandFor(first: string, second: string, rest: readonly string[]): Command | undefined {
  const single = commands.find(({ name }) => name === first);
  if (single) return single;
  const double = commands.find(({ name }) => name === `${first} ${second}`);
  const groups = shippedGroups();
  const verb = groups.find(first)?.verbs.get(second);
  if (!double || !verb || double.replacesVerb === 'always' || helpWords.has(rest[0] ?? '')) return double;
  const ofVerb = optionsOf(verb, groups.document);
  const typedOptions = rest.flatMap((word) => /^--([\w-]+)/.exec(word)?.[1] ?? []);
  if (typedOptions.some((name) => Object.hasOwn(double.options, name) && !Object.hasOwn(ofVerb, name))) return double;
  if (typedOptions.some((name) => Object.hasOwn(ofVerb, name) && !Object.hasOwn(double.options, name)))
    return undefined;
  return rest[0] !== undefined && !rest[0].startsWith('-') ? double : undefined;
}

/** Names of commands in other programs, for suggestions. */
const usualCommands: ReadonlyMap<string, string> = new Map([
  ['whoami', 'status'],
  ['search', 'find'],
  ['signin', 'login'],
  ['logs', 'event'],
  ['vlan', 'logical-network'],
]);

function groupFor(word: string, second = ''): Group {
  const groups = shippedGroups();
  const group = groups.find(word);
  if (group) return group;
  const commandNames = commands.map(({ name }) => name.split(' ')[0]!);
  const siblings = commands.filter(({ name }) => name.startsWith(`${word} `)).map(({ name }) => `portreeve ${name}`);
  if (siblings.length > 0) {
    const fault = second === '' ? 'A verb is missing.' : `There is no command ${JSON.stringify(`${word} ${second}`)}.`;
    throw new UsageError(`${fault} Available: ${siblings.join(', ')}.`);
  }
  throw new UsageError(
    `There is no command ${JSON.stringify(word)}.${suggestionByName(word, [...commandNames, ...groups.names, 'version', 'help'], usualCommands)}`,
    'portreeve help',
  );
}

async function runCommand(command: Command, words: readonly string[], screen: Screen): Promise<void> {
  const options = { ...command.options, help: { short: 'h', doc: 'Show this help' } };
  const args = readArguments(words, options, command.positionals, `portreeve ${command.name} --help`);
  if (args.has('help')) return help(screen, command.name.split(' '));
  if (!args.has('template')) requirePositionals(args, command.positionals, `portreeve ${command.name}`);
  return command.run(args, screen);
}

async function runVerb(group: Group, verb: Verb, words: readonly string[], screen: Screen): Promise<void> {
  const { document } = shippedGroups();
  const command = `portreeve ${group.name} ${verb.name}`;
  const parameter = requestedParameter(verb, document);
  const names = parameter ? [parameter.name.toUpperCase()] : verb.positionals;
  const parsed = readArguments(words, optionsOf(verb, document), names, `${command} --help`);
  const isAfter =
    parameter !== undefined && parsed.positionals.length === 1 && !parsed.has(optionNameOf(parameter.name));
  const args = isAfter ? parsed.named(optionNameOf(parameter.name)) : parsed;
  if (args.has('help')) return printVerbHelp(screen.out, group, verb, document);
  // A template needs no file.
  if (!args.has('template')) requirePositionals(args, verb.positionals, command);
  const client = clientOf(await findConnection(args, screen.env), args);
  await verbs[verb.kind]({ screen, client, document, group, verb, args });
}

/** Prints a help page: `portreeve help container list` is `portreeve container list --help`. */
async function help(screen: Screen, [first, second]: readonly string[]): Promise<void> {
  if (first === undefined) return printHelp(screen.out);
  if (await printTopic(screen.out, first)) return;
  const command = commands.find(({ name }) => name === first || name === `${first} ${second ?? ''}`);
  if (command) await printCommandHelp(screen.out, command);
  if (command && command.replacesVerb !== 'with-argument') return;
  if (command) await line(screen.out);
  const group = groupFor(first);
  if (second === undefined) return printGroupHelp(screen.out, group);
  return printVerbHelp(screen.out, group, verbOf(group, second), shippedGroups().document);
}
