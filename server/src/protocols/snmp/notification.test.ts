import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { macText } from './mac-text.ts';
import type { Varbind } from './message.ts';
import { contentsOf, deviceEventOf, type MacChange, readMacChanges } from './notification.ts';
import { oid } from './oid.ts';

const linkDown = oid('1.3.6.1.6.3.1.1.5.3');
const macChanged = oid('1.3.6.1.4.1.9.9.215.2.0.1');
const upTime: Varbind = { oid: oid('1.3.6.1.2.1.1.3.0'), type: 'ticks', value: 77 };
const trapOid: Varbind = { oid: oid('1.3.6.1.6.3.1.1.4.1.0'), type: 'oid', value: linkDown };
const ifIndex: Varbind = { oid: oid('1.3.6.1.2.1.2.2.1.1.10105'), type: 'integer', value: 10_105 };
const trapOf = (varbinds: Varbind[]) => ({
  type: 'trap' as const,
  requestId: 1,
  errorStatus: 0,
  errorIndex: 0,
  varbinds,
});

const change: fc.Arbitrary<MacChange> = fc.record({
  isLearned: fc.boolean(),
  vlan: fc.integer({ min: 1, max: 4_094 }),
  mac: fc.uint8Array({ minLength: 6, maxLength: 6 }).map(macText),
  bridgePort: fc.integer({ min: 1, max: 65_535 }),
});

function written(changes: readonly MacChange[]): Buffer {
  return Buffer.concat([
    ...changes.map(({ isLearned, vlan, mac, bridgePort }) => {
      const entry = Buffer.alloc(11);
      entry.writeUInt8(isLearned ? 1 : 2, 0);
      entry.writeUInt16BE(vlan, 1);
      Buffer.from(mac.replaceAll(':', ''), 'hex').copy(entry, 3);
      entry.writeUInt16BE(bridgePort, 9);
      return entry;
    }),
    Buffer.of(0),
  ]);
}

describe('notifications', () => {
  test('of versions 1 and 2 are the same when they mean the same', () => {
    const common = { type: 'trapV1' as const, agentAddress: Buffer.of(10, 0, 0, 7), ticks: 77, varbinds: [ifIndex] };
    const v1 = contentsOf({ ...common, enterprise: oid('1.3.6.1.4.1.9.1.1208'), generic: 2, specific: 0 });
    expect(v1).toEqual({ ...contentsOf(trapOf([upTime, trapOid, ifIndex])), agentAddress: '10.0.0.7' });
    const ownContents = contentsOf({ ...common, enterprise: oid('1.3.6.1.4.1.9.9.215.2'), generic: 6, specific: 1 });
    expect(ownContents?.name).toEqual(macChanged);
  });

  test('without their name and time in front are none', () => {
    expect(contentsOf(trapOf([]))).toBeUndefined();
    expect(contentsOf(trapOf([trapOid, upTime]))).toBeUndefined();
    expect(contentsOf(trapOf([upTime, ifIndex]))).toBeUndefined();
    expect(contentsOf({ ...trapOf([upTime, trapOid]), type: 'get' })).toBeUndefined();
  });

  test('identify the interface by ifIndex, or by the index of any other column', () => {
    const status: Varbind = { oid: oid('1.3.6.1.2.1.2.2.1.8.10106'), type: 'integer', value: 2 };
    expect(deviceEventOf({ name: linkDown, varbinds: [status, ifIndex] }, false)).toEqual({
      kind: 'linkDown',
      ifIndex: 10_105,
    });
    expect(deviceEventOf({ name: linkDown, varbinds: [status] }, false)).toEqual({ kind: 'linkDown', ifIndex: 10_106 });
    expect(deviceEventOf({ name: linkDown, varbinds: [] }, false)).toBeUndefined();
    const adminDown: Varbind = { oid: oid('1.3.6.1.2.1.2.2.1.7.10105'), type: 'integer', value: 2 };
    expect(deviceEventOf({ name: linkDown, varbinds: [ifIndex, adminDown] }, false)).toEqual({
      kind: 'linkDown',
      ifIndex: 10_105,
      isAdminUp: false,
    });
    expect(deviceEventOf({ name: oid('1.3.6.1.6.3.1.1.5.1'), varbinds: [] }, false)).toEqual({ kind: 'coldStart' });
    expect(deviceEventOf({ name: oid('1.3.6.1.6.3.1.1.5.5'), varbinds: [] }, false)).toBeUndefined();
  });

  test('of MAC addresses count from a Cisco only', () => {
    const [sampleChange] = fc.sample(change, 1);
    const varbinds: Varbind[] = [
      { oid: oid('1.3.6.1.4.1.9.9.215.1.1.8.1.2.4'), type: 'octets', value: written([sampleChange!]) },
    ];
    expect(deviceEventOf({ name: macChanged, varbinds }, true)).toEqual({
      kind: 'macChanges',
      changes: [sampleChange],
    });
    expect(deviceEventOf({ name: macChanged, varbinds }, false)).toBeUndefined();
  });

  test('of MAC addresses are read entry by entry, up to their end', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), fc.uint8Array({ maxLength: 10 }), (changes, tail) => {
        expect(readMacChanges(Buffer.concat([written(changes), tail]))).toEqual(changes);
        expect(readMacChanges(written(changes).subarray(0, -1))).toEqual(changes);
      }),
    );
  });

  test('of MAC addresses may be any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(readMacChanges(Buffer.from(bytes)).length).toBeLessThanOrEqual(bytes.length / 11);
      }),
    );
  });
});
