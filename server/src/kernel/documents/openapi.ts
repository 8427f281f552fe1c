import { reasonMax } from '../declare/audit-entry.ts';
import {
  type Answer,
  answeredShape,
  type Operation,
  pathShape,
  type QueryParameter,
  takesReason,
} from '../declare/operation.ts';
import type { Shape } from '../declare/shape.ts';
import { integerMax } from '../declare/shape.ts';
import { type StatusWord, statusWords } from '../failure.ts';
import { xmlWriter } from '../format/xml-writer.ts';
import { writeAnswer } from '../http/envelope.ts';
import type { Model } from '../model/model.ts';
import { atOnce, type Steps } from '../values/loop-share.ts';
import { type ExampleValues, exampleOf } from './example.ts';
import { ModelFacts } from './field-facts.ts';
import { type Json, SchemaComponents, schemaOf } from './json-schema.ts';

/** The defaults of a deployment, as the contract promises them. */
const limits = {
  bodyBytes: 1_048_576,
  importBytes: 67_108_864,
  idsInList: 5_000,
  recordsInList: 1_000,
  filterElements: 16,
  filterCharacters: 4_096,
  readSeconds: 5,
  writeSeconds: 30,
  requestsPerSecondAndToken: 50,
  requestsBurst: 100,
  loginsPerMinute: 10,
  monitorsPerToken: 20,
};

const about = `Network access control: the management interface.

JSON and XML carry the same data. \`Content-Type\` sets the format of the request and the response, \`Accept\` selects another one for the response. In XML the root is \`<request>\` or \`<response>\`, a list is one element with an \`<item>\` each, a map has \`<entry key="…">\` elements, and null is \`xsi:nil="true"\`; \`/api/v2/schema.xsd?operation=<operationId>\` gives the XML schema of an operation.

Nothing is silently ignored: an unknown parameter or field is 400, another method on a path 405. \`HEAD\` answers as \`GET\` does, without the body, except for a \`GET\` that changes something and for monitors; \`OPTIONS\` returns the methods of a path in \`Allow\` and needs no token. Lists also accept their parameters as the body of the GET, if they are too long for a URL.

Default limits: bodies of ${limits.bodyBytes} bytes (imports ${limits.importBytes}), ${limits.idsInList} ids in a list, ${limits.recordsInList} records in a response, ${limits.requestsPerSecondAndToken} requests per second and token with a burst of ${limits.requestsBurst}, ${limits.loginsPerMinute} failed logins per minute and account or address; a read ends after ${limits.readSeconds} s, a write after ${limits.writeSeconds} s.`;

/** When each status word is answered. */
export const meanings: Readonly<Record<StatusWord, string>> = {
  invalid: 'malformed, or an unknown field, parameter or filter',
  unauthenticated: 'the token is missing, expired or revoked',
  forbidden: 'a right is missing, which the message names, or a page of another site sent the request',
  'not-found': 'there is no such record, or the caller may not see it',
  unsupported: 'the format or method is not supported',
  'in-use': 'other records refer to it; the message names them',
  duplicate: 'the natural key is in use, or a request that returned a secret was repeated',
  protected: 'the record is built in, or belongs to the service',
  stale: 'the record has changed since it was read',
  gone: 'the position of the monitor has expired',
  'too-large': 'the request exceeds the size limit',
  rejected: 'well-formed, but it breaks a rule of its group',
  'too-expensive': 'the read took too long; the message names a filter to add',
  'remote-failed': 'the other system refused; the message contains its error',
  'remote-timeout': 'the other system did not respond in time',
  throttled: 'too many requests; `Retry-After` contains the seconds to wait',
  error: 'a fault of the service; the message contains the incident id',
  unavailable: 'not available now; `Retry-After` contains the seconds to wait',
};

const allWords = Object.keys(statusWords) as StatusWord[];
const failureWords = (words: readonly StatusWord[]) => ({ properties: { status: { enum: words } } });
const problemWords = (words: readonly StatusWord[]) => ({ properties: { title: { enum: words } } });

const failureSchema: Json = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: allWords },
    errorMessage: { type: 'string', description: 'One sentence per fault: where it is, what is wrong, how to fix it.' },
  },
  required: ['status', 'errorMessage'],
  additionalProperties: false,
  xml: { name: 'response' },
};

