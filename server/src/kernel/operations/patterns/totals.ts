import { isLog } from '../../declare/declaration.ts';
import { pascalCase } from '../../declare/names.ts';
import type { Answer, Call, Operation } from '../../declare/operation.ts';
import { integerMax, type ObjectShape } from '../../declare/shape.ts';
import { invalid } from '../../failure.ts';
import type { PatternContext } from './pattern.ts';

/** Number of values that are returned for each field. */
const valuesMax = 10;

const valueShape = {
  kind: 'object',
  name: 'FrequentValue',
  properties: {
    name: { kind: 'text', max: 4_000, doc: 'The value.' },
    count: { kind: 'integer', min: 0, max: integerMax, doc: 'Number of matching records that have it.' },
  },
} as const satisfies ObjectShape;

interface Totals extends Required<Pick<Operation, 'query' | 'instead'>> {
  run(call: Call): Promise<Answer>;
}

/**
 * Returns the parameter and the result of a list with `totals=true`: the most frequent values of some fields among the
 * records that match.
 */
export function totalsOf(context: PatternContext): Totals | undefined {
  const { declaration, noun } = context;
  const fields = isLog(declaration) ? (declaration.totals ?? []) : [];
  if (fields.length === 0) return undefined;
  const list = { kind: 'list', item: valueShape, max: valuesMax } as const;
  const doc = `Return the ${valuesMax} most frequent values of ${fields.join(', ')} among the matching records instead of the records. Combine it only with filter.`;
  return {
    query: { totals: { shape: { kind: 'flag', doc } } },
    instead: {
      parameter: 'totals',
      result: {
        kind: 'object',
        name: `${pascalCase(declaration.name)}Totals`,
        doc: `The most frequent values of ${noun} records.`,
        properties: Object.fromEntries(fields.map((field) => [field, list])),
      },
    },
    run(call) {
      const {
        filter = [],
        totals: _asked,
        ...otherParameters
      } = call.query as { filter?: readonly string[]; totals: true };
      refuseOtherParameters(Object.keys(otherParameters));
      return context.runtime.read(async (client) => {
        const query = { fields, filter, count: valuesMax, restrict: context.ownRows(call) };
        return { results: [await context.reader(call).mostFrequent(client, query, call.nowMs)], isInstead: true };
      });
    },
  };
}

function refuseOtherParameters(names: readonly string[]): void {
  if (names.length === 0) return;
  throw invalid(
    names.map((name) => ({ pointer: `?${name}`, message: `${name}: totals=true is combined with filter only.` })),
  );
}
