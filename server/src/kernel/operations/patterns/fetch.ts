import { notFound } from '../../failure.ts';
import { fieldsParameter } from './list.ts';
import type { Draft, PatternOf } from './pattern.ts';

export const fetch = (of: PatternOf): Draft[] => [
  {
    method: 'GET',
    at: '/{id}',
    verb: 'view',
    summary: `Fetch one ${of.noun}`,
    query: { fields: fieldsParameter },
    identity: of.declaration.identity,
    result: of.record,
    more: ['not-found'],
    run: async (call) => {
      const found = await of.reader(call).fetchRow((work) => of.runtime.read(work), call.id, of.own(call));
      if (!found) throw notFound(of.noun, call.id);
      return found;
    },
  },
];
