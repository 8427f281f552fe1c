import { everyRow, type Sql } from '../../context.ts';
import { logIdAt } from '../../kernel/values/time.ts';
import { type Cause, radiusResponse } from '../radius-response/radius-response.ts';
import { durationBounds } from './durations.ts';
import type { Interval } from './intervals.ts';

const everyResponse = everyRow(radiusResponse, 'the health of the service is that of all its replies');

/** Replies of a node in one interval. */
export interface ResponseCounts {
  acceptCount: number;
  rejectCount: number;
  rejectCountByCause: Partial<Record<Cause, number>>;
  durationMsSum: number;
  durationCounts: Record<string, number>;
}

const countSql = `select width_bucket(r.id, $2::bigint[]) as interval, r.reply, r.cause,
  width_bucket(r.duration_ms::double precision, $3::double precision[]) as duration, count(*) as replies, sum(r.duration_ms)::double precision as ms
from ${everyResponse} r
where r.id >= ($2::bigint[])[1] and r.id < $4 and r.cluster_node = $1
group by 1, 2, 3, 4`;

interface CountRow {
  interval: number;
  reply: string;
  cause: Cause;
  duration: number;
  replies: number;
  ms: number;
}

/** Counts the replies of a node in consecutive intervals. */
export async function countResponses(
  client: Sql,
  node: string,
  intervals: readonly Interval[],
): Promise<ResponseCounts[]> {
  // Class n of `width_bucket` begins at bound n, so the bounds are the durations after those of the previous class.
  const lowerBounds = [0, ...durationBounds.slice(0, -1).map((ms) => ms + 1)];
  const { rows } = await client.query<CountRow>(countSql, [
    node,
    intervals.map(({ fromMs }) => logIdAt(fromMs)),
    lowerBounds,
    logIdAt(intervals.at(-1)!.toMs),
  ]);
  const counts = intervals.map(
    (): ResponseCounts => ({
      acceptCount: 0,
      rejectCount: 0,
      rejectCountByCause: {},
      durationMsSum: 0,
      durationCounts: {},
    }),
  );
  for (const { interval, reply, cause, duration, replies, ms } of rows) {
    const counted = counts[interval - 1]!;
    const addedCount = Number(replies);
    if (reply === 'ACCEPT') counted.acceptCount += addedCount;
    if (reply === 'REJECT') {
      counted.rejectCount += addedCount;
      counted.rejectCountByCause[cause] = (counted.rejectCountByCause[cause] ?? 0) + addedCount;
    }
    const key = String(durationBounds[duration - 1]);
    counted.durationCounts[key] = (counted.durationCounts[key] ?? 0) + addedCount;
    counted.durationMsSum += ms;
  }
  return counts;
}
