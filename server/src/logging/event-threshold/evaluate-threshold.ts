export type ThresholdState = 'OK' | 'WARNING' | 'CRITICAL';

export interface Limits {
  warning: number | null;
  critical: number | null;
  forSeconds: number;
}

/** What is remembered of a threshold between two measurements. */
export interface Watch {
  state: ThresholdState;
  /** Since when the value has been at or above the limit without a break; null: it is below. */
  warningSinceMs: number | null;
  criticalSinceMs: number | null;
}

export const initialWatch: Watch = { state: 'OK', warningSinceMs: null, criticalSinceMs: null };

/** A value has to fall a tenth below a limit before it counts as back: a value that oscillates around it emits one event. */
const fallenBack = 0.9;

/** What a new measurement makes of a threshold: up once a limit has been reached for long enough, down once the value has fallen back. */
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
