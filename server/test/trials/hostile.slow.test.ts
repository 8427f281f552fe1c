import { afterAll, expect, test } from 'vitest';
import { connectionDefaults } from '../../src/kernel/http/connections.ts';
import { promised } from '../world/patience.ts';
import { hostile } from './hostile/hostile.ts';
import { openHostileCell } from './hostile/hostile-cell.ts';

const limits = { ...connectionDefaults, max: 400, headersSeconds: 2, requestSeconds: 3, unreadSeconds: 1 };
const cell = await openHostileCell(limits);
afterAll(() => cell.close());

test('a node withstands hostile filters, bodies, requests and connections, and serves honest clients meanwhile', async () => {
  const report = await hostile(cell, limits, {
    seed: 7,
    warmUp: 6,
    filters: 4_000,
    filtersOnPostgres: 60,
    filtersByHttp: 150,
    bodies: 400,
    rawRequests: 300,
    slow: 3,
    halfOpen: 300,
    beyond: 100,
    holdSeconds: 1,
    honestMsMax: promised(15_000),
  });
  expect(report.faults).toEqual([]);
  expect(report.inProcess.accepted).toBeGreaterThan(1_000);
  // Valid requests among the hostile ones succeeded.
  expect(report.byHttp.codes.get(200)).toBeGreaterThan(10);
  expect(report.bodies.codes.get(201)).toBeGreaterThan(1);
  expect(report.raw.codes.get(400)).toBeGreaterThan(50);
  expect(report.flood.connected).toBeGreaterThan(400);
}, 300_000);
