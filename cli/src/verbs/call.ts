import type { Answer } from '@portreeve/sdk/runtime.ts';
import type { Arguments } from '../args.ts';
import { identityFrom, ownQuery, pathFrom, type VerbContext, writeOptions } from '../context.ts';
import { bodyPositionals } from '../groups.ts';
import { line } from '../output.ts';
import { printRecord } from '../record-view.ts';
import { applySettings, isObject, type JsonObject, shownSetting } from '../set.ts';
import { textOf } from '../shown-value.ts';
import { Table } from '../table.ts';
import { escapeUnsafe } from '../text.ts';
import { UsageError } from '../usage-error.ts';
import { emitImpact, impactQuery, reportsImpact, sendImpact } from './impact.ts';
import { columnsOf, printerOf } from './list.ts';
import { readRequestRecords } from './save.ts';
import { emitWritten, recordWords } from './written.ts';

const switchedWords: Readonly<Record<string, string>> = { enable: 'Enabled', disable: 'Disabled' };

/** Calls an operation that is specific to its resource. */
export async function call(context: VerbContext): Promise<void> {
  const { screen, client, verb, args, document } = context;
  const printer = printerOf(context, 'list');
  const path = await pathFrom(context, args.positionals);
  const body = await bodyFrom(context, args.positionals.slice(Object.keys(path).length));
  const input = {
    ...writeOptions(context),
    path,
    query: { ...(await ownQuery(context)), ...impactQuery(context) },
    body,
  };
  const answer = await sendImpact(context, () => client.call<JsonObject>(verb.operation, input));
  if (reportsImpact(context)) return emitImpact(context, answer);
  const schema = document.result(verb.operation);
  const isAnswer = answer.results.length > 0 || (schema !== undefined && !verb.operation.writes);
  if (!isAnswer) return emitWritten(context, answer, sentenceFor(context, answer, body));
  if (printer) return printer.print(answer.results);
  const [first, ...furtherResults] = answer.results;
  const isTable = furtherResults.length > 0 || verb.name === 'list' || args.has('columns');
  const isRaw = args.has('raw');
  if (first !== undefined && !isTable) await printRecord(screen.out, first, schema, document, { isRaw });
  else await new Table(screen.out, schema, document, { columns: columnsOf(context), isRaw }).print(answer.results);
  if (first === undefined) await line(screen.err, screen.err.style('dim', 'No results.'));
}

/** Returns the sentence after a write: the verb, the records and the settings. */
function sentenceFor({ args, group, verb }: VerbContext, answer: Answer, requestBody: unknown): string {
  const body = isObject(requestBody) ? requestBody : {};
  if (answer.httpCode === 201) return `Created ${recordWords(group, answer.id, body)}.`;
  const words = args.positionals.length > 0 ? args.positionals.map(escapeUnsafe) : [textOf(body.id)];
  const switched = switchedWords[verb.name];
  const parts = switched ? [switched, group.name, ...words] : ['Done:', group.name, verb.name, ...words];
  const settings = settingsWords(args);
  return `${parts.filter((word) => word !== '').join(' ')}${settings && `: ${settings}`}.`;
}

/** Returns the settings as typed, such as `currentVlan=40`. The content of a file is hidden, because it may be a secret. */
function settingsWords(args: Arguments): string {
  // The sentence already contains the id.
  const typed = args
    .texts('set')
    .filter((text) => !text.startsWith('id='))
    .map(shownSetting);
  const fromFiles = args.texts('set-file').map((text) => `${text.slice(0, text.indexOf('='))}=…`);
  return [...typed, ...fromFiles].map(escapeUnsafe).join(', ');
}

async function bodyFrom(context: VerbContext, words: readonly string[]): Promise<unknown> {
  const { verb, document } = context;
  const body = document.body(verb.operation);
  if (!body) return undefined;
  const expected = bodyPositionals(body);
  if (expected.length > 0) return bodyFromArguments(context, expected, words);
  const { records, settings } = await readRequestRecords(context, body, verb.operation.bodyRequired);
  if (records.length > 1) throw new UsageError(`${verb.name} accepts one record.`);
  const requestBody = applySettings(records[0]!, settings);
  return Object.keys(requestBody).length === 0 && !verb.operation.bodyRequired ? undefined : requestBody;
}

/** Builds the body from arguments: `rank 3 1` is `{id: 3, rank: 1}`, `disable 3 4` is `{id: [3, 4]}`. */
async function bodyFromArguments(context: VerbContext, expected: readonly string[], words: readonly string[]) {
  const isRank = expected.at(-1) === 'RANK';
  const id = await Promise.all((isRank ? words.slice(0, 1) : words).map((word) => identityFrom(context, word)));
  if (!isRank) return { id };
  if (!/^\d{1,7}$/.test(words[1]!)) throw new UsageError(`The rank must be a number, not ${JSON.stringify(words[1])}.`);
  return { id: id[0], rank: Number(words[1]) };
}
