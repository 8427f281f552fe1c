import { isDeepStrictEqual } from 'node:util';
import type { ListShape, ObjectShape, Shape } from '../declare/shape.ts';
import { macPatterns } from '../values/mac.ts';
import type { ModelFacts } from './field-facts.ts';

export type Json = Record<string, unknown>;

/** What is sent may leave out what is not required; what is answered is complete. */
export type Direction = 'input' | 'answer';

/** How a named shape is called in the documents: inside a body it is not the same type as in an answer. */
export const typeName = (name: string, direction: Direction, isRoot: boolean): string =>
  direction === 'answer' || isRoot || name.endsWith('Input') ? name : `${name}Input`;

export const twoCalled = (name: string) => new Error(`two shapes are both called ${name}`);

/** The spellings of an instant that are written, and the one that is taken from a client. */
export const instantPatterns = {
  Z: '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z',
  '+0000': '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}\\+0000',
  sent: '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+\\-]\\d{2}:?\\d{2})',
} as const;

export const networkPattern = '[0-9A-Fa-f:.]{2,45}/\\d{1,3}';

/** The schemas that have a name, each under it once. */
export class SchemaComponents {
  readonly #schemas = new Map<string, Json>();
  readonly #docs = new Map<string, string>();
  readonly #facts: ModelFacts;

  constructor(facts: ModelFacts) {
    this.#facts = facts;
  }

  /** What else is known of a property. */
  factsOf(owner: ObjectShape, name: string, shape: Shape): Json {
    return this.#facts.ofProperty(owner, name, shape);
  }

