import type { Options } from './args.ts';
import type { Command } from './command.ts';
import { commands, isNodeCommand } from './commands.ts';
import type { Document, Schema } from './document.ts';
import { exitCodes } from './exit-codes.ts';
import { type Group, shippedGroups, type Verb } from './groups.ts';
import { topics } from './help-topics.ts';
import { line, type Pen } from './output.ts';
import { isAccepted, isBookkeeping, kindOf, wordsFor } from './schema.ts';
import { cut, escapedJson, fill, widthOf, wrap } from './text.ts';
import { optionsOf, requestedParameter } from './verb-options.ts';

const widthDefault = 100;
const nameMax = 34;

/** Prints two columns: words and their meanings. */
async function printPairs(pen: Pen, pairs: readonly (readonly [string, string])[], isCut = false): Promise<void> {
  const width = Math.min(nameMax, Math.max(0, ...pairs.map(([name]) => widthOf(name))));
  const room = Math.max(30, (pen.width ?? widthDefault) - width - 4);
  for (const [name, doc] of pairs) {
    const lines = isCut ? [cut(doc, room)] : wrap(doc, room);
    const isLong = widthOf(name) > width;
    if (isLong) await line(pen, `  ${pen.style('bold', name)}`);
    for (const [index, text] of lines.entries()) {
      const head = index === 0 && !isLong ? pen.style('bold', fill(name, width)) : ' '.repeat(width);
      await line(pen, `  ${head}  ${text}`.trimEnd());
    }
  }
}

async function printWrapped(pen: Pen, text: string): Promise<void> {
  for (const textLine of wrap(text, pen.width ?? widthDefault)) await line(pen, textLine);
}

const head = (pen: Pen, text: string): Promise<void> => line(pen, `\n${pen.style('underline', text)}`);

/** Prints the overview of all commands. */
export async function printHelp(pen: Pen): Promise<void> {
  const groups = shippedGroups();
  const overview = (which: (command: Command) => boolean) =>
    printPairs(
      pen,
      commands.filter(which).map(({ name, positionals, doc }) => [[name, ...positionals].join(' '), doc]),
    );
  await line(pen, 'portreeve: command line of the Portreeve NAC service');
  await head(pen, 'Common commands');
  await overview((command) => !isNodeCommand(command));
  await head(pen, 'Records (API)');
  await line(
    pen,
    '  portreeve GROUP VERB [ID] [options]      such as: portreeve container list --filter "name==core-*"',
  );
  await printPairs(
    pen,
    groups.names.map((name) => {
      const { title, doc } = groups.find(name)!;
      return [name, doc || title];
    }),
    true,
  );
  await head(pen, 'On a node');
  await overview(isNodeCommand);
  await head(pen, 'More');
  await printPairs(pen, [
    ['portreeve GROUP', 'list the verbs of a group'],
    ['portreeve GROUP VERB --help', 'options and fields'],
    ...Object.entries(topics).map(([name, { doc }]) => [`portreeve help ${name}`, doc] as const),
    ['portreeve version', 'version of this program'],
    ['portreeve help exit-codes', 'exit codes, for scripts'],
  ]);
}

/** Prints a help topic; false if there is no such topic. */
export async function printTopic(pen: Pen, name: string): Promise<boolean> {
  if (name === 'exit-codes') {
    await line(pen, 'Exit codes:\n');
    await printPairs(
      pen,
      exitCodes.map(({ code, words, doc }) => [String(code).padStart(2), `${words.join(', ')}: ${doc}`]),
    );
    return true;
  }
  const topic = Object.hasOwn(topics, name) ? topics[name] : undefined;
  if (topic) await line(pen, topic.text());
  return topic !== undefined;
}

export async function printGroupHelp(pen: Pen, group: Group): Promise<void> {
  await printWrapped(pen, `${group.name}: ${group.doc || group.title}`);
  await line(pen);
  const lines = new Map(
    [...group.verbs.values()]
      .filter(({ isHidden }) => !isHidden)
      .map(({ name, positionals, summary }) => [name, [[name, ...positionals].join(' '), summary] as const]),
  );
  for (const command of commands.filter(({ name }) => shippedGroups().find(name.split(' ')[0]!) === group)) {
    const verb = command.name.slice(command.name.indexOf(' ') + 1);
    lines.set(verb, commandLine(command, verb, lines.get(verb)?.[1]));
  }
  await printPairs(pen, [...lines.values()]);
  await line(pen, `\nportreeve ${group.name} VERB --help shows options and fields.`);
}

