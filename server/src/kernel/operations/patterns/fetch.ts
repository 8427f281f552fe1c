import { notFound } from '../../failure.ts';
import { fieldsParameter } from './list.ts';
import type { Draft, PatternContext } from './pattern.ts';

export const fetch = (context: PatternContext): Draft[] => [
  {
    method: 'GET',
    at: '/{id}',
    verb: 'view',
    summary: `Fetch one ${context.noun}`,
    query: { fields: fieldsParameter },
    identity: context.declaration.identity,
    result: context.record,
    more: ['not-found'],
    run: async (call) => {
      const versionedRow = await context
        .reader(call)
        .fetchRow((work) => context.runtime.read(work), call.id, context.ownRows(call));
      if (!versionedRow) throw notFound(context.noun, call.id);
      return versionedRow;
    },
  },
];
