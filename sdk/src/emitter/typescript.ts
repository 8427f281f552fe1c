import { nameOf, type Schema } from './document.ts';

/** Returns the TypeScript type of a schema. Limits and formats are not part of the type; the service checks them. */
export function typeOf(schema: Schema): string {
  if (schema.$ref) return typeName(nameOf(schema.$ref));
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part)})`).join(' & ');
  // Next to a type, alternatives describe only formats, such as IPv4 and IPv6 addresses.
  if (schema.type === undefined) {
    const alternatives = schema.oneOf ?? schema.anyOf;
    return alternatives ? union(alternatives.map(typeOf)) : 'unknown';
  }
  return union([schema.type].flat().map((type) => ofKind(type, schema)));
}

function ofKind(type: string, schema: Schema): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return listOf(schema);
    case 'object':
      return objectOf(schema);
    default:
      throw new Error(`The document has a schema of type ${type}, which no JSON value is.`);
  }
}

const tupleMax = 4;

function listOf({ items, minItems, maxItems }: Schema): string {
  const item = items ? typeOf(items) : 'never';
  if (minItems !== undefined && minItems === maxItems && minItems <= tupleMax)
    return `[${Array(minItems).fill(item).join(', ')}]`;
  return /^\w+$/.test(item) ? `${item}[]` : `(${item})[]`;
}

function objectOf(schema: Schema): string {
  if (schema.properties) return `{ ${membersOf(schema)} }`;
  const { additionalProperties: value } = schema;
  return `Record<string, ${typeof value === 'object' ? typeOf(value) : 'unknown'}>`;
}

function membersOf({ properties = {}, required = [] }: Schema): string {
  return Object.entries(properties)
    .map(([name, property]) => {
      const mark = required.includes(name) ? '' : '?';
      return `${comment(property.description)}${memberName(name)}${mark}: ${typeOf(property)};\n`;
    })
    .join('');
}

/** Returns the declaration of a component. */
export function declarationOf(name: string, schema: Schema): string {
  return `${comment(schema.description)}export ${declared(name, schema)}\n`;
}

function declared(name: string, schema: Schema): string {
  if (!schema.properties) return `type ${typeName(name)} = ${typeOf(schema)};`;
  // An empty interface would accept any value.
  if (Object.keys(schema.properties).length === 0) return `type ${typeName(name)} = Record<string, never>;`;
  return `interface ${typeName(name)} {\n${membersOf(schema)}}`;
}

export const union = (types: readonly string[]): string => [...new Set(types)].join(' | ') || 'never';

/** Quotes a value as a literal; the formatter selects the kind of quotes. */
export const literal = (value: unknown): string => JSON.stringify(value);

const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));

/** Names that the package or the language already uses. */
const reservedNames: ReadonlySet<string> = new Set([
  ...['Answer', 'AnswerOfOne', 'CallInput', 'Client', 'ClientOptions', 'Fault', 'ListQuery', 'OperationId'],
  ...['OperationInfo', 'Options', 'Portreeve', 'PortreeveError', 'StatusWord'],
  ...['Array', 'Date', 'Error', 'Map', 'Object', 'Promise', 'Record', 'Set', 'String'],
]);

const typeName = (name: string): string => {
  const plain = name.replace(/\W/g, '_');
  return reservedNames.has(plain) ? `${plain}Schema` : plain;
};

/** Converts `delete-by-post` to `deleteByPost`. */
export const camelCase = (name: string): string =>
  name.replace(/[-_.]+(\w)/g, (_, letter: string) => letter.toUpperCase());

export function comment(...paragraphs: (string | undefined)[]): string {
  const lines = paragraphs
    .filter((text) => text !== undefined && text !== '')
    .map((text) => text!.replaceAll('*/', '*\\/'));
  if (lines.length === 0) return '';
  return lines.length === 1 && !lines[0]!.includes('\n')
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines
        .join('\n')
        .split('\n')
        .map((line) => ` * ${line}\n`)
        .join('')} */\n`;
}
