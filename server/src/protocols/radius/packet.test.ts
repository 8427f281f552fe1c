import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { manyRuns } from '../../../test/world/test-speed.ts';
import {
  accessRequest,
  authenticityOf,
  decode,
  hidePassword,
  PacketError,
  type Request,
  statusServer,
} from './packet.ts';

const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex');
const requestOf = (bytes: Buffer): Request => {
  const { identifier, authenticator } = decode(bytes);
  return { identifier, authenticator, bytes };
};
const secret = 'xyzzy5461';

// RFC 2865 sections 7.1, 7.2 and 7.3 (an Access-Challenge), and the smallest example of RFC 5997
const exchanges = {
  'RFC 2865, 7.1': [
    `01 00 00 38 0f 40 3f 94 73 97 80 57 bd 83 d5 cb 98 f4 22 7a 01 06 6e 65 6d 6f 02 12 0d be 70 8d 93 d4 13 ce
     31 96 e4 3f 78 2a 0a ee 04 06 c0 a8 01 10 05 06 00 00 00 03`,
    `02 00 00 26 86 fe 22 0e 76 24 ba 2a 10 05 f6 bf 9b 55 e0 b2 06 06 00 00 00 01 0f 06 00 00 00 00 0e 06 c0 a8 01 03`,
  ],
  'RFC 2865, 7.2': [
    `01 01 00 47 2a ee 86 f0 8d 0d 55 96 9c a5 97 8e 0d 33 67 a2 01 08 66 6c 6f 70 73 79 03 13 16 e9 75 57 c3 16
     18 58 95 f2 93 ff 63 44 07 72 75 04 06 c0 a8 01 10 05 06 00 00 00 14 06 06 00 00 00 02 07 06 00 00 00 01`,
    `02 01 00 38 15 ef bc 7d ab 26 cf a3 dc 34 d9 c0 3c 86 01 a4 06 06 00 00 00 02 07 06 00 00 00 01 08 06 ff ff
     ff fe 0a 06 00 00 00 02 0d 06 00 00 00 01 0c 06 00 00 05 dc`,
  ],
  'RFC 2865, 7.3': [
    `01 02 00 39 f3 a4 7a 1f 6a 6d 76 71 0b 94 7a b9 30 41 a0 39 01 07 6d 6f 70 73 79 02 12 33 65 75 73 77 82 89
     b5 70 88 5e 15 08 48 25 c5 04 06 c0 a8 01 10 05 06 00 00 00 07`,
    `0b 02 00 4e 36 f3 c8 76 4a e8 c7 11 57 40 3c 0c 71 ff 9c 45 12 30 43 68 61 6c 6c 65 6e 67 65 20 33 32 37 36
     39 34 33 30 2e 20 20 45 6e 74 65 72 20 72 65 73 70 6f 6e 73 65 20 61 74 20 70 72 6f 6d 70 74 2e 18 0a 33 32
     37 36 39 34 33 30`,
  ],
  'RFC 5997, Status-Server': [
    `0c da 00 26 8a 54 f4 68 6f b3 94 c5 28 66 e3 02 18 5d 06 23 50 12 5a 66 5e 2e 1e 84 11 f3 e2 43 82 20 97 c8
     4f a3`,
    `02 da 00 14 ef 0d 55 2a 4b f2 d6 93 ec 2b 6f e8 b5 41 1d 66`,
  ],
} as const;

/** Returns the expected Message-Authenticator of a request in which it is the first attribute. */
const signatureOf = (bytes: Buffer) =>
  createHmac('md5', secret)
    .update(Buffer.from(bytes).fill(0, 22, 38))
    .digest('hex');

/** Builds a reply as a server does, with both authenticators. */
function signedReply(request: Request, code: number, key: string, attributes: Buffer = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(20), Buffer.of(80, 18), Buffer.alloc(16), attributes]);
  bytes[0] = code;
  bytes[1] = request.identifier;
  bytes.writeUInt16BE(bytes.length, 2);
  request.authenticator.copy(bytes, 4);
  createHmac('md5', key).update(bytes).digest().copy(bytes, 22);
  createHash('md5').update(bytes).update(key).digest().copy(bytes, 4);
  return bytes;
}

