import { integerMax, type ObjectShape, type Shape } from '../../declare/shape.ts';
import { invalid } from '../../failure.ts';
import { distinctIds } from '../../write/runtime.ts';
import { type Draft, expected, type PatternContext } from './pattern.ts';

const idShape: Shape = { kind: 'integer', min: 1, max: integerMax };

const placeShape: ObjectShape = {
  kind: 'object',
  name: 'RankSet',
  required: ['id', 'rank'],
  properties: {
    id: idShape,
    rank: { kind: 'integer', min: 1, max: 1_000_000, doc: 'New rank; the other records are renumbered.' },
  },
};

const pairShape: ObjectShape = {
  kind: 'object',
  name: 'RankSwap',
  required: ['id'],
  properties: { id: { kind: 'list', item: idShape, min: 2, max: 2, doc: 'The two records.' } },
};

export const rankSet = (context: PatternContext): Draft[] => [
  {
    method: 'POST',
    at: '/rank/set',
    verb: 'modify',
    summary: `Move ${context.nounWithArticle} to a rank`,
    dryRunResult: context.record,
    body: placeShape,
    example: { id: 1, rank: 1 },
    more: ['not-found', 'rejected'],
    run: (call) =>
      context.runtime.write(call, async (tx) => {
        const { id, rank } = call.body as { id: number; rank: number };
        const saved = await tx.records.setRank(context.declaration, id, rank, expected(call));
        return { version: saved.version, ...(await context.simulated(call, tx, id)) };
      }),
  },
];

export const rankSwap = (context: PatternContext): Draft[] => [
  {
    method: 'POST',
    at: '/rank/swap',
    verb: 'modify',
    summary: `Swap the ranks of two ${context.noun} records`,
    body: pairShape,
    example: { id: [1, 2] },
    more: ['not-found', 'rejected'],
    run: (call) =>
      context.runtime.write(call, async (tx) => {
        const [a, b] = distinctIds((call.body as { id: number[] }).id) as [number, number];
        if (call.ifMatch !== undefined) throw invalid('If-Match: two records have no single version.');
        await tx.records.swapRanks(context.declaration, a, b);
        return {};
      }),
  },
];
