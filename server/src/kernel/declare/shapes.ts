import { integerMax, type ObjectShape, type Shape } from './shape.ts';
import type { Typed, ValueOf } from './value-of.ts';

const id = { kind: 'integer', min: 1, max: integerMax } as const;

/** Text that stays one line wherever it is written. */
export const noControlCharacters = {
  source: String.raw`^[^\u0000-\u001f\u007f]+$`,
  words: 'text without control characters',
} as const;

/** The shapes that many groups share; `{ ...shapes.id, doc }` says what one of them means. */
export const shapes = {
  /** The identity of a record. */
  id,
  /** Identities of records, one at least. */
  ids: (max: number) => ({ kind: 'list', item: id, min: 1, max }) as const,
  /** How many there are of something; an identity where 0 means none. */
  count: { kind: 'integer', min: 0, max: integerMax },
  /** A number that stands for a word, counted from the first. */
  code: (words: readonly string[], first = 0) =>
    ({ kind: 'integer', min: first, max: first + words.length - 1, words }) as const,
  text: (max: number) => ({ kind: 'text', max }) as const,
  /** A text that is not empty. */
  word: (max: number) => ({ kind: 'text', min: 1, max }) as const,
} as const;

type More = Readonly<Record<string, Shape>>;

/** Properties in addition to those of another object; where both name one, this one counts. */
export const extended = <S extends ObjectShape, const P extends More, const R extends keyof P & string = never>(
  shape: S,
  more: { name: string; properties: P; required?: readonly R[]; doc?: string },
): ObjectShape &
  Typed<Omit<ValueOf<S>, keyof P> & { [K in R]: ValueOf<P[K]> } & { [K in Exclude<keyof P, R>]?: ValueOf<P[K]> }> => ({
  ...shape,
  ...more,
  properties: { ...shape.properties, ...more.properties },
  ...((shape.required || more.required) && { required: [...(shape.required ?? []), ...(more.required ?? [])] }),
});
