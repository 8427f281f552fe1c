import type { ObjectShape } from '../../declare/shape.ts';
import { notFound } from '../../failure.ts';
import { recordsOf, usageOf } from '../../write/references.ts';
import type { Draft, PatternOf } from './pattern.ts';

export const usageShape: ObjectShape = {
  kind: 'object',
  name: 'UsageEntry',
  properties: {
    name: { kind: 'text', max: 120, doc: 'The group that refers to the record.' },
    children: { kind: 'list', item: { kind: 'text', max: 500 }, max: 100_000, doc: 'Names of its records that do.' },
  },
};

export const usage = (of: PatternOf): Draft[] => [
  {
    method: 'GET',
    at: '/{id}/usage',
    verb: 'view',
    summary: `List what refers to ${of.one}`,
    result: usageShape,
    more: ['not-found'],
    run: (call) =>
      of.runtime.read(async (client) => {
        const reader = of.reader(call);
        if (!(await reader.fetchVersioned(client, call.id, of.own(call)))) throw notFound(of.noun, call.id);
        const found = await usageOf(client, of.runtime.engine.model, of.table, [call.id], reader.visibility);
        return {
          results: found.map(({ table: { declaration }, names, more, hidden }) => ({
            name: declaration.title,
            children: [...names, ...(more > 0 ? [recordsOf(more)] : []), ...(hidden > 0 ? [`${hidden} hidden`] : [])],
          })),
        };
      }),
  },
];

/** The same under POST, where the contract has it so; it still only reads, whatever body comes with it. */
export const usageByPost = (of: PatternOf): Draft[] =>
  usage(of).map((draft) => ({ ...draft, method: 'POST', writes: false, ignoresBody: true }));