describe('radius packet', () => {
  test('hides a password as RFC 2865 section 7.1 does', () => {
    const authenticator = hex('0f403f9473978057bd83d5cb98f4227a');
    expect(hidePassword('arctangent', secret, authenticator).toString('hex')).toBe('0dbe708d93d413ce3196e43f782a0aee');
  });

  test('hides every password in whole blocks that its server can uncover', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 32, unit: 'grapheme' }),
        fc.string(),
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        (password, key, bytes) => {
          const plain = Buffer.from(password);
          fc.pre(plain.length <= 128 && !password.endsWith('\0'));
          const hidden = hidePassword(password, key, Buffer.from(bytes));
          expect(hidden.length % 16).toBe(0);
          expect(hidden.length).toBe(Math.max(16, Math.ceil(plain.length / 16) * 16));
          const shown = Buffer.from(hidden);
          for (let block = 0; block < hidden.length; block += 16) {
            const before = block === 0 ? Buffer.from(bytes) : hidden.subarray(block - 16, block);
            const cover = createHash('md5').update(key).update(before).digest();
            for (let index = 0; index < 16; index += 1) shown[block + index]! ^= cover[index]!;
          }
          expect(shown.subarray(0, plain.length).equals(plain)).toBe(true);
          expect(shown.subarray(plain.length).every((byte) => byte === 0)).toBe(true);
        },
      ),
    );
  });

  test('refuses what does not fit a packet', () => {
    const options = { identifier: 1, secret, userName: 'bob', password: 'x' };
    expect(accessRequest({ ...options, password: 'x'.repeat(128) }).bytes.length).toBeGreaterThan(128);
    expect(() => accessRequest({ ...options, password: 'x'.repeat(129) })).toThrow(PacketError);
    expect(() => accessRequest({ ...options, userName: 'x'.repeat(254) })).toThrow(PacketError);
    expect(() => accessRequest({ ...options, userName: '' })).toThrow(PacketError);
  });

  test.each(Object.entries(exchanges))('verifies the reply of %s and no other', (_name, [question, answer]) => {
    const request = requestOf(hex(question));
    expect(authenticityOf(decode(hex(answer)), request, secret)).toBe('unsigned');
    expect(authenticityOf(decode(hex(answer)), request, 'xyzzy5462')).toBe('forged');
    // Padding after the stated length is not part of the packet (RFC 2865 section 3).
    expect(authenticityOf(decode(Buffer.concat([hex(answer), hex('ffff')])), request, secret)).toBe('unsigned');
  });

  test('signs a Status-Server as the example of RFC 5997 is signed', () => {
    const authenticator = hex('8a54f4686fb394c52866e302185d0623');
    const { bytes } = statusServer({ identifier: 0xda, secret, authenticator });
    const { attributes } = decode(bytes);
    expect(attributes.map(({ type }) => type)).toEqual([80, 32]);
    expect(attributes[1]!.value.toString()).toBe('portreeve');
    expect(signatureOf(hex(exchanges['RFC 5997, Status-Server'][0]))).toBe('5a665e2e1e8411f3e243822097c84fa3');
    expect(attributes[0]!.value.toString('hex')).toBe(signatureOf(bytes));
  });

  test('puts the Message-Authenticator first, and omits it only on request', () => {
    const options = { identifier: 7, secret, userName: 'bob', password: 'hello' };
    const signed = accessRequest(options);
    expect(decode(signed.bytes).attributes.map(({ type }) => type)).toEqual([80, 1, 2, 32]);
    expect(signed.bytes.subarray(22, 38).toString('hex')).toBe(signatureOf(signed.bytes));
    const unsigned = accessRequest({ ...options, isSigned: false });
    expect(decode(unsigned.bytes).attributes.map(({ type }) => type)).toEqual([1, 2, 32]);
  });

  test('makes a new authenticator for every request', () => {
    const passwords = Array.from({ length: 20 }, () =>
      statusServer({ identifier: 1, secret }).authenticator.toString('hex'),
    );
    expect(new Set(passwords).size).toBe(20);
  });

  test('believes a reply only when no bit of it has changed', () => {
    const request = accessRequest({ identifier: 9, secret, userName: 'bob', password: 'hello' });
    const reply = signedReply(request, 2, secret, hex('0606 00000001'));
    expect(authenticityOf(decode(reply), request, secret)).toBe('signed');
    fc.assert(
      fc.property(fc.nat(reply.length * 8 - 1), (bit) => {
        const changed = Buffer.from(reply);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        let verdict: string;
        try {
          verdict = authenticityOf(decode(changed), request, secret);
        } catch (error) {
          verdict = error instanceof PacketError ? 'forged' : 'bug';
        }
        expect(verdict).toBe('forged');
      }),
    );
  });

  test.each([
    ['a wrong Message-Authenticator', hex('5012 00000000000000000000000000000000')],
    ['a Message-Authenticator of another length', hex('5006 00000000')],
  ])('does not believe %s under a right Response Authenticator', (_name, attribute) => {
    const request = statusServer({ identifier: 3, secret });
    const bytes = Buffer.concat([Buffer.of(2, 3, 0, 20 + attribute.length), request.authenticator, attribute]);
    createHash('md5').update(bytes).update(secret).digest().copy(bytes, 4);
    expect(authenticityOf(decode(bytes), request, secret)).toBe('forged');
  });

  test('does not believe two Message-Authenticators', () => {
    const request = statusServer({ identifier: 3, secret });
    const reply = signedReply(request, 2, secret, hex('5012 00000000000000000000000000000000'));
    expect(authenticityOf(decode(reply), request, secret)).toBe('forged');
  });

  test.each([
    ['nothing', ''],
    ['half a header', '02010014'],
    ['a length below the header', `02010013${'00'.repeat(16)}`],
    ['a length above the datagram', `02010030${'00'.repeat(16)}`],
    ['a length above 4096', `02011001${'00'.repeat(4093)}`],
    ['an attribute without a length', `02010015${'00'.repeat(16)}06`],
    ['an attribute of length 0', `02010016${'00'.repeat(16)}0600`],
    ['an attribute of length 1', `02010016${'00'.repeat(16)}0601`],
    ['an attribute beyond the end', `02010018${'00'.repeat(16)}06060000`],
  ])('refuses %s', (_name, bytes) => {
    expect(() => decode(hex(bytes))).toThrow(PacketError);
  });

  test('reads arbitrary bytes or reports a fault, and never throws otherwise', () => {
    const withHeader = fc
      .tuple(fc.uint8Array({ minLength: 2, maxLength: 2 }), fc.nat(80), fc.uint8Array({ maxLength: 80 }))
      .map(([start, length, rest]) => Uint8Array.from([...start, 0, length, ...rest]));
    const request = statusServer({ identifier: 0, secret });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 5000 }), withHeader), (bytes) => {
        try {
          const packet = decode(Buffer.from(bytes));
          const length = packet.attributes.reduce((sum, { value }) => sum + value.length + 2, 20);
          expect(length).toBe(packet.bytes.length);
          expect(authenticityOf(packet, request, secret)).toBe('forged');
        } catch (error) {
          expect(error).toBeInstanceOf(PacketError);
        }
      }),
      { numRuns: manyRuns(500) },
    );
  });
});
