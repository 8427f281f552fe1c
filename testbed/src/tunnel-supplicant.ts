import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';
import { msChapV2Response } from './ms-chap-v2.ts';

/**
 * A supplicant that puts EAP tunnels into EAP tunnels, which `eapol_test` refuses to do: RFC 5281 (EAP-TTLS), PEAP version 0 and
 * RFC 2759 are followed as far as a login needs. It exists to show that a RADIUS server does not accept such a login.
 */

/** Code and value of an attribute that is sent in TTLS in addition to those of the login. */
export type Pair = readonly [code: number, value: string];

/** What a tunnel carries: another tunnel, or a password. `pairs` are read in TTLS only. */
export type Layer =
  | { type: 'TTLS' | 'PEAP'; identity: string; inside: Layer; pairs?: (round: number) => readonly Pair[] }
  | { type: 'PAP'; userName: string; password: string; pairs?: readonly Pair[] }
  | { type: 'GTC'; userName: string; password: string }
  | { type: 'MSCHAPV2'; userName: string; password: string };

export interface TunnelLogin {
  /** Address of the access device. */
  source: string;
  port: number;
  secret: string;
  mac: string;
  layers: Layer;
}

type LayerType = 'TTLS' | 'PEAP' | 'GTC' | 'MSCHAPV2';

/** `TTLS not offered`: the server refused that type of an inner layer before anything was proven. */
export type TunnelOutcome = 'accepted' | 'rejected' | `${LayerType} not offered`;

const eapCode = { request: 1, response: 2 } as const;
const eapType = { identity: 1, nak: 3, GTC: 6, TTLS: 21, PEAP: 25, MSCHAPV2: 26, resultTlv: 33 } as const;
const attribute = {
  userName: 1,
  userPassword: 2,
  state: 24,
  callingStationID: 31,
  eapMessage: 79,
  signature: 80,
} as const;
const msChapV2Code = { challenge: 1, response: 2 } as const;
const packetCode = { request: 1, accept: 2, reject: 3 } as const;
const roundsMax = 60;
const negotiationRoundsMax = 4;
const replyTimeoutMs = 15_000;

/** The end of a login, thrown through the layers. */
class Ended extends Error {
  readonly outcome: TunnelOutcome;
  constructor(outcome: TunnelOutcome) {
    super(outcome);
    this.outcome = outcome;
  }
}

/** Sends an EAP packet to the authenticator and returns its next one. */
type Exchange = (eap: Buffer) => Promise<Buffer>;

const eapPacket = (code: number, id: number, body: Buffer): Buffer => {
  const header = Buffer.from([code, id, 0, 0]);
  header.writeUInt16BE(body.length + 4, 2);
  return Buffer.concat([header, body]);
};
const response = (request: Buffer, ...body: (number | Buffer)[]): Buffer =>
  eapPacket(
    eapCode.response,
    request[1]!,
    Buffer.concat(body.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part))),
  );

/** Logs in through nested tunnels over RADIUS. */
export async function logInThroughTunnels({ source, port, secret, mac, layers }: TunnelLogin): Promise<TunnelOutcome> {
  const socket = createSocket('udp4');
  socket.bind(0, source);
  await once(socket, 'listening');
  try {
    await authenticate(overRadius(socket, { port, secret, mac }), layers);
    throw new Error('the login ended without an answer');
  } catch (error) {
    if (error instanceof Ended) return error.outcome;
    throw error;
  } finally {
    socket.close();
  }
}

/** EAP in RADIUS (RFC 3579). */
function overRadius(socket: Socket, { port, secret, mac }: { port: number; secret: string; mac: string }): Exchange {
  let state = Buffer.alloc(0);
  let identifier = 0;
  return async (eap) => {
    identifier += 1;
    if (identifier > roundsMax) throw new Error('too many rounds');
    const authenticator = randomBytes(16);
    const fragments = Array.from({ length: Math.ceil(eap.length / 253) }, (_, index) =>
      eap.subarray(index * 253, (index + 1) * 253),
    );
    const body = Buffer.concat([
      radiusAttribute(attribute.userName, Buffer.from('anonymous')),
      radiusAttribute(attribute.callingStationID, Buffer.from(mac.replaceAll(':', '-'))),
      ...(state.length > 0 ? [radiusAttribute(attribute.state, state)] : []),
      ...fragments.map((fragment) => radiusAttribute(attribute.eapMessage, fragment)),
      radiusAttribute(attribute.signature, Buffer.alloc(16)),
    ]);
    const packet = Buffer.concat([Buffer.from([packetCode.request, identifier, 0, 0]), authenticator, body]);
    packet.writeUInt16BE(packet.length, 2);
    createHmac('md5', secret)
      .update(packet)
      .digest()
      .copy(packet, packet.length - 16);
    socket.send(packet, port, '127.0.0.1');
    const [reply] = (await once(socket, 'message', { signal: AbortSignal.timeout(replyTimeoutMs) })) as [Buffer];
    requireSigned(reply, authenticator, secret);
    if (reply[0] === packetCode.accept) throw new Ended('accepted');
    if (reply[0] === packetCode.reject) throw new Ended('rejected');
    const attributes = radiusAttributes(reply);
    state = Buffer.concat(attributes.filter(({ type }) => type === attribute.state).map(({ value }) => value));
    return Buffer.concat(attributes.filter(({ type }) => type === attribute.eapMessage).map(({ value }) => value));
  };
}