/** Returns the line of a command among the verbs of its resource; one that shares its name with a verb has one line for both. */
function commandLine(command: Command, verb: string, summary: string | undefined): readonly [string, string] {
  const { positionals, doc, replacesVerb } = command;
  const isHere = isNodeCommand(command);
  const here = isHere ? `On this node: ${doc}` : doc;
  return replacesVerb === 'with-argument' && summary !== undefined
    ? [
        `${verb} [${positionals.join(' ')}]`,
        `${summary}. With ${positionals.join(' ')}${isHere ? ', on this node' : ''}: ${doc}`,
      ]
    : [[verb, ...positionals].join(' '), here];
}

export async function printCommandHelp(pen: Pen, command: Command): Promise<void> {
  const { name, positionals, doc, about, options } = command;
  await line(
    pen,
    `${['portreeve', name, ...positionals].join(' ')}${Object.keys(options).length > 0 ? ' [options]' : ''}\n`,
  );
  for (const text of [`${doc}.`, ...(about ?? [])]) await printWrapped(pen, text);
  if (Object.keys(options).length === 0) return;
  await head(pen, 'Options');
  await printPairs(pen, optionPairs(options));
}

export async function printVerbHelp(pen: Pen, group: Group, verb: Verb, document: Document): Promise<void> {
  const parameter = requestedParameter(verb, document);
  const words = parameter ? [`[${parameter.name.toUpperCase()}]`] : verb.positionals;
  await line(pen, `${['portreeve', group.name, verb.name, ...words].join(' ')} [options]\n`);
  await printWrapped(pen, `${verb.summary}.`);
  await line(pen, pen.style('dim', document.access(verb.operation)));
  if (verb.positionals[0]?.startsWith('ID') && group.label === 'name')
    await line(
      pen,
      group.name === 'port'
        ? 'ID is a number, or SWITCH:PORT, such as access-1:1/9.'
        : 'ID is a number, or the name of a record.',
    );
  const options = optionsOf(verb, document);
  await head(pen, 'Options');
  await printPairs(pen, optionPairs(options));
  const body = document.body(verb.operation);
  const record = document.result(verb.operation);
  if (options.set && body) await printSettable(pen, group, verb, body, document);
  else if (options.filter && record) await printSelectable(pen, record, document);
}

const optionPairs = (options: Options): (readonly [string, string])[] =>
  Object.entries(options).map(([name, { value, short, doc, many }]) => [
    `--${name}${short ? `, -${short}` : ''}${value ? ` ${value}` : ''}`,
    many ? `${doc} (repeatable)` : doc,
  ]);

async function printSettable(pen: Pen, group: Group, verb: Verb, body: Schema, document: Document): Promise<void> {
  const example = document.example(verb.operation);
  const fields = Object.entries(body.properties ?? {}).filter(
    ([name, schema]) => name !== group.identity && !isBookkeeping(name) && isAccepted(name, schema, example),
  );
  await head(pen, 'Fields for --set');
  await printPairs(
    pen,
    fields.map(([name, property]) => {
      const schema = document.resolve(property);
      const isNeeded =
        body.required?.includes(name) || (verb.name.startsWith('create') && property['x-field']?.required);
      const values = `(${wordsFor(schema, document)}${isNeeded ? ', required' : ''})`;
      return [name, [schema.description, values].filter(Boolean).join(' ')];
    }),
  );
  if (example === undefined) return;
  await head(pen, 'Example for --file');
  await line(pen, `  ${escapedJson(example)}`);
}

async function printSelectable(pen: Pen, record: Schema, document: Document): Promise<void> {
  await head(pen, 'Fields for --filter, --sort and --columns');
  const names = Object.entries(record.properties ?? {}).flatMap(([name, property]) => {
    const kind = kindOf(document.resolve(property));
    return kind === 'array' ? [] : [kind === 'object' ? `${name}.…` : name];
  });
  for (const text of wrap(names.join(' '), (pen.width ?? widthDefault) - 2)) await line(pen, `  ${text}`);
}
