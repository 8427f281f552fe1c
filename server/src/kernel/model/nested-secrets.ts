import type { SecretBinding } from '../declare/secret-binding.ts';
import type { ListShape, Shape } from '../declare/shape.ts';

/** Shown in place of every secret; sent back inside a list or object, it keeps the stored secret. */
export const secretMask = '•••';

/** True if the shape contains secrets: such a field is one JSON cell, in which each secret is encrypted. */
export function holdsSecrets(shape: Shape): boolean {
  switch (shape.kind) {
    case 'text':
      return shape.secret === true;
    case 'list':
      return holdsSecrets(shape.item);
    case 'map':
      return holdsSecrets(shape.value);
    case 'object':
      return Object.values(shape.properties).some(holdsSecrets);
    default:
      return false;
  }
}

/**
 * Called for each secret that is not empty, with the stored text (if any), the position and the binding; returns the
 * text to use instead.
 */
type Visit = (text: string, stored: string | undefined, pointer: string, binding: SecretBinding | undefined) => string;

/**
 * Returns the value with every secret in it replaced; `stored` is the previous value, in which the stored text of each
 * secret is found.
 */
export function replaceSecrets(shape: Shape, value: unknown, stored: unknown, visit: Visit, pointer = ''): unknown {
  if (value === null || value === undefined || !holdsSecrets(shape)) return value;
  const replaceInside = (inner: Shape, key: string | number, innerValue: unknown, previousValue: unknown) =>
    replaceSecrets(inner, innerValue, previousValue, visit, `${pointer}/${key}`);
  switch (shape.kind) {
    case 'text':
      return value === ''
        ? ''
        : visit(String(value), typeof stored === 'string' ? stored : undefined, pointer, shape.binding);
    case 'list':
      return (value as unknown[]).map((item, index) =>
        replaceInside(shape.item, index, item, storedItemOf(shape, item, stored)),
      );
    case 'map':
      return mapped(Object.keys(value), value, (key, entry) =>
        replaceInside(shape.value, key, entry, propertyOf(stored, key)),
      );
    case 'object':
      // In the declared order, so that two states of a record can be compared side by side.
      return mapped(Object.keys(shape.properties), value, (key, entry) =>
        replaceInside(shape.properties[key]!, key, entry, propertyOf(stored, key)),
      );
    default:
      return value;
  }
}

/** Returns the value with masks in place of its secrets. */
export const maskSecrets = (shape: Shape, value: unknown): unknown =>
  replaceSecrets(shape, value, undefined, () => secretMask);

const propertyOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;

const mapped = (keys: readonly string[], value: unknown, transform: (key: string, entry: unknown) => unknown): object =>
  Object.fromEntries(
    keys
      .filter((key) => Object.hasOwn(value as object, key))
      .map((key) => [key, transform(key, propertyOf(value, key))]),
  );

/**
 * Returns the stored item with the same key: by its index alone, an item that moved would get the secret of another
 * one.
 */
function storedItemOf({ key }: ListShape, item: unknown, stored: unknown): unknown {
  return Array.isArray(stored) ? stored.find((candidate) => keyOf(key!, candidate) === keyOf(key!, item)) : undefined;
}

/** Returns what identifies an item of a list; `key` is the path to it. */
export const keyOf = (key: string, item: unknown): unknown => key.split('.').reduce(propertyOf, item);
