import { SaxesParser } from 'saxes';

/** What a table of the specification says a field holds. `free`: an object that the specification does not show. */
type Kind = 'integer' | 'string' | 'boolean' | 'timestamp' | 'free' | SeedTable | readonly [each: Kind];

/** A table of the specification, typed by hand from its text and in its order. */
export interface SeedTable {
  readonly [name: string]: Kind;
}

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const isList = (kind: Kind): kind is readonly [each: Kind] => Array.isArray(kind);

/** Everything in which a value differs from its table: other fields, another order, another type, null. */
export function seedDifferences(value: unknown, kind: Kind, at = 'record'): string[] {
  const wrong = (isWrong: boolean, wanted: string) =>
    isWrong ? [`${at} should be ${wanted}, and is ${JSON.stringify(value)}`] : [];
  if (isList(kind))
    return Array.isArray(value)
      ? value.flatMap((item, index) => seedDifferences(item, kind[0], `${at}[${index}]`))
      : wrong(true, 'a list');
  if (typeof kind === 'object') {
    if (typeof value !== 'object' || value === null) return wrong(true, 'an object');
    const [wanted, found] = [Object.keys(kind), Object.keys(value)];
    return [
      ...(wanted.join() === found.join() ? [] : [`${at} should have ${wanted}, in this order, and has ${found}`]),
      ...found.flatMap((name) =>
        name in kind ? seedDifferences((value as Record<string, unknown>)[name], kind[name]!, `${at}.${name}`) : [],
      ),
    ];
  }
  switch (kind) {
    case 'integer':
      return wrong(!Number.isSafeInteger(value), 'an integer');
    case 'timestamp':
      return wrong(!instant.test(String(value)), 'an instant with Z');
    case 'free':
      return wrong(typeof value !== 'object' || value === null, 'an object');
    default:
      return wrong(typeof value !== kind, `a ${kind}`);
  }
}

interface Element {
  name: string;
  children: Element[];
  text: string;
}

function parsed(xml: string): Element {
  const root: Element = { name: '', children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    const element = { name, children: [], text: '' };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('text', (piece) => {
    open.at(-1)!.text += piece;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return root.children[0]!;
}

/** The records of an XML answer by their table; what cannot be read as its type stays text, and shows as a difference. */
export function recordsInXml(xml: string, table: SeedTable): unknown[] {
  const results = parsed(xml).children.find(({ name }) => name === 'results')!;
  return meaning(results, [table]) as unknown[];
}

function meaning(element: Element, kind: Kind): unknown {
  if (isList(kind)) return element.children.map((item) => meaning(item, kind[0]));
  if (typeof kind === 'object' || kind === 'free') {
    const table = kind === 'free' ? {} : kind;
    return Object.fromEntries(
      element.children.map((child) => [child.name, meaning(child, table[child.name] ?? 'string')]),
    );
  }
  if (kind === 'integer' && /^-?\d+$/.test(element.text)) return Number(element.text);
  if (kind === 'boolean' && /^(true|false)$/.test(element.text)) return element.text === 'true';
  return element.text;
}

/** `auditObjectType`, which several records carry. */
export const auditObjectTypeTable: SeedTable = {
  auditTableName: 'string',
  dbTableName: 'string',
  idnameQuery: 'string',
};
