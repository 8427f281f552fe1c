import type { Call, QueryParameter, Uploads } from './operation.ts';
import type { Shape } from './shape.ts';
import type { ValueOf } from './value-of.ts';

type QueryShapes = Readonly<Record<string, QueryParameter>>;
type PathShapes = Readonly<Record<string, Shape>>;

/** The checked list parameters of a call. */
export interface ListParameters {
  filter?: string[];
  start?: number;
  count?: number;
  sortKey?: string;
  sortDir?: 'asc' | 'desc';
  after?: string;
}

type ParameterOf<Q extends QueryParameter> = Q extends { family: string }
  ? { name: string; value: ValueOf<Q['shape']> }[]
  : Q extends { many: true }
    ? ValueOf<Q['shape']>[]
    : ValueOf<Q['shape']>;

/** The query of a call: parameters that are not required may be absent. */
type QueryOf<Q extends QueryShapes> = {
  readonly [K in keyof Q as Q[K] extends { required: true } ? K : never]: ParameterOf<Q[K]>;
} & { readonly [K in keyof Q as Q[K] extends { required: true } ? never : K]?: ParameterOf<Q[K]> };

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** Path parameters other than `{id}`: text, unless a shape is declared. */
type ParametersOf<Path extends string, P extends PathShapes> = {
  readonly [K in Exclude<NamesIn<Path>, 'id'>]: K extends keyof P ? ValueOf<P[K]> : string;
};

/**
 * The source of a call's types: the shapes that an operation declares, whether it takes list parameters, and whether its body is
 * optional.
 */
export interface CallTypes {
  path: string;
  query: QueryShapes;
  pathShapes: PathShapes;
  body: Shape | undefined;
  bodyOptional: boolean;
  listed: boolean;
  uploads: Uploads | undefined;
}

/** The call of an operation that takes `T`. */
export type CallOf<T extends CallTypes> = Call<
  T['body'] extends Shape
    ?
        | ValueOf<T['body']>
        | (T['bodyOptional'] extends true
            ? undefined
            : T['uploads'] extends { asBody: true }
              ? never
              : T['uploads'] extends Uploads
                ? undefined
                : never)
    : undefined,
  QueryOf<T['query']> & (T['listed'] extends true ? Readonly<ListParameters> : unknown),
  ParametersOf<T['path'], T['pathShapes']>
>;
