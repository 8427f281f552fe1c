import type { InputField } from '../document/group.ts';

type Parts = Readonly<Record<string, unknown>>;

/** The value of an entry that is JSON; undefined: it is none. */
export function jsonValueOf(entry: string): unknown {
  if (entry.trim() === '') return null;
  try {
    return JSON.parse(entry) as unknown;
  } catch {
    return undefined;
  }
}

/** An object with as little as its form needs: a list that must not be empty has one. */
export function emptyOf({ kind, parts = [] }: Pick<InputField, 'kind' | 'parts'>): unknown {
  const object = Object.fromEntries(
    parts.filter((part) => part.required && part.parts).map((part) => [part.name, emptyOf(part)]),
  );
  return kind === 'list' ? [object] : object;
}

/** A part as it is entered beside the other parts of its value. */
export const partIn = (part: InputField, value: Parts): InputField =>
  isListIn(part, value) ? { ...part, kind: 'list', items: 'text' } : part;

const isListIn = ({ listWith }: InputField, value: Parts): boolean =>
  listWith?.values.includes(String(value[listWith.property])) ?? false;

/** The value with one part changed: what is empty and may not be null is left out, and what becomes a list, or is none any more, follows. */
export function withPart(parts: readonly InputField[], value: Parts, changed: InputField, next: unknown): Parts {
  const { [changed.name]: _before, ...others } = value;
  const after: Parts = next === null && !changed.nullable ? others : { ...value, [changed.name]: next };
  const followers = parts.filter(
    ({ name, listWith }) => listWith?.property === changed.name && (after[name] ?? null) !== null,
  );
  return { ...after, ...Object.fromEntries(followers.map((part) => [part.name, asListOrOne(part, after)])) };
}

function asListOrOne(part: InputField, value: Parts): unknown {
  const own = value[part.name];
  if (isListIn(part, value)) return Array.isArray(own) ? own : [String(own)];
  return Array.isArray(own) && own.length <= 1 ? (own[0] ?? null) : own;
}

/** What is absent is nothing. */
export const isSameValue = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
