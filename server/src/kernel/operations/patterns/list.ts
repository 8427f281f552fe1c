import type { Condition } from '../../access/visibility.ts';
import type { Collection } from '../../declare/declaration.ts';
import type { Answer, Call, QueryParameter } from '../../declare/operation.ts';
import { invalid } from '../../failure.ts';
import type { ListQuery } from '../../read/list-statement.ts';
import type { Draft, PatternContext } from './pattern.ts';
import { totalsOf } from './totals.ts';

const countMax = 1_000;

export const filterParameter = {
  shape: {
    kind: 'text',
    min: 1,
    max: 4_096,
    doc: 'RSQL, such as `name==core-*`; several are ANDed.',
    example: 'name==*',
  },
  many: true,
} as const satisfies QueryParameter;

export const fieldsParameter = {
  shape: {
    kind: 'text',
    min: 1,
    max: 8_000,
    doc: 'Names of top-level fields, comma-separated: only these and the identity are returned, and the schema of the response does not apply to the others.',
    example: 'name',
  },
} as const satisfies QueryParameter;

export const listParameters: Readonly<Record<string, QueryParameter>> = {
  filter: filterParameter,
  start: { shape: { kind: 'integer', min: 0, max: 2_000_000_000, doc: 'Number of matching records to skip.' } },
  count: {
    shape: {
      kind: 'integer',
      min: 0,
      max: countMax,
      doc: 'Maximum number of records to return; 0 returns only the counts.',
    },
  },
  sortKey: { shape: { kind: 'text', min: 1, max: 80, doc: 'The field to sort by.' } },
  sortDir: { shape: { kind: 'choice', values: ['asc', 'desc'], doc: 'Default: ascending.' } },
  after: { shape: { kind: 'text', min: 1, max: 6_000, doc: 'Position of the next page, from the Link header.' } },
  from: {
    shape: {
      kind: 'text',
      min: 1,
      max: 1_000,
      doc: 'A value of the sort key: the page begins at the first record whose value is not before it.',
    },
  },
  fields: fieldsParameter,
};

/** Returns the list parameters of a call, with the defaults. */
export function listQueryOf(call: Call, scope?: Condition): ListQuery {
  const { fields: _selected, ...query } = call.query as Partial<ListQuery> & { fields?: string };
  const places = (['start', 'after', 'from'] as const).filter((name) => query[name] !== undefined);
  if (places.length > 1) throw invalid(`Send only one of ${places.join(' and ')}: each sets where the page begins.`);
  return {
    ...query,
    filter: query.filter ?? [],
    start: query.start ?? 0,
    count: query.count ?? countMax,
    restrict: scope,
  };
}

export function list(context: PatternContext): Draft[] {
  const { detailParameter = '' } = context.declaration as Collection;
  const details = [...context.table.fields].filter(([, field]) => field.detailOnly).map(([name]) => name);
  const parameter: Record<string, QueryParameter> = detailParameter
    ? { [detailParameter]: { shape: { kind: 'flag', doc: `Fill in ${details.join(', ')}.` } } }
    : {};
  const totals = totalsOf(context);
  const queryOf = (call: Call): ListQuery => {
    const { [detailParameter]: detail, totals: _asked, ...query } = call.query;
    return { ...listQueryOf({ ...call, query }, context.ownRows(call)), withDetail: detail === true };
  };
  return [
    {
      method: 'GET',
      at: '',
      verb: 'view',
      summary: `List ${context.noun} records that match a filter`,
      query: { ...listParameters, ...parameter, ...totals?.query },
      ...(totals && { instead: totals.instead }),
      listed: true,
      identity: context.declaration.identity,
      result: context.record,
      counted: true,
      more: ['too-expensive'],
      run: (call) =>
        totals && call.query.totals === true
          ? totals.run(call)
          : (context.runtime.read((client) =>
              context.reader(call).page(client, queryOf(call), call.nowMs),
            ) as Promise<Answer>),
    },
  ];
}

export const count = (context: PatternContext): Draft[] => [
  counting(context, '/count', `Count ${context.noun} records that match a filter`, { filter: filterParameter }),
];

export const countAll = (context: PatternContext): Draft[] => [
  counting(context, '/count/all', `Count all ${context.noun} records`, {}),
];

const counting = (
  context: PatternContext,
  path: string,
  summary: string,
  query: Record<string, QueryParameter>,
): Draft => ({
  method: 'GET',
  at: path,
  verb: 'view',
  summary,
  query,
  result: context.record,
  counted: true,
  more: ['too-expensive'],
  run: (call) =>
    context.runtime.read(async (client) => {
      const filter = (call.query.filter as string[] | undefined) ?? [];
      const query = { filter, start: 0, count: 0, restrict: context.ownRows(call) };
      const { filtered, total } = await context.reader(call).list(client, query, call.nowMs);
      return { results: [], filtered, total };
    }),
});
