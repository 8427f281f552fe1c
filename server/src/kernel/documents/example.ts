import type { ObjectShape, Shape } from '../declare/shape.ts';
import { secretMask } from '../model/nested-secrets.ts';
import { type Direction, requiredOf } from './json-schema.ts';

/** Values of fields by the name of their object: what a declaration shows as its example is also what its records show. */
export type ExampleValues = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** A value that fits a shape: the declared example, or a plausible one within its bounds. `name` is that of the field it stands in. */
export function exampleOf(shape: Shape, direction: Direction, known: ExampleValues, name = 'value'): unknown {
  if (shape.example !== undefined) return shape.example;
  if (shape.nullable) return null;
  switch (shape.kind) {
    case 'text':
      return shape.secret && direction === 'answer' ? secretMask : textExample(shape, name);
    case 'integer':
    case 'decimal':
      return Math.max(shape.min, Math.min(shape.max, 1));
    case 'flag':
      return false;
    case 'time':
      return `2026-01-31T08:15:30.123${shape.zone ?? 'Z'}`;
    case 'choice':
      return shape.values[0];
    case 'address':
      return '192.0.2.10';
    case 'mac':
      return '00:1A:2B:3C:4D:5E';
    case 'network':
      return '192.0.2.0/24';
    case 'mixed':
      return '1';
    case 'json':
      return {};
    case 'list': {
      const length = Math.min(shape.max, Math.max(shape.min ?? 0, direction === 'answer' ? 1 : 0));
      return Array.from({ length }, () => exampleOf(shape.item, direction, known, name));
    }
    case 'map':
      return direction === 'answer' && shape.max > 0
        ? { [shape.keys?.[0] ?? 'key']: exampleOf(shape.value, direction, known, 'value') }
        : {};
    case 'object':
      return objectExample(shape, direction, known);
  }
}

function objectExample(shape: ObjectShape, direction: Direction, known: ExampleValues): Record<string, unknown> {
  const shown = (shape.name && known.get(shape.name)) || {};
  const names = direction === 'answer' ? Object.keys(shape.properties) : requiredOf(shape, 'input');
  return Object.fromEntries(
    names.map((name) => [name, completed(shape.properties[name]!, shown[name], direction, known, name)]),
  );
}

/** A declared value with what a client may leave out of it, and an answer never does. */
function completed(shape: Shape, value: unknown, direction: Direction, known: ExampleValues, name: string): unknown {
  if (value === undefined || value === null) return exampleOf(shape, direction, known, name);
  const each = (of: Readonly<Record<string, unknown>>, shapeOf: (key: string) => Shape) =>
    Object.fromEntries(Object.keys(of).map((key) => [key, completed(shapeOf(key), of[key], direction, known, key)]));
  switch (shape.kind) {
    case 'list':
      return (value as unknown[]).map((item) => completed(shape.item, item, direction, known, name));
    case 'map':
      return each(value as Record<string, unknown>, () => shape.value);
    case 'object': {
      const whole = direction === 'answer' ? objectExample(shape, direction, known) : {};
      return { ...(whole as object), ...each(value as Record<string, unknown>, (key) => shape.properties[key]!) };
    }
    default:
      return value;
  }
}

/** The field's name in words: `domainName` → `domain name`. */
function textExample(shape: Extract<Shape, { kind: 'text' }>, name: string): string {
  // A text that fits any expression of ours cannot be guessed.
  if (shape.pattern) throw new Error(`the field ${name} has a pattern; give its shape an example`);
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.slice(0, shape.max).padEnd(shape.min ?? 0, '.');
}
