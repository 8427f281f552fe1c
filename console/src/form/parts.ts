import type { InputField } from '../document/group.ts';

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

/** What is absent is nothing. */
export const isSameValue = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
