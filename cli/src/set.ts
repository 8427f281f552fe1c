import { readFile } from 'node:fs/promises';
import { faultOfFile } from '@portreeve/server/kernel/values/file-faults.ts';
import { readSecret } from './ask.ts';
import type { Document, Schema } from './document.ts';
import { suggestion } from './nearest.ts';
import { isAccepted, isIdentity, isNullable, isScalar, isSettable, kindOf, takesPassword, wordsFor } from './schema.ts';
import { UsageError } from './usage-error.ts';

export type JsonObject = { [name: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One `name=value`: the steps of the dotted name, and the value typed by the schema. */
export interface Setting {
  steps: readonly string[];
  value: unknown;
}

/** Reads `--set name=value` by the schema: `authPort=1812` is a number, `name=1812` is text. */
export function readSetting(text: string, body: Schema, document: Document): Setting {
  const [name, value] = splitSetting(text, '--set');
  const steps = name.split('.');
  return { steps, value: typed(value, schemaAt(steps, body, document), name, document) };
}

/** Reads `--set-file name=FILE`: the value is the content of the file; with `-` it is prompted for, so that a secret is not in the shell history. */
export async function readSettingFile(text: string, body: Schema, document: Document): Promise<Setting> {
  const [name, file] = splitSetting(text, '--set-file');
  const steps = name.split('.');
  const schema = schemaAt(steps, body, document);
  const value = file === '-' ? await readSecret(`${name}: `) : (await readText(file)).replace(/\r?\n$/, '');
  return { steps, value: typed(value, schema, name, document) };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${faultOfFile(cause)}.`);
  }
}

export function splitSetting(text: string, option: string): [name: string, value: string] {
  const position = text.indexOf('=');
  if (position < 1) throw new UsageError(`${option} takes name=value, not ${JSON.stringify(text)}.`);
  return [text.slice(0, position), text.slice(position + 1)];
}

/** Throws for fields that the service sets: it would ignore them silently. */
export function refuseServiceFields(
  settings: readonly Setting[],
  body: Schema,
  document: Document,
  example?: unknown,
): void {
  const fields = body.properties ?? {};
  for (const { steps } of settings) {
    const name = steps[0]!;
    const field = fields[name];
    if (!field || isAccepted(name, field, example) || isIdentity(field) || takesPassword(field, document)) continue;
    const idField = [`${name}ID`, `${name}Id`].find((candidate) => fields[candidate] && isSettable(fields[candidate]));
    const advice = idField === undefined ? '' : ` Set ${idField} instead.`;
    throw new UsageError(`${name} is set by the service and cannot be changed.${advice}`);
  }
}

/** Returns whether the value of a field with this name must not be printed. */
export const isSecretName = (name: string): boolean =>
  /secret|password|passphrase|key|token|communit|credential|securityString/i.test(name);

/** Returns a setting as typed, without secrets; JSON values are hidden because they may contain some. */
export function shownSetting(text: string): string {
  const [name, value] = splitSetting(text, '--set');
  return isSecretName(name) || /^[[{]/.test(value) ? `${name}=…` : text;
}

/** Returns the schema of a dotted name; throws with a suggestion if a step is unknown. */
export function schemaAt(steps: readonly string[], body: Schema, document: Document): Schema {
  let schema = body;
  for (const [index, step] of steps.entries()) {
    const property = stepInto(schema, step);
    if (!property) {
      const fieldNames = Object.keys(schema.properties ?? {});
      const where = index === 0 ? '' : ` in ${steps.slice(0, index).join('.')}`;
      throw new UsageError(`There is no field ${step}${where}.${suggestion(step, fieldNames)}`);
    }
    schema = document.resolve(property);
  }
  return schema;
}

function stepInto(schema: Schema, step: string): Schema | undefined {
  if (schema.properties && Object.hasOwn(schema.properties, step)) return schema.properties[step];
  if (isObject(schema.additionalProperties)) return schema.additionalProperties as Schema;
  return kindOf(schema) === 'array' && /^\d{1,4}$/.test(step) ? schema.items : undefined;
}

function typed(text: string, schema: Schema, name: string, document: Document): unknown {
  const refuse = (): never => {
    throw new UsageError(`${name} takes ${wordsFor(schema, document)}, not ${JSON.stringify(text)}.`);
  };
  if (text === 'null' && isNullable(schema)) return null;
  switch (kindOf(schema)) {
    case 'integer':
      return /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : refuse();
    case 'number':
      return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : refuse();
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : refuse();
    case 'array':
      return typedList(text, schema, name, document);
    case 'object':
      return text.startsWith('{') ? parsedJson(text, name) : refuse();
    default:
      return chosen(text, schema, name);
  }
}

/** Parses a list: `a,b,c` for scalar items, otherwise JSON. */
function typedList(text: string, schema: Schema, name: string, document: Document): unknown {
  if (text.startsWith('[')) return parsedJson(text, name);
  if (text === '') return [];
  const item = document.resolve(schema.items ?? {});
  if (!isScalar(item)) throw new UsageError(`${name} takes a list as JSON, such as '${name}=[{…}]'.`);
  return text.split(',').map((part) => typed(part, item, name, document));
}

function chosen(text: string, schema: Schema, name: string): string {
  if (!schema.enum || schema.enum.includes(text)) return text;
  const values = schema.enum.filter((value) => typeof value === 'string');
  throw new UsageError(
    `${name} takes one of ${values.join(', ')}, not ${JSON.stringify(text)}.${suggestion(text, values)}`,
  );
}

function parsedJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${name} is not valid JSON: ${(cause as Error).message}.`);
  }
}

/**
 * Applies settings to a record. If only a part of an object or list is set, the rest is taken from `current`:
 * the service replaces whole fields, so a part alone would remove the others.
 */
export function applySettings(record: JsonObject, settings: readonly Setting[], current: JsonObject = {}): JsonObject {
  const result: JsonObject = { ...record };
  for (const { steps, value } of settings) {
    const [first, ...rest] = steps as [string, ...string[]];
    result[first] = rest.length === 0 ? value : withPart(result[first] ?? current[first], rest, value);
  }
  return result;
}

function withPart(container: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(container) || (container === undefined && /^\d+$/.test(step))) {
    const list = [...((container as unknown[] | undefined) ?? [])];
    const index = Number(step);
    if (index > list.length)
      throw new UsageError(`Index ${index} is beyond the end of the list; the next free index is ${list.length}.`);
    list[index] = withPart(list[index], rest, value);
    return list;
  }
  const object = isObject(container) ? container : {};
  // An assignment to `__proto__` would change the prototype.
  return Object.fromEntries([
    ...Object.entries(object).filter(([name]) => name !== step),
    [step, withPart(object[step], rest, value)],
  ]);
}
