import { createHash } from 'node:crypto';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { BerError } from './ber.ts';
import { BoundedMap } from './bounded-map.ts';
import { EngineClocks, isInOwnWindow, replaySeconds } from './engine-clocks.ts';
import {
  type CommunityMessage,
  decodeMessage,
  encodeCommunityMessage,
  type RequestPdu,
  type V3Message,
} from './message.ts';
import { contentsOf, type Notification } from './notification.ts';
import type { Oid } from './oid.ts';
import { isAuthentic, keysOf, openMessage, reportNames, sealMessage, type UsmKeys, type UsmUser } from './usm.ts';

type Maybe<T> = T | undefined | Promise<T | undefined>;

export interface TrapReceiverOptions {
  address: string;
  /** 0: any free port. */
  port: number;
  /** Informs of version 3 use the receiver's engine: its id and the number of its starts, both stored by the caller. */
  engine: { id: Buffer; boots: number };
  /** Shared with the client, so that a trap from before a device's last restart is rejected at once. */
  clocks?: EngineClocks;
  /** Returns whether a modelled device has this address and community. */
  admits(source: string, community: string): boolean | Promise<boolean>;
  /**
   * Returns the user of that name at the engine; for an inform the engine is this node, and the source address
   * identifies the device.
   */
  userOf(engineId: Buffer, userName: string, source: string): Maybe<UsmUser>;
  /**
   * Stores a batch. Its informs are acknowledged after the promise resolves; if it rejects, the device resends them.
   */
  handle(batch: readonly Notification[]): Promise<void>;
  /** Called if a batch could not be stored. */
  onFailure(error: unknown): void;
  /** Called for a sender whose notifications are rejected. */
  onRefused?(source: string, why: Refusal): void;
  /** Time to collect notifications before a batch is passed on. */
  batchMs?: number;
  batchMax?: number;
  queueMax?: number;
  perSourcePerSecond?: number;
}

export type Refusal = 'unknownCommunity' | 'unknownUser' | 'unauthentic' | 'notInTimeWindow' | 'replayed';

export interface TrapStats extends Record<Refusal, number> {
  received: number;
  handled: number;
  acknowledged: number;
  /** Retransmitted by a device that has not received our acknowledgement. */
  repeated: number;
  malformed: number;
  /** Above the rate limit of one address. */
  rateLimited: number;
  /** Above the size of the queue. */
  overflowed: number;
  failed: number;
  waiting: number;
  /** Size of the buffer that the kernel has granted. */
  receiveBufferBytes: number;
}

export interface TrapReceiver {
  port: number;
  stats(): TrapStats;
  /** Passes on all received notifications, then closes. */
  close(): Promise<void>;
}

const receiveBufferBytes = 4 * 1024 * 1024;
const datagramBytesMax = 8_192;
const sourcesMax = 10_000;
const remembered = 100_000;
const rememberedMs = replaySeconds * 1_000;

interface Arrived {
  datagram: Buffer;
  from: RemoteInfo;
}

/** A notification to be stored, with its acknowledgement. */
interface Accepted extends Arrived {
  /** The signature of an authentic inform, by which copies are detected, whatever their source address. */
  signature?: string;
  notification: Notification;
  acknowledgement: Buffer | null;
}

/** Receives traps and informs of all versions of SNMP, and passes them on in batches, in the order of their arrival. */
export async function openTrapReceiver(options: TrapReceiverOptions): Promise<TrapReceiver> {
  const socket = createSocket(options.address.includes(':') ? 'udp6' : 'udp4');
  socket.bind(options.port, options.address);
  await once(socket, 'listening');
  socket.setRecvBufferSize(receiveBufferBytes);
  // A send error is treated as packet loss: the device resends the inform.
  socket.on('error', () => {});

  const stats: TrapStats = { ...noStats, receiveBufferBytes: socket.getRecvBufferSize() };
  const gate = new Gate(options, stats);
  const queue: Arrived[] = [];
  const { batchMs = 20, batchMax = 500, queueMax = 10_000 } = options;
  const admission = new RateLimit(options.perSourcePerSecond ?? 100);
  let draining: Promise<void> | null = null;
  let isClosed = false;

  socket.on('message', (datagram, sender) => {
    stats.received += 1;
    if (!admission.admits(sourceOf(sender))) stats.rateLimited += 1;
    else if (datagram.length > datagramBytesMax) stats.malformed += 1;
    else if (queue.length >= queueMax) stats.overflowed += 1;
    else {
      queue.push({ datagram, from: sender });
      stats.waiting = queue.length;
      draining ??= drain();
    }
  });

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      if (queue.length < batchMax && !isClosed) await new Promise((resolve) => setTimeout(resolve, batchMs));
      const arrived = queue.splice(0, batchMax);
      stats.waiting = queue.length;
      await passOn(arrived);
    }
    draining = null;
  }

  async function passOn(arrived: readonly Arrived[]): Promise<void> {
    const accepted: Accepted[] = [];
    try {
      for (const arrival of arrived) {
        const outcome = await gate.check(arrival);
        if (Buffer.isBuffer(outcome)) send(outcome, arrival.from);
        else if (outcome) accepted.push(outcome);
      }
      if (accepted.length === 0) return;
      await options.handle(accepted.map(({ notification }) => notification));
    } catch (error) {
      // The lookup of the user or community may fail too; then the sender of these datagrams stays unknown.
      stats.failed += arrived.length;
      options.onFailure(error);
      return;
    } finally {
      gate.endBatch();
    }
    stats.handled += accepted.length;
    for (const { acknowledgement, ...arrival } of accepted) {
      if (!acknowledgement) continue;
      gate.acknowledged(arrival, acknowledgement);
      send(acknowledgement, arrival.from);
      stats.acknowledged += 1;
    }
  }

  const send = (bytes: Buffer, recipient: RemoteInfo) => {
    if (!isClosed || draining) socket.send(bytes, recipient.port, recipient.address, () => {});
  };

  return {
    port: socket.address().port,
    stats: () => ({ ...stats }),
    async close() {
      isClosed = true;
      socket.removeAllListeners('message');
      await draining;
      socket.close();
      await once(socket, 'close');
    },
  };
}

