import { integerMax, type ObjectShape, type Shape } from './shape.ts';
import type { Typed, ValueOf } from './value-of.ts';

const id = { kind: 'integer', min: 1, max: integerMax } as const;

/** Text without line breaks or other control characters. */
export const noControlCharacters = {
  source: String.raw`^[^\u0000-\u001f\u007f]+$`,
  words: 'text without control characters',
} as const;

/** Shapes that many resources share; `{ ...shapes.id, doc }` adds the meaning of a use. */
export const shapes = {
  /** The identity of a record. */
  id,
  /** A non-empty list of identities. */
  ids: (max: number) => ({ kind: 'list', item: id, min: 1, max }) as const,
  /** A count, or an identity where 0 means none. */
  count: { kind: 'integer', min: 0, max: integerMax },
  /** A number with a word for each value, counted from `first`. */
  code: (words: readonly string[], first = 0) =>
    ({ kind: 'integer', min: first, max: first + words.length - 1, words }) as const,
  text: (max: number) => ({ kind: 'text', max }) as const,
  /** A non-empty text. */
  word: (max: number) => ({ kind: 'text', min: 1, max }) as const,
} as const;

type More = Readonly<Record<string, Shape>>;

/** Returns an object shape with further properties, which replace those of the same name. */
export const extended = <S extends ObjectShape, const P extends More, const R extends keyof P & string = never>(
  shape: S,
  extension: { name: string; properties: P; required?: readonly R[]; doc?: string },
): ObjectShape &
  Typed<Omit<ValueOf<S>, keyof P> & { [K in R]: ValueOf<P[K]> } & { [K in Exclude<keyof P, R>]?: ValueOf<P[K]> }> => ({
  ...shape,
  ...extension,
  properties: { ...shape.properties, ...extension.properties },
  ...((shape.required || extension.required) && {
    required: [...(shape.required ?? []), ...(extension.required ?? [])],
  }),
});
