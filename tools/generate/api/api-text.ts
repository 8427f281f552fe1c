import {
  type ApiContent,
  type ApiDocument,
  type ApiGroup,
  type ApiOperation,
  type ApiParameter,
  type ApiSchema,
  type ApiTag,
  referencedName,
} from './api-document.ts';
import { type Names, typeText } from './type-text.ts';

/**
 * The API as texts that a person reviews: a file a group, a line an operation and a line a field. They are checked in instead of the
 * OpenAPI document, whose diff is fifteen times as long. `compare-api.ts` reads them again.
 */

const json = 'application/json';

/** The file of what several groups use. */
const sharedFile = 'shared';

/** Between the parts of a line. Within a part there is one space at most. */
export const gap = '  ';

/** Returns the text of each group by the name of its file. */
export function apiTexts(document: ApiDocument): Readonly<Record<string, string>> {
  const writer = new ApiWriter(document);
  return Object.fromEntries(
    [...writer.lines()].map(([file, { title, operations, fields }]) => [
      file,
      `# ${title}\n\n${operations.length > 0 ? `${operations.join('\n')}\n\n` : ''}${fields.join('\n')}`.trimEnd() +
        '\n',
    ]),
  );
}

interface FileLines {
  title: string;
  operations: string[];
  fields: string[];
}

interface Uses {
  groups: Set<string>;
  isSent: boolean;
  isReturned: boolean;
}

const fileOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

const isEnvelope = (schema: ApiSchema): boolean => schema.xml?.name === 'response';

class ApiWriter {
  readonly #document: ApiDocument;
  readonly #operations: readonly (readonly [method: string, path: string, operation: ApiOperation])[];
  readonly #uses = new Map<string, Uses>();
  readonly #names: Names;
  readonly #everywhere: readonly string[];
  /** The group of each stored record. */
  readonly #homes: ReadonlyMap<string, string>;

