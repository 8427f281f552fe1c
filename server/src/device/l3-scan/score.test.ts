import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Evidence, scoreOf } from './score.ts';

const nothing: Evidence = { ipForwarding: false, sysServicesL3: false, subnets: 1, arpEntries: 4, routes: 3 };

test('each piece of evidence has its weight, and all together make a hundred', () => {
  expect(scoreOf(nothing)).toBe(0);
  expect(scoreOf({ ...nothing, ipForwarding: true })).toBe(40);
  expect(scoreOf({ ...nothing, sysServicesL3: true })).toBe(15);
  expect(scoreOf({ ...nothing, subnets: 2 })).toBe(20);
  expect(scoreOf({ ...nothing, arpEntries: 5 })).toBe(15);
  expect(scoreOf({ ...nothing, routes: 4 })).toBe(10);
  expect(scoreOf({ ipForwarding: true, sysServicesL3: true, subnets: 2, arpEntries: 5, routes: 4 })).toBe(100);
});

test('more evidence never makes less of a router', () => {
  const evidence = fc.record({
    ipForwarding: fc.boolean(),
    sysServicesL3: fc.boolean(),
    subnets: fc.nat(5),
    arpEntries: fc.nat(10),
    routes: fc.nat(10),
  });
  fc.assert(
    fc.property(evidence, fc.nat(5), (evidenceBefore, extraSubnets) => {
      const grown = {
        ...evidenceBefore,
        subnets: evidenceBefore.subnets + extraSubnets,
        arpEntries: evidenceBefore.arpEntries + extraSubnets,
        routes: evidenceBefore.routes + extraSubnets,
      };
      expect(scoreOf({ ...grown, ipForwarding: true })).toBeGreaterThanOrEqual(scoreOf(evidenceBefore));
    }),
  );
});
