import { instantPatterns, networkPattern } from '@portreeve/server/kernel/documents/json-schema.ts';
import { macPatterns } from '@portreeve/server/kernel/values/mac.ts';
import { type ApiSchema, referencedName } from './api-document.ts';

/** Patterns that stand for a type of value. Both directions have the same name: clients may send more spellings than they receive. */
const namedPatterns = new Map<string, string>([
  ...Object.values(instantPatterns).map((pattern) => [`^${pattern}$`, 'time'] as const),
  ...Object.values(macPatterns).map((pattern) => [`^(${pattern})?$`, 'mac'] as const),
  [`^${networkPattern}$`, 'network'],
]);

/** The names in a document. */
export interface Names {
  /** Returns how a component is called in the texts. */
  nameOf(component: string): string;
  /** The groups: a choice among many of them is written as such, so that a new group changes no line of another. */
  groups: ReadonlySet<string>;
}

const manyGroups = 10;

/** Writes the type of a value and its bounds in words, such as `text 1..60` or `list ..50 of integer 1..`. */
export function typeText(schema: ApiSchema, names: Names): string {
  const isNullable = typesOf(schema).includes('null') || (schema.anyOf ?? []).some(({ type }) => type === 'null');
  return `${bareText(schema, names)}${isNullable ? ' | null' : ''}`;
}

const typesOf = ({ type }: ApiSchema): readonly string[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : type;

function bareText(schema: ApiSchema, names: Names): string {
  if (schema.$ref !== undefined) return names.nameOf(referencedName(schema.$ref));
  if (schema.const !== undefined) return `choice ${String(schema.const)}`;
  if (schema.enum) return choiceText(schema.enum, names);
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.length > 1) return mixedText(schema);
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(({ type }) => type !== 'null');
  if (types.length === 0)
    return variants.length === 0 ? 'anything' : variants.map((variant) => typeText(variant, names)).join(' or ');
  if (variants.some(({ format }) => format === 'ipv4')) return 'address';
  return simpleText(types[0]!, schema, names);
}

function choiceText(values: readonly unknown[], { groups }: Names): string {
  const choices = values.filter((value) => value !== null);
  const isOfGroups = choices.length >= manyGroups && choices.every((value) => groups.has(String(value)));
  return isOfGroups ? 'choice (a group)' : `choice ${choices.join('|')}`;
}

const mixedText = ({ maxLength, maxItems, 'x-bytes-max': bytesMax }: ApiSchema): string =>
  bytesMax === undefined ? `mixed ..${maxLength} list ..${maxItems}` : `json ..${bytesMax}`;

function simpleText(type: string, schema: ApiSchema, names: Names): string {
  switch (type) {
    case 'boolean':
      return 'flag';
    case 'integer':
      return `integer ${range(schema.minimum, schema.maximum)}${wordsText(schema)}`;
    case 'number':
      return `number ${range(schema.minimum, schema.maximum)}`;
    case 'array':
      return `list ${range(schema.minItems, schema.maxItems)} of ${typeText(schema.items ?? {}, names)}`;
    case 'object':
      return objectText(schema, names);
    case 'string':
      return stringText(schema);
    default:
      throw new Error(`the texts of the API have no word for the type ${type}`);
  }
}

const wordsText = ({ 'x-words': words }: ApiSchema): string => (words ? ` (${words.join('|')})` : '');

function objectText(schema: ApiSchema, names: Names): string {
  const [family] = Object.entries(schema.patternProperties ?? {});
  if (family) return `family ${family[0]} of ${typeText(family[1], names)}`;
  if (typeof schema.additionalProperties !== 'object') return 'object';
  const keys = schema.propertyNames?.enum;
  const bounds = range(undefined, schema.maxProperties);
  return `map ${bounds}${keys ? ` with ${keys.join('|')}` : ''} of ${typeText(schema.additionalProperties, names)}`;
}

function stringText({ format, pattern, minLength, maxLength }: ApiSchema): string {
  const patternName = pattern === undefined ? undefined : namedPatterns.get(pattern);
  if (patternName) return patternName;
  const isSecret = format === 'password';
  const words = [
    isSecret ? 'secret' : format === 'binary' ? 'file' : 'text',
    minLength === undefined && maxLength === undefined ? '' : range(minLength, maxLength),
    pattern === undefined ? '' : `/${pattern}/`,
  ];
  return words.filter((word) => word !== '').join(' ');
}

/** A bound that is as good as none is left out. */
const range = (min: number | undefined, max: number | undefined): string =>
  `${min ?? ''}..${max === undefined || max === Number.MAX_SAFE_INTEGER ? '' : max}`;
