import type { Options } from './args.ts';
import { commands } from './commands.ts';
import type { Document, Schema } from './document.ts';
import { type Group, type Groups, shippedGroups } from './groups.ts';
import { isNullable, isSettable, kindOf, scalarPaths } from './schema.ts';
import { optionsOf } from './verb-options.ts';

interface Candidate {
  word: string;
  doc: string;
}

/** Returns the completion candidates at the cursor. `words` are those after `portreeve`; the last one is being typed. */
export function candidates(words: readonly string[], groups: Groups = shippedGroups()): Candidate[] {
  const typed = words.at(-1) ?? '';
  return candidatesAt(words, groups).filter(({ word }) => word.startsWith(typed));
}

function candidatesAt(words: readonly string[], groups: Groups): Candidate[] {
  const [first = '', second = ''] = words;
  const typed = words.at(-1) ?? '';
  if (words.length <= 1) return firstWords(groups);
  const command = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  const group = groups.find(first);
  if (words.length === 2 && command?.name !== first) return secondWords(first, group);
  if (command?.name === 'completion') return wordsOf(['bash', 'zsh', 'fish']);
  if (first === 'help') return words.length === 2 ? firstWords(groups) : secondWords(second, groups.find(second));
  const verb = group?.verbs.get(second);
  const options: Options = { ...command?.options, ...(verb && optionsOf(verb, groups.document)) };
  const before = words.at(-2) ?? '';
  const option = Object.entries(options).find(
    ([name, { short }]) => before === `--${name}` || before === `-${short}`,
  )?.[1];
  const isValue = option?.value !== undefined && !(option.isOptional && typed.startsWith('-'));
  if (isValue) return valuesFor(option.completes, typed, group, second, groups.document);
  return typed.startsWith('-') ? Object.entries(options).map(([name, { doc }]) => ({ word: `--${name}`, doc })) : [];
}

const wordsOf = (words: readonly string[], doc = ''): Candidate[] => words.map((word) => ({ word, doc }));

function firstWords(groups: Groups): Candidate[] {
  const commandCandidates = commands.map(({ name, doc }) => ({ word: name.split(' ')[0]!, doc }));
  const all = [
    ...commandCandidates,
    { word: 'help', doc: 'Explain a command' },
    ...groups.names.map((name) => ({ word: name, doc: groups.find(name)!.doc })),
  ];
  return [...new Map(all.map((candidate) => [candidate.word, candidate])).values()];
}

function secondWords(first: string, group: Group | undefined): Candidate[] {
  const commandCandidates = commands
    .filter(({ name }) => name.startsWith(`${first} `))
    .map(({ name, doc }) => ({ word: name.slice(first.length + 1), doc }));
  const verbs = [...(group?.verbs.values() ?? [])]
    .filter(({ isHidden }) => !isHidden)
    .map(({ name, summary }) => ({ word: name, doc: summary }));
  return [...new Map([...verbs, ...commandCandidates].map((candidate) => [candidate.word, candidate])).values()];
}

function valuesFor(
  completes: Options[string]['completes'],
  typed: string,
  group: Group | undefined,
  verbName: string,
  document: Document,
): Candidate[] {
  if (completes === undefined || completes === 'files') return [];
  if (typeof completes !== 'string') return wordsOf(completes);
  const verb = group?.verbs.get(verbName);
  const record = (verb && document.result(verb.operation)) ?? group?.record;
  if (completes === 'settings') return settingsFor(verb && document.body(verb.operation), typed, document);
  const fields = record ? scalarPaths(record, document) : [];
  if (completes === 'filters') return wordsOf(fields.map((field) => `${field}==`));
  // The last of several columns is the one being typed.
  const done = typed.slice(0, typed.lastIndexOf(',') + 1);
  return fields.map((field) => ({ word: done + field, doc: record?.properties?.[field]?.description ?? '' }));
}

/** Returns field names, and after the equals sign the values of fields with few values. */
function settingsFor(body: Schema | undefined, typed: string, document: Document): Candidate[] {
  const name = typed.split('=')[0]!;
  const property = body?.properties?.[name];
  if (property && typed.includes('=')) {
    const schema = document.resolve(property);
    const values = kindOf(schema) === 'boolean' ? ['true', 'false'] : (schema.enum ?? []).map(String);
    return wordsOf([...values, ...(isNullable(schema) ? ['null'] : [])].map((value) => `${name}=${value}`));
  }
  const settable = Object.entries(body?.properties ?? {}).filter(([, schema]) => isSettable(schema));
  return settable.map(([field, { description }]) => ({ word: `${field}=`, doc: description ?? '' }));
}

/** Returns the candidates for a shell. bash splits words at `=` and replaces only the part after it, so words are joined and candidates cut. */
export function completeFor(shell: string, words: readonly string[], groups?: Groups): string {
  if (shell !== 'bash') return candidateLines(candidates(words, groups));
  const joined: string[] = [];
  for (const [index, word] of words.entries()) {
    const isContinued = /^=+$/.test(word) || /^=+$/.test(words[index - 1] ?? '');
    if (isContinued && joined.length > 0) joined[joined.length - 1] += word;
    else joined.push(word);
  }
  const typed = joined.at(-1) ?? '';
  const prefixLength = typed.lastIndexOf('=') + 1;
  return candidateLines(candidates(joined, groups).map(({ word, doc }) => ({ word: word.slice(prefixLength), doc })));
}

const candidateLines = (candidateList: readonly Candidate[]): string =>
  candidateList.map(({ word, doc }) => `${word}\t${doc.split(/[.;\n]/)[0]}\n`).join('');
