import type { RemoteInfo } from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CacheInvalidation, type Histogram, type Metrics, type Runtime, reportOverload } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { type AccountingReport, readAccounting } from '../../protocols/radius/accounting.ts';
import {
  accountingAuthenticity,
  accountingResponse,
  decode,
  type Packet,
  PacketError,
  packetCode,
  statusServerAuthenticity,
} from '../../protocols/radius/packet.ts';
import {
  type AccessDevice,
  type AccessRequest,
  isRefusal,
  readRequest,
} from '../access-request/access-request.service.ts';
import { AccountingQueue } from './accounting-queue.ts';
import { AccountingSockets, type Receive } from './accounting-sockets.ts';
import type { AccountingStore } from './accounting-store.ts';

/** A verified packet that waits to be stored. */
export interface WaitingPacket {
  device: AccessDevice;
  deviceID: number;
  /** Null: the access device restarted. */
  mac: string | null;
  report: AccountingReport;
  request: AccessRequest;
  authenticator: string;
  receivedMs: number;
  /** Identifies the packet while it waits: a retransmission is answered with it. */
  key: string;
  respond(): void;
}

/** Outcomes of packets, as the metric has them. */
export type Outcome =
  | 'stored'
  | 'unchanged'
  | 'status'
  | 'restart'
  | 'other'
  | 'no-mac'
  | 'unknown-mac'
  | 'waiting-already'
  | 'unknown-device'
  | 'bad-authenticator'
  | 'malformed'
  | 'overload'
  | 'failed';

interface AccountingListenerOptions {
  runtime: Runtime;
  generations: CacheInvalidation;
  metrics: Metrics;
  store: AccountingStore;
  /** The access device with an address; null: none; undefined: not known now. */
  deviceAt(address: string): AccessDevice | null | undefined;
  onUnknownDevice(address: string): void;
  onBadAuthenticator(device: AccessDevice): void;
  /** Local address; `*`: all. */
  host: string;
  monotonicMs: () => number;
  onError(error: Error): void;
  queueMax?: number;
}

const batchMax = 1_000;
/** For company after a pause; while a batch is stored, the next one gathers. */
const gatherMs = 5;
const queueMaxDefault = 10_000;
const followMs = 5_000;
const overloadMs = 60_000;
const secondsBounds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];
const noLabels = {};
/** Outcomes of packets that are no accounting request of an access device. */
const notRequests: ReadonlySet<Outcome> = new Set(['status', 'unknown-device', 'bad-authenticator', 'malformed']);

const settingsSql = 'select case when g.service_enabled then g.acct_port else 0 end as port from radius_global g';

/** Every receiving node renews the time stamp. A gap of more than a minute starts a new period of reception. */
const receivingSql = `update accounting_receiver r set received_at = now(),
  receiving_since = case when r.received_at < now() - interval '1 minute' then now() else r.receiving_since end
where r.received_at < now() - interval '5 seconds'`;

/** A dual-stack socket shows IPv4 addresses in IPv6-mapped form. */
const sourceOf = ({ address }: RemoteInfo): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/**
 * Receives accounting packets at the port of the RADIUS settings, and answers each one when it is stored. A packet that cannot be stored
 * gets no response, so the access device sends it again, to this node or another one.
 */
export class AccountingListener {
  readonly #options: AccountingListenerOptions;
  readonly #sockets: AccountingSockets;
  readonly #queue: AccountingQueue<WaitingPacket>;
  readonly #waiting = new Set<string>();
  readonly #outcomes = new Map<Outcome, number>();
  readonly #seconds: Histogram;
  #storing: Promise<void> | undefined;
  #following: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #overload: NodeJS.Timeout | undefined;
  #dropped = 0;
  #isClosing = false;

