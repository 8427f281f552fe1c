import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changesOf,
  type DeviceTrap,
  dropStale,
  reduceLinks,
  reduceMacs,
  type StoredPort,
  type TrapChange,
} from './reduce-traps.ts';

const link = (isUp: boolean, ifIndex: number, ticks: number, deviceID = 1): DeviceTrap => ({
  deviceID,
  ticks,
  event: { kind: isUp ? 'linkUp' : 'linkDown', ifIndex },
});
const stored = (ifIndex: number, isUp: boolean): StoredPort => ({
  id: 100 + ifIndex,
  deviceID: 1,
  name: `Gi${ifIndex}`,
  deviceName: 'sw',
  ifIndex,
  ifadminStatus: 1,
  ifoperStatus: isUp ? 1 : 2,
});
const someLinks = fc.array(
  fc.record({ isUp: fc.boolean(), ifIndex: fc.integer({ min: 1, max: 3 }), ticks: fc.integer({ min: 0, max: 50 }) }),
  { maxLength: 40 },
);
const reported = (links: readonly { isUp: boolean; ifIndex: number; ticks: number }[]) =>
  links.map(({ isUp, ifIndex, ticks }) => link(isUp, ifIndex, ticks));

describe('links', () => {
  test('are reported for each change, and not without a change', () => {
    const trapChanges = changesOf([
      link(true, 1, 1),
      link(false, 1, 2),
      link(false, 2, 3),
      link(true, 2, 4),
      link(true, 9, 5),
    ]);
    const { after, changes, wentDown, cameUp } = reduceLinks(trapChanges, [stored(1, true), stored(2, false)]);
    expect(changes.map(({ port, isUp }) => [port.id, isUp])).toEqual([
      [101, false],
      [102, true],
    ]);
    expect([...wentDown]).toEqual([101, 102]);
    expect([...cameUp]).toEqual([1]);
    expect([after.get(101)?.ifoperStatus, after.get(102)?.ifoperStatus]).toEqual([2, 1]);
  });

  test('give the same result if traps are repeated', () => {
    fc.assert(
      fc.property(someLinks, fc.integer({ min: 1, max: 3 }), (links, times) => {
        const once = dropStale(changesOf(reported(links)));
        const often = dropStale(changesOf(reported(Array.from({ length: times }, () => links).flat())));
        expect(often).toEqual(once);
      }),
    );
  });

  test('end in the state of the newest trap, even if older ones arrive later', () => {
    fc.assert(
      fc.property(someLinks, (links) => {
        const distinct = [...new Map(links.map((trap) => [`${trap.ifIndex} ${trap.ticks}`, trap])).values()];
        const ports = [1, 2, 3].map((ifIndex) => stored(ifIndex, false));
        const { after } = reduceLinks(dropStale(changesOf(reported(distinct))), ports);
        for (const { id, ifIndex } of ports) {
          const [newest] = distinct.filter((trap) => trap.ifIndex === ifIndex).sort((a, b) => b.ticks - a.ticks);
          expect(after.get(id)?.ifoperStatus).toBe(newest && (newest.isUp ? 1 : 2));
        }
      }),
    );
  });

  test('change by turns: a port that is up does not come up', () => {
    fc.assert(
      fc.property(someLinks, fc.boolean(), (links, wasUp) => {
        const { changes } = reduceLinks(dropStale(changesOf(reported(links))), [stored(1, wasUp)]);
        let isUp = wasUp;
        for (const change of changes) {
          expect(change.isUp).toBe(!isUp);
          isUp = change.isUp;
        }
      }),
    );
  });

  test('of a restarted device are not treated as late', () => {
    const trapChanges = changesOf([link(true, 1, 50_000_000), link(false, 1, 900)]);
    expect(dropStale(trapChanges)).toHaveLength(2);
  });
});

describe('addresses', () => {
  const mac = '02:00:00:00:00:0A';
  const macTrap = (isLearned: boolean, bridgePort: number, ticks: number): DeviceTrap => ({
    deviceID: 1,
    ticks,
    event: { kind: 'macChanges', changes: [{ isLearned, vlan: 10, mac: mac.toLowerCase(), bridgePort }] },
  });
  const fold = (trapChanges: readonly TrapChange[]) =>
    reduceMacs(
      trapChanges,
      (_, bridgePort) => (bridgePort === 99 ? null : 100 + bridgePort),
      (_, ifIndex) => 100 + ifIndex,
    );

  test('are where they were learned last, also when the old port forgets them later', () => {
    expect(fold(changesOf([macTrap(true, 1, 1), macTrap(true, 2, 2), macTrap(false, 1, 3)]))).toEqual({
      learned: [{ mac, portID: 102, vlan: '10' }],
      left: [{ mac, portID: 101 }],
    });
    expect(fold(changesOf([macTrap(false, 1, 1), macTrap(true, 1, 2)]))).toEqual({
      learned: [{ mac, portID: 101, vlan: '10' }],
      left: [],
    });
  });

  test('go with their link, and count on no uplink', () => {
    expect(fold(changesOf([macTrap(true, 1, 1), link(false, 1, 2)]))).toEqual({ learned: [], left: [] });
    expect(fold(changesOf([macTrap(true, 99, 1)]))).toEqual({ learned: [], left: [] });
  });
});
