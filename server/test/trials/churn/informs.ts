import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { decodeMessage, encodeCommunityMessage } from '../../../src/protocols/snmp/message.ts';
import { oid } from '../../../src/protocols/snmp/oid.ts';
import { type Change, switchAddress } from './campus.ts';

const sysUpTime = oid('1.3.6.1.2.1.1.3.0');
const snmpTrapOid = oid('1.3.6.1.6.3.1.1.4.1.0');
const macChanged = oid('1.3.6.1.4.1.9.9.215.2.0.1');
const macChangedMessage = oid('1.3.6.1.4.1.9.9.215.1.1.8.1.2.1');
const triesMax = 60;
const tryMs = 2_000;
/** One switch of this many informs all nodes, the others one node. */
const informsAllEvery = 4;

/**
 * Sends informs about MAC addresses, for each switch from its own address. An acknowledged inform is stored on disk.
 */
export class Informs {
  readonly tookMs: number[] = [];
  repeated = 0;
  readonly #nodePorts: readonly number[];
  readonly #sockets = new Map<number, Promise<Socket>>();
  readonly #waiting = new Map<number, () => void>();
  readonly #startedMs = Date.now() - 3_600_000;
  #lastId = 0;

  constructor(nodePorts: readonly number[]) {
    this.#nodePorts = nodePorts;
  }

  /** True if all informed nodes have acknowledged. */
  async send(change: Change): Promise<boolean> {
    const { switchAt } = change;
    const sinceMs = performance.now();
    const nodes =
      switchAt % informsAllEvery === 0 ? this.#nodePorts : [this.#nodePorts[switchAt % this.#nodePorts.length]!];
    const ticks = Math.floor((Date.now() - this.#startedMs) / 10);
    const answers = await Promise.all(nodes.map((node) => this.#inform(node, change, ticks)));
    this.tookMs.push(performance.now() - sinceMs);
    return answers.every(Boolean);
  }

  async #inform(node: number, change: Change, ticks: number): Promise<boolean> {
    const requestId = ++this.#lastId;
    const socket = await this.#socketOf(change.switchAt);
    const datagram = encodeCommunityMessage({
      version: 'v2c',
      community: Buffer.from('public'),
      pdu: {
        type: 'inform',
        requestId,
        errorStatus: 0,
        errorIndex: 0,
        varbinds: [
          { oid: sysUpTime, type: 'ticks', value: ticks },
          { oid: snmpTrapOid, type: 'oid', value: macChanged },
          { oid: macChangedMessage, type: 'octets', value: messageOf(change) },
        ],
      },
    });
    for (let tries = 1; tries <= triesMax; tries++) {
      if (tries > 1) this.repeated++;
      socket.send(datagram, node, '127.0.0.1');
      if (await this.#acknowledged(requestId)) return true;
    }
    return false;
  }

  #acknowledged(requestId: number): Promise<boolean> {
    return new Promise((done) => {
      const end = (isAcknowledged: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(requestId);
        done(isAcknowledged);
      };
      const timer = setTimeout(end, tryMs, false);
      this.#waiting.set(requestId, () => end(true));
    });
  }

  #socketOf(switchAt: number): Promise<Socket> {
    const socket = this.#sockets.get(switchAt) ?? this.#open(switchAt);
    this.#sockets.set(switchAt, socket);
    return socket;
  }

  async #open(switchAt: number): Promise<Socket> {
    const socket = createSocket('udp4').bind(0, switchAddress(switchAt));
    socket.on('message', (bytes) => {
      const message = decodeMessage(bytes);
      if (message.version !== 'v3' && message.pdu.type === 'response') this.#waiting.get(message.pdu.requestId)?.();
    });
    await once(socket, 'listening');
    return socket;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.values()) (await socket).close();
  }
}

/** CISCO-MAC-NOTIFICATION-MIB cmnHistMacChangedMsg: one entry, and the end. */
function messageOf({ kind, mac, portNumber }: Change): Buffer {
  const message = Buffer.alloc(12);
  message.writeUInt8(kind === 'left' ? 2 : 1, 0);
  message.writeUInt16BE(1, 1);
  message.write(mac.replaceAll(':', ''), 3, 'hex');
  message.writeUInt16BE(portNumber, 9);
  return message;
}
