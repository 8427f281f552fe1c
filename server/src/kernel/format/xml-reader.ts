import { SaxesParser, type SaxesTagNS } from 'saxes';
import type { Shape } from '../declare/shape.ts';
import { invalid } from '../failure.ts';
import { exactNumber, numberRange, readJson } from './json-reader.ts';
import { faultInText, quoted, shortened } from './text.ts';

const depthMax = 32;
const elementsMax = 200_000;
const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance';

/** An element that is open. */
interface Open {
  name: string;
  /** Its place in the value: property, index or key. */
  key: string;
  shape: Shape;
  /** The shape of the short form that it may have as text. */
  short: Shape | undefined;
  isNil: boolean;
  /** The values of its children, for an object, a list or a map. */
  children: Record<string, unknown> | unknown[] | undefined;
  text: string;
}

/** Reads an XML document into the value of the equivalent JSON; the shape defines the type of each element. */
export function readXml(text: string, shape: Shape): unknown {
  // The parser refuses every other character that `faultInText` reports, but accepts any character as the second half
  // of a surrogate pair.
  if (!text.isWellFormed()) throw invalid(`The XML contains ${faultInText(text)}, which is not accepted in text.`);
  const parser = newParser();
  const open: Open[] = [];
  let elements = 0;
  let result: unknown;

  /** Throws for an error in the open element, or in a child of it. */
  function fail(what: string, child?: string): never {
    const keys = open.slice(1).map(({ key }) => key);
    if (child !== undefined) keys.push(shortened(child));
    const pointer = keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    const place = `line ${parser.line}, column ${Math.max(1, parser.columnIndex)}`;
    throw invalid([{ pointer, message: `The XML is invalid at ${place}: ${what}.` }]);
  }

  /** Returns the path of the open element. */
  const path = () => open.map(({ name }) => name).join('/');

  /** Returns the key and shape of a child of the open element; throws if it may not have this child. */
  function childOf(
    parent: Open,
    { local: name, attributes }: SaxesTagNS,
  ): { key: string; shape: Shape; short?: Shape | undefined } {
    const tag = () => `<${shortened(name)}>`;
    if (parent.isNil) fail(`${path()} is nil and must be empty, but contains ${tag()}`);
    if (parent.short && parent.text !== '')
      fail(`${path()} contains a value, so it cannot contain elements such as ${tag()}`);
    switch (parent.shape.kind) {
      case 'object': {
        const { properties } = parent.shape;
        if (!Object.hasOwn(properties, name))
          fail(`${path()} has no element ${tag()}; remove it or correct its name`, name);
        if (Object.hasOwn(parent.children!, name)) fail(`${path()}/${name} appears twice; send it once`, name);
        return { key: name, shape: properties[name]! };
      }
      case 'list': {
        if (name !== 'item') fail(`${path()} is a list of <item> elements, but contains ${tag()}`);
        const { item, short } = parent.shape;
        return { key: String((parent.children as unknown[]).length), shape: item, short };
      }
      case 'map': {
        if (name !== 'entry') fail(`${path()} is a map of <entry key="…"> elements, but contains ${tag()}`);
        const key = attributes.key?.value;
        if (key === undefined) return fail(`an <entry> of ${path()} needs the attribute key`);
        if (key === '__proto__') fail(`the key "__proto__" of ${path()} is not accepted`, key);
        if (Object.hasOwn(parent.children!, key))
          fail(`the key ${quoted(key)} of ${path()} appears twice; send it once`, key);
        return { key, shape: parent.shape.value };
      }
      case 'mixed': {
        if (name !== 'item') fail(`${path()} is a value or a list of <item> elements, but contains ${tag()}`);
        if (parent.text.trim() !== '') fail(`${path()} contains a value, so it cannot contain <item> elements`);
        parent.children ??= [];
        return { key: String((parent.children as unknown[]).length), shape: { kind: 'text', max: parent.shape.max } };
      }
      default:
        return fail(`${path()} is a single value, so it cannot contain elements such as ${tag()}`);
    }
  }

  /** Refuses unknown attributes, and returns whether the element is nil. */
  function readNil(tag: SaxesTagNS, isEntry: boolean): boolean {
    let isNil = false;
    for (const { name, prefix, local, uri, value } of Object.values(tag.attributes)) {
      if (name === 'xmlns' || prefix === 'xmlns' || (isEntry && name === 'key')) continue;
      if (uri !== instanceNamespace || local !== 'nil')
        fail(`the attribute ${shortened(name)} of ${path()} is unknown; remove it`);
      if (!/^(?:true|false|1|0)$/.test(value)) fail(`the attribute ${name} of ${path()} must be true or false`);
      isNil = value === 'true' || value === '1';
    }
    return isNil;
  }

  parser.on('error', (error) => fail(shortened(error.message.replace(/^[\d:]+ /, '').replace(/\.$/, ''))));
  parser.on('doctype', () => fail('a DOCTYPE is not accepted; remove it'));
  parser.on('processinginstruction', ({ target }) =>
    fail(`the processing instruction ${quoted(target)} is not accepted; remove it`),
  );
  parser.on('xmldecl', ({ version, encoding = 'utf-8' }) => {
    if (version !== '1.0') fail(`the version must be 1.0, not ${quoted(String(version))}`);
    if (encoding.toLowerCase() !== 'utf-8') fail(`the encoding must be UTF-8, not ${quoted(encoding)}`);
  });

  parser.on('opentag', (tag) => {
    if (++elements > elementsMax) fail(`it has more than ${elementsMax} elements; send less at once`);
    if (open.length === depthMax) fail(`it is nested deeper than ${depthMax} levels`);
    const parent = open.at(-1);
    if (!parent && tag.local !== 'request') fail(`the root element must be <request>, not <${shortened(tag.name)}>`);
    const { key, shape: elementShape, short } = parent ? childOf(parent, tag) : { key: '', shape };
    const children =
      elementShape.kind === 'list'
        ? []
        : elementShape.kind === 'object' || elementShape.kind === 'map'
          ? {}
          : undefined;
    const element: Open = { name: tag.local, key, shape: elementShape, short, isNil: false, children, text: '' };
    open.push(element);
    element.isNil = readNil(tag, parent?.shape.kind === 'map');
  });

  function onText(piece: string): void {
    const element = open.at(-1);
    // Outside the root the parser accepts only white space.
    if (!element) return;
    const isShort = element.short !== undefined && Object.keys(element.children ?? {}).length === 0;
    if (element.children === undefined || (isShort && piece.trim() !== '')) element.text += piece;
    else if (/[^ \t\r\n]/.test(piece))
      fail(`${path()} contains elements, so it cannot contain text such as ${quoted(piece.trim())}`);
  }
  parser.on('text', onText);
  parser.on('cdata', onText);

  parser.on('closetag', () => {
    const element = open.at(-1)!;
    const value = finished(element);
    open.pop();
    const children = open.at(-1)?.children;
    if (children === undefined) result = value;
    else if (Array.isArray(children)) children.push(value);
    else children[element.key] = value;
  });

  function finished(element: Open): unknown {
    const {
      shape: { kind },
      short,
      isNil,
      children,
      text,
    } = element;
    if (short && text !== '') return finished({ ...element, shape: short, short: undefined });
    if (isNil) return text === '' ? null : fail(`${path()} is nil and must be empty, but contains ${quoted(text)}`);
    if (kind === 'time' && text === '') fail(`${path()} is empty, but must be a time`);
    if (kind === 'json') return readJson(text);
    const lexical = lexicals[kind];
    if (!lexical) return children ?? text;
    const token = lexical.pattern.exec(text)?.[1];
    if (token === undefined) return fail(`${path()} contains ${quoted(text)}, but must be ${lexical.words}`);
    if (kind === 'flag') return token === 'true';
    return exactNumber(token) ?? fail(`${path()} contains ${quoted(token)}, which is ${numberRange}`);
  }

  parser.write(text).close();
  return result;
}

