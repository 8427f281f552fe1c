import type { SecretBinding } from '../declare/secret-binding.ts';
import type { ListShape, Shape } from '../declare/shape.ts';

/** What stands for a secret wherever one is shown; sent back inside a list or object, it keeps what is stored. */
export const secretMask = '•••';

/** Whether secrets stand somewhere inside: such a field is one JSON cell, with each of them sealed. */
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

/** Given each secret that is not empty, what is stored in its place (if anything), where it stands and what it is bound to. */
type Visit = (text: string, stored: string | undefined, pointer: string, binding: SecretBinding | undefined) => string;

/** The same value with every secret inside it replaced; `stored` is the value it replaces, to find each one's predecessor in. */
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
      // In the declared order, so that two states of a record can be read side by side.
      return mapped(Object.keys(shape.properties), value, (key, entry) =>
        replaceInside(shape.properties[key]!, key, entry, propertyOf(stored, key)),
      );
    default:
      return value;
  }
}

/** As it is shown: that there is a secret, and no more. */
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

/** The stored item with the same key: by its place alone, an item that moved would get the secret of another. */
function storedItemOf({ key }: ListShape, item: unknown, stored: unknown): unknown {
  return Array.isArray(stored) ? stored.find((candidate) => keyOf(key!, candidate) === keyOf(key!, item)) : undefined;
}

/** What tells an item of a list apart; the key is the path to it. */
export const keyOf = (key: string, item: unknown): unknown => key.split('.').reduce(propertyOf, item);
