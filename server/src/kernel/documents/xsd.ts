import type { Operation } from '../declare/operation.ts';
import type { MapShape, ObjectShape, Shape } from '../declare/shape.ts';
import { integerMax } from '../declare/shape.ts';
import { notFound } from '../failure.ts';
import type { Steps } from '../values/loop-share.ts';
import { macPatterns } from '../values/mac.ts';
import {
  type Direction,
  descriptionOf,
  instantPatterns,
  networkPattern,
  requiredOf,
  twoCalled,
  typeName,
} from './json-schema.ts';
import { statusWordsOf } from './openapi.ts';

/** The W3C XML Schema of the `<request>` and `<response>` of one operation; without its id, the types of all records, in steps. */
export function* xmlSchema(operations: readonly Operation[], operationId?: string): Steps<string> {
  const writer = new TypeWriter();
  const elements: string[] = [];
  if (operationId === undefined) {
    for (const { result, dryRunResult, impact } of operations) {
      for (const shape of [result, dryRunResult, impact]) if (shape) writer.collect(shape);
      yield;
    }
  } else {
    const operation = operations.find((each) => each.operationId === operationId);
    if (!operation) throw notFound('operation', operationId.slice(0, 200));
    if (operation.body) elements.push(writer.request(operation.body));
    elements.push(writer.response(operation));
  }
  const schema = node('xs:schema', { 'xmlns:xs': 'http://www.w3.org/2001/XMLSchema' }, ...elements, ...writer.types());
  return `<?xml version="1.0" encoding="UTF-8"?>\n${schema}\n`;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** An element of the schema document, its children indented. */
function node(tag: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes).map(([name, value]) =>
    value === undefined ? '' : ` ${name}="${escaped(String(value))}"`,
  );
  const start = `<${tag}${written.join('')}`;
  const inner = children.filter((child) => child !== '').join('\n');
  return inner === '' ? `${start}/>` : `${start}>\n${inner.replaceAll(/^/gm, '  ')}\n</${tag}>`;
}

const annotation = (doc: string | undefined): string =>
  doc ? node('xs:annotation', {}, `<xs:documentation>${escaped(doc)}</xs:documentation>`) : '';

/** Above this, processors that unroll a bound grow without need; the service checks it all the same. */
const occursMax = 100;

const count: Shape = { kind: 'integer', min: 0, max: integerMax };

class TypeWriter {
  readonly #types = new Map<string, string>();
  readonly #values = new Map<string, string>();

