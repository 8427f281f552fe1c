import { type SaxesAttributeNS, SaxesParser } from 'saxes';
import type { Kind, Table } from './tables.ts';

export const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance';

const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const containerInstantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+0000$/;

/** Returns the differences between a value and its table as sentences: fields, order, types, null. */
export function tableDifferences(value: unknown, table: Table, path = 'answer'): string[] {
  if (!isObject(value)) return [`${path} should be an object, and is ${show(value)}`];
  const names = table.map(([name]) => name);
  const actualNames = Object.keys(value);
  const fields =
    actualNames.join() === names.join()
      ? []
      : [`${path} should have the fields ${names}, in this order, and has ${actualNames}`];
  return [
    ...fields,
    ...table.flatMap(([name, kind, nullable]) =>
      name in value ? differences(value[name], kind, nullable !== undefined, `${path}.${name}`) : [],
    ),
  ];
}

function differences(value: unknown, kind: Kind, nullable: boolean, path: string): string[] {
  const is = (fits: boolean, expected: string) =>
    fits ? [] : [`${path} should be ${expected}, and is ${show(value)}`];
  if (value === null) return is(nullable, 'no null');
  if (typeof kind === 'object' && 'arrayOf' in kind) {
    if (!Array.isArray(value)) return is(false, 'an array');
    return value.flatMap((item, index) => differences(item, kind.arrayOf, false, `${path}[${index}]`));
  }
  if (typeof kind === 'object') return tableDifferences(value, kind.object, path);
  switch (kind) {
    case 'integer':
      return is(Number.isSafeInteger(value), 'an integer');
    case 'decimal':
      return is(typeof value === 'number', 'a number');
    case 'string':
      return is(typeof value === 'string', 'a string');
    case 'boolean':
      return is(typeof value === 'boolean', 'a boolean');
    case 'timestamp':
      return is(typeof value === 'string' && instantPattern.test(value), 'an instant with Z');
    case 'container timestamp':
      return is(typeof value === 'string' && containerInstantPattern.test(value), 'an instant with +0000');
    case 'unknown':
      return is(value !== undefined, 'there');
    case 'ours':
      return is(isObject(value), 'an object');
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const show = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'absent';

/**
 * Returns the value of an XML response by its table. A text that cannot be read as its type stays a text and shows as a
 * difference.
 */
export function readXml(xml: string, table: Table): unknown {
  const root = parseXml(xml);
  return root.name === 'response' ? meaningOf(root, { object: table }) : misplaced(root, 'response');
}

/** An element of the parsed XML, without types. */
interface Element {
  name: string;
  isNil: boolean;
  children: Element[];
  text: string;
}

function parseXml(text: string): Element {
  const parser = new SaxesParser({ xmlns: true });
  const open: Element[] = [];
  let root: Element | undefined;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const isNil = (attribute: SaxesAttributeNS) =>
      attribute.uri === instanceNamespace && attribute.local === 'nil' && attribute.value === 'true';
    const element = { name, isNil: Object.values(attributes).some(isNil), children: [], text: '' };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('text', (piece) => {
    const element = open.at(-1);
    if (element) element.text += piece;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  return root!;
}

function meaningOf(element: Element, kind: Kind): unknown {
  if (element.isNil) return null;
  if (typeof kind === 'object' && 'arrayOf' in kind) {
    const wrong = element.children.find(({ name }) => name !== 'item');
    return wrong ? misplaced(wrong, 'item') : element.children.map((item) => meaningOf(item, kind.arrayOf));
  }
  if (typeof kind === 'object')
    return fieldsOf(element, new Map(kind.object.map(([name, fieldKind]) => [name, fieldKind])));
  if (kind === 'ours' || (kind === 'unknown' && element.children.length > 0)) return fieldsOf(element, new Map());
  if (kind === 'integer') return /^-?\d+$/.test(element.text) ? Number(element.text) : element.text;
  if (kind === 'decimal') return /^-?\d+(\.\d+)?$/.test(element.text) ? Number(element.text) : element.text;
  if (kind === 'boolean') return { true: true, false: false }[element.text] ?? element.text;
  return element.text;
}

const fieldsOf = ({ children }: Element, kinds: ReadonlyMap<string, Kind>): Record<string, unknown> =>
  Object.fromEntries(children.map((child) => [child.name, meaningOf(child, kinds.get(child.name) ?? 'unknown')]));

const misplaced = ({ name }: Element, expectedName: string): string => `<${name}> in place of <${expectedName}>`;