function newParser() {
  const parser = new SaxesParser({ xmlns: true, forceXMLVersion: true, defaultXMLVersion: '1.0' });
  // The parser's own table inherits from Object.prototype, which has a `constructor`: `&constructor;` would be
  // accepted.
  parser.ENTITIES = Object.assign(Object.create(null), { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" });
  // `on` adds these by a computed name, which makes V8 store so large an object as a hash table: reading would take
  // three times as long.
  const slots = parser as unknown as Record<string, undefined>;
  slots.errorHandler = undefined;
  slots.doctypeHandler = undefined;
  slots.piHandler = undefined;
  slots.xmldeclHandler = undefined;
  slots.openTagHandler = undefined;
  slots.textHandler = undefined;
  slots.cdataHandler = undefined;
  slots.closeTagHandler = undefined;
  return parser;
}

/**
 * Notations of the types other than text, as in XML Schema: white space around them is ignored, a plus sign and leading
 * zeros are allowed.
 */
const lexicals: { readonly [kind in Shape['kind']]?: { pattern: RegExp; words: string } } = {
  integer: { pattern: /^[ \t\r\n]*([+-]?\d+)[ \t\r\n]*$/, words: 'an integer' },
  decimal: { pattern: /^[ \t\r\n]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)[ \t\r\n]*$/, words: 'a number' },
  flag: { pattern: /^[ \t\r\n]*(true|false)[ \t\r\n]*$/, words: 'true or false' },
};
