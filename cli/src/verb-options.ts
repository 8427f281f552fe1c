import type { Options } from './args.ts';
import { reasonOption } from './connection.ts';
import type { Document, Parameter } from './document.ts';
import { formatOptions } from './formats.ts';
import { bodyPositionals, type Verb } from './groups.ts';
import { kindOf } from './schema.ts';

const connectionOptions: Options = {
  url: { value: 'URL', doc: 'URL of the service (default: PORTREEVE_URL, else the one stored by `portreeve login`)' },
  token: { value: 'TOKEN', doc: 'API token (default: PORTREEVE_TOKEN, else the one stored by `portreeve login`)' },
};

const json: Options = { json: { doc: 'Print JSON, for scripts' } };

const common: Options = {
  ...connectionOptions,
  help: { short: 'h', doc: 'Show this help' },
};

const raw: Options = { raw: { doc: 'Show raw values: numbers for states, full times' } };

const filter: Options = {
  filter: {
    value: 'RSQL',
    many: true,
    completes: 'filters',
    doc: "Only matching records, such as 'name==core-*'; several must all match; see `portreeve help filters`",
  },
};

const selection: Options = {
  ...filter,
  sort: { value: 'FIELD', completes: 'fields', doc: 'Sort by this field' },
  desc: { doc: 'Largest or newest first' },
};

const body: Options = {
  set: {
    value: 'NAME=VALUE',
    many: true,
    completes: 'settings',
    doc: 'Set a field; use dots for nested fields: a.b=1',
  },
  'set-file': {
    value: 'NAME=FILE',
    many: true,
    completes: 'settings',
    doc: 'Set a field to the content of a file; - prompts for it without echo',
  },
  file: { value: 'FILE', short: 'f', completes: 'files', doc: 'JSON or JSON lines to send; - is standard input' },
};

const byKind: Readonly<Partial<Record<Verb['kind'], Options>>> = {
  list: {
    ...selection,
    start: { value: 'N', doc: 'Skip the first N records' },
    count: { value: 'N', doc: 'Show at most N records (default: 1000)' },
    limit: { value: 'N', short: 'n', doc: 'Same as --count' },
    all: { doc: 'Show all records, page by page' },
    columns: { value: 'A,B', completes: 'fields', doc: 'Show these columns; use dots for nested fields' },
    ...raw,
    ...formatOptions,
  },
  tail: {
    ...filter,
    columns: { value: 'A,B', completes: 'fields', doc: 'Show these fields; use dots for nested fields' },
    ...raw,
    ...formatOptions,
  },
  export: selection,
  import: { template: { doc: 'Print a sample line, and the meaning of its fields on standard error' } },
  count: filter,
  get: { explain: { doc: 'Explain each field' }, ...raw, ...formatOptions },
  delete: { yes: { short: 'y', doc: 'Skip the confirmation prompt' } },
  call: { columns: { value: 'A,B', doc: 'Show these columns' }, ...raw, ...formatOptions },
};

/** Parameters whose option has another name. */
const parametersWithOptions: ReadonlySet<string> = new Set([
  'filter',
  'start',
  'count',
  'sortKey',
  'sortDir',
  'after',
  'dryRun',
]);
/** Parameters that have options only in `list`. */
const pagingParameters: ReadonlySet<string> = new Set(['start', 'count', 'after']);

export const optionNameOf = (parameter: string): string =>
  parameter.replace(/[A-Z]+/g, (letters) => `-${letters.toLowerCase()}`).replace(/^-/, '');

/** Query parameters specific to an operation. */
export const ownParameters = (verb: Verb, document: Document): Parameter[] =>
  document
    .parameters(verb.operation)
    .filter(
      ({ in: place, name }) =>
        place === 'query' && (!parametersWithOptions.has(name) || (verb.kind === 'call' && pagingParameters.has(name))),
    );

/** Returns the only required parameter of an operation, which can follow the verb as an argument: `host search TEXT`, `port by-device 4`. */
export function requestedParameter(verb: Verb, document: Document): Parameter | undefined {
  const [single, ...otherParameters] = ownParameters(verb, document).filter(({ required }) => required);
  return verb.positionals.length === 0 && otherParameters.length === 0 ? single : undefined;
}

/** Returns all options of a verb. */
export function optionsOf(verb: Verb, document: Document): Options {
  const parameters = document.parameters(verb.operation);
  const takes = (name: string) => parameters.some((parameter) => parameter.name === name);
  // Identities and ranks are arguments, not fields to set.
  const isSpelledOut = bodyPositionals(document.body(verb.operation)).length > 0;
  const takesBody = verb.operation.body && !isSpelledOut && verb.kind !== 'import';
  return {
    ...json,
    ...byKind[verb.kind],
    ...Object.fromEntries(
      ownParameters(verb, document).map((parameter) => [optionNameOf(parameter.name), optionOf(parameter)]),
    ),
    ...(takesBody && body),
    ...(takes('dryRun') && { 'dry-run': { doc: 'Show what would change, without changing anything' } }),
    ...(takes('If-Match') &&
      verb.kind !== 'import' && {
        'if-match': { value: 'VERSION', doc: 'Write only if the record still has this version' },
      }),
    ...(takes('Idempotency-Key') &&
      verb.kind !== 'import' && {
        'idempotency-key': { value: 'KEY', doc: 'Repeated calls with the same key are executed once' },
      }),
    ...(takes('X-Reason') && reasonOption),
    ...(verb.operation.writes && { 'no-wait': { doc: 'Do not wait for the background task' } }),
    ...common,
  };
}

function optionOf({ description, schema }: Parameter): Options[string] {
  const values = schema.enum?.map(String);
  return {
    value: values && values.length <= 5 ? values.join('|') : kindOf(schema) === 'integer' ? 'N' : 'VALUE',
    many: kindOf(schema) === 'array',
    doc: description ?? '',
    ...(values && { completes: values }),
  };
}
