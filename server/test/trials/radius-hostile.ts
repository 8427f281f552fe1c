import { createHmac } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request as sendRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineTls, identityFolderOf } from '../../src/node/engine-identity.ts';
import { Random } from '../decide/random.ts';
import { until } from '../world/patience.ts';
import { hosts, nas, openRadiusCell, type RadiusCell, Switch, secret } from './radius-cell.ts';

export interface RadiusHostileOptions {
  seed: number;
  packets: number;
  bodies: number;
  print?(line: string): void;
}

/** Packets that are sent before an honest login is tried. */
const packetsAtOnce = 20_000;
const bodiesAtOnce = 64;
const packetMax = 4_096;
const growthMegabytesMax = 200;

/**
 * Sends random packets to the port of the engine and random bodies to the listener of the node: both must continue, and
 * accept none of them.
 */
export async function radiusHostile(options: RadiusHostileOptions): Promise<{ faults: string[] }> {
  const radius = await openRadiusCell(1);
  const trial = new Hostile(radius, options);
  try {
    await trial.open();
    await trial.sendPackets();
    await trial.sendBodies();
    return { faults: await trial.verdict() };
  } finally {
    trial.close();
    await radius.close();
  }
}

class Hostile {
  readonly #radius: RadiusCell;
  readonly #options: RadiusHostileOptions;
  readonly #random: Random;
  readonly #asking: Switch;
  readonly #sockets: Socket[] = [];
  readonly #faults: string[] = [];
  #accepted = 0;
  #before!: Processes;

  constructor(radius: RadiusCell, options: RadiusHostileOptions) {
    this.#radius = radius;
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#asking = new Switch(radius.authPort);
  }

  async open(): Promise<void> {
    await this.#asking.open();
    await until('the first reply', async () => (await this.#asking.logIn(1)) === 'right');
    // A known client, an unknown one, and one that has the secret: only the last may get replies.
    for (const address of [nas, '127.0.7.77', nas]) {
      const socket = createSocket('udp4').bind(0, address);
      await once(socket, 'listening');
      socket.on('error', () => undefined);
      this.#sockets.push(socket);
    }
    for (const socket of this.#sockets.slice(0, 2))
      socket.on('message', (bytes) => {
        if (bytes[0] === acceptCode) this.#accepted += 1;
      });
    this.#before = await this.#processes();
  }

  close(): void {
    this.#asking.close();
    for (const socket of this.#sockets) socket.close();
  }

  async sendPackets(): Promise<void> {
    const { packets, print } = this.#options;
    for (let sentPackets = 0; sentPackets < packets; ) {
      for (let n = 0; n < packetsAtOnce && sentPackets < packets; n++, sentPackets++) {
        const isSigned = this.#random.chance(0.3);
        const socket = this.#sockets[isSigned ? 2 : this.#random.integer(0, 1)]!;
        socket.send(this.#packet(isSigned), this.#radius.authPort, hosts[0]!);
        // Pauses, so that the engine reads some of them.
        if (n % 50 === 0) await sleep(1);
      }
      await this.#honest(`after ${sentPackets} packets`);
    }
    print?.(`${packets} packets sent`);
  }

  #bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.#random.integer(0, 255)));
  }

  #packet(isSigned: boolean): Buffer {
    const kind = isSigned ? 2 : this.#random.integer(0, 2);
    if (kind === 0) return this.#bytes(this.#random.integer(0, 200));
    const attributes = this.#attributes();
    const head = this.#bytes(20);
    head[0] = this.#random.pick([1, 1, 1, 2, 4, 12, 40, 43, 255]);
    const bytes = Buffer.concat([head, ...attributes]).subarray(0, packetMax);
    bytes.writeUInt16BE(kind === 1 ? this.#random.integer(0, 65_535) : bytes.length, 2);
    return isSigned ? signed(bytes) : bytes;
  }

  /** Returns attributes with invalid lengths, too short, of maximum length, and valid ones with invalid content. */
  #attributes(): Buffer[] {
    return this.#random.list(this.#random.integer(0, 12), () => {
      const type = this.#random.pick([1, 2, 3, 4, 6, 18, 24, 26, 30, 31, 79, 79, 80, 87, this.#random.integer(0, 255)]);
      const length = this.#random.pick([0, 1, 2, 3, 255, this.#random.integer(3, 60)]);
      const value = this.#random.chance(0.3)
        ? Buffer.from(this.#random.pick(texts)).subarray(0, Math.max(0, length - 2))
        : this.#bytes(Math.max(0, length - 2));
      return Buffer.concat([Buffer.of(type, length), value]);
    });
  }

  async #honest(when: string): Promise<void> {
    for (let tries = 0; tries < 20; tries++) {
      const outcome = await this.#asking.logIn(tries);
      if (outcome === 'right' || outcome === 'second') return;
      if (outcome !== 'silent') this.#faults.push(`${when} an honest login was ${outcome}`);
    }
    this.#faults.push(`${when} no honest login got a reply`);
  }

  async sendBodies(): Promise<void> {
    const { bodies, print } = this.#options;
    const tls = await engineTls(identityFolderOf(this.#radius.folders[0]!));
    const codes = new Map<number, number>();
    const agent = new Agent({ keepAlive: true, maxSockets: bodiesAtOnce, ...tls });
    const stranger = new Agent({ keepAlive: true, ca: tls!.ca });
    let sentBodies = 0;
    const sender = async () => {
      while (sentBodies < bodies) {
        sentBodies += 1;
        const isStranger = sentBodies % 50 === 0;
        const code = await post(isStranger ? stranger : agent, this.#radius.decisionPorts[0]!, {
          path: this.#path(),
          body: this.#body(),
        });
        // 0: the connection was refused.
        if (isStranger !== (code === 0))
          this.#faults.push(`a request with ${isStranger ? 'no' : 'the'} certificate of the engine got ${code}`);
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: bodiesAtOnce }, sender));
    agent.destroy();
    stranger.destroy();
    for (const code of codes.keys())
      if (![0, 200, 404, 500, 503].includes(code)) this.#faults.push(`a body got the response ${code}`);
    await this.#honest('after the bodies');
    print?.(`${bodies} bodies sent: ${[...codes].map(([code, count]) => `${code} ${count}`).join(', ')}`);
  }

  #path(): string {
    const call = this.#random.pick(['authorize', 'authorize-inner', 'post-auth', 'post-auth', 'nas', '%00', 'a/b']);
    const source = this.#random.pick([nas, nas, nas, '', '127.128.0.1', '::1', '%zz', '%27']);
    const result = this.#random.pick(['', 'Access-Accept', 'Access-Reject', 'x']);
    return `/radius/${call}?src=${source}&result=${result}&at=${Math.floor(Date.now() / 1_000)}`;
  }

