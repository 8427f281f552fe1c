import { isLog } from '../../declare/declaration.ts';
import type { ObjectShape } from '../../declare/shape.ts';
import { shapes } from '../../declare/shapes.ts';
import { invalid } from '../../failure.ts';
import { removeLogRows } from '../../log/remove.ts';
import { distinctIds } from '../../write/runtime.ts';
import { type Draft, expected, type PatternOf } from './pattern.ts';

const idsMax = 5_000;

export const idList = {
  kind: 'object',
  name: 'IdList',
  properties: {
    id: { ...shapes.ids(idsMax), doc: 'Identities of the records.' },
  },
  required: ['id'],
  example: { id: [1, 2] },
} as const satisfies ObjectShape;

export const deleteOne = (of: PatternOf): Draft[] => [deleting(of, 'DELETE', '/{id}', undefined)];

export const deleteByPost = (of: PatternOf): Draft[] => [deleting(of, 'POST', '/{id}/delete', undefined)];

export const deleteMany = (of: PatternOf): Draft[] => [deleting(of, 'POST', '/delete', idList)];

const deleting = (of: PatternOf, method: 'DELETE' | 'POST', at: string, body: ObjectShape | undefined): Draft => ({
  method,
  at,
  verb: 'delete',
  summary: body ? `Delete ${of.noun} records, all or none` : `Delete ${of.one}`,
  ...(body && { body, example: { id: [1] } }),
  more: ['not-found', 'stale', 'in-use', 'protected', 'rejected'],
  run: (call) =>
    of.runtime.write(call, async (tx) => {
      const ids = body ? distinctIds((call.body as { id: number[] }).id) : [call.id];
      if (body && call.ifMatch !== undefined) throw invalid('If-Match: a list of records has no single version.');
      if (isLog(of.declaration)) await removeLogRows(tx, of.table, ids);
      else await tx.records.remove(of.declaration, ids, expected(call));
      return {};
    }),
});
