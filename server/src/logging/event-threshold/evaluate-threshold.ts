export type ThresholdState = 'OK' | 'WARNING' | 'CRITICAL';

export interface Limits {
  warning: number | null;
  critical: number | null;
  forSeconds: number;
}

/** The state of a threshold between two measurements. */
export interface Watch {
  state: ThresholdState;
  /** Time since which the value has been at or above the limit; null: it is below. */
  warningSinceMs: number | null;
  criticalSinceMs: number | null;
}

export const initialWatch: Watch = { state: 'OK', warningSinceMs: null, criticalSinceMs: null };

/** A value counts as normal only a tenth below the limit, so that a value that oscillates around it emits one event. */
const fallenBack = 0.9;

/** Returns the state after a new measurement: raised once the value was at a limit for long enough, lowered once it is a tenth below. */
export function evaluateThreshold(
  { warning, critical, forSeconds }: Limits,
  before: Watch,
  value: number,
  atMs: number,
): Watch {
  const since = (limit: number | null, sinceMs: number | null) =>
    limit !== null && value >= limit ? (sinceMs ?? atMs) : null;
  const lasts = (sinceMs: number | null) => sinceMs !== null && atMs - sinceMs >= forSeconds * 1_000;
  const holds = (limit: number | null) => limit !== null && value > limit * fallenBack;
  const warningSinceMs = since(warning, before.warningSinceMs);
  const criticalSinceMs = since(critical, before.criticalSinceMs);
  const isCritical = lasts(criticalSinceMs) || (before.state === 'CRITICAL' && holds(critical));
  const isWarning = lasts(warningSinceMs) || (before.state !== 'OK' && holds(warning));
  return { state: isCritical ? 'CRITICAL' : isWarning ? 'WARNING' : 'OK', warningSinceMs, criticalSinceMs };
}
