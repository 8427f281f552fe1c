import type { CallOf, CallTypes } from './call-of.ts';
import { type Answer, commonErrors, type Operation, type Uploads } from './operation.ts';
import type { Shape } from './shape.ts';

type Needed = Pick<Operation, 'operationId' | 'method' | 'summary'>;

/** An operation that is not made from a declaration. The types of its call follow from its shapes. */
interface Extra<T extends CallTypes>
  extends Needed,
    Partial<Omit<Operation, 'group' | 'run' | keyof Needed | keyof CallTypes>> {
  path: T['path'];
  query?: T['query'];
  pathShapes?: T['pathShapes'];
  body?: T['body'];
  bodyOptional?: T['bodyOptional'];
  listed?: T['listed'];
  uploads?: T['uploads'];
  run(call: CallOf<T>): Promise<Answer>;
}

/** Returns a function that makes operations of a resource without a declaration, below a path. */
export function extraOperations(group: string, below = '') {
  function make<
    const Path extends string,
    const Query extends CallTypes['query'] = Record<never, never>,
    const Paths extends CallTypes['pathShapes'] = Record<never, never>,
    const Body extends Shape | undefined = undefined,
    const Optional extends boolean = false,
    const Listed extends boolean = false,
    const Files extends Uploads | undefined = undefined,
  >(
    extra: Extra<{
      path: Path;
      query: Query;
      pathShapes: Paths;
      body: Body;
      bodyOptional: Optional;
      listed: Listed;
      uploads: Files;
    }>,
  ): Operation;
  function make(extra: Pick<Operation, keyof Needed | 'path' | 'run'> & Partial<Operation>): Operation {
    return {
      access: { kind: 'signed-in' },
      query: {},
      writes: extra.method !== 'GET',
      success: 200,
      ...extra,
      group,
      path: `${below}${extra.path}`,
      errors: [...commonErrors, ...(extra.errors ?? [])],
    };
  }
  return make;
}
