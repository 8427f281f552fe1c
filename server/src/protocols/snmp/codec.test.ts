import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BerError } from './ber.ts';
import {
  decodeMessage,
  decodeScopedPdu,
  encodeCommunityMessage,
  encodeScopedPdu,
  type Pdu,
  type Value,
  type Varbind,
} from './message.ts';
import { compareOids, dotted, isBelow, type Oid, oid } from './oid.ts';

const subIdentifier = fc.integer({ min: 0, max: 0xffff_ffff });
const anyOid: fc.Arbitrary<Oid> = fc
  .tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 39 }), fc.array(subIdentifier, { maxLength: 126 }))
  .map(([first, second, rest]) => [first, second, ...rest]);
const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
const int32 = fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff });

const anyValue: fc.Arbitrary<Value> = fc.oneof(
  fc.record({ type: fc.constant('integer' as const), value: int32 }),
  fc.record({ type: fc.constantFrom('counter' as const, 'gauge' as const, 'ticks' as const), value: subIdentifier }),
  fc.record({ type: fc.constant('counter64' as const), value: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }) }),
  fc.record({ type: fc.constantFrom('octets' as const, 'opaque' as const), value: bytes(300) }),
  fc.record({ type: fc.constant('ipAddress' as const), value: bytes(4) }),
  fc.record({ type: fc.constant('oid' as const), value: anyOid }),
  fc.record({
    type: fc.constantFrom('null' as const, 'noSuchObject' as const, 'noSuchInstance' as const, 'endOfMibView' as const),
    value: fc.constant(null),
  }),
);
const anyVarbind: fc.Arbitrary<Varbind> = fc.tuple(anyOid, anyValue).map(([name, value]) => ({ ...value, oid: name }));
const varbinds = fc.array(anyVarbind, { maxLength: 12 });
const anyPdu: fc.Arbitrary<Pdu> = fc.oneof(
  fc.record({
    type: fc.constantFrom('get' as const, 'getNext' as const, 'getBulk' as const, 'set' as const, 'response' as const),
    requestId: int32,
    errorStatus: int32,
    errorIndex: int32,
    varbinds,
  }),
  fc.record({
    type: fc.constant('trapV1' as const),
    enterprise: anyOid,
    agentAddress: bytes(4),
    generic: int32,
    specific: int32,
    ticks: subIdentifier,
    varbinds,
  }),
);

describe('SNMP messages', () => {
  test('are read back as they were written', () => {
    const message = fc.record({
      version: fc.constantFrom('v1' as const, 'v2c' as const),
      community: bytes(64),
      pdu: anyPdu,
    });
    fc.assert(
      fc.property(message, (message) => {
        expect(decodeMessage(encodeCommunityMessage(message))).toEqual(message);
      }),
    );
  });

  test('carry a context in version 3', () => {
    const scoped = fc.record({ contextEngineId: bytes(32), contextName: fc.string({ unit: 'grapheme' }), pdu: anyPdu });
    fc.assert(
      fc.property(scoped, (scopedPdu) => {
        expect(decodeScopedPdu(encodeScopedPdu(scopedPdu))).toEqual(scopedPdu);
      }),
    );
  });

  test('that are none are refused with BerError, whatever the bytes', () => {
    fc.assert(fc.property(bytes(600), (noise) => expectBerErrorOrMessage(noise)));
  });

  test('that were damaged or cut are refused with BerError or are another message', () => {
    const damaged = fc.tuple(anyPdu, fc.nat(), fc.nat(255), fc.nat()).map(([pdu, position, byte, cut]) => {
      const encoded = encodeCommunityMessage({ version: 'v2c', community: Buffer.from('public'), pdu });
      encoded[position % encoded.length] = byte;
      return encoded.subarray(0, encoded.length - (cut % 8));
    });
    fc.assert(
      fc.property(damaged, (noise) => {
        expectBerErrorOrMessage(noise);
      }),
    );
  });

  test('are as BER has them: the shortest integers, lengths of one, two and three bytes', () => {
    const encoded = (value: Value) =>
      encodeScopedPdu({
        contextEngineId: Buffer.alloc(0),
        contextName: '',
        pdu: { type: 'get', requestId: 0, errorStatus: 0, errorIndex: 0, varbinds: [{ ...value, oid: [1, 3] }] },
      }).toString('hex');
    expect(encoded({ type: 'integer', value: 127 })).toMatch(/06012b02017f$/);
    expect(encoded({ type: 'integer', value: 128 })).toMatch(/06012b02020080$/);
    expect(encoded({ type: 'integer', value: -129 })).toMatch(/06012b0202ff7f$/);
    expect(encoded({ type: 'gauge', value: 4_294_967_295 })).toMatch(/06012b420500ffffffff$/);
    expect(encoded({ type: 'oid', value: [2, 999, 3] })).toMatch(/06012b0603883703$/);
    expect(encoded({ type: 'octets', value: Buffer.alloc(127) })).toContain('06012b047f00');
    expect(encoded({ type: 'octets', value: Buffer.alloc(128) })).toContain('06012b04818000');
    expect(encoded({ type: 'octets', value: Buffer.alloc(256) })).toContain('06012b0482010000');
  });
});

function expectBerErrorOrMessage(noise: Buffer): void {
  try {
    decodeMessage(noise);
  } catch (error) {
    expect(error).toBeInstanceOf(BerError);
  }
}

describe('object identifiers', () => {
  test('are read from the dotted form and written to it', () => {
    fc.assert(
      fc.property(anyOid, (name) => {
        expect(oid(dotted(name))).toEqual(name);
      }),
    );
  });

  test.each(['', '1', '3.1', '1.40', '1.3.x', '1..3', '1.3.4294967296', '1.3.-1', '1.3.1.5e3.x'])(
    'do not include "%s"',
    (text) => {
      expect(() => oid(text)).toThrow('is no object identifier');
    },
  );

  test('are ordered as agents walk them, with what is below right behind', () => {
    fc.assert(
      fc.property(anyOid, subIdentifier, (name, subId) => {
        const below = [...name, subId];
        expect(isBelow(name, below)).toBe(true);
        expect(isBelow(below, name)).toBe(false);
        expect(compareOids(name, below)).toBeLessThan(0);
        expect(compareOids(below, name)).toBeGreaterThan(0);
        expect(compareOids(name, [...name])).toBe(0);
      }),
    );
  });
});
