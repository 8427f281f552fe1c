import { type Operation, pathShape } from '../kernel/operation.ts';

/** The path of an operation with this for its parameters; where only some words are a path, the first of them. */
export const pathWith = (operation: Pick<Operation, 'path' | 'pathShapes'>, value: number | string): string =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const shape = pathShape(operation, name);
    return shape.kind === 'choice' ? shape.values[0]! : String(value);
  });
