import type { ObjectShape } from '../../declare/shape.ts';
import { notFound } from '../../failure.ts';
import { recordsOf, usageOf } from '../../write/references.ts';
import type { Draft, PatternContext } from './pattern.ts';

export const usageShape: ObjectShape = {
  kind: 'object',
  name: 'UsageEntry',
  properties: {
    name: { kind: 'text', max: 120, doc: 'The resource whose records refer to the record.' },
    children: { kind: 'list', item: { kind: 'text', max: 500 }, max: 100_000, doc: 'Names of the referring records.' },
  },
};

export const usage = (context: PatternContext): Draft[] => [
  {
    method: 'GET',
    at: '/{id}/usage',
    verb: 'view',
    summary: `List what refers to ${context.nounWithArticle}`,
    result: usageShape,
    more: ['not-found'],
    run: (call) =>
      context.runtime.read(async (client) => {
        const reader = context.reader(call);
        if (!(await reader.fetchVersioned(client, call.id, context.ownRows(call))))
          throw notFound(context.noun, call.id);
        const usages = await usageOf(client, context.runtime.engine.model, context.table, [call.id], reader.visibility);
        return {
          results: usages.map(({ table: { declaration }, names, more: remainingCount, hidden }) => ({
            name: declaration.title,
            children: [
              ...names,
              ...(remainingCount > 0 ? [recordsOf(remainingCount)] : []),
              ...(hidden > 0 ? [`${hidden} hidden`] : []),
            ],
          })),
        };
      }),
  },
];

/** The same with POST, where the contract requires it; it only reads, and ignores any body. */
export const usageByPost = (context: PatternContext): Draft[] =>
  usage(context).map((draft) => ({ ...draft, method: 'POST', writes: false, ignoresBody: true }));
