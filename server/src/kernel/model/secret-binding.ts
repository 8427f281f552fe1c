import { isDeepStrictEqual } from 'node:util';
import type { Field } from '../declare/field.ts';
import { type BoundField, boundPathsOf, pathOf, type SecretBinding } from '../declare/secret-binding.ts';
import type { Shape } from '../declare/shape.ts';
import { holdsSecrets, keyOf, replaceSecrets } from './nested-secrets.ts';

type Values = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, Field>>;

/** One secret of a declaration, a field or a text inside a stored field, with its binding. */
export interface DeclaredSecret {
  path: string;
  binding: SecretBinding | undefined;
}

/** Returns every secret that the records of a declaration store. */
export function secretsOf(fields: Fields): DeclaredSecret[] {
  return Object.entries(fields).flatMap(([name, { access, stored, shape, binding }]) => {
    if (access === 'secret') return [{ path: name, binding }];
    return stored && holdsSecrets(shape) ? secretsInside(shape, name) : [];
  });
}

function secretsInside(shape: Shape, path: string): DeclaredSecret[] {
  switch (shape.kind) {
    case 'text':
      return shape.secret ? [{ path, binding: shape.binding }] : [];
    case 'list':
      return secretsInside(shape.item, `${path}[]`);
    case 'map':
      return secretsInside(shape.value, `${path}{}`);
    case 'object':
      return Object.entries(shape.properties).flatMap(([key, property]) => secretsInside(property, `${path}.${key}`));
    default:
      return [];
  }
}

/** Returns the shape at the path of a bound field; undefined if the record has no such path. */
export function shapeAt(fields: Fields, path: string): Shape | undefined {
  const [name, ...properties] = path.split('.');
  const field = Object.hasOwn(fields, name!) ? fields[name!] : undefined;
  let shape = field && field.access !== 'secret' ? field.shape : undefined;
  for (const property of properties) shape = shape?.kind === 'object' ? shape.properties[property] : undefined;
  return shape;
}

/** Returns the bound fields that differ between two states of a record. */
export function changedBounds(fields: Fields, binding: SecretBinding, before: Values, after: Values): string[] {
  if (!('boundTo' in binding)) return [];
  return binding.boundTo.filter((bound) => widens(fields, bound, before, after)).map(pathOf);
}

const isUnset = (value: unknown): boolean => value === undefined || value === null || value === '' || value === false;

function widens(fields: Fields, bound: BoundField, before: Values, after: Values): boolean {
  const path = pathOf(bound);
  const [previousValue, newValue] = [before, after].map((record) => valueAt(fields, path, record));
  if (isDeepStrictEqual(previousValue, newValue)) return false;
  return typeof bound === 'string' || !isUnset(previousValue);
}

/** Returns the value at a path, without the secrets in it: another secret does not mean another destination. */
function valueAt(fields: Fields, path: string, record: Values): unknown {
  const value = path
    .split('.')
    .reduce<unknown>((parent, key) => (parent as Record<string, unknown> | null | undefined)?.[key] ?? null, record);
  const shape = shapeAt(fields, path);
  if (!shape) return value;
  const bare = replaceSecrets(shape, value, undefined, () => '');
  return shape.kind === 'list' && shape.key && Array.isArray(bare) ? sortedBy(shape.key, bare) : bare;
}

/** Sorts items by their key: a list of keyed items is equal in any order. */
const sortedBy = (key: string, items: readonly unknown[]): unknown[] =>
  items.toSorted((first, second) => String(keyOf(key, first)).localeCompare(String(keyOf(key, second))));

/** Returns the mistake in the declared secrets, as a phrase that follows the name of the declaration. */
export function faultInBindings(fields: Fields): string | undefined {
  for (const { path, binding } of secretsOf(fields)) {
    if (!binding)
      return `does not declare where the secret ${path} is sent; give it boundTo, or unbound with the reason`;
    if ('unbound' in binding && binding.unbound.trim() === '')
      return `declares without a reason that no field decides where the secret ${path} is sent`;
    if ('boundTo' in binding && binding.boundTo.length === 0)
      return `binds the secret ${path} to nothing; declare unbound with the reason`;
    const unknown = boundPathsOf(binding).find((bound) => !shapeAt(fields, bound));
    if (unknown) return `binds the secret ${path} to ${unknown}, which is none of its fields`;
  }
  return undefined;
}