  /** Adds a schema, or finds the same one again; a name that already means something else is a mistake of a declaration. */
  add(name: string, schema: Json, doc?: string): Json {
    const known = this.#schemas.get(name);
    if (known && !isDeepStrictEqual(known, schema)) throw twoCalled(name);
    this.#schemas.set(name, schema);
    if (doc && !this.#docs.has(name)) this.#docs.set(name, doc);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** In the order of their names, so that a new group does not move the others. */
  all(): Json {
    const names = [...this.#schemas.keys()].sort();
    return Object.fromEntries(
      names.map((name) => {
        const description = this.#docs.get(name);
        return [name, { ...(description && { description }), ...this.#schemas.get(name) }];
      }),
    );
  }
}

/** The JSON Schema (2020-12) of a shape; named objects in it become components. */
export function schemaOf(shape: Shape, direction: Direction, components: SchemaComponents, isRoot = false): Json {
  if (shape.kind === 'object' && shape.name) {
    const name = typeName(shape.name, direction, isRoot);
    const reference = components.add(name, objectSchema(shape, direction, components), isRoot ? shape.doc : undefined);
    const described = { ...reference, ...(shape.doc && !isRoot && { description: shape.doc }), ...helpOf(shape) };
    return shape.nullable ? { anyOf: [described, { type: 'null' }] } : described;
  }
  const { type, ...rest } = bareSchema(shape, direction, components);
  const description = descriptionOf(shape);
  return {
    type: shape.nullable ? [type, 'null'].flat() : type,
    ...rest,
    ...(description && { description }),
    ...helpOf(shape),
    ...(shape.example !== undefined && { examples: [shape.example] }),
  };
}

const helpOf = ({ help }: Shape): Json => (help === undefined ? {} : { 'x-help': help });

function bareSchema(shape: Shape, direction: Direction, components: SchemaComponents): Json {
  switch (shape.kind) {
    case 'text':
      return {
        type: 'string',
        ...(shape.min && { minLength: shape.min }),
        maxLength: shape.max,
        ...(shape.pattern && { pattern: shape.pattern.source }),
        ...(shape.secret && { format: 'password' }),
      };
    case 'integer':
      return {
        type: 'integer',
        minimum: shape.min,
        maximum: shape.max,
        ...(shape.words && { 'x-words': [...shape.words] }),
      };
    case 'decimal':
      return { type: 'number', minimum: shape.min, maximum: shape.max };
    case 'flag':
      return { type: 'boolean', ...(shape.absent !== undefined && { default: shape.absent }) };
    case 'time': {
      const { zone = 'Z' } = shape;
      // RFC 3339, which the format stands for, has no offset without a colon.
      const format = zone === 'Z' ? { format: 'date-time' } : {};
      return {
        type: 'string',
        ...format,
        pattern: `^${direction === 'input' ? instantPatterns.sent : instantPatterns[zone]}$`,
      };
    }
    case 'choice':
      return { type: 'string', enum: shape.nullable ? [...shape.values, null] : [...shape.values] };
    case 'address':
      return { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] };
    case 'mac':
      return { type: 'string', pattern: `^(${direction === 'input' ? macPatterns.sent : macPatterns.written})?$` };
    case 'network':
      return { type: 'string', pattern: `^${networkPattern}$` };
    case 'mixed':
      return {
        type: ['string', 'number', 'boolean', 'array'],
        maxLength: shape.max,
        items: { type: 'string', maxLength: shape.max, xml: { name: 'item' } },
        maxItems: shape.items,
        xml: { wrapped: true },
        ...(shape.listWith && { 'x-list-with': { ...shape.listWith } }),
      };
    case 'json':
      return { type: ['string', 'number', 'boolean', 'array', 'object'], items: {}, 'x-bytes-max': shape.max };
    case 'list':
      return {
        type: 'array',
        items: { ...itemSchema(shape, direction, components), xml: { name: 'item' } },
        ...(shape.min && { minItems: shape.min }),
        maxItems: shape.max,
        xml: { wrapped: true },
      };
    case 'map':
      return {
        type: 'object',
        additionalProperties: schemaOf(shape.value, direction, components),
        ...(shape.keys && { propertyNames: { enum: [...shape.keys] } }),
        maxProperties: shape.max,
      };
    case 'object':
      return objectSchema(shape, direction, components);
  }
}

function itemSchema({ item, short }: ListShape, direction: Direction, components: SchemaComponents): Json {
  const schema = schemaOf(item, direction, components);
  return short && direction === 'input' ? { anyOf: [schemaOf(short, direction, components), schema] } : schema;
}

function objectSchema(shape: ObjectShape, direction: Direction, components: SchemaComponents): Json {
  const required = requiredOf(shape, direction);
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(shape.properties).map(([name, property]) => [
        name,
        { ...schemaOf(property, direction, components), ...components.factsOf(shape, name, property) },
      ]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...(shape.columns && { 'x-columns': [...shape.columns] }),
  };
}

/** The properties that are always there. */
export function requiredOf(shape: ObjectShape, direction: Direction): readonly string[] {
  if (direction === 'input') return shape.required ?? [];
  return shape.sparse ? [] : Object.keys(shape.properties);
}

/** Description of a shape without its bounds. */
export function descriptionOf(shape: Shape): string | undefined {
  const words = kindWords(shape);
  return [codeWords(shape), shape.doc, words && `Written as ${words}.`].filter(Boolean).join(' ') || undefined;
}

/** `0 unknown, 1 up, 2 down.` */
const codeWords = (shape: Shape): string | undefined =>
  shape.kind === 'integer' && shape.words
    ? `${shape.words.map((word, at) => `${shape.min + at} ${word}`).join(', ')}.`
    : undefined;

function kindWords(shape: Shape): string | undefined {
  switch (shape.kind) {
    case 'text':
      return shape.pattern?.words;
    case 'time':
      return shape.zone === '+0000' ? 'an instant with the offset +0000' : undefined;
    case 'address':
      return 'an IPv4 or IPv6 address';
    case 'mac':
      return 'a MAC address in any notation; empty for none';
    case 'network':
      return 'an IPv4 or IPv6 network, such as 10.20.0.0/16';
    default:
      return undefined;
  }
}
