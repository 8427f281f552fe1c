import type { Context } from '../context.ts';
import { hostCount } from '../host/host/host.service.ts';
import { host } from '../host/host/host.ts';
import { type Declaration, isLog } from '../kernel/declare/declaration.ts';
import type { Call, Operation } from '../kernel/declare/operation.ts';
import { integerMax, type ObjectShape } from '../kernel/declare/shape.ts';
import { forbidden, invalid } from '../kernel/failure.ts';
import { type Filter, parseFilters } from '../kernel/filter/parse.ts';
import { filterParameter } from '../kernel/operations/patterns/list.ts';
import { ownScope } from '../kernel/operations/patterns/pattern.ts';
import { type CountedBy, type CountQuery, countSteps, type Reader } from '../kernel/read/reader.ts';
import type { Runtime } from '../kernel/write/runtime.ts';
import { consoleOperation } from './console-operation.ts';

/** How long an answer is good enough for the next who asks the same. */
const keptMs = 10_000;
const keptMax = 500;

interface Kept {
  at: number;
  counts: Promise<CountedBy[]>;
}

/** What is counted, by what, and in which steps of time. */
export type CountsCall = Call<
  unknown,
  { group: string; by: string; filter?: string[]; per?: (typeof countSteps)[number] }
>;

/** Counts records by the values of a field: read once, kept for a moment, for all who see the same rows. */
export class Counts {
  readonly #runtime: Runtime;
  readonly #monotonicMs: () => number;
  readonly #kept = new Map<string, Kept>();

  constructor(runtime: Runtime, monotonicMs: () => number) {
    this.#runtime = runtime;
    this.#monotonicMs = monotonicMs;
  }

  async by(call: CountsCall): Promise<{ results: CountedBy[] }> {
    const { group, by, filter = [], per } = call.query;
    const reader = this.#viewable(group, call);
    const { declaration } = reader.table;
    if (per) refuseUnbounded(declaration, parseFilters(filter));
    // A filter may use only what its sender may view, so those who may view less than all share nothing, not even with their other tokens.
    const viewer = reader.visibility.isUnrestricted ? '' : call.caller.credential.publicId;
    const key = JSON.stringify([group, by, filter, per, viewer]);
    const now = this.#monotonicMs();
    const known = this.#kept.get(key);
    if (known && now - known.at < keptMs) return { results: await known.counts };
    const counts = declaration === host ? this.#ofHosts(by, filter, call) : this.#of(reader, { by, filter, per }, call);
    this.#kept.delete(key);
    this.#kept.set(key, { at: now, counts });
    if (this.#kept.size > keptMax) this.#kept.delete(this.#kept.keys().next().value!);
    counts.catch(() => this.#kept.delete(key));
    return { results: await counts };
  }

  /** Refuses who may view no record of the group. */
  #viewable(group: string, call: Call): Reader {
    const reader = this.#runtime.reader(group, call.caller);
    const { declaration } = reader.table;
    if (!ownScope(declaration, call) && !reader.visibility.mayView(declaration))
      throw forbidden(declaration.permission, 'view');
    return reader;
  }

  async #of(reader: Reader, query: CountQuery, call: Call): Promise<CountedBy[]> {
    const restrict = ownScope(reader.table.declaration, call);
    return this.#runtime.read((client) => reader.countBy(client, { ...query, restrict }, call.nowMs));
  }

  async #ofHosts(by: string, filter: readonly string[], call: Call): Promise<CountedBy[]> {
    const matching: Context['matching'] = (of, filters) => (parameters) =>
      this.#runtime.reader(of.name, call.caller).matching(filters, parameters, call.nowMs);
    const { of, ...query } = hostCount({ matching }, by, filter);
    return this.#of(this.#viewable(of.name, call), query, call);
  }
}

/** Steps of time are for logs, and need to know where to begin. */
function refuseUnbounded(declaration: Declaration, filter: Filter | undefined): void {
  if (!isLog(declaration))
    throw invalid([{ pointer: '?per', message: 'per: only a log is counted in steps of time.' }]);
  const { timeField } = declaration;
  if (filter && isBoundBelow(filter, timeField)) return;
  const message = `filter: to count in steps of time, say since when, such as ${timeField}=ge=-24h.`;
  throw invalid([{ pointer: '?filter', message }]);
}

const isBoundBelow = (filter: Filter, field: string): boolean =>
  filter.kind === 'compare'
    ? filter.field === field && (filter.operator === '>' || filter.operator === '>=')
    : filter.kind === 'and' && filter.parts.some((part) => isBoundBelow(part, field));

const countShape = {
  kind: 'object',
  name: 'CountByValue',
  columns: ['value', 'count', 'from'],
  properties: {
    value: { kind: 'text', max: 4_000, nullable: true, doc: 'As a filter writes it; null: no value.' },
    count: { kind: 'integer', min: 0, max: integerMax },
    from: { kind: 'time', nullable: true, doc: 'Begin of the step; null without `per`.' },
  },
} as const satisfies ObjectShape;

export const countsOperation = (counts: Counts, groups: readonly string[]): Operation =>
  consoleOperation({
    operationId: 'console.counts',
    method: 'GET',
    path: '/counts',
    summary:
      'Count the records of a group by the values of a choice, a flag or a reference; an answer is at most 10 s old',
    query: {
      group: { shape: { kind: 'choice', values: groups, example: 'host' }, required: true },
      by: {
        shape: {
          kind: 'text',
          min: 1,
          max: 80,
          doc: 'The field that is counted by; of hosts also one of their adapters, such as adapter.accessState.',
          example: 'role',
        },
        required: true,
      },
      filter: filterParameter,
      per: {
        shape: { kind: 'choice', values: countSteps, doc: 'In steps of time, for a log whose filter says since when.' },
      },
    },
    result: countShape,
    errors: ['too-expensive'],
    run: (call) => counts.by(call),
  });
