import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import {
  accessRequest,
  authenticityOf,
  decode,
  type Packet,
  packetCode,
  type Request,
} from '@portreeve/server/protocols/radius/packet.ts';
import { Random } from '@portreeve/server/test/decide/random.ts';

/** A login, and its expected reply. */
export interface Login {
  mac: string;
  /** Address of the access device, and the name of its port. */
  nas: string;
  port: string;
  /** The VLAN; `reject`: no node may accept; absent: any reply is right. */
  expected?: string;
}

export interface SenderOptions {
  host: string;
  secret: string;
  logins: readonly Login[];
}

export interface SenderOrder {
  /** The id of the order and of its result: orders may overlap. */
  id: number;
  authPort: number;
  seconds: number;
  seed: number;
  /** False: the content of the reply is not checked. */
  isChecked: boolean;
  /** Logins per second; absent: as many as get replies, with a fixed number in progress. */
  perSecond?: number;
  onTheWay: number;
  /** A single login instead. */
  only?: Login;
}

export interface SenderAnswer {
  id: number;
  answered: number;
  lost: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  cpuMs: number;
  faults: string[];
}

const socketsPerNas = 4;
const lostMs = 5_000;
const faultsMax = 3;
const attribute = { serviceType: 6, callingStationId: 31, nasPortId: 87, tunnelPrivateGroupId: 81 };
const callCheck = Buffer.from([0, 0, 0, 10]);

interface Waiting {
  request: Request;
  login: Login;
  sentMs: number;
  done(packet: Packet | undefined): void;
}

/** A socket of an access device; 256 packets may be in progress at once. */
class RequestSender {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('message', (bytes) => this.#take(bytes));
  }

  static async at(address: string): Promise<RequestSender> {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 4_194_304 }).bind(0, address);
    await once(socket, 'listening');
    return new RequestSender(socket);
  }

  ask(login: Login, port: number): Promise<{ tookMs: number; packet: Packet | undefined }> {
    while (this.#waiting.has(this.#next)) this.#next = (this.#next + 1) % 256;
    const identifier = this.#next;
    this.#next = (this.#next + 1) % 256;
    const name = login.mac.replaceAll(':', '').toLowerCase();
    const request = accessRequest({
      identifier,
      secret: options.secret,
      userName: name,
      password: name,
      attributes: [
        [attribute.serviceType, callCheck],
        [attribute.callingStationId, Buffer.from(login.mac.replaceAll(':', '-'))],
        [attribute.nasPortId, Buffer.from(login.port)],
      ],
    });
    return new Promise((done) => {
      const sentMs = performance.now();
      const timer = setTimeout(() => finish(undefined), lostMs);
      const finish = (packet: Packet | undefined) => {
        clearTimeout(timer);
        this.#waiting.delete(identifier);
        done({ tookMs: performance.now() - sentMs, packet });
      };
      this.#waiting.set(identifier, { request, login, sentMs, done: finish });
      this.#socket.send(request.bytes, port, options.host);
    });
  }

  #take(bytes: Buffer): void {
    const packet = decode(bytes);
    const pending = this.#waiting.get(packet.identifier);
    if (pending && authenticityOf(packet, pending.request, options.secret) === 'signed') pending.done(packet);
  }
}

function answerIn({ code, attributes }: Packet): string {
  if (code !== packetCode.accessAccept) return 'reject';
  const vlan = attributes.find(({ type }) => type === attribute.tunnelPrivateGroupId)?.value.toString('latin1');
  return vlan?.replace(/^\0/, '') ?? 'none';
}

const options: SenderOptions = await new Promise((done) => {
  process.once('message', done);
  process.send!('ready');
});
const askers = new Map<string, { all: RequestSender[]; turn: number }>();
for (const { nas } of options.logins)
  if (!askers.has(nas))
    askers.set(nas, {
      all: await Promise.all(Array.from({ length: socketsPerNas }, () => RequestSender.at(nas))),
      turn: 0,
    });
process.send!('open');

async function run(order: SenderOrder): Promise<SenderAnswer> {
  const { id, authPort, seconds, seed, isChecked, perSecond, onTheWay, only: singleLogin } = order;
  const random = new Random(seed);
  const tooksMs: number[] = [];
  const faults: string[] = [];
  let lost = 0;
  const sendOne = async (): Promise<void> => {
    const login = singleLogin ?? random.pick(options.logins);
    const accessDevice = askers.get(login.nas)!;
    const { tookMs, packet } = await accessDevice.all[accessDevice.turn++ % socketsPerNas]!.ask(login, authPort);
    if (!packet) {
      lost += 1;
      return;
    }
    tooksMs.push(tookMs);
    const decision = answerIn(packet);
    if (isChecked && login.expected !== undefined && decision !== login.expected && faults.length < faultsMax)
      faults.push(`${login.mac} at ${login.nas} ${login.port}: ${decision} instead of ${login.expected}`);
  };
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const isOver = () => performance.now() - startMs >= seconds * 1_000;
  const sender = async () => {
    while (!isOver()) await sendOne();
  };
  if (singleLogin) await sendOne();
  else if (perSecond === undefined) await Promise.all(Array.from({ length: onTheWay }, sender));
  else await steady(perSecond, isOver, startMs, sendOne);
  const took = (performance.now() - startMs) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  tooksMs.sort((a, b) => a - b);
  const quantile = (share: number) => tooksMs[Math.min(tooksMs.length - 1, Math.floor(tooksMs.length * share))] ?? 0;
  return {
    id,
    answered: tooksMs.length,
    lost,
    seconds: took,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    cpuMs: (user + system) / 1_000,
    faults,
  };
}

async function steady(
  perSecond: number,
  isOver: () => boolean,
  startMs: number,
  sendOne: () => Promise<void>,
): Promise<void> {
  const under = new Set<Promise<void>>();
  for (let sentLogins = 0; !isOver(); ) {
    for (const due = ((performance.now() - startMs) * perSecond) / 1_000; sentLogins < due; sentLogins++) {
      const asking = sendOne();
      under.add(asking);
      void asking.finally(() => under.delete(asking));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(under);
}

process.on('message', (order: SenderOrder) => void run(order).then((answer) => process.send!(answer)));
process.once('SIGTERM', () => process.exit(0));
