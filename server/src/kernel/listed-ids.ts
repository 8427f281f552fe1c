import { invalid } from './failure.ts';
import type { Shape } from './shape.ts';

const idsMax = 500;

/** Identities in a query, with commas between them: `id=3,4`. */
export const listedIdsShape = (doc: string): Shape => ({
  kind: 'text',
  max: 8_000,
  pattern: { source: '^[1-9][0-9]{0,15}(,[1-9][0-9]{0,15})*$', words: 'identities with commas between them' },
  example: '1,2',
  doc,
});

/** The identities that a parameter of a query names. */
export function listedIds(text: string, parameter: string): readonly number[] {
  const ids = text.split(',').map(Number);
  const refuse = (why: string) => invalid([{ pointer: `?${parameter}`, message: `${parameter}: ${why}.` }]);
  if (ids.length > idsMax) throw refuse(`names more than ${idsMax} records`);
  if (new Set(ids).size < ids.length) throw refuse('names a record twice');
  return ids;
}