  /** The named types, in the order of their names. */
  types(): string[] {
    return [...this.#types].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, type]) => type);
  }

  /** Takes in the named types of a shape. */
  collect(shape: Shape): void {
    this.#element('response', shape, 'answer', {}, true);
  }

  request(body: Shape): string {
    return this.#element('request', body, 'input', {}, true);
  }

  response(operation: Operation): string {
    // A schema has one type for an element: where a write answers its own results, they are it, and not those of a dry run.
    const item = operation.result ?? operation.impact ?? operation.dryRunResult;
    const status: Shape = { kind: 'choice', values: ['success', ...statusWordsOf(operation)] };
    const results = item ? this.#element('item', item, 'answer', { minOccurs: 0, maxOccurs: 'unbounded' }, true) : '';
    const envelope = node(
      'xs:sequence',
      {},
      this.#element('status', status, 'answer', {}),
      this.#element('errorMessage', { kind: 'text', max: 100_000, nullable: true }, 'answer', {}),
      // Writes answer them for a dry run only, and failures never.
      node('xs:element', { name: 'results', minOccurs: 0 }, complexType(node('xs:sequence', {}, results))),
      ...(operation.counted || operation.impact
        ? ['filtered', 'total'].map((name) => this.#element(name, count, 'answer', { minOccurs: 0 }))
        : []),
    );
    return node('xs:element', { name: 'response' }, complexType(envelope));
  }

  #element(name: string, shape: Shape, direction: Direction, occurs: Attributes, isRoot = false): string {
    const nillable = shape.nullable ? 'true' : undefined;
    const doc = annotation(descriptionOf(shape));
    if (shape.kind === 'object' && shape.name) {
      const type = this.#named(shape, shape.name, direction, isRoot);
      return node('xs:element', { name, type, ...occurs, nillable }, doc);
    }
    const content = this.#content(shape, direction);
    const single = () => (shape.kind === 'mixed' ? mixedType : simpleType(shape, direction));
    const type = content === undefined ? single() : complexType(content);
    return node('xs:element', { name, ...occurs, nillable }, doc, type);
  }

  #named(shape: ObjectShape, name: string, direction: Direction, isRoot: boolean): string {
    const type = typeName(name, direction, isRoot);
    const written = node('xs:complexType', { name: type }, this.#content(shape, direction)!);
    const known = this.#types.get(type);
    if (known !== undefined && known !== written) throw twoCalled(type);
    this.#types.set(type, written);
    return type;
  }

  /** What stands inside a list, a map or an object; nothing for a single value. */
  #content(shape: Shape, direction: Direction): string | undefined {
    switch (shape.kind) {
      case 'list': {
        const occurs = { minOccurs: shape.min ?? 0, maxOccurs: shape.max > occursMax ? 'unbounded' : shape.max };
        // A value or elements: XML Schema has no type for either.
        const item =
          shape.short && direction === 'input'
            ? node('xs:element', { name: 'item', type: 'xs:anyType', ...occurs })
            : this.#element('item', shape.item, direction, occurs);
        return node('xs:sequence', {}, item);
      }
      case 'map':
        return node('xs:sequence', {}, this.#entry(shape, direction));
      case 'object': {
        const required = new Set(requiredOf(shape, direction));
        const elements = Object.entries(shape.properties).map(([name, property]) =>
          this.#element(name, property, direction, required.has(name) ? {} : { minOccurs: 0 }),
        );
        // Answers keep the declared order; a client may send fields in any.
        return node(direction === 'input' ? 'xs:all' : 'xs:sequence', {}, ...elements);
      }
      default:
        return undefined;
    }
  }

  /** An entry of a map: the value, with the key as an attribute. */
  #entry({ value, keys }: MapShape, direction: Direction): string {
    const key = keys
      ? node('xs:attribute', { name: 'key', use: 'required' }, simpleType({ kind: 'choice', values: keys }, direction))
      : node('xs:attribute', { name: 'key', type: 'xs:string', use: 'required' });
    const content = this.#content(value, direction);
    const type =
      content === undefined
        ? complexType(
            node('xs:simpleContent', {}, node('xs:extension', { base: this.#valueType(value, direction) }, key)),
          )
        : complexType(content, key);
    const nillable = value.nullable ? 'true' : undefined;
    return node('xs:element', { name: 'entry', minOccurs: 0, maxOccurs: 'unbounded', nillable }, type);
  }

  /** An extension needs a type with a name, so the simple values of maps get one. */
  #valueType(value: Shape, direction: Direction): string {
    const written = simpleType(value, direction);
    const name = this.#values.get(written) ?? `EntryValue${this.#values.size + 1}`;
    this.#values.set(written, name);
    this.#types.set(name, written.replace('<xs:simpleType>', `<xs:simpleType name="${name}">`));
    return name;
  }
}

const complexType = (...content: readonly string[]): string => node('xs:complexType', {}, ...content);

/** A text, or elements. */
const mixedType = node(
  'xs:complexType',
  { mixed: 'true' },
  node(
    'xs:sequence',
    {},
    node('xs:element', { name: 'item', type: 'xs:string', minOccurs: 0, maxOccurs: 'unbounded' }),
  ),
);

const restriction = (base: string, ...facets: readonly (readonly [name: string, value: string | number])[]): string =>
  node(
    'xs:simpleType',
    {},
    node('xs:restriction', { base }, ...facets.map(([name, value]) => node(`xs:${name}`, { value }))),
  );

function simpleType(shape: Shape, direction: Direction): string {
  switch (shape.kind) {
    case 'text':
      // Our patterns are of another dialect than XML Schema's: they stand in the OpenAPI document only.
      return restriction('xs:string', ...(shape.min ? [['minLength', shape.min] as const] : []), [
        'maxLength',
        shape.max,
      ]);
    case 'integer':
      return restriction('xs:integer', ['minInclusive', shape.min], ['maxInclusive', shape.max]);
    case 'decimal':
      return restriction('xs:double', ['minInclusive', shape.min], ['maxInclusive', shape.max]);
    case 'flag':
      // xs:boolean alone would also let 0 and 1 pass.
      return restriction('xs:boolean', ['pattern', 'true|false']);
    case 'time': {
      const { zone = 'Z' } = shape;
      if (direction === 'input') return restriction('xs:string', ['pattern', instantPatterns.sent]);
      return restriction(zone === 'Z' ? 'xs:dateTime' : 'xs:string', ['pattern', instantPatterns[zone]]);
    }
    case 'choice':
      return restriction('xs:string', ...shape.values.map((value) => ['enumeration', value] as const));
    case 'address':
      return restriction('xs:string', ['pattern', '[0-9A-Fa-f:.]{2,45}']);
    case 'mac':
      return restriction('xs:string', [
        'pattern',
        `(${direction === 'input' ? macPatterns.sent : macPatterns.written})?`,
      ]);
    case 'network':
      return restriction('xs:string', ['pattern', networkPattern]);
    case 'json':
      return restriction('xs:string', ['maxLength', shape.max]);
    default:
      throw new Error(`a ${shape.kind} is not a single value`);
  }
}
