import type { Shape } from '../declare/shape.ts';
import { invalid } from '../failure.ts';

const idsMax = 500;

/** Returns the shape of comma-separated identities in a query: `id=3,4`. */
export const idListShape = (doc: string) =>
  ({
    kind: 'text',
    max: 8_000,
    pattern: { source: '^[1-9][0-9]{0,15}(,[1-9][0-9]{0,15})*$', words: 'comma-separated identities' },
    example: '1,2',
    doc,
  }) as const satisfies Shape;

/** Returns the identities in a query parameter. */
export function readIdList(text: string, parameter: string): readonly number[] {
  const ids = text.split(',').map(Number);
  const refuse = (why: string) => invalid([{ pointer: `?${parameter}`, message: `${parameter}: ${why}.` }]);
  if (ids.length > idsMax) throw refuse(`contains more than ${idsMax} records`);
  if (new Set(ids).size < ids.length) throw refuse('contains a record twice');
  return ids;
}
