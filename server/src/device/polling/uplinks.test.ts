import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PortFacts, uplink, uplinkAfter } from './uplinks.ts';

const edge: PortFacts = {
  uplink: null,
  uplinkDisabled: false,
  isUp: true,
  learned: 1,
  hasDevice: false,
  hasAccessPoint: false,
};
const after = (facts: Partial<PortFacts>) => uplinkAfter({ ...edge, ...facts }, 20);

test('a port is an uplink by what is behind it, or by how much', () => {
  expect(after({})).toBeNull();
  expect(after({ learned: 20 })).toBeNull();
  expect(after({ learned: 21 })).toBe(uplink.threshold);
  expect(after({ learned: 21, hasDevice: true })).toBe(uplink.learned);
  expect(after({ hasDevice: true, hasAccessPoint: true })).toBe(uplink.accessPoint);
});

test('a learned uplink stays while the link is up, that of an access point only while it is present', () => {
  expect(after({ uplink: uplink.learned, learned: 0 })).toBe(uplink.learned);
  expect(after({ uplink: uplink.threshold, learned: 3 })).toBe(uplink.threshold);
  expect(after({ uplink: uplink.accessPoint, learned: 3 })).toBeNull();
  for (const kind of [uplink.learned, uplink.threshold, uplink.accessPoint])
    expect(after({ uplink: kind, isUp: false })).toBeNull();
});

test('a setting of an administrator takes precedence over observations', () => {
  const facts = fc.record({
    isUp: fc.boolean(),
    learned: fc.nat(100),
    hasDevice: fc.boolean(),
    hasAccessPoint: fc.boolean(),
    uplinkDisabled: fc.boolean(),
  });
  fc.assert(
    fc.property(
      facts,
      fc.constantFrom(null, uplink.learned, uplink.threshold, uplink.accessPoint),
      (portEvidence, before) => {
        expect(uplinkAfter({ ...portEvidence, uplink: uplink.byHand }, 20)).toBe(uplink.byHand);
        expect(uplinkAfter({ ...portEvidence, uplink: before, uplinkDisabled: true }, 20)).toBeNull();
      },
    ),
  );
});
