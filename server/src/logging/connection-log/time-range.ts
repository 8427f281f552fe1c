import type { Condition } from '../../context.ts';
import type { QueryParameter } from '../../kernel/declare/operation.ts';
import { invalid } from '../../kernel/failure.ts';
import { logIdAt } from '../../kernel/values/time.ts';

/** The parameters of a time range, by which reads of a large log stay small. */
export const rangeParameters = {
  from: { shape: { kind: 'time', doc: 'Start of the time range.' } },
  to: { shape: { kind: 'time', doc: 'End of the time range, exclusive.' } },
} as const satisfies Record<string, QueryParameter>;

export interface TimeRange {
  from?: string | undefined;
  to?: string | undefined;
}

export function refuseEmptyRange(range: TimeRange): void {
  if (range.from !== undefined && range.to !== undefined && Date.parse(range.from) >= Date.parse(range.to))
    throw invalid([{ pointer: '?to', message: 'to: must be after from.' }]);
}

/** Returns the condition for connections `r` that were open at some time of a range. */
export const isOpenDuring =
  (range: TimeRange): Condition =>
  (parameters) => {
    const conditions = ['true'];
    if (range.to !== undefined) conditions.push(`r.id < ${parameters.add(logIdAt(Date.parse(range.to)), '::bigint')}`);
    if (range.from !== undefined)
      conditions.push(`(r.end_time > ${parameters.add(range.from, '::timestamptz')} or r.end_time is null)`);
    return conditions.join(' and ');
  };

/** Returns the SQL of the part of a connection `r` within a range, as a tstzrange. A connection that is open lasts until now. */
export const spanWithin =
  (range: TimeRange): Condition =>
  (parameters) => {
    const end = 'coalesce(r.end_time, now())';
    const first = range.from === undefined ? 'r.at' : `greatest(r.at, ${parameters.add(range.from, '::timestamptz')})`;
    const last = range.to === undefined ? end : `least(${end}, ${parameters.add(range.to, '::timestamptz')})`;
    return `tstzrange(${first}, greatest(${first}, ${last}))`;
  };

/** Returns the SQL of the seconds of a tstzrange. */
export const secondsOf = (span: string): string => `extract(epoch from upper(${span}) - lower(${span}))`;
