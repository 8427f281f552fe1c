import type { EngineStatistics } from '../../protocols/radius/engine-statistics.ts';

/** The statistics that only grow while an engine runs. */
export const engineCounters = [
  'requests',
  'accepts',
  'rejects',
  'challenges',
  'duplicates',
  'malformed',
  'invalid',
  'dropped',
  'conflicts',
] as const;

export type EngineDeltas = Record<(typeof engineCounters)[number], number>;

export const noDeltas = Object.fromEntries(engineCounters.map((name) => [name, 0])) as EngineDeltas;

/**
 * Returns what the counters added since the previous reading. After a restart of the engine they are taken whole: its start time differs,
 * or a counter is smaller. Without a previous reading only an engine that started later than `sinceMs` is counted, because the counters of
 * an older one are of earlier intervals.
 */
export function engineDeltas(before: EngineStatistics | null, after: EngineStatistics, sinceMs: number): EngineDeltas {
  if (!before && after.startSeconds * 1_000 < Math.floor(sinceMs / 1_000) * 1_000) return noDeltas;
  const isRestarted =
    !before || after.startSeconds !== before.startSeconds || engineCounters.some((name) => after[name] < before[name]);
  return Object.fromEntries(
    engineCounters.map((name) => [name, isRestarted ? after[name] : after[name] - before[name]]),
  ) as EngineDeltas;
}
