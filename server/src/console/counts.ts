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

/** Time for which a result is returned to further identical requests. */
const cacheMs = 10_000;
const cacheMax = 500;

interface CachedCounts {
  at: number;
  counts: Promise<CountedBy[]>;
}

/** The resource, the field that groups the counts, and the time step. */
export type CountsCall = Call<
  unknown,
  { group: string; by: string; filter?: string[]; per?: (typeof countSteps)[number] }
>;

/** Counts records by the values of a field. Results are cached for a few seconds for all callers who see the same rows. */
export class Counts {
  readonly #runtime: Runtime;
  readonly #monotonicMs: () => number;
  readonly #cache = new Map<string, CachedCounts>();

  constructor(runtime: Runtime, monotonicMs: () => number) {
    this.#runtime = runtime;
    this.#monotonicMs = monotonicMs;
  }

  async by(call: CountsCall): Promise<{ results: CountedBy[] }> {
    const { group, by: countField, filter = [], per } = call.query;
    const reader = this.#viewableReader(group, call);
    const { declaration } = reader.table;
    if (per) refuseUnbounded(declaration, parseFilters(filter));
    // Filters are limited by the rights of the credential, so results of limited callers are not shared, not even between their own tokens.
    const viewer = reader.visibility.isUnrestricted ? '' : call.caller.credential.publicId;
    const key = JSON.stringify([group, countField, filter, per, viewer]);
    const now = this.#monotonicMs();
    const cachedCounts = this.#cache.get(key);
    if (cachedCounts && now - cachedCounts.at < cacheMs) return { results: await cachedCounts.counts };
    const counts =
      declaration === host
        ? this.#countHosts(countField, filter, call)
        : this.#countRecords(reader, { by: countField, filter, per }, call);
    this.#cache.delete(key);
    this.#cache.set(key, { at: now, counts });
    if (this.#cache.size > cacheMax) this.#cache.delete(this.#cache.keys().next().value!);
    counts.catch(() => this.#cache.delete(key));
    return { results: await counts };
  }

  /** Returns the reader of a resource. Throws 403 if the caller may not view it. */
  #viewableReader(group: string, call: Call): Reader {
    const reader = this.#runtime.reader(group, call.caller);
    const { declaration } = reader.table;
    if (!ownScope(declaration, call) && !reader.visibility.mayView(declaration))
      throw forbidden(declaration.permission, 'view');
    return reader;
  }

  async #countRecords(reader: Reader, query: CountQuery, call: Call): Promise<CountedBy[]> {
    const restrict = ownScope(reader.table.declaration, call);
    return this.#runtime.read((client) => reader.countBy(client, { ...query, restrict }, call.nowMs));
  }

  async #countHosts(countField: string, filter: readonly string[], call: Call): Promise<CountedBy[]> {
    const matching: Context['matching'] = (declaration, filters) => (parameters) =>
      this.#runtime.reader(declaration.name, call.caller).matching(filters, parameters, call.nowMs);
    const { of: declaration, ...query } = hostCount({ matching }, countField, filter);
    return this.#countRecords(this.#viewableReader(declaration.name, call), query, call);
  }
}

/** Throws unless the resource is a log and the filter sets the start of the time steps. */
function refuseUnbounded(declaration: Declaration, filter: Filter | undefined): void {
  if (!isLog(declaration))
    throw invalid([{ pointer: '?per', message: 'per: only logs can be counted in time steps.' }]);
  const { timeField } = declaration;
  if (filter && isBoundBelow(filter, timeField)) return;
  const message = `filter: time steps need a start, such as ${timeField}=ge=-24h.`;
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
    value: { kind: 'text', max: 4_000, nullable: true, doc: 'In the form of a filter; null: no value.' },
    count: { kind: 'integer', min: 0, max: integerMax },
    from: { kind: 'time', nullable: true, doc: 'Start of the step; null without `per`.' },
  },
} as const satisfies ObjectShape;

export const countsOperation = (counts: Counts, groups: readonly string[]): Operation =>
  consoleOperation({
    operationId: 'console.counts',
    method: 'GET',
    path: '/counts',
    summary: 'Count the records of a resource by the values of a field',
    query: {
      group: { shape: { kind: 'choice', values: groups, example: 'host' }, required: true },
      by: {
        shape: {
          kind: 'text',
          min: 1,
          max: 80,
          doc: 'Choice, flag or reference to count by; for hosts also a field of their adapters, such as adapter.accessState.',
          example: 'role',
        },
        required: true,
      },
      filter: filterParameter,
      per: {
        shape: { kind: 'choice', values: countSteps, doc: 'Time step, for a log with a filter for the start.' },
      },
    },
    result: countShape,
    errors: ['too-expensive'],
    run: (call) => counts.by(call),
  });
