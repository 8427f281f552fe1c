import {
  type Answer,
  type CallInput,
  type Client,
  type OperationInfo,
  PortreeveError,
} from '@portreeve/sdk/runtime.ts';
import type { Arguments } from './args.ts';
import type { Document } from './document.ts';
import type { Group, Verb } from './groups.ts';
import { suggestion } from './nearest.ts';
import type { Screen } from './output.ts';
import { kindOf } from './schema.ts';
import { filterText, harmless } from './text.ts';
import { UsageError } from './usage-error.ts';
import { optionNameOf, ownParameters } from './verb-options.ts';

/** Input of a verb. */
export interface VerbContext {
  screen: Screen;
  client: Client;
  document: Document;
  group: Group;
  verb: Verb;
  args: Arguments;
}

/** Query parameters specific to the operation, from the options of the same name. */
export function ownQuery({ verb, document, args }: VerbContext): Record<string, unknown> {
  return Object.fromEntries(
    ownParameters(verb, document).flatMap((parameter) => {
      const option = optionNameOf(parameter.name);
      if (!args.has(option)) {
        if (parameter.required) throw new UsageError(`--${option} is required: ${parameter.description ?? ''}`);
        return [];
      }
      return [[parameter.name, kindOf(parameter.schema) === 'array' ? args.texts(option) : args.text(option)]];
    }),
  );
}

/** Options of every write. */
export const writeOptions = ({ args }: VerbContext): CallInput => ({
  ...(args.has('dry-run') && { dryRun: true }),
  ...(args.text('if-match') !== undefined && { ifMatch: args.text('if-match') }),
  ...(args.text('idempotency-key') !== undefined && { idempotencyKey: args.text('idempotency-key') }),
});

/** The operation of this group with that suffix; a missing one is a bug. */
export function operationOf({ group }: VerbContext, suffix: string): OperationInfo {
  const operation = group.operations.get(suffix);
  if (!operation) throw new Error(`${group.name} has no operation ${suffix}`);
  return operation;
}

/** Resolves an ID argument: digits, or the name of exactly one record. */
export async function identityFrom(context: VerbContext, word: string): Promise<number> {
  if (/^\d{1,16}$/.test(word)) return Number(word);
  const { group, client, verb } = context;
  const list = group.operations.get('list');
  if (!list || group.label === undefined || group.identity === undefined || verb.operation.path.includes('/monitor/'))
    throw new UsageError(`${JSON.stringify(word)} is not a valid ID; use a number.`);
  // Inside quotes only backslash, quote and star are special.
  const exact = word.replaceAll(/[\\"*]/g, (sign) => `\\${sign}`);
  const { results } = await client.call<Record<string, unknown>>(list, {
    query: { filter: [`${group.label}=="${exact}"`], count: 5 },
  });
  const ids = results.map((record) => Number(record[group.identity!]));
  if (ids.length > 1)
    throw new UsageError(
      `Several ${group.name} records are named ${JSON.stringify(word)}: ${ids.join(', ')}. Use the ID instead.`,
    );
  if (ids[0] === undefined) {
    const near = suggestion(word, await similarNames(context, list, word));
    throw new NoSuchRecord(`There is no ${group.name} named ${JSON.stringify(word)}.${near}`);
  }
  return ids[0];
}

/** Names that begin or end like a mistyped one; a typing error is rarely at both ends. */
async function similarNames({ client, group }: VerbContext, list: OperationInfo, word: string): Promise<string[]> {
  const [first, last] = [word.slice(0, 2), word.slice(-3)].map((part) => filterText(part).slice(1, -1));
  const filter = [`${group.label}=="${first}*",${group.label}=="*${last}"`];
  try {
    const { results } = await client.call<Record<string, unknown>>(list, { query: { filter, count: 1_000 } });
    return results.map((record) => harmless(String(record[group.label!])));
  } catch (error) {
    // Without a hint the answer is the same.
    if (error instanceof PortreeveError) return [];
    throw error;
  }
}

/** No record has this name; scripts get the same exit code as for an ID that does not exist. */
export class NoSuchRecord extends Error {
  override readonly name = 'NoSuchRecord';
  readonly word = 'not-found';
}

const pathNames = ({ path }: OperationInfo): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** The path of one record, whatever the path calls its identity. */
export const pathOfOne = (operation: OperationInfo, id: number): Record<string, number> =>
  Object.fromEntries(pathNames(operation).map((name) => [name, id]));

/** Path parameters, from the arguments after the verb. */
export async function pathFrom(
  context: VerbContext,
  words: readonly string[],
  operation: OperationInfo = context.verb.operation,
): Promise<Record<string, string | number>> {
  const names = pathNames(operation);
  const parameters = context.document.parameters(operation);
  const entries = names.map(async (name, at) => {
    const word = words[at];
    if (word === undefined)
      throw new UsageError(
        `${name.toUpperCase()} is missing. Usage: portreeve ${context.group.name} ${context.verb.name} ${name.toUpperCase()}`,
      );
    const schema = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.schema;
    return [name, schema && kindOf(schema) === 'integer' ? await identityFrom(context, word) : word] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Path parameters that are fields of the record. */
export function pathOfRecord(
  { document, group }: VerbContext,
  operation: OperationInfo,
  record: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const fields = document.pathFields(operation, group.record);
  return Object.fromEntries([...fields].map(([name, field]) => [name, String(record[field] ?? '')]));
}

/** The single record of a response. */
export function onlyResult<R>(answer: Answer<R>, what: string): R {
  const [first] = answer.results;
  if (first === undefined) throw new NoSuchRecord(`The service returned no ${what}.`);
  return first;
}
