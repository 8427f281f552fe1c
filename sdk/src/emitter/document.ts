/** The parts of an OpenAPI document that the emitter reads. */
export interface OpenApi {
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  components: { schemas: Readonly<Record<string, Schema>>; parameters: Readonly<Record<string, ApiParameter>> };
}

export interface ApiOperation {
  operationId: string;
  summary: string;
  tags: readonly string[];
  parameters: readonly (ApiParameter | Reference)[];
  requestBody?: { required: boolean; content: Content };
  responses: Readonly<Record<string, ApiResponse | Reference>>;
  'x-permission'?: { key: string; verb: string };
  'x-status-words': readonly string[];
}

export interface ApiParameter {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema: Schema;
  /** Name of a path parameter in the contract, if it differs from the document. */
  'x-name'?: string;
}

interface ApiResponse {
  headers?: Readonly<Record<string, unknown>>;
  content: Content;
}

type Content = Readonly<Record<string, { schema: Schema }>>;

interface Reference {
  $ref: string;
}

export interface Schema {
  $ref?: string;
  description?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
  xml?: { name?: string };
}

/** One operation with all references resolved. */
export interface Described {
  /** Such as `container.list`. */
  id: string;
  method: string;
  path: string;
  operation: ApiOperation;
  inPath: readonly ApiParameter[];
  inQuery: readonly ApiParameter[];
  /** Names of the query parameters that all lists share. */
  shared: readonly string[];
  takes: { dryRun: boolean; idempotencyKey: boolean; ifMatch: boolean; reason: boolean };
  body?: { schema: Schema; required: boolean };
  listed: boolean;
  counted: boolean;
  success: readonly number[];
  /** Schema of an element of `results`, if the operation returns any. */
  result?: Schema;
  /** Returns exactly one record: a read with an ETag. */
  isOne: boolean;
  /** Returns a record only with `dryRun`. */
  isDryRunRecord: boolean;
}

export function describeAll(document: OpenApi): Described[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describe(document, path, method.toUpperCase(), operation)),
  );
}

const json = 'application/json';

/** Query parameters of lists; other operations, such as counts, accept some of them. */
export const listParameters: readonly string[] = [
  'filter',
  'start',
  'count',
  'sortKey',
  'sortDir',
  'after',
  'from',
  'fields',
];

/** Returns the shared declaration of a list parameter. */
export const listParameter = ({ components }: OpenApi, name: string) => components.parameters[`query.${name}`];

function describe(document: OpenApi, path: string, method: string, operation: ApiOperation): Described {
  const parameters = operation.parameters.map((parameter) =>
    '$ref' in parameter ? document.components.parameters[nameOf(parameter.$ref)]! : parameter,
  );
  const has = (name: string) => parameters.some((parameter) => parameter.name === name);
  const successes = Object.entries(operation.responses).filter(
    (entry): entry is [string, ApiResponse] => entry[0] < '300' && !('$ref' in entry[1]),
  );
  const envelopes = successes
    .flatMap(([, { content }]) => content[json]?.schema ?? [])
    .flatMap((schema) => schema.oneOf ?? [schema])
    .map((schema) => (schema.$ref ? document.components.schemas[nameOf(schema.$ref)]! : schema));
  const listed = ['start', 'count', 'after'].every(has);
  const counted = envelopes.some(({ properties }) => properties?.total !== undefined);
  const results = envelopes.flatMap(({ properties }) => properties?.results?.items ?? []);
  // A file body has no type.
  const body = operation.requestBody?.content[json] ? operation.requestBody : undefined;
  const inQuery = parameters.filter((parameter) => parameter.in === 'query' && parameter.name !== 'dryRun');
  return {
    id: operation.operationId,
    method,
    path,
    operation,
    inPath: parameters.filter((parameter) => parameter.in === 'path'),
    inQuery,
    shared: listParameters.filter((name) => inQuery.some((parameter) => parameter === listParameter(document, name))),
    takes: {
      dryRun: has('dryRun'),
      idempotencyKey: has('Idempotency-Key'),
      ifMatch: has('If-Match'),
      reason: has('X-Reason'),
    },
    ...(body && { body: { schema: body.content[json]!.schema, required: body.required } }),
    listed,
    counted,
    success: successes.map(([code]) => Number(code)),
    // A count has the envelope of its list, but never contains records.
    result: counted && !listed ? undefined : results[0],
    isDryRunRecord: results.length > 0 && envelopes.some(({ properties }) => properties?.results === undefined),
    isOne: method === 'GET' && successes.some(([, { headers }]) => headers?.ETag !== undefined),
  };
}

/** Returns the last segment of a reference. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
