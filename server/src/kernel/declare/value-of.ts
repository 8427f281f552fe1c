import type { ChoiceShape, ListShape, MapShape, ObjectShape, Shape } from './shape.ts';

/** Carries the type of the values of a shape that is made at run time. No value has this property. */
declare const valueType: unique symbol;

/** A shape whose values have a type that its own properties do not show to the compiler. */
export interface Typed<V> {
  readonly [valueType]?: { value: V };
}

/** The type of a value after the kernel has checked a request: an optional property may be absent. */
export type ValueOf<S> = ValueIn<S, 'request'>;

/** The type of a value in a response: every property is present, unless the shape is sparse. */
export type AnswerOf<S> = ValueIn<S, 'answer'>;

type Direction = 'request' | 'answer';

interface Scalars {
  text: string;
  time: string;
  address: string;
  mac: string;
  network: string;
  integer: number;
  decimal: number;
  flag: boolean;
  mixed: string | number | boolean | string[];
  json: unknown;
}

// The conditions contain `kind` because a type with only optional properties does not match an object without any of them.
type ValueIn<S, D extends Direction> = typeof valueType extends keyof S
  ? S extends Typed<infer V>
    ? S extends { nullable: true }
      ? V | null
      : V
    : never
  : Shape extends S
    ? unknown
    : S extends Shape
      ? PresentIn<S, D> | NullOf<S>
      : never;

/** A shape that may or may not be nullable counts as nullable. */
type NullOf<S> = S extends { kind: string; nullable?: false | undefined } ? never : null;

type PresentIn<S extends Shape, D extends Direction> = S['kind'] extends keyof Scalars
  ? Scalars[S['kind']]
  : S extends ChoiceShape
    ? S['values'][number]
    : S extends ListShape
      ? ItemsIn<S, D>
      : S extends MapShape
        ? EntriesIn<S, D>
        : S extends ObjectShape
          ? PropertiesIn<S, D>
          : never;

type ItemsIn<S extends ListShape, D extends Direction> = S extends { short: infer B extends Shape }
  ? D extends 'request'
    ? ValueIn<S['item'], D>[] | ValueIn<B, D>[]
    : ValueIn<S['item'], D>[]
  : ValueIn<S['item'], D>[];

type EntriesIn<S extends MapShape, D extends Direction> = S extends { keys: readonly (infer K extends string)[] }
  ? { [P in K]?: ValueIn<S['value'], D> }
  : Record<string, ValueIn<S['value'], D>>;

type PropertiesIn<S extends ObjectShape, D extends Direction> = string extends keyof S['properties']
  ? Record<string, unknown>
  : D extends 'answer'
    ? S extends { sparse: true }
      ? { -readonly [K in keyof S['properties']]?: ValueIn<S['properties'][K], D> }
      : { -readonly [K in keyof S['properties']]: ValueIn<S['properties'][K], D> }
    : S extends { required: readonly (infer R)[] }
      ? { -readonly [K in keyof S['properties'] & R]: ValueIn<S['properties'][K], D> } & {
          -readonly [K in Exclude<keyof S['properties'], R>]?: ValueIn<S['properties'][K], D>;
        }
      : { -readonly [K in keyof S['properties']]?: ValueIn<S['properties'][K], D> };
