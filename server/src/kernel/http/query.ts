import type { Operation, QueryParameter } from '../declare/operation.ts';
import type { ChoiceShape, Shape } from '../declare/shape.ts';
import { type Fault, invalid } from '../failure.ts';
import { checkValue, isPlainObject } from '../format/check-value.ts';
import { shortened } from '../format/text.ts';
import { nearest } from '../values/nearest.ts';

const pairsMax = 100;

/** Splits the query string into pairs; an invalid percent-encoding is a fault. */
export function readPairs(search: string): [string, string][] {
  if (search === '') return [];
  const pairs = search.split('&').filter((pair) => pair !== '');
  if (pairs.length > pairsMax)
    throw invalid(`The query has ${pairs.length} parameters; at most ${pairsMax} are allowed.`);
  return pairs.map((pair) => {
    const equals = pair.indexOf('=');
    const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    return [decoded(name), decoded(value)];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid(`The query contains ${JSON.stringify(text.slice(0, 40))}, which is not percent-encoded UTF-8.`);
  }
}

/** Reads query parameters by their shapes. Unknown parameters, and repeated ones that take one value, are faults. */
export function readQuery(
  operation: Pick<Operation, 'query' | 'writes'>,
  search: string,
  mayComeAsBody = false,
): Record<string, unknown> {
  const faults: Fault[] = [];
  const values: Record<string, unknown> = {};
  const declaredParameters: Record<string, QueryParameter> = {
    ...operation.query,
    ...(operation.writes && dryRunParameter),
  };
  for (const [name, text] of readPairs(search)) {
    const member = memberOf(declaredParameters, name);
    if (member) {
      const value = readParameter(declaredParameters[member.family]!.shape, text, name, faults);
      values[member.family] = [
        ...((values[member.family] as unknown[] | undefined) ?? []),
        { name: member.word, value },
      ];
      continue;
    }
    const parameter =
      Object.hasOwn(declaredParameters, name) && !declaredParameters[name]!.family
        ? declaredParameters[name]
        : undefined;
    const shown = shortened(name);
    const fault = (message: string) => faults.push({ pointer: `?${shown}`, message: `${shown}: ${message}.` });
    if (!parameter) {
      const near = nearest(name, Object.keys(declaredParameters));
      faults.push({
        pointer: `?${shown}`,
        message: `${shown}: there is no such parameter; ${near ? `did you mean ${near}?` : `this operation takes ${namesOf(declaredParameters) || 'none'}.`}`,
      });
    } else if (parameter.many)
      values[name] = [
        ...((values[name] as unknown[] | undefined) ?? []),
        readParameter(parameter.shape, text, name, faults),
      ];
    else if (Object.hasOwn(values, name)) fault('is given twice');
    else values[name] = readParameter(parameter.shape, text, name, faults);
  }
  for (const [name, parameter] of Object.entries(declaredParameters)) {
    if (parameter.required && !mayComeAsBody && !Object.hasOwn(values, name))
      faults.push({ pointer: `?${name}`, message: `${name}: this parameter is required.` });
  }
  if (faults.length > 0) throw invalid(faults);
  return values;
}

/** Splits the name of a parameter that belongs to a family, such as `radius.NAS-Port-Type`. */
function memberOf(
  declaredParameters: Readonly<Record<string, QueryParameter>>,
  name: string,
): { family: string; word: string } | undefined {
  const dot = name.indexOf('.');
  const family = name.slice(0, Math.max(dot, 0));
  const word = name.slice(dot + 1);
  const pattern = Object.hasOwn(declaredParameters, family) ? declaredParameters[family]!.family : undefined;
  return pattern !== undefined && new RegExp(`^${pattern}$`).test(word) ? { family, word } : undefined;
}

const namesOf = (declaredParameters: Readonly<Record<string, QueryParameter>>): string =>
  Object.entries(declaredParameters)
    .map(([name, { family }]) => (family ? `${name}.<name>` : name))
    .join(', ');

const dryRunParameter: Readonly<Record<string, QueryParameter>> = { dryRun: { shape: { kind: 'flag' } } };

/**
 * Converts the text of a parameter to a number or flag, and checks it. Only path and query are text; bodies are not
 * converted.
 */
function readParameter(shape: Shape, text: string, name: string, faults: Fault[]): unknown {
  const value = coerced(shape, text);
  const inner: Fault[] = [];
  const checked = checkValue(shape, value, `/${name}`, inner);
  faults.push(...inner.map((fault) => ({ ...fault, pointer: `?${name}` })));
  return checked;
}

function coerced(shape: Shape, text: string): unknown {
  if (shape.kind === 'integer' && /^-?\d{1,16}$/.test(text)) return Number(text);
  if (shape.kind === 'flag' && (text === 'true' || text === 'false')) return text === 'true';
  if (shape.kind === 'choice') return inAnyCase(shape, text);
  return text;
}

/** Returns the choice with its own letter case: choices in parameters, such as `sortDir`, are case-insensitive. */
const inAnyCase = (shape: ChoiceShape, text: string): string =>
  shape.values.find((value) => value.toLowerCase() === text.toLowerCase()) ?? text;

/** Corrects the letter case of choices in the list parameters of a GET body, which have their types already. */
export function readListBody(operation: Operation, body: unknown): unknown {
  if (!isPlainObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const shape = Object.hasOwn(operation.query, name) ? operation.query[name]!.shape : undefined;
      return [name, shape?.kind === 'choice' && typeof value === 'string' ? inAnyCase(shape, value) : value];
    }),
  );
}
