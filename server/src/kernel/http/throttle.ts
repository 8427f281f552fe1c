import { throttled } from '../failure.ts';

/** Limits the requests per second of each caller, with room for a burst, so that no caller uses up a node. */
export interface Throttle {
  admit(caller: string): void;
}

interface Bucket {
  tokens: number;
  filledMs: number;
}

const callersMax = 50_000;

/**
 * Creates a throttle with a monotonic clock: the time of day may step back, and would then refuse every caller until it
 * has caught up.
 */
export function throttle(limit: { perSecond: number; burst: number }, monotonicMs: () => number): Throttle {
  const buckets = new Map<string, Bucket>();
  return {
    admit(caller) {
      const now = monotonicMs();
      const bucket = buckets.get(caller) ?? { tokens: limit.burst, filledMs: now };
      bucket.tokens = Math.min(
        limit.burst,
        bucket.tokens + (Math.max(0, now - bucket.filledMs) / 1000) * limit.perSecond,
      );
      bucket.filledMs = now;
      // The callers with the oldest requests are dropped first; no bucket is the same as a full one.
      buckets.delete(caller);
      buckets.set(caller, bucket);
      if (buckets.size > callersMax) buckets.delete(buckets.keys().next().value!);
      if (bucket.tokens < 1) {
        const seconds = Math.max(1, Math.ceil((1 - bucket.tokens) / limit.perSecond));
        throw throttled(`More than ${limit.perSecond} requests per second; wait ${seconds} s.`, seconds, {
          ratelimit: `"default";r=0;t=${seconds}`,
          'ratelimit-policy': `"default";q=${limit.burst};w=${Math.ceil(limit.burst / limit.perSecond)}`,
        });
      }
      bucket.tokens -= 1;
    },
  };
}
