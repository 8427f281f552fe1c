import { isLog } from '../../declare/declaration.ts';
import type { ObjectShape } from '../../declare/shape.ts';
import { shapes } from '../../declare/shapes.ts';
import { invalid } from '../../failure.ts';
import { removeLogRows } from '../../log/remove.ts';
import { distinctIds } from '../../write/runtime.ts';
import { type Draft, expected, type PatternContext } from './pattern.ts';

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

export const deleteOne = (context: PatternContext): Draft[] => [deleting(context, 'DELETE', '/{id}', undefined)];

export const deleteByPost = (context: PatternContext): Draft[] => [
  deleting(context, 'POST', '/{id}/delete', undefined),
];

export const deleteMany = (context: PatternContext): Draft[] => [deleting(context, 'POST', '/delete', idList)];

const deleting = (
  context: PatternContext,
  method: 'DELETE' | 'POST',
  path: string,
  body: ObjectShape | undefined,
): Draft => ({
  method,
  at: path,
  verb: 'delete',
  summary: body ? `Delete ${context.noun} records, all or none` : `Delete ${context.nounWithArticle}`,
  ...(body && { body, example: { id: [1] } }),
  more: ['not-found', 'stale', 'in-use', 'protected', 'rejected'],
  run: (call) =>
    context.runtime.write(call, async (tx) => {
      const ids = body ? distinctIds((call.body as { id: number[] }).id) : [call.id];
      if (body && call.ifMatch !== undefined) throw invalid('If-Match: a list of records has no single version.');
      if (isLog(context.declaration)) await removeLogRows(tx, context.table, ids);
      else await tx.records.remove(context.declaration, ids, expected(call));
      return {};
    }),
});
