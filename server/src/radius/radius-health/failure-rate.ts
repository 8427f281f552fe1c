import type { Runtime } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { logIdAt } from '../../kernel/values/time.ts';
import { radiusFailureRateHigh, radiusFailureRateNormal } from './radius-health.events.ts';
import { failureRate, isFailureRateHigh } from './read-snapshots.ts';

const windowMs = 300_000;
const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;
/** The rate counts as normal only a tenth below a limit, so that a rate that oscillates around it emits one event. */
const fallenBack = 0.9;

const countSql = `select coalesce(sum(h.accept_count) filter (where h.id >= $1), 0)::double precision as "acceptCount",
  coalesce(sum(h.reject_count) filter (where h.id >= $1), 0)::double precision as "rejectCount",
  coalesce(sum(h.accept_count) filter (where h.id < $1), 0)::double precision as "acceptsBefore",
  coalesce(sum(h.reject_count) filter (where h.id < $1), 0)::double precision as "rejectsBefore"
from radius_health h where h.id >= $1 and h.id < $2 or h.id >= $3 and h.id < $4`;
const lockSql = `select f.is_high as "isHigh" from radius_failure_rate f for no key update`;
const changeSql = `update radius_failure_rate set is_high = $1, changed_at = clock_timestamp()`;

/**
 * Compares the failure rate of the cell in the last five minutes with its limits, and emits an event if it became high or normal. Every node
 * does so after each of its intervals; the stored state makes it one event for each change.
 */
export async function reportFailureRate(runtime: Runtime, toMs: number): Promise<void> {
  const hourBeforeMs = Math.floor((toMs - weekMs) / hourMs) * hourMs;
  await runtime.transact(systemOrigin('radius'), async ({ client, emit }) => {
    const { rows: states } = await client.query<{ isHigh: boolean }>(lockSql);
    const { rows } = await client.query<{
      acceptCount: number;
      rejectCount: number;
      acceptsBefore: number;
      rejectsBefore: number;
    }>(countSql, [logIdAt(toMs - windowMs), logIdAt(toMs), logIdAt(hourBeforeMs), logIdAt(hourBeforeMs + hourMs)]);
    const counts = rows[0]!;
    const before = { acceptCount: counts.acceptsBefore, rejectCount: counts.rejectsBefore };
    const { isHigh: wasHigh } = states[0]!;
    const isHigh = isFailureRateHigh(counts, before, wasHigh ? fallenBack : 1);
    if (isHigh === wasHigh) return;
    await client.query(changeSql, [isHigh]);
    const element = { id: 0, name: 'RADIUS' };
    const attributes = { percent: percentOf(counts), requests: counts.acceptCount + counts.rejectCount };
    if (isHigh)
      await emit({
        type: radiusFailureRateHigh,
        element,
        attributes: { ...attributes, percentBefore: percentOf(before) },
      });
    else await emit({ type: radiusFailureRateNormal, element, attributes });
  });
}

const percentOf = (counts: Parameters<typeof failureRate>[0]): number => Math.round(failureRate(counts) * 1_000) / 10;