const radiusAttribute = (type: number, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([type, value.length + 2]), value]);

function radiusAttributes(packet: Buffer): { type: number; value: Buffer }[] {
  const attributes: { type: number; value: Buffer }[] = [];
  for (let offset = 20; offset + 2 <= packet.length && packet[offset + 1]! >= 2; offset += packet[offset + 1]!)
    attributes.push({ type: packet[offset]!, value: packet.subarray(offset + 2, offset + packet[offset + 1]!) });
  return attributes;
}

/** Checks the response authenticator (RFC 2865 section 3). */
function requireSigned(reply: Buffer, authenticator: Buffer, secret: string): void {
  const signed = Buffer.concat([reply.subarray(0, 4), authenticator, reply.subarray(20), Buffer.from(secret)]);
  if (!createHash('md5').update(signed).digest().equals(reply.subarray(4, 20))) throw new Error('a forged reply');
}

/** Runs EAP with the given layer as its method. */
async function authenticate(exchange: Exchange, layer: Layer): Promise<void> {
  if (layer.type === 'PAP') throw new Error('PAP is not an EAP type');
  const identity = 'inside' in layer ? layer.identity : layer.userName;
  const first = await exchange(
    eapPacket(eapCode.response, 0, Buffer.concat([Buffer.from([eapType.identity]), Buffer.from(identity)])),
  );
  const request = await negotiate(exchange, first, { identity, type: layer.type });
  if (layer.type === 'GTC') {
    await finish(exchange, await exchange(response(request, eapType.GTC, Buffer.from(layer.password))));
    return;
  }
  if (layer.type === 'MSCHAPV2') {
    await finish(exchange, await exchange(await msChapV2Answer(request, layer)));
    return;
  }
  const tunnel = new Tunnel(exchange, layer.type, request);
  await tunnel.handshake();
  if (layer.type === 'PEAP') await authenticate(insidePeap(tunnel), layer.inside);
  else if (layer.inside.type === 'PAP') await finish(exchange, await tunnel.send(papAvps(layer.inside)));
  else await authenticate(insideTtls(tunnel, layer.pairs), layer.inside);
}

/** Requests the wanted type by a NAK until the server offers it. */
async function negotiate(
  exchange: Exchange,
  offer: Buffer,
  { identity, type }: { identity: string; type: LayerType },
): Promise<Buffer> {
  let next = offer;
  for (let round = 0; round < negotiationRoundsMax; round++) {
    if (next[0] !== eapCode.request || next[4] === eapType.resultTlv) break;
    if (next[4] === eapType[type]) return next;
    const answer =
      next[4] === eapType.identity
        ? response(next, eapType.identity, Buffer.from(identity))
        : response(next, eapType.nak, eapType[type]);
    next = await exchange(answer).catch((error: unknown) => {
      throw error instanceof Ended && error.outcome === 'rejected' ? new Ended(`${type} not offered`) : error;
    });
  }
  // Inside PEAP the server reports a refusal in a result, and rejects the login once that is acknowledged.
  await finish(exchange, next).catch((error: unknown) => {
    if (!(error instanceof Ended) || error.outcome === 'accepted') throw error;
  });
  throw new Ended(`${type} not offered`);
}

/** The response of EAP-MSCHAPv2 to a challenge (draft-kamath-pppext-eap-mschapv2 section 2.2). */
async function msChapV2Answer(
  request: Buffer,
  { userName, password }: { userName: string; password: string },
): Promise<Buffer> {
  const value = await msChapV2Response(request.subarray(10, 26), userName, password);
  const name = Buffer.from(userName);
  const header = Buffer.from([msChapV2Code.response, request[6]!, 0, 0, value.length + 1]);
  header.writeUInt16BE(header.length + value.length + 1 + name.length, 2);
  return response(request, eapType.MSCHAPV2, header, value, 0, name);
}

/**
 * Acknowledges what the server sends after the last method, until the login ends. The result of EAP-MSCHAPv2 is acknowledged by its
 * code alone.
 */
async function finish(exchange: Exchange, last: Buffer): Promise<void> {
  let request = last;
  for (let round = 0; round < 6; round++) {
    const isResult = request[4] === eapType.MSCHAPV2 && request[5] !== msChapV2Code.challenge;
    request = await exchange(response(request, isResult ? request.subarray(4, 6) : request.subarray(4)));
  }
}

/** A TLS client whose records travel in EAP packets of one type. */
class Tunnel {
  readonly #exchange: Exchange;
  readonly #type: number;
  readonly #tls: TLSSocket;
  readonly #wire: Duplex;
  #request: Buffer;
  #outgoing: Buffer[] = [];
  #plain: Buffer[] = [];
  #wake = (): void => undefined;
  #isSecure = false;

