import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Packet codes of RFC 2865 section 3, RFC 2866 section 3 and RFC 5997 section 3. */
export const packetCode = {
  accessRequest: 1,
  accessAccept: 2,
  accessReject: 3,
  accountingRequest: 4,
  accountingResponse: 5,
  accessChallenge: 11,
  statusServer: 12,
} as const;

const attributeType = {
  userName: 1,
  userPassword: 2,
  nasIdentifier: 32,
  proxyState: 33,
  messageAuthenticator: 80,
} as const;

const headerLength = 20;
const authenticatorOffset = 4;
const packetLengthMax = 4096;
const authenticatorLength = 16;
const valueLengthMax = 253;
const passwordLengthMax = 128;
const nasIdentifier = Buffer.from('portreeve');

/** Thrown for bytes that are not a RADIUS packet, and for values that a RADIUS packet cannot contain. */
export class PacketError extends Error {
  override readonly name = 'PacketError';
}

interface Attribute {
  type: number;
  value: Buffer;
  /** Offset of the value in the packet. */
  offset: number;
}

/** A received packet, cut to its stated length. */
export interface Packet {
  code: number;
  identifier: number;
  authenticator: Buffer;
  attributes: Attribute[];
  bytes: Buffer;
}

/**
 * An encoded request, resent without changes (RFC 2865 section 2.5), with the values that its reply is checked with.
 */
export interface Request {
  identifier: number;
  authenticator: Buffer;
  bytes: Buffer;
}

interface RequestOptions {
  identifier: number;
  secret: string;
  /** Random if absent; tests pass a fixed one. */
  authenticator?: Buffer;
}

interface AccessRequestOptions extends RequestOptions {
  userName: string;
  password: string;
  /** False only for the test of the secret: see radius.ts. */
  isSigned?: boolean;
  /** Further attributes by number. */
  attributes?: readonly (readonly [number, Buffer])[];
}

/** Builds an Access-Request for a user, with the password hidden as in PAP (RFC 2865 section 4.1). */
export function accessRequest(options: AccessRequestOptions): Request {
  const authenticator = options.authenticator ?? randomBytes(authenticatorLength);
  const userName = Buffer.from(options.userName);
  if (userName.length === 0) throw new PacketError('the user name is empty');
  if (userName.length > valueLengthMax) throw new PacketError(`the user name is longer than ${valueLengthMax} bytes`);
  const attributes: (readonly [number, Buffer])[] = [
    [attributeType.userName, userName],
    [attributeType.userPassword, hidePassword(options.password, options.secret, authenticator)],
    [attributeType.nasIdentifier, nasIdentifier],
    ...(options.attributes ?? []),
  ];
  return encode(packetCode.accessRequest, { ...options, authenticator }, attributes, options.isSigned ?? true);
}

/** Builds a Status-Server request, which tests a server without a user (RFC 5997). */
export function statusServer(
  options: RequestOptions & { attributes?: readonly (readonly [number, Buffer])[] },
): Request {
  const { attributes = [] } = options;
  // RFC 5997 section 3: the Message-Authenticator is required, and the Request Authenticator is random.
  return encode(packetCode.statusServer, options, [[attributeType.nasIdentifier, nasIdentifier], ...attributes], true);
}

function encode(
  code: number,
  { identifier, secret, authenticator = randomBytes(authenticatorLength) }: RequestOptions,
  attributes: readonly (readonly [number, Buffer])[],
  isSigned: boolean,
): Request {
  // First, so that a prefix chosen by an attacker cannot precede it (CVE-2024-3596).
  const all: readonly (readonly [number, Buffer])[] = isSigned
    ? [[attributeType.messageAuthenticator, Buffer.alloc(authenticatorLength)], ...attributes]
    : attributes;
  const body = all.map(([type, value]) => {
    if (value.length === 0) throw new PacketError(`attribute ${type} is empty`);
    if (value.length > valueLengthMax)
      throw new PacketError(`attribute ${type} is longer than ${valueLengthMax} bytes`);
    return Buffer.concat([Buffer.of(type, value.length + 2), value]);
  });
  const header = Buffer.alloc(headerLength);
  const bytes = Buffer.concat([header, ...body]);
  bytes.writeUInt8(code, 0);
  bytes.writeUInt8(identifier, 1);
  bytes.writeUInt16BE(bytes.length, 2);
  authenticator.copy(bytes, 4);
  if (isSigned)
    createHmac('md5', secret)
      .update(bytes)
      .digest()
      .copy(bytes, headerLength + 2);
  return { identifier, authenticator, bytes };
}