const problemSchema: Json = {
  type: 'object',
  description: 'The same fault in the form of RFC 9457, for callers that accept application/problem+json.',
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string', enum: allWords },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string' },
    instance: { type: 'string', format: 'uri', description: 'The request id.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          pointer: { type: 'string', description: 'Position in the body (RFC 6901).' },
          parameter: { type: 'string', description: 'Name of the query parameter.' },
          detail: { type: 'string' },
        },
        required: ['detail'],
        additionalProperties: false,
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'errors'],
  additionalProperties: false,
};

const doneSchema = envelope({});

/** The envelope of a success with these properties in addition to the two it always has. */
function envelope(more: Json): Json {
  const properties = { status: { type: 'string', const: 'success' }, errorMessage: { type: 'null' }, ...more };
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    xml: { name: 'response' },
  };
}

const header = (description: string, schema: Json): Json => ({ description, schema });
const headers: Readonly<Record<string, Json>> = {
  'X-Request-Id': header('Identifies this request in the logs.', { type: 'string', format: 'uuid' }),
  ETag: header('The version of the record, for `If-Match`.', { type: 'string', pattern: '^"\\d+"$' }),
  Location: header('URL of the created record or of the background task.', { type: 'string' }),
  Link: header('The next page, with `rel="next"`; absent on the last one.', { type: 'string' }),
  'Retry-After': header('Seconds to wait.', { type: 'integer', minimum: 1 }),
  'WWW-Authenticate': header('The required authentication scheme.', { type: 'string' }),
};

const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const takesIfMatch = (operation: Operation): boolean =>
  operation.errors.includes('stale') && (operation.path.includes('{id}') || operation.dryRunResult !== undefined);

/** The error words of an operation, in the order of the contract, with those that follow from what it takes. */
export function statusWordsOf(operation: Operation): StatusWord[] {
  const words = new Set(operation.errors);
  // An open operation that is no GET refuses pages of other sites.
  if (operation.access.kind === 'open' && operation.method === 'GET') words.delete('forbidden');
  if (operation.writes && operation.method === 'POST') {
    // An Idempotency-Key that was used for another request, or whose answer held a secret.
    words.add('rejected');
    if (operation.result) words.add('duplicate');
  }
  return allWords.filter((word) => words.has(word));
}

/** It asks another system, which may refuse or take its time. */
const isExternal = ({ external, errors }: Operation): boolean =>
  external === true || errors.includes('remote-failed') || errors.includes('remote-timeout');

/** Most status words have one HTTP code; 405 is not here, because it means that the operation does not exist. */
function codesOf(word: StatusWord, operation: Operation): readonly number[] {
  if (word === 'unsupported') return [406, 415];
  if (word === 'too-large') return operation.path.includes('{') ? [413, 414, 431] : [413, 431];
  if (word === 'stale' && takesIfMatch(operation)) return [409, 412];
  return [statusWords[word]];
}

/** What the document says besides the operations. */
export interface DocumentInfo {
  version: string;
  /** The page of the console that a group stands on. */
  pages?: ReadonlyMap<string, string>;
  /** Groups outside the contract, each with the table that it is about. */
  outside?: Readonly<Record<string, string>>;
}

/** The OpenAPI 3.1 document of these operations, and the page of the console that each group stands on: nothing in it is written by hand for one of them. */
export const openApiDocument = (...about: Parameters<typeof openApiSteps>): object => atOnce(openApiSteps(...about));

/** The same in steps, one an operation. */
export function* openApiSteps(
  operations: readonly Operation[],
  model: Pick<Model, 'tables'>,
  info: DocumentInfo,
): Steps<object> {
  const facts = new ModelFacts(model, info.outside);
  const writer = new DocumentWriter(operations, facts);
  yield;
  const paths: Record<string, Json> = {};
  const documented = documentedPaths(operations);
  for (const operation of operations) {
    const path = documented.get(operation.path)!;
    paths[path] ??= {};
    paths[path]![operation.method.toLowerCase()] = writer.operation(operation, path);
    yield;
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Portreeve',
      version: info.version,
      description: about,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      'x-limits': limits,
    },
    servers: [{ url: '/', description: 'The node that serves this document.' }],
    security: [{ bearer: [] }],
    tags: [...Map.groupBy(operations, ({ group }) => group)].map(([name, own]) => ({
      name,
      ...facts.ofGroup(own.map(({ operationId }) => operationId.slice(0, operationId.indexOf('.')))),
      ...(info.pages?.has(name) && { 'x-page': info.pages.get(name) }),
    })),
    paths,
    components: writer.components(),
  };
}

