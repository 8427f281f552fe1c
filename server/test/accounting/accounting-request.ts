import { createHash, createHmac } from 'node:crypto';

/** Attributes by number: a number is an integer of 32 bits, an empty text is an empty attribute. */
export type RawAttributes = readonly (readonly [type: number, value: number | string | Buffer])[];

interface RawRequest {
  secret: string;
  attributes: RawAttributes;
  identifier?: number;
  /** Adds a Message-Authenticator. */
  isSigned?: boolean;
}

const bytesOf = (value: number | string | Buffer): Buffer => {
  if (typeof value !== 'number') return Buffer.from(value);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

/** Builds an Accounting-Request as an access device does (RFC 2866 section 3), independently of the code of the service. */
export function rawAccountingRequest({ secret, attributes, identifier = 1, isSigned = false }: RawRequest): Buffer {
  const signature = isSigned ? [[80, Buffer.alloc(16)] as const] : [];
  const body = [...signature, ...attributes].map(([type, value]) => {
    const bytes = bytesOf(value);
    return Buffer.concat([Buffer.of(type, bytes.length + 2), bytes]);
  });
  const packet = Buffer.concat([Buffer.alloc(20), ...body]);
  packet[0] = 4;
  packet[1] = identifier;
  packet.writeUInt16BE(packet.length, 2);
  if (isSigned) createHmac('md5', secret).update(packet).digest().copy(packet, 22);
  createHash('md5').update(packet).update(secret).digest().copy(packet, 4);
  return packet;
}

export const attribute = {
  userName: 1,
  nasPort: 5,
  framedAddress: 8,
  calledStation: 30,
  callingStation: 31,
  proxyState: 33,
  status: 40,
  delayTime: 41,
  inputOctets: 42,
  outputOctets: 43,
  sessionID: 44,
  sessionTime: 46,
  terminateCause: 49,
  multiSessionID: 50,
  inputGigawords: 52,
  outputGigawords: 53,
  nasPortID: 87,
} as const;