  constructor(exchange: Exchange, type: 'TTLS' | 'PEAP', begun: Buffer) {
    this.#exchange = exchange;
    this.#type = eapType[type];
    this.#request = begun;
    this.#wire = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _, done) => {
        this.#outgoing.push(chunk);
        this.#wake();
        done();
      },
    });
    this.#tls = connect({ socket: this.#wire, rejectUnauthorized: false, maxVersion: 'TLSv1.2' });
    this.#tls.on('data', (chunk: Buffer) => {
      this.#plain.push(chunk);
      this.#wake();
    });
    this.#tls.on('secureConnect', () => {
      this.#isSecure = true;
      this.#wake();
    });
    this.#tls.on('error', () => this.#wake());
  }

  /** The identifier of the request that the inside belongs to. */
  get identifier(): number {
    return this.#request[1]!;
  }

  async handshake(): Promise<void> {
    await this.#until(() => this.#outgoing.length > 0);
    while (!this.#isSecure) {
      await this.#flush();
      await this.#until(() => this.#isSecure || this.#outgoing.length > 0 || this.#tls.destroyed);
      if (this.#tls.destroyed) throw new Ended('rejected');
    }
    // The last flight of TLS 1.2 is the server's: in TTLS the first data acknowledges it.
  }

  /** Acknowledges the server's last flight, and returns the first octets that the server sends through the tunnel. */
  async open(): Promise<Buffer> {
    this.#plain = [];
    await this.#flush();
    await this.#until(() => this.#plain.length > 0);
    return Buffer.concat(this.#plain);
  }

  /** Sends octets through the tunnel, and returns those that come back. */
  async send(plain: Buffer): Promise<Buffer> {
    this.#plain = [];
    this.#tls.write(plain);
    await this.#until(() => this.#outgoing.length > 0);
    await this.#flush();
    await this.#until(() => this.#plain.length > 0);
    return Buffer.concat(this.#plain);
  }

  /** Sends the waiting records, acknowledges the fragments of the answer, and feeds it to TLS. */
  async #flush(): Promise<void> {
    const records = Buffer.concat(this.#outgoing.splice(0));
    this.#request = await this.#exchange(response(this.#request, this.#type, 0, records));
    for (;;) {
      if (this.#request[4] !== this.#type) throw new Ended('rejected');
      const flags = this.#request[5]!;
      const received = this.#request.subarray(flags & 0x80 ? 10 : 6);
      if (received.length > 0) this.#wire.push(Buffer.from(received));
      if (!(flags & 0x40)) return;
      this.#request = await this.#exchange(response(this.#request, this.#type, 0));
    }
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = setTimeout(() => reject(new Error('TLS made no progress')), replyTimeoutMs);
      this.#wake = resolve;
      await promise.finally(() => clearTimeout(timer));
    }
  }
}

/** An attribute-value pair of EAP-TTLS (RFC 5281 section 10.1), mandatory and padded. */
const avp = (code: number, value: Buffer): Buffer => {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(code, 0);
  header.writeUInt32BE(value.length + 8, 4);
  header[4] = 0x40;
  return Buffer.concat([header, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
};

const avps = (pairs: readonly Pair[]): Buffer =>
  Buffer.concat(pairs.map(([code, value]) => avp(code, Buffer.from(value))));

function papAvps({ userName, password, pairs = [] }: Layer & { type: 'PAP' }): Buffer {
  const octets = Buffer.from(password);
  const padded = Buffer.concat([octets, Buffer.alloc((16 - (octets.length % 16)) % 16)]);
  return Buffer.concat([
    avp(attribute.userName, Buffer.from(userName)),
    avp(attribute.userPassword, padded),
    avps(pairs),
  ]);
}

/** EAP inside TTLS: whole packets in EAP-Message pairs. */
const insideTtls = (tunnel: Tunnel, pairs: (round: number) => readonly Pair[] = () => []): Exchange => {
  let round = 0;
  return async (eap) => {
    const plain = await tunnel.send(Buffer.concat([avp(attribute.eapMessage, eap), avps(pairs(round))]));
    round += 1;
    const found: Buffer[] = [];
    for (let at = 0; at + 8 <= plain.length; ) {
      const length = plain.readUIntBE(at + 5, 3);
      if (plain.readUInt32BE(at) === attribute.eapMessage) found.push(plain.subarray(at + 8, at + length));
      at += length + ((4 - (length % 4)) % 4);
    }
    return Buffer.concat(found);
  };
};

/** EAP inside PEAP version 0: packets without their header, except the result at the end. */
const insidePeap = (tunnel: Tunnel): Exchange => {
  let isFirst = true;
  return async (eap) => {
    if (isFirst) {
      isFirst = false;
      // The server opens the inside with a request for the identity, which it sends when the handshake is acknowledged.
      await tunnel.open();
    }
    const isResult = eap[4] === eapType.resultTlv;
    const plain = await tunnel.send(isResult ? eap : eap.subarray(4));
    const isWhole = plain.length >= 5 && plain[0] === eapCode.request && plain.readUInt16BE(2) === plain.length;
    return isWhole ? plain : eapPacket(eapCode.request, tunnel.identifier, plain);
  };
};