/** A path without the names of its parameters. */
const templateOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');

/**
 * Returns the path under which the document has each path of the operations. Paths that differ only in the names of parameters are
 * identical in OpenAPI (3.1, Paths Object), so they share one path item: under the spelling that most of its operations have.
 */
export function documentedPaths(operations: readonly Pick<Operation, 'path'>[]): ReadonlyMap<string, string> {
  const documented = new Map<string, string>();
  for (const paths of Map.groupBy(
    operations.map(({ path }) => path),
    templateOf,
  ).values()) {
    const spellings = [...Map.groupBy(paths, (path) => path)].sort(([, a], [, b]) => b.length - a.length);
    for (const [path] of spellings) documented.set(path, spellings[0]![0]);
  }
  return documented;
}

/** The document as it is served: `JSON.stringify` in steps, one for each path and each component. */
export function* jsonSteps(value: unknown, depth = 3): Steps<string> {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    yield;
    return JSON.stringify(value);
  }
  const members: string[] = [];
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${yield* jsonSteps(member, depth - 1)}`);
  return `{${members.join(',')}}`;
}

/** Each file is a field of the form. */
const uploadSchema = ({ fields, asBody }: NonNullable<Operation['uploads']>): Json => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, description]) => [name, { type: 'string', format: 'binary', description }]),
  ),
  ...(!asBody && { required: Object.keys(fields) }),
});

/** A body that can only be files. */
const filesBody = (uploads: NonNullable<Operation['uploads']>): Json => ({
  required: true,
  content: {
    'multipart/form-data': { schema: uploadSchema(uploads) },
    ...Object.fromEntries(
      (uploads.types ?? []).map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
    ),
  },
});

const sorted = (values: ReadonlyMap<string, unknown>): Json =>
  Object.fromEntries([...values].sort(([a], [b]) => (a < b ? -1 : 1)));

const json = 'application/json';
const xml = 'application/xml';

/** One answer of an operation: its schema, and what it looks like in both formats. */
interface Sample {
  schema: Json;
  examples: Readonly<Record<typeof json | typeof xml, Json>>;
}

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Writes the parts of one document; what several operations share becomes a component. */
class DocumentWriter {
  readonly #schemas: SchemaComponents;
  readonly #parameters = new Map<string, Json>();
  readonly #responses = new Map<string, Json>();
  readonly #examples = new Map<string, Json>();
  readonly #known: ExampleValues;
  readonly #uses: ReadonlyMap<QueryParameter, number>;

  constructor(operations: readonly Operation[], facts: ModelFacts) {
    this.#schemas = new SchemaComponents(facts);
    this.#known = knownExamples(operations);
    this.#uses = parameterUses(operations);
    this.#schemas.add('Done', doneSchema);
    this.#schemas.add('Failure', failureSchema);
    this.#schemas.add('Problem', problemSchema);
  }

  components(): Json {
    return {
      schemas: this.#schemas.all(),
      parameters: sorted(this.#parameters),
      responses: sorted(this.#responses),
      examples: sorted(this.#examples),
      headers,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API token (`prt_…`, from `/auth/tokens`) or the key of a session (`prs_…`, from `/auth/login`).',
        },
      },
    };
  }

  /** `path`: the spelling under which the document has the path of the operation. */
  operation(operation: Operation, path: string): Json {
    const { operationId, summary, group, access, body } = operation;
    return {
      operationId,
      summary,
      description: accessWords(access),
      tags: [group],
      ...(access.kind === 'open' && { security: [] }),
      parameters: this.#parametersOf(operation, path),
      ...(body && { requestBody: this.#requestBody(operation, body) }),
      ...(!body && operation.uploads && { requestBody: filesBody(operation.uploads) }),
      responses: { ...this.#successes(operation), ...this.#failures(operation) },
      ...(access.kind === 'permission'
        ? { 'x-permission': { key: access.key, verb: access.verb } }
        : { 'x-access': access.kind }),
      'x-status-words': statusWordsOf(operation),
      ...(operation.pattern && { 'x-pattern': operation.pattern }),
      ...(isExternal(operation) && { 'x-external': true }),
    };
  }

  #parametersOf(operation: Operation, path: string): Json[] {
    const names = namesIn(path);
    const inPath = namesIn(operation.path).map((name, index) => this.#pathParameter(operation, name, names[index]!));
    const inQuery = Object.entries(operation.query).map(([name, parameter]) => this.#queryParameter(name, parameter));
    const parameters = [...inPath, ...inQuery];
    if (operation.writes) parameters.push(this.#shared(dryRun));
    if (operation.writes && operation.method === 'POST') parameters.push(this.#shared(idempotencyKey));
    if (takesIfMatch(operation)) parameters.push(this.#shared(ifMatch));
    if (takesReason(operation)) parameters.push(this.#shared(reason));
    if (operation.streams) parameters.push(this.#shared(lastEventId));
    return parameters;
  }

  #pathParameter(operation: Operation, name: string, documentedName: string): Json {
    const shape = pathShape(operation, name);
    const schema = schemaOf(shape, 'input', this.#schemas);
    const example = shape.kind === 'integer' ? 1 : shape.kind === 'choice' ? shape.values[0] : name;
    const spelling = name === documentedName ? {} : { 'x-name': name };
    return this.#shared({ name: documentedName, in: 'path', required: true, ...spelling, schema, example });
  }

  #queryParameter(name: string, parameter: QueryParameter): Json {
    const { shape, many, required, family } = parameter;
    const { description, ...schema } = schemaOf(shape, 'input', this.#schemas);
    const ofFamily = { [`^${name}\\.${family}$`]: schema };
    const written = {
      name,
      in: 'query',
      ...(description !== undefined && { description }),
      ...(required && { required }),
      ...(family
        ? {
            schema: { type: 'object', patternProperties: ofFamily, additionalProperties: false },
            style: 'form',
            explode: true,
          }
        : many
          ? { schema: { type: 'array', items: schema, maxItems: limits.filterElements }, style: 'form', explode: true }
          : { schema }),
    };
    return this.#uses.get(parameter)! > 1 ? this.#shared(written) : written;
  }

  #shared(parameter: { name: string; in: string } & Json): Json {
    const key = `${parameter.in}.${parameter.name}`;
    const known = this.#parameters.get(key);
    if (known && JSON.stringify(known) !== JSON.stringify(parameter)) return parameter;
    this.#parameters.set(key, parameter);
    return { $ref: `#/components/parameters/${key}` };
  }

  #requestBody(operation: Operation, body: Shape): Json {
    const example = operation.example ?? exampleOf(body, 'input', this.#known);
    const schema = schemaOf(body, 'input', this.#schemas, true);
    return {
      required: !operation.bodyOptional,
      content: {
        [json]: { schema, example },
        [xml]: { schema: { ...schema, xml: { name: 'request' } }, example: xmlRequest(body, example) },
        ...(operation.uploads && { 'multipart/form-data': { schema: uploadSchema(operation.uploads) } }),
      },
    };
  }

  /** A write answers no results, unless it is rehearsed: then it answers like a read, with code 200. */
  #successes(operation: Operation): Json {
    const { success, writes, result, impact, instead, impactMayBeNone } = operation;
    const plain = this.#sample(operation, result);
    const done = this.#sample(operation, undefined);
    const queued = {
      ...(operation.queues && { 202: this.#success(operation, 202, { success: done }) }),
      ...(impact && { 202: this.#success(operation, 202, { compared: done }) }),
    };
    const other = instead && { instead: this.#sample(operation, instead.result) };
    if (!writes) return { [success]: this.#success(operation, success, { success: plain, ...other }), ...queued };
    const simulated = this.#sample(operation, impact ?? answeredShape(operation) ?? 'nothing');
    if (success === 200) {
      return {
        200: this.#success(operation, 200, {
          success: plain,
          ...((impact || !result) && { dryRun: simulated }),
          ...(impactMayBeNone && { notJudged: this.#sample(operation, 'nothing') }),
        }),
        ...queued,
      };
    }
    // A POST that creates updates when the record exists, and then answers 200 too.
    const updates: Record<string, Sample> = takesIfMatch(operation) || operation.updates ? { updated: plain } : {};
    return {
      200: this.#success(operation, 200, { ...updates, dryRun: simulated }),
      [success]: this.#success(operation, success, { success: plain }),
      ...queued,
    };
  }

  #success(operation: Operation, code: number, samples: Readonly<Record<string, Sample>>): Json {
    const schemas = Object.values(samples).map(({ schema }) => schema);
    const schema = schemas.length === 1 ? schemas[0] : { oneOf: schemas };
    const content = (type: typeof json | typeof xml) => ({
      schema,
      examples: Object.fromEntries(Object.entries(samples).map(([name, { examples }]) => [name, examples[type]])),
    });
    return {
      description: successWords(operation, code, Object.keys(samples)),
      headers: headerRefs(successHeaders(operation, code)),
      content: {
        [json]: content(json),
        [xml]: content(xml),
        ...(operation.streams && { 'text/event-stream': events }),
      },
    };
  }

  /** The envelope around elements of a shape, around nothing (a dry run that shows no record), or without results. */
  #sample(operation: Operation, shape: Shape | 'nothing' | undefined): Sample {
    if (shape === undefined) return this.#named('Done', operation, {}, doneSchema);
    if (shape === 'nothing') {
      return this.#named(
        'NothingAnswer',
        operation,
        { results: [] },
        envelope({ results: { type: 'array', maxItems: 0 } }),
      );
    }
    const { listed } = operation;
    const isImpact = shape === operation.impact;
    const isInstead = shape === operation.instead?.result;
    const counted = (operation.counted && !isInstead) || isImpact;
    const count = { type: 'integer', minimum: 0, maximum: integerMax };
    const schema = envelope({
      results: {
        type: 'array',
        items: { ...schemaOf(shape, 'answer', this.#schemas, true), xml: { name: 'item' } },
        xml: { wrapped: true },
      },
      ...(counted && {
        filtered: {
          ...count,
          description: isImpact ? 'Number of connections that would change.' : 'Number of matching records.',
        },
        total: {
          ...count,
          description: isImpact
            ? 'Number of connections that were judged.'
            : 'Number of all records of the group that the caller may see.',
        },
      }),
    });
    const isCount = counted && !listed && !isImpact;
    const results = isCount ? [] : [exampleOf(shape, 'answer', this.#known)];
    const answer: Answer = {
      results,
      ...(counted && { filtered: 1, total: 1 }),
      ...(isImpact && { isImpact }),
      ...(isInstead && { isInstead }),
    };
    if (shape.kind !== 'object' || !shape.name) {
      return { schema, examples: written(operation, answer) };
    }
    return this.#named(
      `${shape.name}${counted ? 'Page' : 'Answer'}`,
      operation,
      answer,
      schema,
      isCount ? 'Count' : '',
    );
  }

  #named(name: string, operation: Operation, answer: Answer, schema: Json, variant = ''): Sample {
    const keys = { [json]: `${name}${variant}`, [xml]: `${name}${variant}.xml` } as const;
    const texts = written(operation, answer);
    const reference = (type: typeof json | typeof xml) => {
      this.#examples.set(keys[type], texts[type]);
      return { $ref: `#/components/examples/${keys[type]}` };
    };
    return {
      schema: this.#schemas.add(name, schema),
      examples: { [json]: reference(json), [xml]: reference(xml) },
    };
  }

  #failures(operation: Operation): Json {
    const byCode = new Map<number, StatusWord[]>();
    for (const word of statusWordsOf(operation))
      for (const code of codesOf(word, operation)) byCode.set(code, [...(byCode.get(code) ?? []), word]);
    return Object.fromEntries([...byCode].map(([code, words]) => [code, this.#failure(code, words)]));
  }

  #failure(code: number, words: readonly StatusWord[]): Json {
    const name = [code, ...words].join('.');
    const failure = { $ref: '#/components/schemas/Failure', ...failureWords(words) };
    this.#responses.set(name, {
      description: words.map((word) => `\`${word}\`: ${meanings[word]}.`).join(' '),
      headers: headerRefs(['X-Request-Id', ...(failureHeaders[code] ?? [])]),
      content: {
        [json]: { schema: failure },
        [xml]: { schema: failure },
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem', ...problemWords(words) } },
      },
    });
    return { $ref: `#/components/responses/${name}` };
  }
}

const failureHeaders: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const dryRun = {
  name: 'dryRun',
  in: 'query',
  description: 'Run the request, return what would result, then roll back.',
  schema: { type: 'boolean' },
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Requests repeated with the same key within 24 hours are executed once; repetitions get the stored response.',
  schema: { type: 'string', pattern: '^[!-~]{1,200}$' },
};

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  description: 'The ETag of the record as it was read; the write fails if the record has changed since.',
  schema: { type: 'string', pattern: '^(\\*|(W/)?"\\d{1,15}")$' },
};

const reason = {
  name: 'X-Reason',
  in: 'header',
  description: 'Why the write is done: one line of UTF-8 text, stored with its rows in the audit log.',
  schema: { type: 'string', maxLength: reasonMax },
};

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'Position at which an interrupted stream continues; browsers send it automatically.',
  schema: { type: 'string', maxLength: 20_000 },
};

const events = {
  schema: {
    type: 'string',
    description: 'Endless server-sent events: `id` is the position of an entry, `data` the entry as JSON.',
  },
};

function accessWords(access: Operation['access']): string {
  if (access.kind === 'open') return 'Open to everybody.';
  if (access.kind === 'signed-in') return 'Open to every signed-in caller.';
  const verb = access.verb === 'save' ? 'add, or for a record that exists to modify,' : access.verb;
  return `Needs the right to ${verb} \`${access.key}\`.`;
}

function successWords(operation: Operation, code: number, samples: readonly string[]): string {
  const words = {
    success: code === 201 ? 'Created.' : code === 202 ? 'Begun.' : operation.result ? 'The answer.' : 'Done.',
    updated: 'The record existed and was updated.',
    dryRun: operation.impact
      ? 'With `dryRun`: the live connections that would change; nothing was changed.'
      : 'With `dryRun`: the resulting record; nothing was changed.',
    compared:
      'With `dryRun`, where there are too many live connections for one request: a background task compares them. Send the same again when it has ended.',
    notJudged: 'Without counts: this write has nothing to do with live connections.',
    instead: `With \`${operation.instead?.parameter}\`: other results, without counts.`,
  };
  return samples.map((sample) => words[sample as keyof typeof words]).join(' ');
}

function successHeaders(operation: Operation, code: number): string[] {
  const isFetch = /\.(fetch|read)$/.test(operation.operationId);
  return [
    'X-Request-Id',
    ...(operation.dryRunResult || isFetch ? ['ETag'] : []),
    ...(code === 200 ? [] : ['Location']),
    ...(operation.listed ? ['Link'] : []),
  ];
}

/** The answer exactly as the service writes it. */
const written = (operation: Operation, answer: Answer): Sample['examples'] => ({
  [json]: { value: JSON.parse(String(writeAnswer(operation, answer, 'json'))) },
  [xml]: { value: String(writeAnswer(operation, answer, 'xml')) },
});

/** What a group shows as the body that creates one is also what its records look like. */
function knownExamples(operations: readonly Operation[]): ExampleValues {
  const known = new Map<string, Readonly<Record<string, unknown>>>();
  for (const operation of operations) {
    const { dryRunResult, example } = operation;
    // Moving a record in the order is rehearsed too, but its body is not the record.
    if (dryRunResult?.name && takesIfMatch(operation) && example)
      known.set(dryRunResult.name, example as Record<string, unknown>);
  }
  return known;
}

/** Parameters are declared once and used by many operations: the same object is the same parameter. */
function parameterUses(operations: readonly Operation[]): ReadonlyMap<QueryParameter, number> {
  const uses = new Map<QueryParameter, number>();
  for (const parameter of operations.flatMap(({ query }) => Object.values(query)))
    uses.set(parameter, (uses.get(parameter) ?? 0) + 1);
  return uses;
}

/** The body as XML, as a client would send it. */
export function xmlRequest(body: Shape, value: unknown): string {
  const content = xmlWriter(withGaps(body))(value);
  const namespace = content.includes('xsi:') ? ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"' : '';
  return `<request${namespace}>${content}</request>`;
}

/** The same shape, where every object may leave properties out: answers may not, bodies may. */
function withGaps(shape: Shape): Shape {
  if (shape.kind === 'list') return { ...shape, item: withGaps(shape.item) };
  if (shape.kind === 'map') return { ...shape, value: withGaps(shape.value) };
  if (shape.kind !== 'object') return shape;
  const properties = Object.entries(shape.properties).map(([name, property]) => [name, withGaps(property)] as const);
  return { ...shape, sparse: true, properties: Object.fromEntries(properties) };
}
