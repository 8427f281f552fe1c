import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attribute, type RawAttributes, rawAccountingRequest } from '../../../test/accounting/accounting-request.ts';
import { manyRuns } from '../../../test/world/test-speed.ts';
import { readAccounting } from './accounting.ts';
import {
  accountingAuthenticity,
  accountingResponse,
  decode,
  PacketError,
  statusServer,
  statusServerAuthenticity,
} from './packet.ts';

const secret = 'xyzzy5461';
const start: RawAttributes = [
  [attribute.status, 1],
  [attribute.sessionID, 's1'],
];
const request = (attributes: RawAttributes, isSigned = false) =>
  decode(rawAccountingRequest({ secret, attributes, isSigned }));

describe('the sender of an Accounting-Request', () => {
  test('is accepted with the secret, with and without a Message-Authenticator', () => {
    expect(accountingAuthenticity(request(start), secret)).toBe('unsigned');
    expect(accountingAuthenticity(request(start, true), secret)).toBe('signed');
  });

  test('is refused with another secret', () => {
    expect(accountingAuthenticity(request(start), 'other')).toBe('forged');
    expect(accountingAuthenticity(request(start, true), 'other')).toBe('forged');
  });

  test('is refused if any bit of the packet was changed', () => {
    const bytes = rawAccountingRequest({ secret, attributes: [[attribute.sessionID, 'abcdef']] });
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const changed = Buffer.from(bytes);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        const authenticity = () => accountingAuthenticity(decode(changed), secret);
        let result: string;
        try {
          result = authenticity();
        } catch (error) {
          expect(error).toBeInstanceOf(PacketError);
          result = 'forged';
        }
        expect(result).toBe('forged');
      }),
      { numRuns: manyRuns(1_000) },
    );
  });

  test('is refused with a wrong Message-Authenticator, also if the other authenticator is right', () => {
    const bytes = rawAccountingRequest({ secret, attributes: start, isSigned: true });
    bytes[22]! ^= 1;
    bytes.fill(0, 4, 20);
    createHash('md5').update(bytes).update(secret).digest().copy(bytes, 4);
    expect(accountingAuthenticity(decode(bytes), secret)).toBe('forged');
  });

  test('of a Status-Server request needs a Message-Authenticator', () => {
    expect(statusServerAuthenticity(decode(statusServer({ identifier: 1, secret }).bytes), secret)).toBe('signed');
    expect(statusServerAuthenticity(decode(statusServer({ identifier: 1, secret }).bytes), 'other')).toBe('forged');
    expect(statusServerAuthenticity(request(start), secret)).toBe('unsigned');
  });
});

describe('an Accounting-Response', () => {
  test('is signed as RFC 2866 section 3 requires, and returns the state of each proxy in its order', () => {
    const received = request([...start, [attribute.proxyState, 'one'], [attribute.proxyState, 'two']]);
    const bytes = accountingResponse(received, secret);
    expect(bytes.subarray(0, 4)).toEqual(Buffer.of(5, 1, 0, 30));
    expect(bytes.subarray(20)).toEqual(Buffer.from('\x21\x05one\x21\x05two', 'latin1'));
    const digest = createHash('md5')
      .update(bytes.subarray(0, 4))
      .update(received.authenticator)
      .update(bytes.subarray(20))
      .update(secret)
      .digest();
    expect(bytes.subarray(4, 20)).toEqual(digest);
  });

  test('has no Message-Authenticator, also if the request had one', () => {
    expect(accountingResponse(request(start, true), secret)).toHaveLength(20);
  });

  test('leaves out an empty Proxy-State, which no packet may have', () => {
    expect(accountingResponse(request([...start, [attribute.proxyState, '']]), secret)).toHaveLength(20);
  });
});

describe('an Accounting-Request', () => {
  test('contains the session with its counters, Gigawords included', () => {
    const report = readAccounting(
      request([
        [attribute.status, 2],
        [attribute.sessionID, 's1'],
        [attribute.multiSessionID, 'm1'],
        [attribute.sessionTime, 90],
        [attribute.delayTime, 3],
        [attribute.inputOctets, 5],
        [attribute.inputGigawords, 2],
        [attribute.outputOctets, 0xffffffff],
        [attribute.terminateCause, 2],
        [attribute.framedAddress, Buffer.of(10, 1, 2, 3)],
        [attribute.callingStation, '00-1D-09-00-00-01'],
        [attribute.nasPort, 7],
        [attribute.nasPortID, 'Gi1/0/7'],
      ]),
    );
    expect(report).toMatchObject({
      status: 'STOP',
      sessionID: 's1',
      multiSessionID: 'm1',
      seconds: 90,
      delaySeconds: 3,
      inputOctets: 2 * 2 ** 32 + 5,
      outputOctets: 2 ** 32 - 1,
      terminateCause: 2,
      address: '10.1.2.3',
    });
    expect(Object.fromEntries(report.attributes)).toEqual({
      'Calling-Station-Id': ['00-1D-09-00-00-01'],
      'NAS-Port': ['7'],
      'NAS-Port-Id': ['Gi1/0/7'],
    });
  });

  test.each([
    ['Acct-Status-Type', [[attribute.sessionID, 's1']]],
    ['Acct-Session-Id', [[attribute.status, 1]]],
    [
      'Acct-Session-Id',
      [
        [attribute.status, 2],
        [attribute.sessionID, '\0'],
      ],
    ],
  ] as const)('without %s is refused', (name, attributes) => {
    expect(() => readAccounting(request(attributes as RawAttributes))).toThrow(`${name} is absent`);
  });

  test('of a restart needs no session', () => {
    expect(readAccounting(request([[attribute.status, 7]]))).toMatchObject({ status: 'ON', sessionID: null });
    expect(readAccounting(request([[attribute.status, 8]]))).toMatchObject({ status: 'OFF' });
    expect(readAccounting(request([[attribute.status, 9]]))).toMatchObject({ status: 'OTHER' });
  });

  test.each([
    ['of a broadcast', Buffer.of(255, 255, 255, 255)],
    ['to be negotiated', Buffer.of(255, 255, 255, 254)],
    ['of no host', Buffer.of(0, 0, 0, 0)],
    ['that is too short', Buffer.of(10, 0, 0)],
  ])('with an address %s has none', (_name, value) => {
    expect(readAccounting(request([...start, [attribute.framedAddress, value]])).address).toBe(null);
  });

  test('has a delay of at most a day, and octets that JSON can show', () => {
    const report = readAccounting(
      request([
        ...start,
        [attribute.delayTime, 31_536_000],
        [attribute.inputGigawords, 0xffffffff],
        [attribute.inputOctets, 0xffffffff],
      ]),
    );
    expect(report).toMatchObject({ delaySeconds: 0, inputOctets: Number.MAX_SAFE_INTEGER });
  });

  test('is read or refused with its own error, whatever it contains', () => {
    const attributes = fc.array(fc.tuple(fc.nat(255), fc.uint8Array({ maxLength: 12 })), { maxLength: 12 });
    fc.assert(
      fc.property(attributes, (drawn) => {
        const packet = request(drawn.map(([type, value]) => [type, Buffer.from(value)]));
        try {
          readAccounting(packet);
        } catch (error) {
          expect(error).toBeInstanceOf(PacketError);
        }
      }),
      { numRuns: manyRuns(1_000) },
    );
  });
});
