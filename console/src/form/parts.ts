import type { InputField } from '../document/group.ts';

type Parts = Readonly<Record<string, unknown>>;

/** Parses a JSON entry; null if it is empty, undefined if it is invalid. */
export function jsonValueOf(entry: string): unknown {
  if (entry.trim() === '') return null;
  try {
    return JSON.parse(entry) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the smallest object for a form: required lists have one entry. */
export function emptyOf({ kind, parts = [] }: Pick<InputField, 'kind' | 'parts'>): unknown {
  const object = Object.fromEntries(
    parts.filter((part) => part.required && part.parts).map((part) => [part.name, emptyOf(part)]),
  );
  return kind === 'list' ? [object] : object;
}

/** Returns the input of a property; other properties can make it a list. */
export const partIn = (part: InputField, value: Parts): InputField =>
  isListIn(part, value) ? { ...part, kind: 'list', items: 'text' } : part;

const isListIn = ({ listWith }: InputField, value: Parts): boolean =>
  listWith?.values.includes(String(value[listWith.property])) ?? false;

/** Changes one property. Null is omitted if the property is not nullable, and dependent properties are converted to or from a list. */
export function withPart(parts: readonly InputField[], value: Parts, changed: InputField, newValue: unknown): Parts {
  const { [changed.name]: _before, ...otherParts } = value;
  const after: Parts = newValue === null && !changed.nullable ? otherParts : { ...value, [changed.name]: newValue };
  const followers = parts.filter(
    ({ name, listWith }) => listWith?.property === changed.name && (after[name] ?? null) !== null,
  );
  return { ...after, ...Object.fromEntries(followers.map((part) => [part.name, asListOrOne(part, after)])) };
}

function asListOrOne(part: InputField, value: Parts): unknown {
  const partValue = value[part.name];
  if (isListIn(part, value)) return Array.isArray(partValue) ? partValue : [String(partValue)];
  return Array.isArray(partValue) && partValue.length <= 1 ? (partValue[0] ?? null) : partValue;
}

/** Compares two values; absent equals null. */
export const isSameValue = (first: unknown, second: unknown): boolean =>
  JSON.stringify(first ?? null) === JSON.stringify(second ?? null);
