import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { freeUdpPorts } from '@portreeve/testbed/free-ports.ts';
import { observePorts } from '../../src/device/port/port.service.ts';
import type { AccessDevice } from '../../src/radius/access-request/access-request.service.ts';
import { UnknownMacs } from '../../src/radius/access-request/access-request.service.ts';
import { AccountingListener, AccountingStore } from '../../src/radius/accounting/accounting.service.ts';
import { until } from '../world/patience.ts';
import type { World } from '../world/world.ts';
import { attribute, type RawAttributes, rawAccountingRequest } from './accounting-request.ts';

type Outcome = Parameters<AccountingListener['count']>[0];

/** An Accounting-Request in the terms of a test. */
export interface Sent {
  /** TUNNEL reports no connection. */
  status: keyof typeof statusNumbers;
  mac?: string;
  session?: string;
  port?: string;
  seconds?: number;
  delay?: number;
  input?: number;
  output?: number;
  ip?: string;
  cause?: number;
  more?: RawAttributes;
}

const statusNumbers = { START: 1, STOP: 2, INTERIM: 3, ON: 7, OFF: 8, TUNNEL: 9 } as const;
export const accountingSecret = 'secret-of-accounting';
const gigaword = 2 ** 32;

/** Receives accounting like a node, without a RADIUS engine. Devices have addresses of loopback. */
export class AccountingWorld {
  readonly listener: AccountingListener;
  readonly port: number;
  readonly errors: Error[] = [];
  readonly unknownDevices: string[] = [];
  /** Stops the clock of the limits for new hosts. */
  frozenMs: number | undefined;
  readonly devices = new Map<string, AccessDevice>();
  readonly #world: World;
  #identifier = 0;

  private constructor(world: World, port: number) {
    this.#world = world;
    this.port = port;
    const { runtime, policies, metrics } = world.service;
    const parts = { runtime, policies, metrics, monotonicMs: () => performance.now() };
    this.listener = new AccountingListener({
      ...parts,
      generations: { follow: () => undefined } as never,
      store: new AccountingStore({
        ...parts,
        unknown: new UnknownMacs(runtime, () => this.frozenMs ?? performance.now()),
      }),
      deviceAt: (address) => this.devices.get(address) ?? null,
      onUnknownDevice: (address) => void this.unknownDevices.push(address),
      onBadAuthenticator: () => undefined,
      host: '127.0.0.1',
      onError: (error) => void this.errors.push(error),
    });
  }

  static async start(world: World): Promise<AccountingWorld> {
    const [port] = (await freeUdpPorts('127.0.0.1', 1)) as [number];
    await world.admin.post('/radius/radius-server-config/global', { acctPort: port });
    const started = new AccountingWorld(world, port);
    await started.listener.start();
    return started;
  }

  /** Adds an access device with ports `Gi1` to `Gi4`, and returns the ids of the device and its ports. */
  async device(name: string, address: string): Promise<{ id: number; ports: number[] }> {
    const { admin, service } = this.#world;
    const fields = { ipAddress: address, containerID: 1, radiusEnabled: true, radiusSecret: accountingSecret };
    const id = await admin.create({ path: '/device/snmp' }, { name, ...fields });
    await observePorts(
      service.runtime.pool,
      ['Gi1', 'Gi2', 'Gi3', 'Gi4'].map((port) => ({ deviceID: id, name: port, status: 1 })),
    );
    const { rows } = await service.runtime.pool.query<{ id: number }>(
      'select p.id from port p where p.device_id = $1 order by p.name',
      [id],
    );
    this.devices.set(address, { id, name, address, secret: accountingSecret, profileID: 1, mustSign: true });
    await service.policies.latest();
    return { id, ports: rows.map((row) => row.id) };
  }

  packet(request: Sent, secret: string = accountingSecret): Buffer {
    const octets = (value: number | undefined, low: number, high: number): RawAttributes =>
      value === undefined
        ? []
        : [
            [low, value % gigaword],
            [high, Math.floor(value / gigaword)],
          ];
    const attributes: RawAttributes = [
      [attribute.status, statusNumbers[request.status]],
      ...(request.session === undefined ? [] : ([[attribute.sessionID, request.session]] as const)),
      ...(request.mac === undefined ? [] : ([[attribute.callingStation, request.mac.replaceAll(':', '-')]] as const)),
      ...(request.port === undefined ? [] : ([[attribute.nasPortID, request.port]] as const)),
      ...(request.seconds === undefined ? [] : ([[attribute.sessionTime, request.seconds]] as const)),
      ...(request.delay === undefined ? [] : ([[attribute.delayTime, request.delay]] as const)),
      ...(request.cause === undefined ? [] : ([[attribute.terminateCause, request.cause]] as const)),
      ...(request.ip === undefined
        ? []
        : ([[attribute.framedAddress, Buffer.from(request.ip.split('.').map(Number))]] as const)),
      ...octets(request.input, attribute.inputOctets, attribute.inputGigawords),
      ...octets(request.output, attribute.outputOctets, attribute.outputGigawords),
      ...(request.more ?? []),
    ];
    this.#identifier = (this.#identifier + 1) % 256;
    return rawAccountingRequest({ secret, attributes, identifier: this.#identifier });
  }

  /** Sends a packet from an address of loopback, and waits for its response. */
  async send(source: string, request: Sent | Buffer): Promise<Buffer> {
    const socket = await this.#socket(source);
    try {
      const bytes = Buffer.isBuffer(request) ? request : this.packet(request);
      const response = once(socket, 'message');
      socket.send(bytes, this.port, '127.0.0.1');
      const [datagram] = (await response) as [Buffer];
      return datagram;
    } finally {
      socket.close();
    }
  }

  /** Sends a packet that gets no response: the listener counts it, and the first response is that of the next packet. */
  async sendInVain(source: string, bytes: Buffer, outcome: Outcome): Promise<void> {
    const before = this.listener.count(outcome);
    const socket = await this.#socket(source);
    try {
      const response = once(socket, 'message');
      socket.send(bytes, this.port, '127.0.0.1');
      await until(`the outcome ${outcome}`, () => this.listener.count(outcome) === before + 1);
      if (!this.devices.has(source)) return;
      const answered = this.packet({ status: 'TUNNEL' });
      socket.send(answered, this.port, '127.0.0.1');
      const [datagram] = (await response) as [Buffer];
      if (datagram[1] !== answered[1]) throw new Error(`a packet with the outcome ${outcome} was answered`);
    } finally {
      socket.close();
    }
  }

  async close(): Promise<void> {
    await this.listener.close();
  }

  async #socket(source: string): Promise<Socket> {
    const socket = createSocket('udp4');
    socket.bind(0, source);
    await once(socket, 'listening');
    return socket;
  }
}
