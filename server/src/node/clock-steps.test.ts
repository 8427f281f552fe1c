import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { world } from '../../test/world/world.ts';
import { rememberedMs } from '../auth/gate.ts';
import { throttle } from '../kernel/http/throttle.ts';

describe('a clock that steps', async () => {
  let stepMs = 0;
  const now = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + stepMs);
  afterAll(() => vi.restoreAllMocks());
  const { admin, service } = await world({ limits: { requestsPerSecond: 5, burst: 20, testsPerMinute: 10 } });
  // A node is ready when its first policy snapshot is loaded.
  const isReady = async () => expect((await service.app.inject('/readyz')).statusCode).toBe(200);
  beforeAll(() => vi.waitFor(isReady, { timeout: 60_000 }));

  test.each([
    ['30 s back', -30_000],
    ['4 h back', -14_400_000],
    ['4 h ahead', 14_400_000],
    ['400 days ahead', 400 * 86_400_000],
  ])('%s refuses no request and expires no credential', async (_, ms) => {
    expect((await admin.get('/device/container/count')).code).toBe(200);
    stepMs += ms;
    try {
      const codes = [await admin.get('/device/container/count'), await admin.get('/device/container/count')];
      expect(codes.map(({ code }) => code)).toEqual([200, 200]);
      expect((await service.app.inject('/readyz')).statusCode).toBe(200);
    } finally {
      stepMs = 0;
    }
  });

  test('health requests are never throttled', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => service.app.inject(n % 2 ? '/healthz' : '/readyz')),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  });
});

test('a throttle whose clock goes back still grants the remaining requests', () => {
  let nowMs = 100_000;
  const limit = throttle({ perSecond: 1, burst: 3 }, () => nowMs);
  limit.admit('a');
  nowMs -= 50_000;
  limit.admit('a');
  limit.admit('a');
  expect(() => limit.admit('a')).toThrow('wait 1 s');
});

test('a credential with a schedule is cached until the end of the minute, and for at most half a minute', () => {
  expect(rememberedMs({ hasHours: true, minuteLeftMs: 2_000 })).toBe(2_000);
  expect(rememberedMs({ hasHours: true, minuteLeftMs: 59_000 })).toBe(30_000);
  expect(rememberedMs({ hasHours: false, minuteLeftMs: 2_000 })).toBe(30_000);
});
