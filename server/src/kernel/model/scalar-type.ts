import type { Shape } from '../declare/shape.ts';

/**
 * Returns the SQL type in which single values of a shape are compared and sorted; undefined for lists, maps and
 * objects.
 */
export function scalarType(shape: Shape): string | undefined {
  switch (shape.kind) {
    case 'text':
    case 'mac':
    case 'choice':
      return 'text';
    case 'integer':
      return 'bigint';
    case 'decimal':
      return 'double precision';
    case 'flag':
      return 'boolean';
    case 'time':
      return 'timestamptz';
    case 'address':
    case 'network':
      return 'inet';
    default:
      return undefined;
  }
}
