import type { Answer, CallInput, Client, OperationInfo } from '@portreeve/sdk/runtime.ts';
import type { Arguments } from './args.ts';
import type { Document, Parameter } from './document.ts';
import type { Group, Verb } from './groups.ts';
import { identityOfWord, NoSuchRecord, referenceOf, resolveIdentities } from './identities.ts';
import type { Screen } from './output.ts';
import { kindOf } from './schema.ts';
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
export async function ownQuery(context: VerbContext): Promise<Record<string, unknown>> {
  const { verb, document, args } = context;
  const query: Record<string, unknown> = {};
  for (const parameter of ownParameters(verb, document)) {
    const option = optionNameOf(parameter.name);
    if (args.has(option)) query[parameter.name] = await queryValue(context, parameter, args.texts(option));
    else if (parameter.required) throw new UsageError(`--${option} is required: ${parameter.description ?? ''}`);
  }
  return query;
}

async function queryValue({ client, group }: VerbContext, { name, schema }: Parameter, texts: readonly string[]) {
  const reference = referenceOf(name, schema, group);
  const values = reference
    ? await Promise.all(texts.map((text) => resolveIdentities(client, reference, schema, text)))
    : texts;
  return kindOf(schema) === 'array' ? values : values[0];
}

/** Returns the options of every write. */
export const writeOptions = ({ args }: VerbContext): CallInput => ({
  ...(args.has('dry-run') && { dryRun: true }),
  ...(args.text('if-match') !== undefined && { ifMatch: args.text('if-match') }),
  ...(args.text('idempotency-key') !== undefined && { idempotencyKey: args.text('idempotency-key') }),
});

/** Returns an operation of the resource by the end of its id; throws if it does not exist, which is a bug. */
export function operationOf({ group }: VerbContext, suffix: string): OperationInfo {
  const operation = group.operations.get(suffix);
  if (!operation) throw new Error(`${group.name} has no operation ${suffix}`);
  return operation;
}

/** Resolves an ID argument: digits, or the name of exactly one record of the group. */
export async function identityFrom({ client, group, verb }: VerbContext, word: string): Promise<number> {
  if (verb.operation.path.includes('/monitor/') && !/^\d{1,16}$/.test(word))
    throw new UsageError(`${JSON.stringify(word)} is not a valid ID; use a number.`);
  return identityOfWord({ client, group, word });
}

const pathNames = ({ path }: OperationInfo): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Returns the path parameters of one record, whatever the name of the id. */
export const pathOfOne = (operation: OperationInfo, id: number): Record<string, number> =>
  Object.fromEntries(pathNames(operation).map((name) => [name, id]));

/** Returns the path parameters from the arguments after the verb. */
export async function pathFrom(
  context: VerbContext,
  words: readonly string[],
  operation: OperationInfo = context.verb.operation,
): Promise<Record<string, string | number>> {
  const names = pathNames(operation);
  const parameters = context.document.parameters(operation);
  const entries = names.map(async (name, index) => {
    const word = words[index];
    const shownName = context.document.spellingOf(operation, name).toUpperCase();
    if (word === undefined)
      throw new UsageError(
        `${shownName} is missing. Usage: portreeve ${context.group.name} ${context.verb.name} ${shownName}`,
      );
    const schema = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.schema;
    if (schema?.enum) return [name, chosenWord(shownName, word, schema.enum)] as const;
    if (!schema || kindOf(schema) !== 'integer') return [name, word] as const;
    const reference = referenceOf(name, schema, context.group);
    const isOther = reference !== undefined && reference.group.name !== context.group.name;
    const { client } = context;
    const id = isOther
      ? await identityOfWord({ client, group: reference.group, word })
      : await identityFrom(context, word);
    return [name, id] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns the value of a path parameter with fixed values; case is ignored. */
function chosenWord(name: string, word: string, values: readonly unknown[]): string {
  const chosen = values.map(String).find((value) => value.toLowerCase() === word.toLowerCase());
  if (chosen === undefined)
    throw new UsageError(`${name} must be one of ${values.join(', ')}, not ${JSON.stringify(word)}.`);
  return chosen;
}

/** Returns the path parameters that are fields of the record. */
export function pathOfRecord(
  { document, group }: VerbContext,
  operation: OperationInfo,
  record: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const fields = document.pathFields(operation, group.record);
  return Object.fromEntries([...fields].map(([name, field]) => [name, String(record[field] ?? '')]));
}

/** Returns the first record of a response; throws if there is none. */
export function singleResult<R>(answer: Answer<R>, what: string): R {
  const [first] = answer.results;
  if (first === undefined) throw new NoSuchRecord(`The service returned no ${what}.`);
  return first;
}