  #body(): string {
    const value = (): unknown =>
      this.#random.pick<() => unknown>([
        () => this.#random.pick(texts),
        () => this.#bytes(this.#random.integer(0, 40)).toString('latin1'),
        () => this.#random.integer(-10, 2_000_000_000),
        () => null,
        () => ({}),
        () => [[]],
        () => '001d0a000001',
        () => '00-1D-0A-00-00-01',
      ])();
    const body = Object.fromEntries(
      this.#random.list(this.#random.integer(0, 10), () => [
        this.#random.pick([...names, '__proto__', 'constructor', '']),
        this.#random.chance(0.9)
          ? { type: 'string', value: this.#random.list(this.#random.integer(1, 3), value) }
          : value(),
      ]),
    );
    const text = JSON.stringify(body);
    const cut = this.#random.chance(0.1) ? text.slice(0, this.#random.integer(0, text.length)) : text;
    return this.#random.chance(0.001) ? cut.padEnd(100_000, ' ') : cut;
  }

  async verdict(): Promise<string[]> {
    const after = await this.#processes();
    const { print } = this.#options;
    for (const name of ['node', 'engine'] as const) {
      const [then, now] = [this.#before[name], after[name]];
      if (then.pid !== now.pid) this.#faults.push(`the ${name} is another process`);
      if (now.megabytes - then.megabytes > growthMegabytesMax)
        this.#faults.push(`the ${name} has grown from ${then.megabytes} to ${now.megabytes} MB`);
      print?.(`${name}: ${then.megabytes} MB before, ${now.megabytes} MB after`);
    }
    if (this.#accepted > 0) this.#faults.push(`${this.#accepted} forged packets were accepted`);
    const errors = this.#radius.cell.nodes[0]!.log()
      .split('\n')
      // Each refused body is logged, as it should be.
      .filter((line) => /"level":(50|60)/.test(line) && !line.includes('RefusedCall'));
    for (const line of [...new Set(errors.map((line) => /"message":"([^"]*)/.exec(line)?.[1] ?? line))].slice(0, 5))
      this.#faults.push(`the node logged: ${line.slice(0, 300)}`);
    return this.#faults;
  }

  async #processes(): Promise<Processes> {
    const node = serviceOf(this.#radius.cell.nodes[0]!.pid()!);
    const engine = (await this.#radius.engines[0]!.running())?.pid ?? 0;
    return { node: { pid: node, megabytes: memoryOf(node) }, engine: { pid: engine, megabytes: memoryOf(engine) } };
  }
}

type Processes = Record<'node' | 'engine', { pid: number; megabytes: number }>;

const acceptCode = 2;
const texts = [
  '%{User-Name}',
  '`id`',
  '$(id)',
  `'; drop table host; --`,
  '"',
  '\\',
  '\\"',
  '\0',
  'ü€😀',
  '%{exec:id}',
  '$'.concat('{x}'),
];
const names = [
  'User-Name',
  'User-Password',
  'Calling-Station-Id',
  'Called-Station-Id',
  'NAS-Port-Id',
  'NAS-Port',
  'Service-Type',
  'EAP-Type',
  'Stripped-User-Name',
  'TLS-Client-Cert-Common-Name',
  'Portreeve-Inner-Method',
  'Portreeve-Reason',
  'Module-Failure-Message',
  'Proxy-State',
];

/** Signs a packet with consistent lengths, so that the engine parses its content. */
function signed(bytes: Buffer): Buffer {
  const signature = Buffer.concat([Buffer.of(80, 18), Buffer.alloc(16)]);
  const packet = Buffer.concat([bytes.subarray(0, 20), signature, bytes.subarray(20)]).subarray(0, packetMax);
  packet.writeUInt16BE(packet.length, 2);
  createHmac('md5', secret).update(packet).digest().copy(packet, 22);
  return packet;
}

/** Returns the process of the service, a descendant of the process that started it. */
function serviceOf(pid: number): number {
  const child = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0];
  return child && memoryOf(pid) < 20 ? serviceOf(Number(child)) : pid;
}

function memoryOf(pid: number): number {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024);
  } catch {
    return 0;
  }
}

function post(agent: Agent, port: number, { path, body }: { path: string; body: string }) {
  return new Promise<number>((done) => {
    const request = sendRequest({ agent, host: '127.0.0.1', port, path, method: 'POST' }, (response) =>
      response.resume().once('end', () => done(response.statusCode!)),
    );
    request.on('error', () => done(0)).end(body);
  });
}