/** Hides a PAP password (RFC 2865 section 5.2): each 16-byte block is XORed with a digest of the previous block. */
export function hidePassword(password: string, secret: string, authenticator: Buffer): Buffer {
  const plain = Buffer.from(password);
  if (plain.length > passwordLengthMax) throw new PacketError(`the password is longer than ${passwordLengthMax} bytes`);
  // The attribute has 16 to 128 bytes: an empty password fills one block too.
  const hidden = Buffer.alloc(Math.max(1, Math.ceil(plain.length / authenticatorLength)) * authenticatorLength);
  plain.copy(hidden);
  let previous = authenticator;
  for (let start = 0; start < hidden.length; start += authenticatorLength) {
    const cover = createHash('md5').update(secret).update(previous).digest();
    const block = hidden.subarray(start, start + authenticatorLength);
    for (const [index, byte] of cover.entries()) block[index]! ^= byte;
    previous = block;
  }
  return hidden;
}

/** Decodes a packet; throws a PacketError if a length is invalid (RFC 2865 section 3). */
export function decode(datagram: Buffer): Packet {
  if (datagram.length < headerLength) throw new PacketError('shorter than a header');
  const length = datagram.readUInt16BE(2);
  if (length < headerLength || length > packetLengthMax) throw new PacketError(`impossible length ${length}`);
  if (length > datagram.length) throw new PacketError('truncated');
  // Bytes after the stated length are padding, which the authenticator does not cover.
  const bytes = datagram.subarray(0, length);
  const attributes: Attribute[] = [];
  for (let offset = headerLength; offset < length; ) {
    const size = offset + 1 < length ? bytes.readUInt8(offset + 1) : 0;
    if (size < 2 || offset + size > length) throw new PacketError(`attribute at byte ${offset} does not fit`);
    attributes.push({
      type: bytes.readUInt8(offset),
      value: bytes.subarray(offset + 2, offset + size),
      offset: offset + 2,
    });
    offset += size;
  }
  return {
    code: bytes.readUInt8(0),
    identifier: bytes.readUInt8(1),
    authenticator: bytes.subarray(4, headerLength),
    attributes,
    bytes,
  };
}

/**
 * `signed`: both authenticators are valid; `unsigned`: no Message-Authenticator, the other one is valid; `forged`: one
 * is invalid.
 */
export type Authenticity = 'signed' | 'unsigned' | 'forged';

/** Checks that the sender of a reply has the secret and the request. */
export function authenticityOf(reply: Packet, request: Request, secret: string): Authenticity {
  // Both digests are computed over the reply with the request's authenticator in place of its own (RFC 2865 section 3).
  const bytes = Buffer.from(reply.bytes);
  request.authenticator.copy(bytes, 4);
  const expected = createHash('md5').update(bytes).update(secret).digest();
  if (!timingSafeEqual(expected, reply.authenticator)) return 'forged';
  return signatureIn(reply, bytes, secret);
}

/** Checks the Message-Authenticator of a packet over a copy of its bytes with the authenticator that the signature covers. */
function signatureIn({ attributes }: Packet, bytes: Buffer, secret: string): Authenticity {
  const [signature, ...duplicates] = attributes.filter(({ type }) => type === attributeType.messageAuthenticator);
  if (!signature) return 'unsigned';
  if (duplicates.length > 0 || signature.value.length !== authenticatorLength) return 'forged';
  // RFC 2869 section 5.14: computed with 16 zero bytes in its own place.
  bytes.fill(0, signature.offset, signature.offset + authenticatorLength);
  const signed = createHmac('md5', secret).update(bytes).digest();
  return timingSafeEqual(signed, signature.value) ? 'signed' : 'forged';
}

/**
 * Checks that the sender of an Accounting-Request has the secret: its authenticator is a digest of the packet with zeros in its own
 * place (RFC 2866 section 3), which a Message-Authenticator covers as zeros too.
 */
export function accountingAuthenticity(request: Packet, secret: string): Authenticity {
  const bytes = Buffer.from(request.bytes).fill(0, authenticatorOffset, headerLength);
  const expected = createHash('md5').update(bytes).update(secret).digest();
  if (!timingSafeEqual(expected, request.authenticator)) return 'forged';
  return signatureIn(request, bytes, secret);
}

/** Checks a Status-Server request, whose Message-Authenticator is required and covers its random authenticator (RFC 5997 section 3). */
export const statusServerAuthenticity = (request: Packet, secret: string): Authenticity =>
  signatureIn(request, Buffer.from(request.bytes), secret);

/**
 * Encodes an Accounting-Response, which returns the Proxy-State of each proxy (RFC 2865 section 5.33). It has no Message-Authenticator:
 * no RFC defines one for it, and FreeRADIUS computes it otherwise than that of an Access-Accept.
 */
export function accountingResponse(request: Packet, secret: string): Buffer {
  const proxyStates = request.attributes.filter(
    ({ type, value }) => type === attributeType.proxyState && value.length > 0,
  );
  const attributes: (readonly [number, Buffer])[] = proxyStates.map(({ type, value }) => [type, value]);
  const { identifier, authenticator } = request;
  const { bytes } = encode(packetCode.accountingResponse, { identifier, authenticator, secret }, attributes, false);
  createHash('md5').update(bytes).update(secret).digest().copy(bytes, authenticatorOffset);
  return bytes;
}
