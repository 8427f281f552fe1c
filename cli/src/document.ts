import { readFileSync } from 'node:fs';

/** The part of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  required?: readonly string[];
  'x-columns'?: readonly string[];
  /** Meaning of each value of a number, from its minimum. */
  'x-words'?: readonly string[];
  /** Attributes of a field of a record. */
  'x-field'?: FieldFacts;
  items?: Schema;
  enum?: readonly unknown[];
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

interface FieldFacts {
  access: 'write' | 'readOnly' | 'computed' | 'observed' | 'secret';
  /** Required on create. */
  required?: boolean;
  reference?: { group: string; by: 'id' | 'name' };
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  required?: boolean;
  schema: Schema;
  'x-name'?: string;
}

interface Content {
  content?: Readonly<Record<string, { schema: Schema; example?: unknown }>>;
}

interface DocumentedOperation {
  description?: string;
  parameters?: readonly (Parameter | { $ref: string })[];
  requestBody?: Content;
  responses: Readonly<Record<string, Content>>;
}

interface OpenApi {
  info: { version: string };
  paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  components: { schemas: Readonly<Record<string, Schema>>; parameters: Readonly<Record<string, Parameter>> };
}

/** Path and method of an operation. */
export interface Place {
  method: string;
  path: string;
}

const json = 'application/json';

/** The OpenAPI document of the service: parameters, bodies and results of its operations, and the meaning of each field. */
export class Document {
  readonly #openApi: OpenApi;

  constructor(openApi: unknown) {
    this.#openApi = openApi as OpenApi;
  }

  get version(): string {
    return this.#openApi.info.version;
  }

  has(place: Place): boolean {
    return this.#find(place) !== undefined;
  }

  /** Returns the required permission as a sentence. */
  access(place: Place): string {
    return this.#find(place)?.description ?? '';
  }

  parameters(place: Place): Parameter[] {
    return (this.#find(place)?.parameters ?? []).map((parameter) =>
      '$ref' in parameter ? this.#openApi.components.parameters[nameIn(parameter.$ref)]! : parameter,
    );
  }

  /** Returns what the contract calls a path parameter: paths that differ only in such names share one in the document. */
  spellingOf(place: Place, name: string): string {
    const parameter = this.parameters(place).find((candidate) => candidate.in === 'path' && candidate.name === name);
    return parameter?.['x-name'] ?? name;
  }

  /** Returns path parameters, other than the id, whose value is a field of the record, such as the type of a group. */
  pathFields(place: Place, record: Schema | undefined): Map<string, string> {
    const words = (schema: Schema) => schema.enum && JSON.stringify(schema.enum);
    const fields = Object.entries(record?.properties ?? {}).map(([name, schema]) => [
      name,
      words(this.resolve(schema)),
    ]);
    return new Map(
      this.parameters(place)
        .filter(({ in: where, schema }) => where === 'path' && schema.enum)
        .flatMap(({ name, schema }) =>
          fields.filter(([, fieldValues]) => fieldValues === words(schema)).map(([field]) => [name, field!]),
        ),
    );
  }

  body(place: Place): Schema | undefined {
    const schema = this.#find(place)?.requestBody?.content?.[json]?.schema;
    return schema && this.resolve(schema);
  }

  example(place: Place): unknown {
    return this.#find(place)?.requestBody?.content?.[json]?.example;
  }

  /** Returns the schema of an element of `results`; undefined if the operation returns none, or only in a dry run. */
  result(place: Place): Schema | undefined {
    const responses = this.#find(place)?.responses ?? {};
    for (const code of ['200', '201', '202']) {
      const schema = responses[code]?.content?.[json]?.schema;
      for (const alternative of schema?.oneOf ?? (schema ? [schema] : [])) {
        const items = this.resolve(alternative).properties?.results?.items;
        if (items) return this.resolve(items);
      }
    }
    return undefined;
  }

  /** Resolves a reference; keywords next to the reference take precedence. */
  resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const { $ref, ...keywords } = schema;
    return { ...this.resolve(this.#openApi.components.schemas[nameIn($ref)] ?? {}), ...keywords };
  }

  #find({ path, method }: Place): DocumentedOperation | undefined {
    return this.#openApi.paths[path]?.[method.toLowerCase()];
  }
}

const nameIn = (reference: string): string => reference.split('/').at(-1)!;

let shipped: Document | undefined;

/** Returns the document of this release; loaded on first use, because `serve` does not need it. */
export function shippedDocument(): Document {
  shipped ??= new Document(JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')));
  return shipped;
}
