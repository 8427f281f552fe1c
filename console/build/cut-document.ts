import type { OperationInfo } from '@portreeve/sdk/runtime.ts';
import type { FieldInfo, GroupInfo, GroupOperation, InputField, Reference } from '../src/document/group.ts';
import { InputCutter } from './cut-inputs.ts';

/** The parts of the OpenAPI document that the build reads. */
export interface Document {
  tags: {
    name: string;
    'x-page'?: string;
    'x-group'?: TagGroup;
    /** Further resources under the same tag. */
    'x-more-groups'?: (TagGroup & { title: string })[];
  }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

interface TagGroup {
  name: string;
  kind: GroupInfo['kind'];
  record: string;
  identity?: string;
  label?: string;
  ranked?: boolean;
  sections?: string[];
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  /** Help for forms, where the description is only right for the API. */
  'x-help'?: string;
  format?: string;
  enum?: (string | null)[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  propertyNames?: { enum?: string[] };
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  'x-columns'?: string[];
  'x-words'?: string[];
  'x-list-with'?: InputField['listWith'];
  /** Default of a property within a structured field. */
  default?: unknown;
  'x-field'?: Omit<FieldInfo, 'name' | 'doc' | 'choices' | 'words' | 'nullable'> & {
    default?: unknown;
    immutable?: boolean;
    /** References within the value. */
    references?: ({ path: string } & Reference)[];
  };
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema?: Schema;
}

interface Media {
  schema: Schema;
  example?: Readonly<Record<string, unknown>>;
}

interface DocumentedOperation {
  operationId: string;
  summary: string;
  tags: [string];
  parameters: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, unknown>;
  'x-pattern'?: string;
  'x-external'?: boolean;
  'x-permission'?: { key: string; verb: string };
}

/** Returns the resources of the document with the data that their pages need. Two tags for one record type, such as for hosts, become one resource. */
export function groupsOf(document: Document): GroupInfo[] {
  const operations = allOperations(document);
  const inputs = inputsOf(document);
  const topics = topicsOf(document);
  const groups = new Map<string, GroupInfo>();
  for (const { heading, title, page, tag, lesser } of document.tags.flatMap(groupsOfTag)) {
    const groupOperations = operations
      .filter(({ group, id }) => group === heading && isOperationOf(id, tag.name, lesser))
      .map((operation) => ({ ...operation, ...inputs(operation, tag) }));
    const existingGroup = groups.get(tag.name);
    if (existingGroup) {
      existingGroup.operations.push(...groupOperations);
      continue;
    }
    const { name, kind, record, identity, label, ranked, sections } = tag;
    const schema = document.components.schemas[record] ?? {};
    const fields = Object.entries(schema.properties ?? {}).flatMap(([field, property]) => fieldOf(field, property));
    groups.set(name, {
      name,
      title: titleOf(title),
      doc: schema.description ?? '',
      kind,
      page,
      identity: identity ?? null,
      label: label ?? null,
      ranked: ranked ?? false,
      isFollowed: topics.includes(name),
      table: snakeCase(record),
      sections: sections ?? [],
      columns: schema['x-columns'] ?? fields.slice(0, 8).map((field) => field.name),
      fields,
      operations: groupOperations,
    });
  }
  return [...groups.values()];
}

/** Tags of operations on the caller's account and on the service, which belong to no resource. */
const ownHeadings: readonly string[] = ['Authentication', 'User session and attributes', 'Service'];

/** Returns the operations on the user's own account as a resource without fields. */
export function ownAccountOf(document: Document): GroupInfo {
  const tag: TagGroup = { name: 'own-account', kind: 'collection', record: 'Token', identity: 'id', label: 'name' };
  const inputs = inputsOf(document);
  return {
    name: tag.name,
    title: 'Account',
    doc: '',
    kind: tag.kind,
    page: 'account',
    identity: 'id',
    label: 'name',
    ranked: false,
    isFollowed: false,
    table: '',
    sections: [],
    columns: [],
    fields: [],
    operations: allOperations(document)
      .filter(({ group }) => ownHeadings.includes(group))
      .map((operation) => ({ ...operation, ...inputs(operation, tag) })),
  };
}

/** Converts `UserAccount` to `user_account`, the table name in audit rows. */
const snakeCase = (name: string): string => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();

/** Returns the resources that the change feed of the console reports. */
function topicsOf({ paths }: Document): readonly string[] {
  const { parameters = [] } = paths['/console/api/feed']?.get ?? {};
  const topic = parameters.find(({ name }) => name === 'topic')?.schema;
  return (topic?.items?.enum ?? topic?.enum ?? []).filter((value) => value !== null);
}

interface TaggedGroup {
  heading: string;
  title: string;
  page: string;
  tag: TagGroup;
  /** Names of the resources under the tag, except the first. */
  lesser: readonly string[];
}

/** Returns the resources of a tag that have a menu page. */
function groupsOfTag({
  name,
  'x-page': page,
  'x-group': tag,
  'x-more-groups': moreGroups = [],
}: Document['tags'][number]): TaggedGroup[] {
  if (!tag || page === undefined) return [];
  const lesser = moreGroups.map((group) => group.name);
  return [
    { heading: name, title: name, page, tag, lesser },
    ...moreGroups.map((group) => ({ heading: name, title: group.title, page, tag: group, lesser })),
  ];
}

/** Returns whether an operation belongs to a resource: the further resource that its id starts with, otherwise the first of the tag. */
function isOperationOf(id: string, group: string, lesser: readonly string[]): boolean {
  const owner = lesser.find((name) => id.startsWith(`${name}.`));
  return lesser.includes(group) ? owner === group : owner === undefined;
}

type Inputs = Pick<GroupOperation, 'fields' | 'parameters' | 'fileTypes' | 'bodyIsList'>;

/** Returns a function for the inputs of an operation. */
function inputsOf(document: Document): (operation: OperationInfo, tag: TagGroup) => Inputs {
  const cutter = new InputCutter(document);
  const { schemas, parameters: shared } = document.components;
  return ({ path, method }, { name, record, identity }) => {
    const documented = document.paths[path]![method.toLowerCase()]!;
    const ownReference = { group: name, by: identity ?? 'id' };
    const parameters = cutter.parameterFields(parametersOf(documented, shared), ownReference);
    const content = documented.requestBody?.content ?? {};
    const json = content['application/json'];
    return {
      ...(parameters.length > 0 && { parameters }),
      ...(json && bodyOf(json)),
      ...(!json && documented.requestBody && { fileTypes: Object.keys(content).filter((type) => !isParted(type)) }),
    };
    function bodyOf({ schema, example = {} }: Media): Inputs {
      if (schema.type === 'array') return { bodyIsList: true, fields: [listField(example)] };
      return { fields: cutter.bodyFields(schema, schemas[record] ?? {}, example, ownReference) };
    }
  };
}

/** Excludes multipart types: files are sent as the complete body. */
const isParted = (type: string): boolean => type.startsWith('multipart/');

/** Returns the only field of a body that is a list. */
const listField = (example: unknown): InputField => ({
  name: 'body',
  label: 'Entries',
  kind: 'json',
  doc: '',
  nullable: false,
  required: true,
  example,
});

/** The contract has two tags for hosts, the console shows one resource. */
const titleOf = (title: string): string => title.replace(/^Host record(, more)?$/, 'Host');

function fieldOf(name: string, property: Schema): FieldInfo[] {
  if (!property['x-field']) return [];
  const { references: _inside, ...about } = property['x-field'];
  const choices = property.enum?.filter((value) => value !== null);
  return [
    {
      ...about,
      name,
      doc: property.description ?? '',
      nullable: Array.isArray(property.type) && property.type.includes('null'),
      ...(choices && { choices }),
      ...(property['x-words'] && { words: property['x-words'] }),
    },
  ];
}

/** Returns operations by their ids. */
export function operationsNamed(document: Document, names: readonly string[]): Record<string, OperationInfo> {
  const all = new Map(allOperations(document).map((operation) => [operation.id, operation]));
  return Object.fromEntries(
    names.map((name) => {
      const operation = all.get(name);
      if (!operation) throw new Error(`The document has no operation ${name}.`);
      return [name, operation];
    }),
  );
}

const methods = ['get', 'post', 'put', 'delete'] as const;

function allOperations({ paths, components }: Document): GroupOperation[] {
  return Object.entries(paths).flatMap(([path, byMethod]) =>
    methods.flatMap((method) => {
      const documented = byMethod[method];
      return documented ? [operationOf(method, path, documented, components.parameters)] : [];
    }),
  );
}

const dryRun = 'dryRun';

function operationOf(
  method: (typeof methods)[number],
  path: string,
  operation: DocumentedOperation,
  shared: Record<string, Parameter>,
): GroupOperation {
  const parameters = parametersOf(operation, shared);
  const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const permission = operation['x-permission'];
  return {
    id: operation.operationId,
    method: method.toUpperCase() as OperationInfo['method'],
    path,
    summary: operation.summary,
    group: operation.tags[0],
    query: query.filter((name) => name !== dryRun),
    body: operation.requestBody !== undefined,
    bodyRequired: operation.requestBody?.required ?? false,
    writes: query.includes(dryRun),
    listed: query.includes('start') && query.includes('count'),
    counted: query.includes('start') && query.includes('count'),
    success: Object.keys(operation.responses)
      .map(Number)
      .filter((code) => code >= 200 && code < 300),
    ...(permission && { permission }),
    ...(patternOf(operation) && { pattern: patternOf(operation) }),
    ...(operation['x-external'] && { external: true }),
    ...(parameters.some(({ name }) => name === 'If-Match') && { takesVersion: true }),
  };
}

/** Patterns of operations that have no `x-pattern`, by the end of their id. */
const likePatterns: Readonly<Record<string, string>> = {
  list: 'list',
  fetch: 'fetch',
  'delete-one': 'deleteOne',
  usage: 'usage',
};

const patternOf = ({ operationId, 'x-pattern': pattern }: DocumentedOperation): string | undefined =>
  pattern ?? likePatterns[operationId.slice(operationId.indexOf('.') + 1)];

const parametersOf = ({ parameters }: DocumentedOperation, shared: Record<string, Parameter>): Parameter[] =>
  parameters.map((parameter) => (parameter.$ref ? shared[parameter.$ref.split('/').at(-1)!]! : parameter));