  constructor(document: ApiDocument) {
    this.#document = document;
    this.#names = {
      nameOf: (component) => recordName(component, document.components.schemas),
      groups: new Set(document.tags.flatMap(groupsOf).map(({ name }) => name)),
    };
    this.#operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [method.toUpperCase(), path, operation] as const),
    );
    this.#homes = new Map(
      document.tags.flatMap((tag) => groupsOf(tag).map(({ record }) => [record, tag.name] as const)),
    );
    const words = this.#operations.map(([, , operation]) => new Set(operation['x-status-words']));
    this.#everywhere = [...(words[0] ?? [])].filter((word) =>
      words.every((operationWords) => operationWords.has(word)),
    );
    for (const [, , operation] of this.#operations) this.#recordUses(operation);
  }

  lines(): ReadonlyMap<string, FileLines> {
    const files = new Map<string, FileLines>();
    const file = (title: string): FileLines => {
      const lines = files.get(fileOf(title)) ?? { title, operations: [], fields: [] };
      files.set(fileOf(title), lines);
      return lines;
    };
    for (const [method, path, operation] of this.#operations) {
      const { operations, fields } = file(operation.tags[0]!);
      operations.push(this.#operationLine(method, path, operation));
      fields.push(...this.#operationFields(operation));
    }
    const shared = file(sharedFile);
    shared.title = 'What several groups use';
    if (this.#everywhere.length > 0) shared.operations.push(['every operation', refuses(this.#everywhere)].join(gap));
    for (const [key, parameter] of Object.entries(this.#document.components.parameters))
      shared.fields.push(this.#parameterLine(key.replace('.', '?'), parameter));
    for (const name of Object.keys(this.#document.components.schemas).sort()) {
      const uses = this.#uses.get(name);
      if (!uses || isEnvelope(this.#document.components.schemas[name]!)) continue;
      const groups = this.#groupsOf(name);
      file(groups.length > 1 ? sharedFile : groups[0]!).fields.push(...this.#componentLines(name));
    }
    return files;
  }

  #operationLine(method: string, path: string, operation: ApiOperation): string {
    const { 'x-permission': permission, 'x-access': access, 'x-status-words': words } = operation;
    const shared = operation.parameters.flatMap((parameter) =>
      '$ref' in parameter ? [referencedName(parameter.$ref).split('.').slice(1).join('.')] : [],
    );
    const pathNames = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    const parameters = shared.filter((name) => !pathNames.has(name));
    const ownWords = words.filter((word) => !this.#everywhere.includes(word));
    const body = operation.requestBody;
    return [
      operation.operationId,
      `${method} ${path.replace(/^\/api\/v2/, '')}`,
      permission ? `${permission.verb} ${permission.key}` : access!,
      ...(body ? [`body ${this.#bodyText(body.content)}${body.required ? '' : ' optional'}`] : []),
      ...(parameters.length > 0 ? [`takes ${parameters.join(' ')}`] : []),
      `returns ${this.#returnsText(operation)}`,
      ...(ownWords.length > 0 ? [refuses(ownWords)] : []),
    ].join(gap);
  }

  #bodyText(content: ApiContent): string {
    const files = Object.keys(content).filter((type) => !/\/(json|xml)$/.test(type));
    const schema = content[json]?.schema;
    return [...(schema ? [typeText(schema, this.#names)] : []), ...files].join(' or ');
  }

  #returnsText({ responses }: ApiOperation): string {
    return Object.entries(responses)
      .filter(([code]) => code < '300')
      .map(([code, { content = {} }]) => {
        const results = this.#resultsIn(content).map((schema) => typeText(schema, this.#names));
        const streams = Object.keys(content).filter((type) => !/\/(json|xml)$/.test(type));
        return [code, ...new Set([...results, ...streams])].join(' ');
      })
      .join(', ');
  }

  /** What the elements of `results` are, in each form of the response. */
  #resultsIn(content: ApiContent): ApiSchema[] {
    const schema = content[json]?.schema;
    return (schema?.oneOf ?? (schema ? [schema] : []))
      .map((variant) => this.#resolved(variant))
      .flatMap(({ properties }) => properties?.results?.items ?? []);
  }

  #resolved(schema: ApiSchema): ApiSchema {
    return schema.$ref === undefined ? schema : this.#document.components.schemas[referencedName(schema.$ref)]!;
  }

  /** Fields that only this operation has: parameters of its own, and bodies and results without a name. */
  #operationFields(operation: ApiOperation): string[] {
    const id = operation.operationId;
    const parameters = operation.parameters.filter((parameter): parameter is ApiParameter => !('$ref' in parameter));
    const body = operation.requestBody?.content[json]?.schema;
    const results = Object.values(operation.responses).flatMap(({ content = {} }) => this.#resultsIn(content));
    return [
      ...parameters.map((parameter) => this.#parameterLine(`${id}?${parameter.name}`, parameter)),
      ...(body ? this.#innerLines(`${id} body`, body, 'sent') : []),
      ...new Set(results.flatMap((schema) => this.#innerLines(`${id} result`, schema, 'returned'))),
    ];
  }

  #parameterLine(key: string, { schema, required }: ApiParameter): string {
    return [key, typeText(schema, this.#names), `sent${required ? ' required' : ''}`].join(gap);
  }

  #componentLines(name: string): string[] {
    const { schemas } = this.#document.components;
    const schema = schemas[name]!;
    const uses = this.#uses.get(name)!;
    const base = this.#names.nameOf(name);
    const twin = schemas[base === name ? `${name}Input` : base];
    const properties = Object.entries(schema.properties ?? {});
    if (properties.length === 0) return [[name, typeText(schema, this.#names), directionText(uses)].join(gap)];
    const model = base === name ? this.#modelOf(name) : undefined;
    const like = new Set(model === undefined ? [] : this.#equalProperties(name, model));
    const headline = model ? [this.#likeLine(name, model, directionText(uses))] : [];
    const lines = properties.flatMap(([property, type]) => {
      if (like.has(property)) return [];
      const text = typeText(type, this.#names);
      const twinType = twin?.properties?.[property];
      const isBoth = twinType !== undefined && typeText(twinType, this.#names) === text;
      // A field that is sent as it is returned has one line, at the record.
      if (isBoth && base !== name) return [];
      const sides = isBoth ? { isSent: true, isReturned: true } : uses;
      const isRequired = (isBoth ? twin : schema)?.required?.includes(property) === true;
      const words = this.#isRecord(base) ? fieldText(type, sides) : undefined;
      const line = [
        `${name}.${property}`,
        text,
        ...(words ?? [`${directionText(sides)}${isRequired && sides.isSent ? ' required' : ''}`]),
      ].join(gap);
      return [line, ...this.#innerLines(`${name}.${property}`, type, directionText(sides))];
    });
    return [...headline, ...lines];
  }

  #likeLine(name: string, model: string, direction: string): string {
    const properties = this.#document.components.schemas[name]!.properties!;
    const absent = Object.keys(this.#document.components.schemas[model]!.properties!).filter(
      (property) => !Object.hasOwn(properties, property),
    );
    return [name, `like ${model}`, direction, ...(absent.length > 0 ? [`without ${absent.join(' ')}`] : [])].join(gap);
  }

  /** The stored record that a component repeats, such as the record in an entry of its feed: one change of a field is one line. */
  #modelOf(name: string): string | undefined {
    if (this.#homes.has(name)) return undefined;
    const { schemas } = this.#document.components;
    return [...this.#homes.keys()].find((record) => {
      const count = Object.keys(schemas[record]?.properties ?? {}).length;
      return count > 0 && this.#equalProperties(name, record).length > count * 0.8;
    });
  }

  /** The properties that two components share, with the same type and without an obligation to send them. */
  #equalProperties(name: string, model: string): string[] {
    const { schemas } = this.#document.components;
    const { properties = {}, required = [] } = schemas[name]!;
    const isSent = this.#uses.get(name)?.isSent === true;
    return Object.entries(properties)
      .filter(([property, type]) => {
        const modelType = schemas[model]?.properties?.[property];
        if (!modelType || (isSent && required.includes(property))) return false;
        return typeText(type, this.#names) === typeText(modelType, this.#names);
      })
      .map(([property]) => property);
  }

  /** Whether the component is what a group stores: only there the facts of a field hold in full. */
  #isRecord(name: string): boolean {
    const properties = Object.values(this.#document.components.schemas[name]?.properties ?? {});
    return properties.length > 0 && properties.every((property) => property['x-field'] !== undefined);
  }

  /** The fields of an object without a name inside of a value. */
  #innerLines(key: string, schema: ApiSchema, direction: string): string[] {
    if (schema.items) return this.#innerLines(`${key}[]`, schema.items, direction);
    if (typeof schema.additionalProperties === 'object')
      return this.#innerLines(`${key}{}`, schema.additionalProperties, direction);
    return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
      const isRequired = direction !== 'returned' && schema.required?.includes(name);
      const path = `${key}.${name}`;
      const line = [path, typeText(property, this.#names), `${direction}${isRequired ? ' required' : ''}`].join(gap);
      return [line, ...this.#innerLines(path, property, direction)];
    });
  }

  #groupsOf(name: string): string[] {
    const base = this.#names.nameOf(name);
    const home = this.#homes.get(base);
    if (home !== undefined) return [home];
    const uses = [this.#uses.get(base), this.#uses.get(`${base}Input`)];
    return [...new Set(uses.flatMap((use) => [...(use?.groups ?? [])]))];
  }

  #recordUses(operation: ApiOperation): void {
    const group = operation.tags[0]!;
    const sentSchemas = [
      ...Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema),
      ...operation.parameters.map((parameter) => ('$ref' in parameter ? undefined : parameter.schema)),
    ];
    const returnedSchemas = Object.entries(operation.responses)
      .filter(([code]) => code < '300')
      .flatMap(([, { content = {} }]) => Object.values(content).map(({ schema }) => schema));
    for (const schema of sentSchemas) this.#visit(schema, group, 'isSent');
    for (const schema of returnedSchemas) this.#visit(schema, group, 'isReturned');
  }

  #visit(schema: ApiSchema | undefined, group: string, side: 'isSent' | 'isReturned'): void {
    if (!schema) return;
    if (schema.$ref !== undefined) {
      const name = referencedName(schema.$ref);
      const uses = this.#uses.get(name) ?? { groups: new Set(), isSent: false, isReturned: false };
      if (uses[side] && uses.groups.has(group)) return;
      uses.groups.add(group);
      uses[side] = true;
      this.#uses.set(name, uses);
      this.#visit(this.#document.components.schemas[name], group, side);
      return;
    }
    const inner = [
      ...Object.values(schema.properties ?? {}),
      ...Object.values(schema.patternProperties ?? {}),
      ...[schema.items, typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined],
      ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])],
    ];
    for (const innerSchema of inner) this.#visit(innerSchema, group, side);
  }
}

/** The groups of the contract that stand under one heading. */
const groupsOf = ({ 'x-group': group, 'x-more-groups': moreGroups = [] }: ApiTag): readonly ApiGroup[] => [
  ...(group ? [group] : []),
  ...moreGroups,
];

const refuses = (words: readonly string[]): string => `refuses ${words.join(' ')}`;

/** A record inside a body has a type of its own in the document; in the texts both have one name. */
const recordName = (component: string, schemas: ApiDocument['components']['schemas']): string => {
  const base = component.replace(/Input$/, '');
  return base !== component && schemas[base] ? base : component;
};

const directionText = ({ isSent, isReturned }: Pick<Uses, 'isSent' | 'isReturned'>): string =>
  isSent && isReturned ? 'both' : isSent ? 'sent' : 'returned';

/** Access, default and queries of a field; nothing where the schema states none. */
function fieldText(
  { 'x-field': field }: ApiSchema,
  sides: Pick<Uses, 'isSent' | 'isReturned'>,
): readonly string[] | undefined {
  if (!field) return undefined;
  const { access, required, immutable, reference } = field;
  const isSentOnly = access === 'write' && !sides.isReturned;
  const words = [isSentOnly ? 'sent' : access, ...(required ? ['required'] : []), ...(immutable ? ['immutable'] : [])];
  const queries = (['filter', 'sort', 'search'] as const).filter((word) => field[word]);
  return [
    words.join(' '),
    ...(field.default === undefined ? [] : [`default ${JSON.stringify(field.default).replaceAll(gap, ' \\u0020')}`]),
    ...(reference ? [`names ${reference.group} by ${reference.by}`] : []),
    ...(queries.length > 0 ? [queries.join(' ')] : []),
  ];
}