  constructor(options: AccountingListenerOptions) {
    this.#options = options;
    this.#queue = new AccountingQueue(options.queueMax ?? queueMaxDefault);
    this.#sockets = new AccountingSockets(options.host, (...received) => this.#receive(...received), options.onError);
    this.#seconds = options.metrics.histogram(
      'portreeve_accounting_duration_seconds',
      'Time from an accounting packet to its response.',
      secondsBounds,
    );
    options.metrics.gauge(
      'portreeve_accounting_packets_total',
      'Accounting packets, by outcome.',
      () => [...this.#outcomes].map(([outcome, value]) => ({ labels: { outcome }, value })),
      'counter',
    );
    options.metrics.gauge('portreeve_accounting_waiting', 'Accounting packets that wait to be stored.', () => [
      { labels: {}, value: this.#queue.length },
    ]);
    options.generations.follow({
      channel: 'radius_changed',
      sql: `select g.wanted from config_generation g where g.topic = 'radius'`,
      forget: () => {
        if (this.#timer) void this.#follow();
      },
    });
  }

  /** Number of packets with an outcome since the start. */
  count(outcome: Outcome): number {
    return this.#outcomes.get(outcome) ?? 0;
  }

  /** Number of accounting requests of access devices since the start, however they were settled. */
  get requests(): number {
    let requests = 0;
    for (const [outcome, packets] of this.#outcomes) if (!notRequests.has(outcome)) requests += packets;
    return requests;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#follow(), followMs).unref();
    await this.#follow();
  }

  /** Stores and answers what was received, then closes. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    await this.#following;
    await this.#storing;
    await this.#sockets.close();
    clearTimeout(this.#overload);
    await this.#reportOverload();
  }

  /** Opens the sockets that the settings and the addresses of this machine require. */
  #follow(): Promise<void> {
    this.#following ??= this.#followOnce()
      .catch(this.#options.onError)
      .finally(() => {
        this.#following = undefined;
      });
    return this.#following;
  }

  async #followOnce(): Promise<void> {
    const { pool } = this.#options.runtime;
    const { rows } = await pool.query<{ port: number }>(settingsSql);
    if (this.#isClosing) return;
    await this.#sockets.follow(rows[0]?.port ?? 0);
    if (this.#sockets.count > 0) await pool.query(receivingSql);
  }

  readonly #receive: Receive = (datagram, sender, reply) => {
    if (this.#isClosing) return;
    const outcome = this.#accept(datagram, sender, reply);
    if (outcome) this.#count(outcome);
  };

  /** Returns the outcome of a packet that does not wait to be stored. */
  #accept(datagram: Buffer, sender: RemoteInfo, reply: (bytes: Buffer) => void): Outcome | undefined {
    const source = sourceOf(sender);
    const device = this.#options.deviceAt(source);
    if (!device) {
      if (device === null) this.#options.onUnknownDevice(source);
      return 'unknown-device';
    }
    try {
      const packet = decode(datagram);
      const isStatus = packet.code === packetCode.statusServer;
      if (!isStatus && packet.code !== packetCode.accountingRequest) return 'malformed';
      const authenticity = (isStatus ? statusServerAuthenticity : accountingAuthenticity)(packet, device.secret);
      if (authenticity === 'forged' || (isStatus && authenticity === 'unsigned')) {
        this.#options.onBadAuthenticator(device);
        return 'bad-authenticator';
      }
      const respond = () => reply(accountingResponse(packet, device.secret));
      if (!isStatus) return this.#enqueue(packet, device, `${source} ${sender.port}`, respond);
      respond();
      return 'status';
    } catch (error) {
      if (!(error instanceof PacketError)) throw error;
      return 'malformed';
    }
  }

  #enqueue(packet: Packet, device: AccessDevice, source: string, respond: () => void): Outcome | undefined {
    const report = readAccounting(packet);
    const isRestart = report.status === 'ON' || report.status === 'OFF';
    const request = readRequest(report.attributes);
    const settle = (outcome: Outcome) => {
      respond();
      return outcome;
    };
    if (report.status === 'OTHER') return settle('other');
    if (!isRestart && request.mac === null) return settle('no-mac');
    const authenticator = packet.authenticator.toString('hex');
    const key = `${source} ${packet.identifier} ${authenticator}`;
    if (this.#waiting.has(key)) return 'waiting-already';
    const isTaken = this.#queue.push({
      device,
      deviceID: device.id,
      mac: isRestart ? null : request.mac,
      report,
      request,
      authenticator,
      receivedMs: this.#options.monotonicMs(),
      key,
      respond,
    });
    if (!isTaken) return this.#drop();
    this.#waiting.add(key);
    this.#storing ??= this.#storeAll().finally(() => {
      this.#storing = undefined;
    });
    return undefined;
  }

  #drop(): Outcome {
    this.#dropped += 1;
    this.#overload ??= setTimeout(() => void this.#reportOverload(), overloadMs).unref();
    return 'overload';
  }

  async #storeAll(): Promise<void> {
    await sleep(gatherMs);
    while (this.#queue.length > 0) {
      const packets = this.#queue.take(batchMax);
      await this.#store(packets);
      for (const { key } of packets) this.#waiting.delete(key);
    }
  }

  /** Of a batch that the database refuses, halves are tried until the packet is found. */
  async #store(packets: readonly WaitingPacket[]): Promise<void> {
    try {
      const outcomes = await this.#options.store.store(packets);
      for (const [index, packet] of packets.entries()) this.#settle(packet, outcomes[index]!);
    } catch (error) {
      if (isRefusal(error) && packets.length > 1) {
        const middle = Math.ceil(packets.length / 2);
        await this.#store(packets.slice(0, middle));
        await this.#store(packets.slice(middle));
        return;
      }
      this.#count('failed', packets.length);
      this.#options.onError(new Error('storing accounting packets', { cause: error }));
    }
  }

  #settle({ respond, receivedMs }: WaitingPacket, outcome: Outcome): void {
    this.#count(outcome);
    respond();
    this.#seconds.observe(noLabels, (this.#options.monotonicMs() - receivedMs) / 1_000);
  }

  #count(outcome: Outcome, packets = 1): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + packets);
  }

  async #reportOverload(): Promise<void> {
    this.#overload = undefined;
    const dropped = this.#dropped;
    if (dropped === 0) return;
    this.#dropped = 0;
    const report = reportOverload(this.#options.runtime, systemOrigin('radius'), 'connection_log');
    try {
      await report(new Map([['accounting packets', dropped]]));
    } catch (error) {
      // Reported with the next ones.
      this.#dropped += dropped;
      this.#options.onError(error as Error);
    }
  }
}
