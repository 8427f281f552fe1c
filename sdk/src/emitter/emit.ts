import {
  type ApiParameter,
  type Described,
  describeAll,
  listParameter,
  listParameters,
  type OpenApi,
} from './document.ts';
import { camelCase, comment, declarationOf, literal, typeOf, union } from './typescript.ts';

const head = '// Written by `npm run generate` from openapi.json; changes here are lost.\n\n';

/** Returns the generated files by name, not formatted. */
export function emit(document: OpenApi): Readonly<Record<'operations.ts' | 'api.ts', string>> {
  const operations = describeAll(document);
  return { 'operations.ts': head + operationTable(operations), 'api.ts': head + typedApi(document, operations) };
}

function operationTable(operations: readonly Described[]): string {
  const rows = operations.map((operation) => `${literal(operation.id)}: ${literal(infoOf(operation))},\n`);
  return `import type { OperationInfo } from '../runtime.ts';

/** Every operation by its id. */
export type OperationId = ${union(operations.map(({ id }) => literal(id)))};

/** The operations of the service, by id. */
export const operations: Readonly<Record<OperationId, OperationInfo>> = {
${rows.join('')}};
`;
}

/** Returns the OperationInfo of an operation. */
const infoOf = ({ operation, inQuery, takes, body, ...described }: Described): object => ({
  id: described.id,
  method: described.method,
  path: described.path,
  summary: operation.summary,
  group: operation.tags[0],
  query: inQuery.map(({ name }) => name),
  body: body !== undefined,
  bodyRequired: body?.required === true,
  writes: takes.dryRun,
  listed: described.listed,
  counted: described.counted,
  success: described.success,
  ...(operation['x-permission'] && { permission: operation['x-permission'] }),
});

function typedApi(document: OpenApi, operations: readonly Described[]): string {
  const { schemas } = document.components;
  // Envelopes are omitted: the runtime returns their content.
  const records = Object.entries(schemas).filter(([, schema]) => schema.xml?.name !== 'response');
  const words = schemas.Failure?.properties?.status?.enum ?? [];
  const alwaysPossible = words.filter((word) =>
    operations.every(({ operation }) => operation['x-status-words'].includes(word as string)),
  );
  return `import type { Answer, AnswerOfOne, CallInput, Client } from '../runtime.ts';
import { operations } from './operations.ts';

/** Status words of errors. Any operation can return ${alwaysPossible.join(', ')}; others are listed with the operations. */
export type StatusWord = ${union(words.map(literal))};

/** Options of a call. */
type Options<Name extends keyof CallInput = never> = Pick<CallInput, 'signal' | Name>;

/** Query parameters of lists. */
export interface ListQuery ${membersOf(listParameters.map((name) => listParameter(document, name)!))}

${records.map(([name, schema]) => declarationOf(name, schema)).join('\n')}
/** Every operation as a method, by group. */
export type Portreeve = ReturnType<typeof portreeve>;

/** The operations of the service that this client calls. */
export function portreeve(client: Client) {
  return {
${groupsOf(operations, alwaysPossible)}  };
}
`;
}

function groupsOf(operations: readonly Described[], alwaysPossible: readonly unknown[]): string {
  const groups = new Map<string, Map<string, string>>();
  const add = (group: string, method: string, text: string) => {
    const methods = groups.get(group) ?? new Map<string, string>();
    if (methods.has(method)) throw new Error(`Two operations would be ${group}.${method}().`);
    groups.set(group, methods.set(method, text));
  };
  for (const operation of operations) {
    const [group, verb] = operation.id.split('.', 2).map(camelCase) as [string, string];
    add(group, verb, methodOf(verb, operation, alwaysPossible));
    if (!operation.listed) continue;
    const walk = verb === 'list' ? 'walk' : `${verb}Walk`;
    add(group, walk, walkOf(walk, operation));
  }
  return [...groups].map(([group, methods]) => `${group}: {\n${[...methods.values()].join('\n')}},\n`).join('\n');
}

function methodOf(name: string, described: Described, alwaysPossible: readonly unknown[]): string {
  const { id, operation, result, isOne, isDryRunRecord } = described;
  const words = operation['x-status-words'].filter((word) => !alwaysPossible.includes(word));
  const element = result ? typeOf(result) : 'never';
  const doc = comment(
    `${operation.summary}.`,
    isDryRunRecord ? 'With `dryRun`, returns the resulting record; otherwise no results.' : undefined,
    words.length > 0 ? `Possible errors: ${words.join(', ')}.` : undefined,
  );
  const answer = isOne ? `AnswerOfOne<${element}>` : `Answer<${element}>`;
  const call = `client.${isOne ? 'one' : 'call'}<${element}>(operations[${literal(id)}], ${inputOf(described)})`;
  return `${doc}${name}(${parametersOf(described)}): Promise<${answer}> {\nreturn ${call};\n},\n`;
}

function walkOf(name: string, described: Described): string {
  const element = typeOf(described.result!);
  const doc = comment(`${described.operation.summary}: all records, page by page; \`count\` is the page size.`);
  return `${doc}${name}(${parametersOf(described)}): AsyncGenerator<${element}, void, undefined> {
return client.walk<${element}>(operations[${literal(described.id)}], ${inputOf(described)});
},\n`;
}

/** Returns the parameters of a method: path, body, query, options. */
function parametersOf(described: Described): string {
  const { inPath, inQuery, body, takes } = described;
  const optionNames = (['dryRun', 'idempotencyKey', 'ifMatch', 'reason'] as const).filter((name) => takes[name]);
  const queryMark = inQuery.some(({ required }) => required) ? '' : '?';
  return [
    ...inPath.map((parameter) => `${argumentOf(parameter)}: ${typeOf(parameter.schema)}`),
    ...(body ? [`body${body.required ? '' : '?'}: ${typeOf(body.schema)}`] : []),
    ...(inQuery.length > 0 ? [`query${queryMark}: ${queryType(described)}`] : []),
    `options?: Options${optionNames.length > 0 ? `<${union(optionNames.map(literal))}>` : ''}`,
  ].join(', ');
}

function queryType({ inQuery, shared }: Described): string {
  const ownParameters = inQuery.filter(({ name }) => !shared.includes(name));
  const list = shared.length === listParameters.length ? 'ListQuery' : `Pick<ListQuery, ${union(shared.map(literal))}>`;
  return [...(shared.length > 0 ? [list] : []), ...(ownParameters.length > 0 ? [membersOf(ownParameters)] : [])].join(
    ' & ',
  );
}

function membersOf(parameters: readonly ApiParameter[]): string {
  const members = parameters.map(({ name, description, required, schema }) => {
    const isList = schema.type === 'array';
    return `${comment(description)}${name}${required ? '' : '?'}: ${isList ? 'readonly ' : ''}${typeOf(schema)};\n`;
  });
  return `{\n${members.join('')}}`;
}

const argumentOf = ({ name, 'x-name': spelling = name }: ApiParameter): string => spelling;

const inputMember = (parameter: ApiParameter): string => {
  const argument = argumentOf(parameter);
  return argument === parameter.name ? argument : `${parameter.name}: ${argument}`;
};

/** Returns the CallInput expression from the parameters of the method. */
function inputOf({ inPath, inQuery, body }: Described): string {
  const parts = [
    '...options',
    ...(inPath.length > 0 ? [`path: { ${inPath.map(inputMember).join(', ')} }`] : []),
    ...(body ? ['body'] : []),
    ...(inQuery.length > 0 ? ['query'] : []),
  ];
  return parts.length === 1 ? 'options' : `{ ${parts.join(', ')} }`;
}