const noStats: TrapStats = {
  received: 0,
  handled: 0,
  acknowledged: 0,
  repeated: 0,
  malformed: 0,
  rateLimited: 0,
  overflowed: 0,
  failed: 0,
  waiting: 0,
  unknownCommunity: 0,
  unknownUser: 0,
  unauthentic: 0,
  notInTimeWindow: 0,
  replayed: 0,
  receiveBufferBytes: 0,
};

/** Limits the datagrams per second of one address, with a burst after a pause. */
class RateLimit {
  readonly #perSecond: number;
  readonly #buckets = new BoundedMap<string, { tokens: number; atMs: number }>(sourcesMax);

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  admits(source: string): boolean {
    const nowMs = performance.now();
    const bucket = this.#buckets.get(source) ?? { tokens: this.#perSecond, atMs: nowMs };
    bucket.tokens = Math.min(this.#perSecond, bucket.tokens + ((nowMs - bucket.atMs) / 1_000) * this.#perSecond);
    bucket.atMs = nowMs;
    this.#buckets.set(source, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}

/** Keeps entries for as long as a message can be within the time window. */
class Memory<Value> {
  readonly #entries = new BoundedMap<string, { value: Value; untilMs: number }>(remembered);

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.untilMs > performance.now() ? entry.value : undefined;
  }

  set(key: string, value: Value): void {
    this.#entries.set(key, { value, untilMs: performance.now() + rememberedMs });
  }
}

/** Decides which datagrams are accepted. Returns a notification, a datagram to send back at once, or undefined. */
class Gate {
  readonly #options: TrapReceiverOptions;
  readonly #stats: TrapStats;
  readonly #clocks: EngineClocks;
  readonly #startedMs = performance.now();
  readonly #acknowledgements = new Memory<Buffer>();
  readonly #seen = new Memory<true>();
  /** Acknowledgements of stored signed informs. */
  readonly #informs = new Memory<Buffer>();
  /**
   * Signatures of the current batch: moved to the stored ones later, because the device resends informs that could not
   * be stored.
   */
  readonly #pending = new Set<string>();

  constructor(options: TrapReceiverOptions, stats: TrapStats) {
    this.#options = options;
    this.#stats = stats;
    this.#clocks = options.clocks ?? new EngineClocks();
  }

  /** Further copies of the same datagram are only acknowledged. */
  acknowledged(arrived: Omit<Accepted, 'acknowledgement'>, acknowledgement: Buffer): void {
    this.#acknowledgements.set(digestOf(arrived), acknowledgement);
    if (arrived.signature) this.#informs.set(arrived.signature, acknowledgement);
  }

  endBatch(): void {
    this.#pending.clear();
  }

  async check(arrived: Arrived): Promise<Accepted | Buffer | undefined> {
    const again = this.#acknowledgements.get(digestOf(arrived));
    if (again) {
      this.#stats.repeated += 1;
      return again;
    }
    try {
      const message = decodeMessage(arrived.datagram);
      return await (message.version === 'v3'
        ? this.#checkV3(arrived, message)
        : this.#checkCommunity(arrived, message));
    } catch (error) {
      if (!(error instanceof BerError)) throw error;
      this.#stats.malformed += 1;
      return undefined;
    }
  }

  async #checkCommunity(arrived: Arrived, message: CommunityMessage): Promise<Accepted | undefined> {
    const source = sourceOf(arrived.from);
    if (!(await this.#options.admits(source, message.community.toString('utf8'))))
      return this.#refuse(source, 'unknownCommunity');
    const contents = contentsOf(message.pdu);
    if (!contents) throw new BerError('a request came to the port for notifications');
    const notification: Notification = {
      source,
      version: message.version,
      engineId: null,
      userName: null,
      ...contents,
    };
    const acknowledgement = contents.isInform
      ? encodeCommunityMessage({ ...message, pdu: { ...(message.pdu as RequestPdu), type: 'response' } })
      : null;
    return { ...arrived, notification, acknowledgement };
  }

  /** An inform uses the receiver's engine, a trap the sender's (RFC 3414 section 1.5.1). */
  #checkV3(arrived: Arrived, message: V3Message): Promise<Accepted | Buffer | undefined> {
    return message.isReportable ? this.#checkInform(arrived, message) : this.#checkTrap(arrived, message);
  }

  async #checkTrap(arrived: Arrived, message: V3Message): Promise<Accepted | undefined> {
    const source = sourceOf(arrived.from);
    const user = await this.#options.userOf(message.engineId, message.userName, source);
    if (!user) return this.#refuse(source, 'unknownUser');
    const keys = keysOf(user, message.engineId);
    if (!hasLevelOf(message, user) || (user.auth && !isAuthentic(message, keys)))
      return this.#refuse(source, 'unauthentic');
    if (user.auth) {
      if (!this.#clocks.admit(message.engineId, message.boots, message.time))
        return this.#refuse(source, 'notInTimeWindow');
      // The standard permits repeated messages within the time window; the signature distinguishes them.
      const signature = `${message.engineId.toString('hex')} ${message.authentication.toString('hex')}`;
      if (this.#seen.get(signature)) return this.#refuse(source, 'replayed');
      this.#seen.set(signature, true);
    }
    const { pdu } = openMessage(message, keys);
    const contents = contentsOf(pdu);
    if (!contents || contents.isInform) throw new BerError('a trap that wants no answer is no inform');
    const engineId = message.engineId.toString('hex');
    return {
      ...arrived,
      notification: { source, version: 'v3', engineId, userName: user.userName, ...contents },
      acknowledgement: null,
    };
  }

  async #checkInform(arrived: Arrived, message: V3Message): Promise<Accepted | Buffer | undefined> {
    const source = sourceOf(arrived.from);
    const { id } = this.#options.engine;
    if (!message.engineId.equals(id)) return this.#report(message, reportNames.unknownEngine);
    const user = await this.#options.userOf(id, message.userName, source);
    if (!user) {
      this.#refuse(source, 'unknownUser');
      return this.#report(message, reportNames.unknownUser);
    }
    const keys = keysOf(user, id);
    if (!hasLevelOf(message, user) || (user.auth && !isAuthentic(message, keys))) {
      this.#refuse(source, 'unauthentic');
      return this.#report(message, hasLevelOf(message, user) ? reportNames.wrongDigest : reportNames.unsupportedLevel);
    }
    const ownClock = this.#now();
    // A first message has a guessed time: the Report with the right time is part of the protocol, not a rejection.
    if (user.auth && !isInOwnWindow(ownClock, message.boots, message.time))
      return this.#report(message, reportNames.notInTimeWindow, { auth: keys.auth! });
    const signature = user.auth && message.authentication.toString('hex');
    if (signature) {
      // The device may resend from another port, so a copy is acknowledged; it is stored once.
      const again = this.#informs.get(signature);
      if (again || this.#pending.has(signature)) {
        this.#stats.replayed += 1;
        return again;
      }
      this.#pending.add(signature);
    }
    const scoped = openMessage(message, keys);
    const contents = contentsOf(scoped.pdu);
    if (!contents?.isInform) throw new BerError('what wants an answer here is an inform');
    const pdu = { ...(scoped.pdu as RequestPdu), type: 'response' as const };
    const acknowledgement = sealMessage({ ...message, isReportable: false, ...ownClock }, keys, { ...scoped, pdu });
    const engineId = scoped.contextEngineId.toString('hex');
    return {
      ...arrived,
      notification: { source, version: 'v3', engineId, userName: user.userName, ...contents },
      acknowledgement,
      ...(signature && { signature }),
    };
  }

  #now(): { boots: number; time: number } {
    return { boots: this.#options.engine.boots, time: Math.floor((performance.now() - this.#startedMs) / 1_000) };
  }

  #report(message: V3Message, name: Oid, keys: UsmKeys = {}): Buffer {
    const { id } = this.#options.engine;
    const envelope = {
      msgId: message.msgId,
      isReportable: false,
      engineId: id,
      ...this.#now(),
      userName: message.userName,
    };
    const varbinds = [{ oid: name, type: 'counter' as const, value: 1 }];
    const pdu: RequestPdu = { type: 'report', requestId: 0, errorStatus: 0, errorIndex: 0, varbinds };
    return sealMessage(envelope, keys, { contextEngineId: id, contextName: '', pdu });
  }

  #refuse(source: string, why: Refusal): undefined {
    this.#stats[why] += 1;
    this.#options.onRefused?.(source, why);
  }
}

const hasLevelOf = (message: V3Message, user: UsmUser): boolean =>
  message.hasAuth === (user.auth !== undefined) && message.hasPriv === (user.priv !== undefined);

/** A dual-stack socket shows IPv4 addresses in IPv6-mapped form. */
const sourceOf = ({ address }: RemoteInfo): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

const digestOf = ({ datagram, from: sender }: Arrived): string =>
  createHash('sha256').update(`${sender.address} ${sender.port} `).update(datagram).digest('base64');
