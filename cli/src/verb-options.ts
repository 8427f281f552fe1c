import type { Options } from './args.ts';
import type { Document, Parameter } from './document.ts';
import { bodyPositionals, type Verb } from './groups.ts';
import { kindOf } from './schema.ts';

const connectionOptions: Options = {
  url: { value: 'URL', doc: 'Where the service is; else PORTREEVE_URL, else what `portreeve login` kept' },
  token: { value: 'TOKEN', doc: 'Who you are; else PORTREEVE_TOKEN, else what `portreeve login` kept' },
};

const common: Options = {
  json: { doc: 'Answer as JSON, for scripts' },
  ...connectionOptions,
  help: { short: 'h', doc: 'Show this help' },
};

const filter: Options = {
  filter: {
    value: 'RSQL',
    many: true,
    completes: 'filters',
    doc: "Only records that match, such as 'name==core-*'; several are ANDed; see `portreeve help filters`",
  },
};

const selection: Options = {
  ...filter,
  sort: { value: 'FIELD', completes: 'fields', doc: 'Sort by this field' },
  desc: { doc: 'Largest or newest first' },
};

const body: Options = {
  set: { value: 'NAME=VALUE', many: true, completes: 'settings', doc: 'Set a field; dots reach inside: a.b=1' },
  'set-file': {
    value: 'NAME=FILE',
    many: true,
    completes: 'settings',
    doc: 'Set a field to the content of a file; - asks for it without echo',
  },
  file: { value: 'FILE', short: 'f', completes: 'files', doc: 'JSON or JSON lines to send; - is standard input' },
};

const byKind: Readonly<Partial<Record<Verb['kind'], Options>>> = {
  list: {
    ...selection,
    start: { value: 'N', doc: 'Skip so many' },
    count: { value: 'N', doc: 'Show so many at most (1000)' },
    all: { doc: 'Show all, page after page; with --json a record a line' },
    columns: { value: 'A,B', completes: 'fields', doc: 'Show these columns; dots reach inside' },
  },
  tail: { ...filter, columns: { value: 'A,B', completes: 'fields', doc: 'Show these fields; dots reach inside' } },
  export: selection,
  count: filter,
  get: { explain: { doc: 'Say what each field means' } },
  delete: { yes: { short: 'y', doc: 'Do not ask' } },
  call: { columns: { value: 'A,B', doc: 'Show these columns' } },
};

/** Parameters that have an option of another name. */
const spoken: ReadonlySet<string> = new Set(['filter', 'start', 'count', 'sortKey', 'sortDir', 'after', 'dryRun']);
/** The ones that only a list has options for. */
const paging: ReadonlySet<string> = new Set(['start', 'count', 'after']);

export const optionNameOf = (parameter: string): string =>
  parameter.replace(/[A-Z]+/g, (letters) => `-${letters.toLowerCase()}`).replace(/^-/, '');

/** Query parameters of an operation that are its own. */
export const ownParameters = (verb: Verb, document: Document): Parameter[] =>
  document
    .parameters(verb.operation)
    .filter(
      ({ in: place, name }) => place === 'query' && (!spoken.has(name) || (verb.kind === 'call' && paging.has(name))),
    );

/** Every option that a verb takes. */
export function optionsOf(verb: Verb, document: Document): Options {
  const parameters = document.parameters(verb.operation);
  const takes = (name: string) => parameters.some((parameter) => parameter.name === name);
  // Identities and places are words, not fields to set.
  const isSpelledOut = bodyPositionals(document.body(verb.operation)).length > 0;
  const takesBody = verb.operation.body && !isSpelledOut && verb.kind !== 'import';
  return {
    ...byKind[verb.kind],
    ...Object.fromEntries(
      ownParameters(verb, document).map((parameter) => [optionNameOf(parameter.name), optionOf(parameter)]),
    ),
    ...(takesBody && body),
    ...(takes('dryRun') && { 'dry-run': { doc: 'Show what would be, and change nothing' } }),
    ...(takes('If-Match') &&
      verb.kind !== 'import' && {
        'if-match': { value: 'VERSION', doc: 'Only if the record still has this version' },
      }),
    ...(takes('Idempotency-Key') &&
      verb.kind !== 'import' && {
        'idempotency-key': { value: 'KEY', doc: 'A repeated call with the same key is carried out once' },
      }),
    ...(verb.operation.writes && { 'no-wait': { doc: 'Do not follow a background task that this starts' } }),
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
