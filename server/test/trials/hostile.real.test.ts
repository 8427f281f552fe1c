import { afterAll, expect, test } from 'vitest';
import { connectionDefaults } from '../../src/kernel/http/connections.ts';
import { hostile } from './hostile/hostile.ts';
import { openHostileCell } from './hostile/hostile-cell.ts';

/** The short form of hostile.slow.test.ts, which also holds how long an honest client waits. */
const limits = { ...connectionDefaults, max: 400, headersSeconds: 2, requestSeconds: 2, unreadSeconds: 1 };
const cell = await openHostileCell(limits);
afterAll(() => cell.close());

test('a node holds against filters, bodies, requests and connections of every hostile kind, and serves honest clients meanwhile', async () => {
  const report = await hostile(cell, limits, {
    seed: 7,
    warmUp: 2,
    filters: 1_000,
    filtersOnPostgres: 20,
    filtersByHttp: 50,
    bodies: 100,
    rawRequests: 100,
    slow: 3,
    halfOpen: 100,
    beyond: 100,
    holdSeconds: 0.5,
    honestMsMax: Number.POSITIVE_INFINITY,
  });
  expect(report.faults).toEqual([]);
  expect(report.inProcess.accepted).toBeGreaterThan(250);
  // Not everything was refused: what was right was done.
  expect(report.byHttp.codes.get(200)).toBeGreaterThan(3);
  expect((report.bodies.codes.get(200) ?? 0) + (report.bodies.codes.get(201) ?? 0)).toBeGreaterThan(0);
  expect(report.raw.codes.get(400)).toBeGreaterThan(15);
  expect(report.flood.connected).toBeGreaterThan(400);
}, 300_000);
